// SPDX-License-Identifier: MIT
// The body every so often: chooses the frames, makes the bodies and hands them to one of two layouts. A camera here
// is a plane and a scale; shapes are balls and hulls of balls, so projecting them is projecting their centres.
#include "draw/strobe.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

#define MAX_BODIES 160   // more than that on one page is a smear
#define MAX_SHAPES 40000 // keeps pictures of skeletons with thousands of joints readable by viewers
#define HULL_POINTS 20   // per ball
#define OLDEST_FADE 0.62

strobe_spot strobe_project(const strobe_camera *camera, lope_vec3 point)
{
    lope_vec3 v = lope_v3_sub(point, camera->eye);
    double depth = (double)lope_v3_dot(v, camera->forward);
    double nearness = 1.0;
    if (camera->distance > 0.0)
        nearness = camera->distance / (depth > 0.05 * camera->distance ? depth : 0.05 * camera->distance);
    double factor = camera->scale * nearness;
    return (strobe_spot){{camera->origin.x + factor * (double)lope_v3_dot(v, camera->right),
                          camera->origin.y - factor * (double)lope_v3_dot(v, camera->up)},
                         depth,
                         factor};
}

void strobe_box_add(strobe_box *box, const strobe_camera *camera, const strobe_body *body)
{
    for (int s = 0; s < body->shape_count; s++) {
        const body_shape *shape = &body->shapes[s];
        for (int p = 0; p < shape->count; p++) {
            strobe_spot spot = strobe_project(camera, lope_v3_add(shape->points[p], body->shift));
            double r = spot.factor * (double)shape->radii[p];
            box->left = fmin(box->left, spot.at.x - r);
            box->right = fmax(box->right, spot.at.x + r);
            box->high = fmin(box->high, spot.at.y - r);
            box->low = fmax(box->low, spot.at.y + r);
        }
    }
}

