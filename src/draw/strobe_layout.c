// SPDX-License-Identifier: MIT
// Where the bodies of a strobe go on the page. Seen from the side or the front they stand in lines like words, broken
// where the page ends; from above and in perspective they stand in space on a grid of metres.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/strobe.h"

#define LARGEST_BODY 250.0  // pixels for a man of 1.75 m
#define SMALLEST_BODY 112.0 // smaller than this, lines are broken
#define LINE_BODY 135.0     // the same where lines are broken
#define SPACE_HEIGHT 440.0  // pixels that top and perspective views may be high

static double age_of(const strobe *all, int index)
{
    return all->body_count > 1 ? 1.0 - (double)index / (all->body_count - 1) : 0.0;
}

static strobe_camera line_camera(const picture *page)
{
    lope_vec3 up = {0, 1, 0}, across = lope_v3_cross(page->travel, up);
    bool front = page->def->view == LOPE_VIEW_FRONT;
    // From the side the eye is at the character's right, so that walking goes to the right of the picture.
    return (strobe_camera){.right = front ? lope_v3_scale(across, -1.0f) : page->travel,
                           .up = up,
                           .forward = lope_v3_scale(front ? page->travel : across, -1.0f),
                           .scale = 1.0};
}

static strobe_box box_of(const strobe_body *bodies, int count, const strobe_camera *camera)
{
    strobe_box box = STROBE_BOX_EMPTY;
    for (int i = 0; i < count; i++)
        strobe_box_add(&box, camera, &bodies[i]);
    return box;
}

// Scale in pixels per metre, and the row of each body.
static double break_lines(const picture *page, strobe *all, const strobe_camera *unit)
{
    strobe_box whole = box_of(all->bodies, all->body_count, unit);
    double body = 1.75 * (double)page->size, width = picture_width(page);
    double high = fmax(whole.low, -(double)page->floor) - whole.high;
    double scale = fmin(fmin(width / (whole.right - whole.left), LARGEST_BODY / body), 1.6 * LARGEST_BODY / high);
    if (page->def->spread == 0.0f || scale * body >= SMALLEST_BODY)
        return scale;
    scale = LINE_BODY / body;
    strobe_box row = STROBE_BOX_EMPTY;
    for (int i = 0, number = 0; i < all->body_count; i++) {
        strobe_body *it = &all->bodies[i];
        strobe_box_add(&row, unit, it);
        if (i > 0 && (row.right - row.left) * scale > width) {
            number++;
            row = STROBE_BOX_EMPTY;
            strobe_box_add(&row, unit, it);
        }
        it->row = number;
    }
    // A single body may be wider than the page (a tiny page, a giant).
    strobe_box widest = box_of(all->bodies, 1, unit);
    return fmin(scale, width / (widest.right - widest.left));
}

// A tread below each foot that stands well above the floor: steps, rungs, ledges. From the side it is a short line.
static void draw_supports(picture *page, const strobe_camera *camera, const strobe_body *body)
{
    for (int i = 0; i < body->support_count; i++) {
        const body_foot *foot = &body->supports[i];
        lope_vec3 along = lope_v3_sub(foot->tip, foot->heel);
        along.y = 0.0f;
        along = lope_v3_normalize(along, page->travel);
        lope_vec3 across = lope_v3_scale(lope_v3_cross(lope_v3(0, 1, 0), along), 0.09f * page->size);
        svg_point corners[4];
        for (int c = 0; c < 4; c++) {
            lope_vec3 end = lope_v3_mad(c < 2 ? foot->heel : foot->tip, along, (c < 2 ? -0.06f : 0.06f) * page->size);
            lope_vec3 p = lope_v3_add(lope_v3_mad(end, across, c == 0 || c == 3 ? 1.0f : -1.0f), body->shift);
            p.y = foot->heel.y;
            corners[c] = strobe_project(camera, p).at;
        }
        svg_polygon(&page->out, corners, 4, page->theme.grid, (svg_pen){page->theme.floor, 1.5, NULL});
    }
}

