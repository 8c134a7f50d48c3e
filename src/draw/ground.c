// SPDX-License-Identifier: MIT
// The body from the side, along the way it walked, on the ground it walked on. The way is unrolled: bends disappear,
// lengths along it and heights stay, so that stairs are stairs and every sole can be seen to stand.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "draw/strobe.h"
#include "lope/terrain.h"

enum { MOST_BODIES = 120, MOST_ROWS = 4 };
static const double STEP = 0.02;                          // metres between samples of the ground
static const double CLOSEST = 60.0, WIDEST_SCALE = 190.0; // pixels per metre
static const double BELOW = 0.35;                         // metres of ground that are drawn

// The way: where the body was, smoothed, and how far it had gone.
typedef struct unrolled {
    int count;
    lope_vec3 *places; // [count], of the hips
    lope_vec3 *ahead;  // [count], unit
    double *lengths;   // [count]
} unrolled;

static lope_vec3 smooth_place(const picture *page, int frame)
{
    int reach = (int)(0.25 * page->clip->frame_rate), used = 0;
    lope_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int f = frame - reach; f <= frame + reach; f++)
        if (f >= page->first && f <= page->last) {
            sum = lope_v3_add(sum, page->clip->root[f]);
            used++;
        }
    return lope_v3_scale(sum, 1.0f / (float)used);
}

static lope_status unroll(const picture *page, unrolled *way, lope_error *error)
{
    way->count = page->last - page->first + 1;
    way->places = lope_alloc_array((size_t)way->count * 2, sizeof *way->places);
    way->lengths = lope_alloc_array((size_t)way->count, sizeof *way->lengths);
    if (!way->places || !way->lengths)
        return lope_fail_memory(error);
    way->ahead = way->places + way->count;
    lope_vec3 ahead = page->travel;
    for (int i = 0; i < way->count; i++) {
        way->places[i] = smooth_place(page, page->first + i);
        lope_vec3 moved = i ? lope_v3_sub(way->places[i], way->places[i - 1]) : lope_v3(0.0f, 0.0f, 0.0f);
        moved.y = 0.0f;
        double length = (double)lope_v3_length(moved);
        way->lengths[i] = i ? way->lengths[i - 1] + length : 0.0;
        if (length * page->clip->frame_rate > 0.15) // who stands keeps the direction they had
            ahead = lope_v3_normalize(moved, ahead);
        way->ahead[i] = ahead;
    }
    for (int i = 0; i < way->count; i++) { // from the first movement on backwards
        if (way->lengths[i] > 0.1) {
            for (int k = 0; k < i; k++)
                way->ahead[k] = way->ahead[i];
            break;
        }
    }
    return LOPE_OK;
}

// Height of the ground at a distance along the way, which goes on straight beyond its ends; NAN where there is none.
static double ground_at(const picture *page, const unrolled *way, double length)
{
    int i = 0;
    while (i + 1 < way->count && way->lengths[i + 1] < length)
        i++;
    lope_vec3 from = lope_v3_mad(way->places[i], way->ahead[i], (float)(length - way->lengths[i]));
    if (!page->def->terrain)
        return 0.0;
    lope_terrain_hit hit;
    return lope_terrain_below(page->def->terrain, NULL, from, 4.0f, &hit) ? (double)hit.point.y : (double)NAN;
}

// Moves a body's shapes to where its frame lies along the way.
static void straighten(const picture *page, const unrolled *way, strobe_body *body)
{
    int i = body->frame - page->first;
    lope_vec3 ahead = way->ahead[i], left = lope_v3(ahead.z, 0.0f, -ahead.x);
    for (int s = 0; s < body->shape_count; s++)
        for (int p = 0; p < body->shapes[s].count; p++) {
            lope_vec3 *point = &body->shapes[s].points[p], from = lope_v3_sub(*point, way->places[i]);
            *point = lope_v3(lope_v3_dot(from, left), point->y, (float)way->lengths[i] + lope_v3_dot(from, ahead));
        }
}

// One line of the picture: distances [from, to) along the way.
typedef struct ground_row {
    double from, to, low, high, scale;
} ground_row;

static void draw_profile(picture *page, const unrolled *way, const ground_row *row, const strobe_camera *camera)
{
    enum { MOST = 2048 };
    svg_point points[MOST + 2];
    int count = 0, samples = (int)((row->to - row->from) / STEP) + 1;
    samples = samples > MOST - 2 ? MOST - 2 : samples;
    for (int i = 0; i <= samples; i++) {
        double at = row->from + (row->to - row->from) * i / samples,
               height = i < samples ? ground_at(page, way, at) : (double)NAN;
        if (!isnan(height)) {
            if (count > 0) { // a riser is upright
                double before = points[count - 1].y;
                double y = camera->origin.y - camera->scale * height;
                if (fabs(before - y) > 0.06 * camera->scale)
                    points[count++] = (svg_point){camera->origin.x + camera->scale * at, before};
            }
            points[count++] =
                (svg_point){camera->origin.x + camera->scale * at, camera->origin.y - camera->scale * height};
        }
        if ((isnan(height) || count >= MOST - 4) && count > 1) {
            double bottom = camera->origin.y - camera->scale * (row->low - BELOW);
            points[count] = (svg_point){points[count - 1].x, bottom};
            points[count + 1] = (svg_point){points[0].x, bottom};
            svg_polygon(&page->out, points, count + 2, svg_mix(page->theme.floor, page->theme.background, 0.65),
                        (svg_pen){page->theme.floor, 0.0, NULL});
            svg_polyline(&page->out, points, count, (svg_pen){page->theme.floor, 1.6, NULL});
            count = 0;
        } else if (isnan(height)) {
            count = 0;
        }
    }
}