static int compare_points(const void *a, const void *b)
{
    const svg_point *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

static double turn(svg_point a, svg_point b, svg_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Convex hull by Andrew's monotone chain; `points` is sorted in place. Returns the number of corners in `out`, which
// must hold count + 1.
static int convex_hull(svg_point *points, int count, svg_point *out)
{
    qsort(points, (size_t)count, sizeof *points, compare_points);
    int corners = 0;
    for (int pass = 0, base = 0; pass < 2; pass++, base = corners - 1) {
        for (int i = 0; i < count; i++) {
            svg_point p = points[pass ? count - 1 - i : i];
            if (pass && i == 0)
                continue; // the last corner of the first pass begins the second
            while (corners - base >= 2 && turn(out[corners - 2], out[corners - 1], p) <= 0.0)
                corners--;
            out[corners++] = p;
        }
    }
    return corners - 1; // the first corner closes the chain
}

static void draw_hull(svg *out, const strobe_spot *spots, const double *radii, int count, svg_colour fill, svg_pen line)
{
    svg_point points[4 * HULL_POINTS], corners[4 * HULL_POINTS + 1];
    int total = 0;
    for (int s = 0; s < count; s++) {
        for (int i = 0; i < HULL_POINTS; i++) {
            double angle = 2.0 * LOPE_PI * i / HULL_POINTS;
            points[total++] =
                (svg_point){spots[s].at.x + radii[s] * lope_cos(angle), spots[s].at.y + radii[s] * lope_sin(angle)};
        }
    }
    svg_polygon(out, corners, convex_hull(points, total, corners), fill, line);
}

static void draw_shape(picture *page, const strobe_camera *camera, const body_shape *shape, lope_vec3 shift, double age)
{
    const picture_theme *theme = &page->theme;
    const svg_colour colours[] = {theme->trunk, theme->head, theme->left, theme->right};
    svg_colour fill = svg_mix(colours[shape->side], theme->background, age * OLDEST_FADE);
    strobe_spot spots[4];
    double radii[4], factor = 0.0;
    for (int p = 0; p < shape->count; p++) {
        spots[p] = strobe_project(camera, lope_v3_add(shape->points[p], shift));
        radii[p] = fmax(spots[p].factor * (double)shape->radii[p], 0.4);
        factor = fmax(factor, spots[p].factor);
    }
    // A thin rim in the background's colour keeps limbs apart where they cross.
    svg_pen rim = {theme->background, fmin(1.1, factor * 0.012), NULL};
    if (shape->count == 2)
        svg_capsule(&page->out, spots[0].at, radii[0], spots[1].at, radii[1], fill, rim);
    else
        draw_hull(&page->out, spots, radii, shape->count, fill, rim);
}

typedef struct depth_order {
    double depth;
    int index;
} depth_order;

static int farthest_first(const void *a, const void *b)
{
    const depth_order *p = a, *q = b;
    if (p->depth != q->depth)
        return p->depth > q->depth ? -1 : 1;
    return p->index - q->index;
}

void strobe_draw_shapes(picture *page, const strobe_camera *camera, const strobe_body *body, double age)
{
    depth_order *order = lope_alloc_array((size_t)body->shape_count, sizeof *order);
    if (!order) {
        page->out.failed = true;
        return;
    }
    for (int s = 0; s < body->shape_count; s++) {
        const body_shape *shape = &body->shapes[s];
        double depth = 0.0;
        for (int p = 0; p < shape->count; p++)
            depth += strobe_project(camera, lope_v3_add(shape->points[p], body->shift)).depth / shape->count;
        order[s] = (depth_order){depth, s};
    }
    qsort(order, (size_t)body->shape_count, sizeof *order, farthest_first);
    for (int s = 0; s < body->shape_count; s++)
        draw_shape(page, camera, &body->shapes[order[s].index], body->shift, age);
    lope_free(order);
}

void strobe_draw_body(picture *page, const strobe_camera *camera, const strobe_body *body, double age)
{
    char title[64], number[32];
    snprintf(title, sizeof title, "%s s", picture_label(number, picture_seconds(page, body->frame), 0.01));
    svg_group_begin(&page->out, NULL, title);
    strobe_draw_shapes(page, camera, body, age);
    svg_group_end(&page->out);
}

// How many bodies, and how far apart, after what was asked for and what fits a page.
static void choose_bodies(const picture *page, strobe *all)
{
    double seconds = (page->last - page->first) / page->clip->frame_rate;
    double interval = fmax((double)page->def->interval, 1.0 / page->clip->frame_rate);
    int limit = MAX_SHAPES / body_shape_limit(page->clip->skeleton);
    limit = limit > MAX_BODIES ? MAX_BODIES : limit < 2 ? 2 : limit;
    double asked = floor(seconds / interval + 1e-6) + 1.0;
    all->interval = interval;
    all->body_count = (int)fmin(asked, (double)limit);
    if (asked > (double)limit) {
        all->thinned = (int)fmin(asked, 1e9);
        all->interval = seconds / (limit - 1);
    }
}

// What the body in page->model stands on: the floor, or treads above it.
static void find_supports(const picture *page, strobe_body *body)
{
    static const unsigned masks[2] = {LOPE_CONTACT_LEFT_FOOT, LOPE_CONTACT_RIGHT_FOOT};
    body->ground = page->floor;
    for (int side = 0; side < 2 && page->contacts; side++) {
        body_foot foot;
        if (!(page->contacts[body->frame] & masks[side]) || !body_foot_points(page, (lope_side)side, &foot))
            continue;
        foot.heel.y = fminf(foot.heel.y, foot.ball.y) - 0.034f * page->size;
        if (foot.heel.y < page->floor + 0.06f * page->size)
            continue;
        body->ground = foot.heel.y;
        body->supports[body->support_count++] = foot;
    }
}

static lope_status make_bodies(picture *page, strobe *all, lope_error *error)
{
    size_t per_body = (size_t)body_shape_limit(page->clip->skeleton);
    all->bodies = lope_alloc_array((size_t)all->body_count, sizeof *all->bodies);
    all->shapes = lope_alloc_array((size_t)all->body_count * per_body, sizeof *all->shapes);
    if (!all->bodies || !all->shapes)
        return lope_fail_memory(error);
    for (int i = 0; i < all->body_count; i++) {
        strobe_body *body = &all->bodies[i];
        int frame = page->first + (int)floor(i * all->interval * page->clip->frame_rate + 0.5);
        *body = (strobe_body){.frame = frame > page->last ? page->last : frame,
                              .shapes = all->shapes + (size_t)i * per_body};
        lope_clip_model(page->clip, body->frame, page->model);
        int hips = page->clip->skeleton->roles[LOPE_HIPS];
        body->hips = page->model[hips >= 0 ? hips : 0].translation;
        body->shape_count = body_shapes(page, body->shapes);
        find_supports(page, body);
    }
    return LOPE_OK;
}

// Moves bodies on along the direction of travel where they would cover each other. In lines only progress along the
// line counts; in space any movement over the ground does. Lines are closed up where bodies are far apart, so that a
// long clip with few bodies does not become a tower of empty lines.
static void spread_bodies(const picture *page, strobe *all, bool in_line)
{
    float gap = page->def->spread, widest = gap < 0.0f && in_line ? 1.4f * page->size : INFINITY;
    bool front = page->def->view == LOPE_VIEW_FRONT;
    if (gap < 0.0f)
        gap = (front ? 0.75f : in_line ? 0.62f : page->def->view == LOPE_VIEW_TOP ? 0.50f : 0.30f) * page->size;
    if (gap == 0.0f)
        return;
    // Seen from the front the line of bodies runs across the direction of travel.
    lope_vec3 along = front ? lope_v3_cross(lope_v3(0, 1, 0), page->travel) : page->travel;
    lope_vec3 shift = {0, 0, 0};
    for (int i = 1; i < all->body_count; i++) {
        lope_vec3 moved = lope_v3_sub(all->bodies[i].hips, all->bodies[i - 1].hips);
        moved.y = 0.0f;
        float progress = in_line ? lope_v3_dot(moved, along) : lope_v3_length(moved);
        float wanted = fminf(fmaxf(progress, gap), widest);
        if (fabsf(wanted - progress) > 1e-4f) {
            shift = lope_v3_mad(shift, along, wanted - progress);
            all->shifted = true;
        }
        all->bodies[i].shift = shift;
    }
}

lope_status draw_strobe(picture *page, lope_error *error)
{
    strobe all = {0};
    choose_bodies(page, &all);
    bool in_line = page->def->view == LOPE_VIEW_SIDE || page->def->view == LOPE_VIEW_FRONT;
    lope_status status = make_bodies(page, &all, error);
    if (status == LOPE_OK) {
        spread_bodies(page, &all, in_line);
        status = in_line ? strobe_draw_strip(page, &all, error) : strobe_draw_space(page, &all, error);
    }
    lope_free(all.bodies);
    lope_free(all.shapes);
    return status;
}