static void draw_times(picture *page, const strobe_camera *camera, const strobe_body *bodies, int count, double y)
{
    double last = -1e30;
    for (int i = 0; i < count; i++) {
        char text[64], number[32];
        double x = strobe_project(camera, lope_v3_add(bodies[i].hips, bodies[i].shift)).at.x;
        snprintf(text, sizeof text, "%s s", picture_label(number, picture_seconds(page, bodies[i].frame), 0.01));
        double half = 0.5 * svg_text_width(10, text);
        if (x - half < last + 6.0 || x + half > picture_width(page) + 1.8 * PICTURE_MARGIN)
            continue;
        svg_text(&page->out, (svg_point){x, y}, (svg_font){10, 0, false, page->theme.muted, NULL}, text);
        last = x + half;
    }
}

static void draw_row(picture *page, const strobe *all, int first, int count, strobe_camera camera)
{
    strobe_box box = box_of(all->bodies + first, count, &camera);
    double scale = camera.scale, floor = -scale * (double)page->floor;
    // Rows high above the floor (a ladder, stairs) leave it out rather than waste the page.
    bool on_floor = box.low > floor - 0.7 * scale * (double)page->size;
    double bottom = on_floor ? fmax(box.low, floor) : box.low;
    double slack = picture_width(page) - (box.right - box.left);
    camera.origin.x = PICTURE_MARGIN - box.left + (all->bodies[all->body_count - 1].row ? 0.0 : 0.5 * slack);
    camera.origin.y = page->top + 6.0 - box.high;
    if (on_floor)
        svg_line(&page->out, (svg_point){PICTURE_MARGIN, camera.origin.y + floor},
                 (svg_point){PICTURE_MARGIN + picture_width(page), camera.origin.y + floor},
                 (svg_pen){page->theme.floor, 1.5, NULL});
    for (int i = first; i < first + count; i++) {
        draw_supports(page, &camera, &all->bodies[i]);
        strobe_draw_body(page, &camera, &all->bodies[i], age_of(all, i));
    }
    page->top += 6.0 + bottom - box.high + 16.0;
    draw_times(page, &camera, all->bodies + first, count, page->top);
    page->top += 12.0;
}

static const char *view_name(lope_view view)
{
    static const char *const names[] = {"from the side", "from the front", "from above", "in perspective"};
    return names[view];
}

static void draw_heading(picture *page, const strobe *all, double scale)
{
    char note[160], number[32];
    const char *interval = picture_label(number, all->interval, 0.01);
    if (all->body_count == 1)
        snprintf(note, sizeof note, "one body");
    else if (all->thinned)
        snprintf(note, sizeof note, "%d bodies instead of %d: one every %s s%s", all->body_count, all->thinned,
                 interval, all->shifted ? ", side by side" : "");
    else
        snprintf(note, sizeof note, "one body every %s s%s", interval, all->shifted ? ", side by side" : "");
    char title[64];
    snprintf(title, sizeof title, "Body %s", view_name(page->def->view));
    if (scale > 0.0)
        picture_scale_bar(page, (svg_point){PICTURE_MARGIN + picture_width(page), page->top}, scale);
    picture_heading(page, title, note);
}

lope_status strobe_draw_strip(picture *page, strobe *all, lope_error *error)
{
    (void)error;
    strobe_camera camera = line_camera(page);
    camera.scale = break_lines(page, all, &camera);
    svg_group_begin(&page->out, "strobe", NULL);
    draw_heading(page, all, camera.scale);
    for (int first = 0, count; first < all->body_count; first += count) {
        for (count = 1; first + count < all->body_count; count++)
            if (all->bodies[first + count].row != all->bodies[first].row)
                break;
        draw_row(page, all, first, count, camera);
    }
    svg_group_end(&page->out);
    page->top += 14.0;
    return LOPE_OK;
}