static void draw_row(picture *page, const unrolled *way, const strobe *all, const ground_row *row)
{
    double top = page->top + 6.0, height = (row->high - row->low + BELOW) * row->scale;
    strobe_camera camera = {.right = lope_v3(0.0f, 0.0f, 1.0f),
                            .up = lope_v3(0.0f, 1.0f, 0.0f),
                            .forward = lope_v3(1.0f, 0.0f, 0.0f),
                            .scale = row->scale};
    camera.origin.x = PICTURE_MARGIN - row->from * row->scale;
    camera.origin.y = top + row->high * row->scale;
    draw_profile(page, way, row, &camera);
    for (int b = 0; b < all->body_count; b++) {
        double at = way->lengths[all->bodies[b].frame - page->first];
        if (at >= row->from + 0.4 && at < row->to - 0.4)
            strobe_draw_body(page, &camera, &all->bodies[b], b % 2 ? 0.35 : 0.0);
    }
    page->top = top + height + 14.0;
}

static void measure_row(const picture *page, const unrolled *way, const strobe *all, ground_row *row)
{
    row->low = HUGE_VAL;
    row->high = -HUGE_VAL;
    for (int b = 0; b < all->body_count; b++) {
        const strobe_body *body = &all->bodies[b];
        double at = way->lengths[body->frame - page->first];
        if (at < row->from + 0.4 || at >= row->to - 0.4)
            continue;
        for (int s = 0; s < body->shape_count; s++)
            for (int p = 0; p < body->shapes[s].count; p++) {
                row->low = fmin(row->low, (double)(body->shapes[s].points[p].y - body->shapes[s].radii[p]));
                row->high = fmax(row->high, (double)(body->shapes[s].points[p].y + body->shapes[s].radii[p]));
            }
    }
}

static void draw_rows(picture *page, const unrolled *way, const strobe *all)
{
    double length = way->lengths[way->count - 1] + 1.6, width = picture_width(page);
    double scale = fmin(WIDEST_SCALE, fmax(CLOSEST, width / length));
    picture_heading(page, "Body on the ground", "from the side, along its way; bends are unrolled");
    picture_scale_bar(page, (svg_point){PICTURE_MARGIN + width, page->top - 8.0}, scale);
    int rows = (int)ceil(length * scale / width - 1e-6);
    rows = rows > MOST_ROWS ? MOST_ROWS : rows;
    for (int r = 0; r < rows; r++) {
        double from = -0.8 + r * (width / scale - 0.8);
        ground_row row = {.from = from, .to = from + width / scale, .scale = scale};
        measure_row(page, way, all, &row);
        if (row.low < row.high)
            draw_row(page, way, all, &row);
    }
}

static lope_status make_bodies(picture *page, const unrolled *way, strobe *all, lope_error *error)
{
    double seconds = (page->last - page->first) / page->clip->frame_rate;
    double interval = fmax((double)page->def->interval, seconds / (MOST_BODIES - 1));
    size_t per_body = (size_t)body_shape_limit(page->clip->skeleton);
    all->body_count = interval > 0.0 ? (int)floor(seconds / interval + 1e-6) + 1 : 1;
    all->bodies = lope_alloc_array((size_t)all->body_count, sizeof *all->bodies);
    all->shapes = lope_alloc_array((size_t)all->body_count * per_body, sizeof *all->shapes);
    if (!all->bodies || !all->shapes)
        return lope_fail_memory(error);
    for (int i = 0; i < all->body_count; i++) {
        int frame = page->first + (int)floor(i * interval * page->clip->frame_rate + 0.5);
        all->bodies[i] = (strobe_body){.frame = frame > page->last ? page->last : frame,
                                       .shapes = all->shapes + (size_t)i * per_body};
        lope_clip_model(page->clip, all->bodies[i].frame, page->model);
        all->bodies[i].shape_count = body_shapes(page, all->bodies[i].shapes);
        straighten(page, way, &all->bodies[i]);
    }
    return LOPE_OK;
}

lope_status draw_on_ground(picture *page, lope_error *error)
{
    unrolled way = {0};
    strobe all = {0};
    lope_status status = unroll(page, &way, error);
    if (!status)
        status = make_bodies(page, &way, &all, error);
    if (!status)
        draw_rows(page, &way, &all);
    lope_free(way.places);
    lope_free(way.lengths);
    lope_free(all.bodies);
    lope_free(all.shapes);
    return status;
}
