// SPDX-License-Identifier: MIT
// The ground path from above: hips as a line with seconds on it, facing as ticks, feet as prints where they touched.
// The main direction of travel points to the right; the grid counts metres from the start.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/picture.h"
#include "lope/ground.h"

#define PATH_HEIGHT 360.0
#define LEAST_HEIGHT 84.0
#define LARGEST_SCALE 330.0 // pixels per metre
#define MAX_PRINTS 4000

// Metres from the start along the travel and to its left, and back to pixels.
typedef struct path_map {
    lope_vec3 start, travel, left;
    double scale;
    svg_point origin;
} path_map;

static svg_point on_ground(const path_map *map, lope_vec3 p)
{
    lope_vec3 v = lope_v3_sub(p, map->start);
    return (svg_point){(double)lope_v3_dot(v, map->travel), (double)lope_v3_dot(v, map->left)};
}

static svg_point to_page(const path_map *map, lope_vec3 p)
{
    svg_point g = on_ground(map, p);
    return (svg_point){map->origin.x + map->scale * g.x, map->origin.y - map->scale * g.y};
}

static lope_vec3 hips_at(const picture *page, int frame)
{
    lope_ground ground = lope_clip_ground(page->clip, frame);
    return lope_v3(ground.x, 0.0f, ground.z);
}

typedef struct path_box {
    double left, right, low, high;
} path_box;

static path_box measure(const picture *page, const path_map *map)
{
    path_box box = {1e30, -1e30, 1e30, -1e30};
    for (int f = page->first; f <= page->last; f++) {
        svg_point g = on_ground(map, hips_at(page, f));
        box.left = fmin(box.left, g.x), box.right = fmax(box.right, g.x);
        box.low = fmin(box.low, g.y), box.high = fmax(box.high, g.y);
    }
    double air = 0.42 * (double)page->size; // prints and ticks lie beside the path
    return (path_box){box.left - air, box.right + air, box.low - air, box.high + air};
}

static void draw_grid(picture *page, const path_map *map, path_box box, svg_point corner, svg_point size)
{
    double step = picture_step(fmax(box.right - box.left, box.high - box.low), 24);
    svg_rect(&page->out, corner, size.x, size.y, 4, page->theme.panel);
    svg_font font = {10, 0, false, page->theme.muted, NULL};
    char text[32];
    for (double x = ceil(box.left / step) * step; x <= box.right; x += step) {
        double at = map->origin.x + map->scale * x;
        svg_line(&page->out, (svg_point){at, corner.y}, (svg_point){at, corner.y + size.y},
                 (svg_pen){page->theme.grid, 1, NULL});
        if (at > corner.x + 12.0 && at < corner.x + size.x - 12.0)
            svg_text(&page->out, (svg_point){at, corner.y + size.y + 14.0}, font, picture_label(text, x, step));
    }
    font.anchor = 1;
    for (double y = ceil(box.low / step) * step; y <= box.high; y += step) {
        double at = map->origin.y - map->scale * y;
        svg_line(&page->out, (svg_point){corner.x, at}, (svg_point){corner.x + size.x, at},
                 (svg_pen){page->theme.grid, 1, NULL});
        svg_text(&page->out, (svg_point){corner.x - 6.0, at + 3.5}, font, picture_label(text, y, step));
    }
}

// A sole: narrow at the heel, wide at the ball.
static void draw_print(picture *page, const path_map *map, const body_foot *foot, lope_side side)
{
    svg_colour colour = side == LOPE_LEFT ? page->theme.left : page->theme.right;
    svg_point heel = to_page(map, foot->heel), front = to_page(map, lope_v3_lerp(foot->ball, foot->tip, 0.35f));
    double scale = map->scale * (double)page->size;
    svg_capsule(&page->out, heel, 0.030 * scale, front, 0.043 * scale, svg_mix(colour, page->theme.panel, 0.5),
                (svg_pen){colour, 1, NULL});
}

// The end of a touch that begins at `frame`; gaps shorter than `bridge` frames do not end it.
static int touch_end(const picture *page, unsigned mask, int frame, int bridge)
{
    int end = frame + 1;
    for (int f = frame; f <= page->last && f < end + bridge; f++)
        if (page->contacts[f] & mask)
            end = f + 1;
    return end;
}

// One print per touch of a foot, where the foot is in the middle of it.
static void draw_prints(picture *page, const path_map *map)
{
    static const unsigned masks[2] = {LOPE_CONTACT_LEFT_FOOT, LOPE_CONTACT_RIGHT_FOOT};
    int bridge = (int)(0.1 * page->clip->frame_rate), count = 0;
    for (int side = 0; side < 2 && page->contacts; side++) {
        for (int f = page->first; f <= page->last && count < MAX_PRINTS; f++) {
            body_foot foot;
            if (!(page->contacts[f] & masks[side]))
                continue;
            int end = touch_end(page, masks[side], f, bridge);
            lope_clip_model(page->clip, f + (end - 1 - f) / 2, page->model);
            if (body_foot_points(page, (lope_side)side, &foot)) {
                draw_print(page, map, &foot, (lope_side)side);
                count++;
            }
            f = end;
        }
    }
}