// Along the travel (z), across it to the left (x), on the floor.
typedef struct ground_box {
    double along_low, along_high, across_low, across_high;
} ground_box;

static lope_vec3 ground_point(const picture *page, double along, double across)
{
    lope_vec3 left = lope_v3_cross(lope_v3(0, 1, 0), page->travel);
    lope_vec3 p = lope_v3_mad(lope_v3_scale(page->travel, (float)along), left, (float)across);
    p.y = page->floor;
    return p;
}

static ground_box ground_box_of(const picture *page, const strobe *all)
{
    lope_vec3 left = lope_v3_cross(lope_v3(0, 1, 0), page->travel);
    ground_box box = {1e30, -1e30, 1e30, -1e30};
    for (int i = 0; i < all->body_count; i++) {
        lope_vec3 p = lope_v3_add(all->bodies[i].hips, all->bodies[i].shift);
        double along = (double)lope_v3_dot(p, page->travel), across = (double)lope_v3_dot(p, left);
        box.along_low = fmin(box.along_low, along), box.along_high = fmax(box.along_high, along);
        box.across_low = fmin(box.across_low, across), box.across_high = fmax(box.across_high, across);
    }
    return box;
}

static strobe_camera space_camera(const picture *page, ground_box box)
{
    lope_vec3 up = {0, 1, 0}, across = lope_v3_cross(page->travel, up);
    lope_vec3 centre =
        ground_point(page, 0.5 * (box.along_low + box.along_high), 0.5 * (box.across_low + box.across_high));
    centre.y += 0.85f * page->size;
    strobe_camera camera = {.eye = centre, .scale = 1.0};
    if (page->def->view == LOPE_VIEW_TOP) {
        camera.forward = lope_v3(0, -1, 0);
        camera.right = page->travel;
    } else { // from ahead of the character's right side, a little above
        double ahead = 32.0 * LOPE_PI / 180.0, above = 17.0 * LOPE_PI / 180.0;
        lope_vec3 level =
            lope_v3_mad(lope_v3_scale(across, (float)lope_cos(ahead)), page->travel, (float)lope_sin(ahead));
        lope_vec3 towards_eye = lope_v3_mad(lope_v3_scale(level, (float)lope_cos(above)), up, (float)lope_sin(above));
        double along = box.along_high - box.along_low, wide = box.across_high - box.across_low;
        camera.distance = 3.2 * (double)page->size + 1.1 * sqrt(along * along + wide * wide);
        camera.eye = lope_v3_mad(centre, towards_eye, (float)camera.distance);
        camera.forward = lope_v3_scale(towards_eye, -1.0f);
        camera.right = lope_v3_normalize(lope_v3_cross(camera.forward, up), page->travel);
    }
    camera.up = lope_v3_cross(camera.right, camera.forward);
    return camera;
}

static void grow_to(strobe_box *box, const strobe_camera *camera, lope_vec3 point)
{
    svg_point at = strobe_project(camera, point).at;
    box->left = fmin(box->left, at.x), box->right = fmax(box->right, at.x);
    box->high = fmin(box->high, at.y), box->low = fmax(box->low, at.y);
}

// Lines of the floor, a whole number of steps apart, over the box.
static void draw_grid(picture *page, const strobe_camera *camera, ground_box box, double step)
{
    svg_pen pen = {page->theme.grid, 1.0, NULL};
    for (double a = box.along_low; a <= box.along_high + 0.5 * step; a += step)
        svg_line(&page->out, strobe_project(camera, ground_point(page, a, box.across_low)).at,
                 strobe_project(camera, ground_point(page, a, box.across_high)).at, pen);
    for (double a = box.across_low; a <= box.across_high + 0.5 * step; a += step)
        svg_line(&page->out, strobe_project(camera, ground_point(page, box.along_low, a)).at,
                 strobe_project(camera, ground_point(page, box.along_high, a)).at, pen);
}

