// SPDX-License-Identifier: MIT
// Windows of motion around the ends of pieces: how well they fit, and how one is moved to follow on another.
//
// The distance is that of lope_transition_cost (Kovar, Gleicher, Pighin 2002) with means taken out once per window, so
// that comparing two costs three sums. Aligned on the supporting foot, the same sums serve about the foot instead of
// the mean: with N points and the foot at f and f' from the means, P' = P + N (f.x f'.x + f.z f'.z) and likewise Q'.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "maps/build/graph_parts.h"

#define TYPICAL_HEIGHT 0.9f // taken off all heights, so that sums of squares stay small
#define LANES 8             // sums are kept in so many parts, in a fixed order

static int window_half(const step_body *body, const lope_steps_def *def)
{
    return (int)(0.5 * (double)def->window * body->set->clips[0]->frame_rate + 0.25);
}

static int clamp_frame(const lope_clip *clip, int frame)
{
    return frame < 0 ? 0 : frame >= clip->frame_count ? clip->frame_count - 1 : frame;
}

static void fill_points(const step_body *body, int half, step_window *w)
{
    const lope_clip *clip = body->set->clips[w->clip];
    size_t joints = (size_t)body->joints, points = (size_t)(2 * half + 1) * joints;
    for (int pass = 0; pass < 2; pass++) {
        double sx = 0.0, sz = 0.0;
        size_t at = 0;
        for (int k = -half; k <= half; k++) {
            int frame = step_frame(body, w->clip, clamp_frame(clip, w->frame + k));
            const lope_vec3 *from = body->joint_at + (size_t)frame * joints;
            for (size_t j = 0; j < joints; j++, at++) {
                sx += (double)from[j].x;
                sz += (double)from[j].z;
                if (pass) {
                    w->x[at] = (float)((double)from[j].x - w->mean_x);
                    w->y[at] = from[j].y - TYPICAL_HEIGHT;
                    w->z[at] = (float)((double)from[j].z - w->mean_z);
                }
            }
        }
        w->mean_x = sx / (double)points;
        w->mean_z = sz / (double)points;
    }
    w->squares = 0.0;
    for (size_t k = 0; k < points; k++)
        w->squares +=
            (double)w->x[k] * (double)w->x[k] + (double)w->y[k] * (double)w->y[k] + (double)w->z[k] * (double)w->z[k];
}

static lope_vec3 foot_middle(const step_body *body, int frame, int side)
{
    const lope_vec3 *feet = body->feet + (size_t)frame * FOOT_POINTS + 2 * side;
    return lope_v3_lerp(feet[0], feet[1], 0.5f);
}

static void describe_feet(const step_body *body, step_window *w)
{
    const lope_clip *clip = body->set->clips[w->clip];
    int first = body->clip_first[w->clip], low = clamp_frame(clip, w->frame - 1),
        high = clamp_frame(clip, w->frame + 1);
    for (int side = 0; side < 2; side++) {
        lope_vec3 at = foot_middle(body, first + w->frame, side);
        w->foot[side] = (lope_vec2){(float)((double)at.x - w->mean_x), (float)((double)at.z - w->mean_z)};
        float way = lope_v3_distance(foot_middle(body, first + low, side), foot_middle(body, first + high, side));
        w->foot_speed[side] = high > low ? way * (float)clip->frame_rate / (float)(high - low) : 0.0f;
    }
    w->foot[2] = (lope_vec2){0.5f * (w->foot[0].x + w->foot[1].x), 0.5f * (w->foot[0].z + w->foot[1].z)};
}

lope_status step_windows_create(const step_body *body, const lope_steps_def *def, const int (*middles)[2], int count,
                                step_windows *out, lope_error *error)
{
    int half = window_half(body, def);
    size_t points = (size_t)(2 * half + 1) * (size_t)body->joints, stride = (points + LANES - 1) / LANES * LANES;
    *out = (step_windows){.body = body, .points = (int)points, .count = count};
    out->items = lope_alloc_array((size_t)count, sizeof *out->items);
    out->block = lope_alloc_zero((size_t)count * 3 * stride * sizeof *out->block);
    if (!out->items || !out->block) {
        step_windows_free(out);
        return lope_fail_memory(error);
    }
    for (int i = 0; i < count; i++) {
        float *at = out->block + (size_t)i * 3 * stride;
        out->items[i] = (step_window){
            .clip = middles[i][0], .frame = middles[i][1], .x = at, .y = at + stride, .z = at + 2 * stride};
        fill_points(body, half, &out->items[i]);
        describe_feet(body, &out->items[i]);
    }
    return LOPE_OK;
}

void step_windows_free(step_windows *windows)
{
    lope_free(windows->items);
    lope_free(windows->block);
    *windows = (step_windows){0};
}

typedef struct window_sums {
    double p, q, r;
} window_sums;

