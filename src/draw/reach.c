// SPDX-License-Identifier: MIT
// Where a pose can get a body: the choices of one state of a mobility map seen from above. The body stands in the
// middle and faces up; every choice is its way, a dot where it ends and a stroke to where the body then faces.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/picture.h"
#include "lope/graph.h"
#include "lope/ground.h"

#define REACH_TOP 58.0
#define REACH_SIDE 40.0

typedef struct reach {
    svg out;
    const lope_mobility *map;
    int state;
    picture_theme theme;
    int *poses;                    // [longest] of one choice
    lope_ground *ways;             // [longest] places of the body along it
    int longest;                   // frames
    int least, most;               // frames of the shortest and the longest choice
    double left, right, low, high; // metres around the body: x to the left, z ahead
    double scale;                  // pixels per metre
    svg_point origin;
} reach;

static svg_point to_page(const reach *r, double x, double z)
{
    return (svg_point){r->origin.x - r->scale * x, r->origin.y - r->scale * z};
}

// Places of the body along a choice into r->ways; returns how many.
static int follow(const reach *r, int choice)
{
    const lope_set *set = lope_mobility_set(r->map);
    int count = lope_mobility_sequence(r->map, r->state, choice, r->poses, r->longest);
    lope_ground at = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < count; k++) {
        int clip, frame;
        lope_set_pose(set, r->poses[k], &clip, &frame);
        at = lope_ground_mul(at, lope_clip_ground_step(set->clips[clip], frame - 1));
        r->ways[k] = at;
    }
    return count;
}

static void measure(reach *r)
{
    int choices = lope_mobility_choice_count(r->map, r->state);
    for (int c = 0; c < choices; c++) {
        int count = follow(r, c);
        for (int k = 0; k < count; k++) {
            r->left = fmax(r->left, (double)r->ways[k].x), r->right = fmin(r->right, (double)r->ways[k].x);
            r->low = fmin(r->low, (double)r->ways[k].z), r->high = fmax(r->high, (double)r->ways[k].z);
        }
        r->least = count < r->least ? count : r->least;
        r->most = count > r->most ? count : r->most;
    }
    const double air = 0.35; // for the strokes of facing
    r->left += air, r->right -= air, r->low -= air, r->high += air;
}

static void draw_grid(reach *r)
{
    double step = picture_step(fmax(r->left - r->right, r->high - r->low), 16);
    svg_point corner = to_page(r, r->left, r->high);
    double width = r->scale * (r->left - r->right), height = r->scale * (r->high - r->low);
    svg_rect(&r->out, corner, width, height, 4, r->theme.panel);
    svg_font font = {10, 0, false, r->theme.muted, NULL};
    svg_pen pen = {r->theme.grid, 1, NULL};
    char text[32];
    for (double x = ceil(r->right / step) * step; x <= r->left; x += step) {
        svg_line(&r->out, to_page(r, x, r->low), to_page(r, x, r->high), pen);
        svg_point at = to_page(r, x, r->low);
        svg_text(&r->out, (svg_point){at.x, at.y + 14.0}, font, picture_label(text, fabs(x), step));
    }
    font.anchor = 1;
    for (double z = ceil(r->low / step) * step; z <= r->high; z += step) {
        svg_line(&r->out, to_page(r, r->left, z), to_page(r, r->right, z), pen);
        svg_point at = to_page(r, r->left, z);
        svg_text(&r->out, (svg_point){at.x - 6.0, at.y + 3.5}, font, picture_label(text, z, step));
    }
}

// From the colour of the left side for what is soon done to that of the right side.
static svg_colour colour_of(const reach *r, int frames)
{
    double share = r->most > r->least ? (double)(frames - r->least) / (double)(r->most - r->least) : 0.0;
    return svg_mix(r->theme.left, r->theme.right, share);
}

static lope_status draw_ways(reach *r, lope_error *error)
{
    svg_point *points = lope_alloc_array((size_t)r->longest + 1, sizeof *points);
    if (!points)
        return lope_fail_memory(error);
    for (int c = 0; c < lope_mobility_choice_count(r->map, r->state); c++) {
        int count = follow(r, c);
        points[0] = r->origin;
        for (int k = 0; k < count; k++)
            points[k + 1] = to_page(r, (double)r->ways[k].x, (double)r->ways[k].z);
        svg_polyline(&r->out, points, count + 1,
                     (svg_pen){svg_mix(colour_of(r, count), r->theme.panel, 0.55), 1.0, NULL});
    }
    lope_free(points);
    return LOPE_OK;
}