static lope_status draw_hips(picture *page, const path_map *map, lope_error *error)
{
    int total = page->last - page->first + 1, stride = 1 + total / 4000, count = 0;
    svg_point *points = lope_alloc_array((size_t)(total / stride + 2), sizeof *points);
    if (!points)
        return lope_fail_memory(error);
    for (int f = page->first; f <= page->last; f += stride)
        points[count++] = to_page(map, hips_at(page, f));
    if ((total - 1) % stride)
        points[count++] = to_page(map, hips_at(page, page->last));
    svg_polyline(&page->out, points, count, (svg_pen){page->theme.ink, 1.8, NULL});
    lope_free(points);
    return LOPE_OK;
}

#define MAX_DOTS 64

static bool near_any(const svg_point *points, int count, svg_point p, double x, double y)
{
    for (int i = 0; i < count; i++)
        if (fabs(points[i].x - p.x) < x && fabs(points[i].y - p.y) < y)
            return true;
    return false;
}

// A dot with the time, unless it would cover another dot or label.
typedef struct path_dots {
    svg_point dots[MAX_DOTS], labels[MAX_DOTS];
    int dot_count, label_count;
} path_dots;

static void draw_dot(picture *page, path_dots *all, svg_point at, int frame, double step)
{
    if (all->dot_count == MAX_DOTS || near_any(all->dots, all->dot_count, at, 9.0, 9.0))
        return;
    all->dots[all->dot_count++] = at;
    svg_circle(&page->out, at, 3.2, page->theme.ink, (svg_pen){page->theme.panel, 1, NULL});
    if (near_any(all->labels, all->label_count, at, 34.0, 14.0))
        return;
    all->labels[all->label_count++] = at;
    char text[40], number[32];
    snprintf(text, sizeof text, "%s s", picture_label(number, picture_seconds(page, frame), step));
    svg_text(&page->out, (svg_point){at.x, at.y - 8.0}, (svg_font){10, 0, false, page->theme.ink, &page->theme.panel},
             text);
}

// Short strokes from the hips to where the body faces, or dots with the time: the latter lie on top.
static void draw_facing(picture *page, const path_map *map, bool as_dots)
{
    double seconds = (page->last - page->first) / page->clip->frame_rate;
    double step = picture_step(seconds, 12), tick = step / 4.0;
    svg_point last[2] = {{-1e30, 0}, {-1e30, 0}};
    path_dots dots = {.dot_count = 0};
    for (int i = 0; i * tick <= seconds + 1e-6; i++) {
        int frame = page->first + (int)floor(i * tick * page->clip->frame_rate + 0.5);
        frame = frame > page->last ? page->last : frame;
        lope_ground ground = lope_clip_ground(page->clip, frame);
        lope_vec3 hips = {ground.x, 0, ground.z};
        lope_vec3 ahead = {(float)lope_sin((double)ground.yaw), 0, (float)lope_cos((double)ground.yaw)};
        svg_point from = to_page(map, hips), to = to_page(map, lope_v3_mad(hips, ahead, 0.2f * page->size));
        if (as_dots) {
            if (i % 4 == 0)
                draw_dot(page, &dots, from, frame, step);
            continue;
        }
        if (!near_any(&last[0], 1, from, 3.0, 3.0) || !near_any(&last[1], 1, to, 12.0, 12.0)) {
            svg_line(&page->out, from, to, (svg_pen){page->theme.ink, 1.2, NULL});
            last[0] = from, last[1] = to;
        }
    }
}

lope_status draw_path(picture *page, lope_error *error)
{
    path_map map = {hips_at(page, page->first), page->travel, lope_v3_cross(lope_v3(0, 1, 0), page->travel), 1, {0, 0}};
    path_box box = measure(page, &map);
    svg_point size = {picture_width(page) - 22.0, 0.0};
    map.scale = fmin(fmin(size.x / (box.right - box.left), PATH_HEIGHT / (box.high - box.low)), LARGEST_SCALE);
    // The grid fills the page's width, and labels need some height: widen the box around its middle.
    double spare = size.x / map.scale - (box.right - box.left);
    box.left -= 0.5 * spare, box.right += 0.5 * spare;
    double flat = fmax(LEAST_HEIGHT / map.scale - (box.high - box.low), 0.0);
    box.low -= 0.5 * flat, box.high += 0.5 * flat;
    size.y = map.scale * (box.high - box.low);

    svg_group_begin(&page->out, "path", NULL);
    picture_scale_bar(page, (svg_point){PICTURE_MARGIN + picture_width(page), page->top}, map.scale);
    picture_heading(page, "Path on the ground", "hips with facing; metres from the start");
    svg_point corner = {PICTURE_MARGIN + 22.0, page->top + 2.0};
    map.origin = (svg_point){corner.x - map.scale * box.left, corner.y + map.scale * box.high};
    draw_grid(page, &map, box, corner, size);
    draw_prints(page, &map);
    lope_status status = draw_hips(page, &map, error);
    draw_facing(page, &map, false);
    draw_facing(page, &map, true);
    svg_group_end(&page->out);
    page->top = corner.y + size.y + 38.0;
    return status;
}