// Points come in whole lanes, padded with zeros. Single precision within a lane of a frame or two, double beyond.
static window_sums sum_windows(const step_windows *windows, const step_window *a, const step_window *b)
{
    enum { RUN = 8 * LANES };
    double p = 0.0, q = 0.0, r = 0.0;
    int padded = (windows->points + LANES - 1) / LANES * LANES;
    for (int k = 0; k < padded; k += RUN) {
        float ps[LANES] = {0}, qs[LANES] = {0}, rs[LANES] = {0};
        int end = k + RUN < padded ? k + RUN : padded;
        for (int i = k; i < end; i += LANES)
            for (int l = 0; l < LANES; l++) {
                float ax = a->x[i + l], az = a->z[i + l], bx = b->x[i + l], bz = b->z[i + l];
                ps[l] += ax * bx + az * bz;
                qs[l] += az * bx - ax * bz;
                rs[l] += a->y[i + l] * b->y[i + l];
            }
        for (int l = 0; l < LANES; l++) {
            p += (double)ps[l];
            q += (double)qs[l];
            r += (double)rs[l];
        }
    }
    return (window_sums){p, q, r};
}

// Root mean square distance after the best yaw about a point that is held: `apart` is what holding it adds to the sum
// of squares (0 for the mean, about which windows lie).
static float cost_of(const step_windows *windows, const step_window *a, const step_window *b, const window_sums *s,
                     double apart)
{
    double least = a->squares + b->squares + apart - 2.0 * (sqrt(s->p * s->p + s->q * s->q) + s->r);
    return (float)sqrt(fmax(least, 0.0) / (double)windows->points);
}

float step_window_cost(const step_windows *windows, const step_window *a, const step_window *b)
{
    window_sums sums = sum_windows(windows, a, b);
    return cost_of(windows, a, b, &sums, 0.0);
}

// The movement with this yaw that brings `from` (about b's mean) onto `to` (about a's).
static lope_ground movement(const step_window *a, const step_window *b, double yaw, lope_vec2 to, lope_vec2 from)
{
    double s = lope_sin(yaw), c = lope_cos(yaw);
    double fx = (double)from.x + b->mean_x, fz = (double)from.z + b->mean_z;
    return (lope_ground){(float)((double)to.x + a->mean_x - (c * fx + s * fz)),
                         (float)((double)to.z + a->mean_z - (c * fz - s * fx)), (float)yaw};
}

// How far heel and ball of the feet in `sides` (a bit each) lie from where they were, at most.
static float slip_of(const step_body *body, const step_window *a, const step_window *b, lope_ground move, int sides)
{
    lope_transform by = lope_ground_transform(move);
    const lope_vec3 *p = body->feet + (size_t)step_frame(body, a->clip, a->frame) * FOOT_POINTS;
    const lope_vec3 *q = body->feet + (size_t)step_frame(body, b->clip, b->frame) * FOOT_POINTS;
    float most = 0.0f;
    for (int k = 0; k < FOOT_POINTS; k++) {
        lope_vec3 apart = lope_v3_sub(lope_transform_point(by, q[k]), p[k]);
        if (sides >> (k / 2) & 1)
            most = fmaxf(most, sqrtf(apart.x * apart.x + apart.z * apart.z));
    }
    return most;
}

static double squared(lope_vec2 v)
{
    return (double)v.x * (double)v.x + (double)v.z * (double)v.z;
}

step_fit step_window_fit(const step_windows *windows, const step_window *a, const step_window *b,
                         lope_steps_align align, bool standing)
{
    window_sums s = sum_windows(windows, a, b);
    int right = a->foot_speed[1] + b->foot_speed[1] < a->foot_speed[0] + b->foot_speed[0];
    int pin = standing ? 2 : right, sides = standing ? 3 : 1 << right;
    lope_vec2 f = a->foot[pin], g = b->foot[pin];
    double n = (double)windows->points, squares = squared(f) + squared(g);
    window_sums held = {s.p + n * ((double)f.x * (double)g.x + (double)f.z * (double)g.z),
                        s.q + n * ((double)f.z * (double)g.x - (double)f.x * (double)g.z), s.r};
    lope_ground on_foot = movement(a, b, lope_atan2(-held.q, held.p), f, g);
    lope_ground on_cloud = movement(a, b, lope_atan2(-s.q, s.p), (lope_vec2){0, 0}, (lope_vec2){0, 0});
    step_fit fit = {.cost = cost_of(windows, a, b, &s, 0.0), .move = on_cloud};
    if (align == LOPE_ALIGN_FOOT) {
        fit.cost = cost_of(windows, a, b, &held, n * squares);
        fit.move = on_foot;
    }
    fit.slip = slip_of(windows->body, a, b, fit.move, sides);
    fit.cloud_slip = slip_of(windows->body, a, b, on_cloud, sides);
    return fit;
}