static void draw_shadow(picture *page, const strobe_camera *camera, const strobe_body *body)
{
    enum { CORNERS = 24 };
    svg_point corners[CORNERS];
    lope_vec3 centre = lope_v3_add(body->hips, body->shift);
    for (int i = 0; i < CORNERS; i++) {
        double angle = 2.0 * LOPE_PI * i / CORNERS, radius = 0.24 * (double)page->size;
        lope_vec3 p = {centre.x + (float)(radius * lope_cos(angle)), body->ground,
                       centre.z + (float)(radius * lope_sin(angle))};
        corners[i] = strobe_project(camera, p).at;
    }
    svg_polygon(&page->out, corners, CORNERS, svg_mix(page->theme.background, page->theme.grid, 0.8), (svg_pen){0});
}

// Indices of the bodies, the farthest first; from above in order of time.
static void draw_bodies(picture *page, const strobe *all, const strobe_camera *camera)
{
    bool *drawn = lope_alloc_zero((size_t)all->body_count * sizeof *drawn);
    if (!drawn) {
        page->out.failed = true;
        return;
    }
    for (int n = 0; n < all->body_count; n++) {
        int farthest = -1;
        double depth = -1e30;
        for (int i = 0; i < all->body_count; i++) {
            double d = page->def->view == LOPE_VIEW_TOP
                           ? -(double)i
                           : strobe_project(camera, lope_v3_add(all->bodies[i].hips, all->bodies[i].shift)).depth;
            if (!drawn[i] && d > depth)
                depth = d, farthest = i;
        }
        drawn[farthest] = true;
        draw_supports(page, camera, &all->bodies[farthest]);
        strobe_draw_body(page, camera, &all->bodies[farthest], age_of(all, farthest));
    }
    lope_free(drawn);
}

lope_status strobe_draw_space(picture *page, strobe *all, lope_error *error)
{
    (void)error;
    ground_box box = ground_box_of(page, all);
    strobe_camera camera = space_camera(page, box);
    double step = picture_step(fmax(box.along_high - box.along_low, box.across_high - box.across_low) + 1.5, 24);
    step = fmax(step, 0.5 * picture_step(2.0 * (double)page->size, 2));
    double air = 0.45 * (double)page->size;
    box = (ground_box){floor((box.along_low - air) / step) * step, ceil((box.along_high + air) / step) * step,
                       floor((box.across_low - air) / step) * step, ceil((box.across_high + air) / step) * step};
    strobe_box frame = box_of(all->bodies, all->body_count, &camera);
    for (int corner = 0; corner < 4; corner++)
        grow_to(&frame, &camera,
                ground_point(page, corner & 1 ? box.along_high : box.along_low,
                             corner & 2 ? box.across_high : box.across_low));
    double wide = frame.right - frame.left, high = frame.low - frame.high;
    camera.scale =
        fmin(fmin(picture_width(page) / wide, SPACE_HEIGHT / high), LARGEST_BODY / (double)page->size / 1.75);
    svg_group_begin(&page->out, "strobe", NULL);
    draw_heading(page, all, page->def->view == LOPE_VIEW_TOP ? camera.scale : 0.0);
    camera.origin.x = PICTURE_MARGIN + 0.5 * picture_width(page) - 0.5 * camera.scale * (frame.left + frame.right);
    camera.origin.y = page->top + 4.0 - camera.scale * frame.high;
    draw_grid(page, &camera, box, step);
    for (int i = 0; i < all->body_count && page->def->view == LOPE_VIEW_PERSPECTIVE; i++)
        if (all->bodies[i].support_count == 0)
            draw_shadow(page, &camera, &all->bodies[i]);
    draw_bodies(page, all, &camera);
    svg_group_end(&page->out);
    page->top += 4.0 + camera.scale * high + 26.0;
    return LOPE_OK;
}