// A dot with a stroke of 0.25 m to where a body at `at` faces.
static void draw_body(reach *r, lope_ground at, double radius, svg_colour colour)
{
    double x = (double)at.x, z = (double)at.z, yaw = (double)at.yaw;
    svg_point here = to_page(r, x, z), there = to_page(r, x + 0.25 * lope_sin(yaw), z + 0.25 * lope_cos(yaw));
    svg_line(&r->out, here, there, (svg_pen){colour, 0.5 * radius, NULL});
    svg_circle(&r->out, here, radius, colour, (svg_pen){r->theme.panel, 1, NULL});
}

static void draw_heading(reach *r)
{
    double rate = lope_mobility_set(r->map)->clips[0]->frame_rate;
    char text[160], soon[32], late[32];
    snprintf(text, sizeof text, "State %d of %d: %d choices", r->state, lope_mobility_state_count(r->map),
             lope_mobility_choice_count(r->map, r->state));
    svg_text(&r->out, (svg_point){REACH_SIDE, 24.0}, (svg_font){14, -1, true, r->theme.ink, NULL}, text);
    snprintf(text, sizeof text, "from %s s (orange) to %s s (blue); metres around the body, which faces up",
             picture_label(soon, r->least / rate, 0.1), picture_label(late, r->most / rate, 0.1));
    svg_text(&r->out, (svg_point){REACH_SIDE, 42.0}, (svg_font){11, -1, false, r->theme.muted, NULL}, text);
}

static lope_status draw_reach(reach *r, const lope_draw_def *def, const char *path, lope_error *error)
{
    measure(r);
    r->scale = (def->width - 2.0 * REACH_SIDE) / (r->left - r->right);
    double height = r->scale * (r->high - r->low) + REACH_TOP + REACH_SIDE;
    r->origin = (svg_point){REACH_SIDE + r->scale * r->left, REACH_TOP + r->scale * r->high};
    draw_grid(r);
    lope_status status = draw_ways(r, error);
    if (status)
        return status;
    for (int c = 0; c < lope_mobility_choice_count(r->map, r->state); c++) {
        lope_choice choice = lope_mobility_choice(r->map, r->state, c);
        draw_body(r, choice.end, 4.5, colour_of(r, choice.frames));
    }
    draw_body(r, (lope_ground){0.0f, 0.0f, 0.0f}, 7.0, r->theme.ink);
    draw_heading(r);
    return svg_save(&r->out, path, def->width, height, r->theme.background, "Reachable places", error);
}

lope_status lope_draw_reach(const lope_mobility *map, int state, const lope_draw_def *def, const char *path,
                            lope_error *error)
{
    if (state < 0 || state >= lope_mobility_state_count(map))
        return lope_fail(error, LOPE_NOT_FOUND, "the map has states 0 to %d, found %d",
                         lope_mobility_state_count(map) - 1, state);
    if (def->width < PICTURE_SMALLEST_WIDTH || def->width > PICTURE_LARGEST_WIDTH)
        return lope_fail(error, LOPE_BAD_DATA, "the width must be from %d to %d pixels, found %d",
                         PICTURE_SMALLEST_WIDTH, PICTURE_LARGEST_WIDTH, def->width);
    reach r = {.map = map, .state = state, .theme = *picture_theme_of(def->dark), .longest = 1, .least = 1 << 30};
    for (int c = 0; c < lope_mobility_choice_count(map, state); c++) {
        int frames = lope_mobility_choice(map, state, c).frames;
        r.longest = frames > r.longest ? frames : r.longest;
    }
    if (lope_mobility_choice_count(map, state) == 0)
        return lope_fail(error, LOPE_NOT_FOUND, "state %d was dropped from the map and has no choices", state);
    r.poses = lope_alloc_array((size_t)r.longest, sizeof *r.poses);
    r.ways = lope_alloc_array((size_t)r.longest, sizeof *r.ways);
    lope_status status = r.poses && r.ways ? draw_reach(&r, def, path, error) : lope_fail_memory(error);
    lope_free(r.poses);
    lope_free(r.ways);
    svg_free(&r.out);
    return status;
}
