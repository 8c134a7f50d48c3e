// SPDX-License-Identifier: MIT
// Steps: one box per level and way up. Edges lie between the feet on one step and those on the next. Stairs that lead
// up to a top from two sides are two flights.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "patches/build/scenery.h"

#define TOES 0.07           // metres of foot ahead of the ball
#define LEAST_DEPTH 0.1     // metres of a step
#define CLEARLY_BESIDE 0.25 // metres from the middle of the top

// Where a level's edge to the one below lies: between the balls of the feet that stand on it and what stands before
// it on the one below.
static double front_edge(const scenery_levels *l, int level)
{
    double ball = HUGE_VAL, below = -HUGE_VAL;
    for (int i = l->first[level]; i < l->first[level + 1]; i++)
        ball = fmin(ball, scenery_along(l, l->feet[i]->at));
    for (int i = l->first[level - 1]; i < l->first[level]; i++) {
        double tip = fmax(scenery_along(l, l->feet[i]->at), scenery_along(l, l->feet[i]->behind));
        if (tip < ball)
            below = fmax(below, tip);
    }
    return fmax(0.5 * (ball + below), ball - 0.15); // feet do not hang over an edge by more than half their length
}

// Stairs are as wide as feet on any of their steps say; the top, where people walk about, speaks for itself only.
static scenery_extent sides_of(const scenery_levels *l, int level)
{
    scenery_extent aside = SCENERY_NOTHING;
    for (int i = l->first[1]; i < l->first[l->count + 1]; i++) {
        double side = scenery_across(l, l->feet[i]->at);
        if (i < l->first[l->count] || level == l->count)
            scenery_include(&aside, side - SCENERY_FOOT_HALF_WIDTH, side + SCENERY_FOOT_HALF_WIDTH);
    }
    return aside;
}

static lope_scenery_object make_step(const scenery_levels *l, int level)
{
    lope_scenery_object step = {.kind = LOPE_SCENERY_STEP, .height = (float)l->heights[level]};
    scenery_extent ahead = SCENERY_NOTHING;
    for (int i = l->first[level]; i < l->first[level + 1]; i++) {
        double ball = scenery_along(l, l->feet[i]->at), heel = scenery_along(l, l->feet[i]->behind);
        double tip = ball + (ball < heel ? -TOES : TOES);
        scenery_include(&ahead, fmin(heel, tip), fmax(heel, tip));
        step.holds++;
    }
    double front = front_edge(l, level), back = level < l->count ? front_edge(l, level + 1) : ahead.high;
    if (back - front >= LEAST_DEPTH)
        ahead = (scenery_extent){front, back};
    scenery_place(l, ahead, sides_of(l, level), &step);
    return step;
}

// One way up; `levels` of them become steps.
static lope_status add_flight(lope_scenery *scenery, scenery_levels *l, int levels, lope_error *error)
{
    int group = scenery_next_group(scenery);
    if (scenery_soles_follow(l)) {
        scenery->slope = true;
        return LOPE_OK;
    }
    scenery_correct_for_edges(l);
    lope_status status = LOPE_OK;
    for (int level = 1; !status && level <= levels; level++) {
        lope_scenery_object step = make_step(l, level);
        step.group = group;
        status = scenery_add(scenery, &step, error);
    }
    return status;
}

// Stairs that lead up to a top from two sides: where the top is, and the axis on which the feet below lie to both
// sides.
typedef struct two_sides {
    double x, z, axis_x, axis_z;
} two_sides;

static double beyond_top(const two_sides *sides, const scenery_rest *foot)
{
    return ((double)foot->at.x - sides->x) * sides->axis_x + ((double)foot->at.z - sides->z) * sides->axis_z;
}

static bool find_two_sides(const scenery_levels *l, two_sides *sides)
{
    if (l->count < 2)
        return false;
    *sides = (two_sides){0};
    int top = l->first[l->count], end = l->first[l->count + 1];
    for (int i = top; i < end; i++) {
        sides->x += (double)l->feet[i]->at.x / (end - top);
        sides->z += (double)l->feet[i]->at.z / (end - top);
    }
    double xx = 0.0, zz = 0.0, xz = 0.0; // about the top: the axis of most spread goes through it
    for (int i = l->first[1]; i < top; i++) {
        double x = (double)l->feet[i]->at.x - sides->x, z = (double)l->feet[i]->at.z - sides->z;
        xx += x * x, zz += z * z, xz += x * z;
    }
    double angle = 0.5 * lope_atan2(2.0 * xz, xx - zz);
    sides->axis_x = lope_cos(angle);
    sides->axis_z = lope_sin(angle);
    bool before = false, behind = false;
    for (int i = l->first[1]; i < l->first[2]; i++) {
        before = before || beyond_top(sides, l->feet[i]) < -CLEARLY_BESIDE;
        behind = behind || beyond_top(sides, l->feet[i]) > CLEARLY_BESIDE;
    }
    return before && behind;
}

// The feet on one side, and those on the top.
static void take_side(const scenery_levels *l, const two_sides *sides, double sign, scenery_levels *out)
{
    int used = 0, level = 0;
    double floor = scenery_mean_height(l, l->count) - l->heights[l->count];
    for (int from = 0; from <= l->count; from++) {
        out->first[level] = used;
        for (int i = l->first[from]; i < l->first[from + 1]; i++)
            if (from == l->count || sign * beyond_top(sides, l->feet[i]) > 0.0)
                out->feet[used++] = l->feet[i];
        if (from > 0 && used == out->first[level])
            continue;
        out->first[level + 1] = used;
        out->heights[level] = level ? scenery_mean_height(out, level) - floor : 0.0;
        out->count = level++;
    }
}

// The first side has the top.
static lope_status add_both_sides(lope_scenery *scenery, const scenery_levels *l, const two_sides *sides,
                                  lope_error *error)
{
    size_t feet = (size_t)l->first[l->count + 1], levels = (size_t)l->count + 2;
    scenery_levels side = {.feet = lope_alloc_array(feet, sizeof *side.feet),
                           .first = lope_alloc_array(levels, sizeof *side.first),
                           .heights = lope_alloc_array(levels, sizeof *side.heights)};
    lope_status status = side.feet && side.first && side.heights ? LOPE_OK : lope_fail_memory(error);
    for (int i = 0; !status && i < 2; i++) {
        take_side(l, sides, i == 0 ? -1.0 : 1.0, &side);
        scenery_find_way_up(&side);
        status = add_flight(scenery, &side, i == 0 ? side.count : side.count - 1, error);
    }
    lope_free(side.feet);
    lope_free(side.first);
    lope_free(side.heights);
    return status;
}

lope_status scenery_add_steps(lope_scenery *scenery, scenery_levels *l, lope_error *error)
{
    two_sides sides;
    return find_two_sides(l, &sides) ? add_both_sides(scenery, l, &sides, error)
                                     : add_flight(scenery, l, l->count, error);
}
