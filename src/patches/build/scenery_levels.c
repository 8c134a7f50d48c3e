// SPDX-License-Identifier: MIT
// Levels from the rests of feet: heights gather, one level per step or rung, and a gap parts two levels. Where the way
// up is steep and hands hold on, the levels are rungs (scenery_ladder.c), otherwise steps (scenery_steps.c).
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "patches/build/scenery.h"

#define WIDEST_LEVEL 0.1f // metres: heights that run on for more are a slope

static int by_height(const void *a, const void *b)
{
    const scenery_rest *x = *(const scenery_rest *const *)a, *y = *(const scenery_rest *const *)b;
    if (x->height != y->height)
        return x->height < y->height ? -1 : 1;
    return x < y ? -1 : x > y;
}

// A foot that rests while its owner sits may hang in the air.
static bool while_sitting(const scenery_rests *rests, const scenery_rest *foot)
{
    for (int i = 0; i < rests->count; i++) {
        const scenery_rest *seat = &rests->items[i];
        int from = foot->first > seat->first ? foot->first : seat->first;
        int to = foot->last < seat->last ? foot->last : seat->last;
        if (seat->kind == REST_SEAT && to >= from)
            return true;
    }
    return false;
}

static int collect_feet(const scenery_rests *rests, const scenery_rest **feet)
{
    int count = 0;
    for (int i = 0; i < rests->count; i++)
        if (rests->items[i].kind == REST_FOOT && !while_sitting(rests, &rests->items[i]))
            feet[count++] = &rests->items[i];
    qsort(feet, (size_t)count, sizeof *feet, by_height);
    return count;
}

double scenery_mean_height(const scenery_levels *l, int level)
{
    double sum = 0.0;
    for (int i = l->first[level]; i < l->first[level + 1]; i++)
        sum += (double)l->feet[i]->height;
    return sum / (l->first[level + 1] - l->first[level]);
}

// Cuts the sorted feet. Feet below the floor are left out: no object explains them. False where a level is a slope.
static bool cut_levels(scenery_levels *l, int feet, float gap)
{
    int from = 0, cuts = 0;
    while (from < feet && l->feet[from]->height < -gap)
        from++;
    l->first[0] = from;
    for (int i = from; i < feet; i++) {
        float below = i > from ? l->feet[i - 1]->height : 0.0f;
        if (l->feet[i]->height > gap && l->feet[i]->height - below > gap)
            l->first[++cuts] = i;
    }
    l->first[cuts + 1] = feet;
    l->count = cuts;
    // The median of the feet on the floor is zero: a foot that lands on its toes does not raise it.
    int middle = (l->first[0] + l->first[1] - 1) / 2;
    double floor = l->first[1] > l->first[0] ? (double)l->feet[middle]->height : 0.0;
    for (int level = 0; level <= cuts; level++) {
        l->heights[level] = level ? scenery_mean_height(l, level) - floor : 0.0;
        if (l->first[level + 1] > l->first[level] &&
            l->feet[l->first[level + 1] - 1]->height - l->feet[l->first[level]]->height > WIDEST_LEVEL)
            return false;
    }
    return true;
}

// The way up: how places move ahead with height, by least squares over all feet above the floor; for a single level
// where the first foot on it points.
void scenery_find_way_up(scenery_levels *l)
{
    double n = 0.0, x = 0.0, z = 0.0, h = 0.0, hh = 0.0, xh = 0.0, zh = 0.0;
    const scenery_rest *earliest = l->feet[l->first[1]];
    double ahead_x = 0.0, ahead_z = 0.0;
    for (int i = l->first[1]; i < l->first[l->count + 1]; i++) {
        const scenery_rest *foot = l->feet[i];
        double fx = (double)foot->at.x, fz = (double)foot->at.z, fh = (double)foot->height;
        n += 1.0, x += fx, z += fz, h += fh;
        hh += fh * fh, xh += fx * fh, zh += fz * fh;
        ahead_x += (double)(foot->at.x - foot->behind.x);
        ahead_z += (double)(foot->at.z - foot->behind.z);
        earliest = foot->first < earliest->first ? foot : earliest;
    }
    double vary = hh - h * h / n;
    double run_x = l->count > 1 ? (xh - x * h / n) / vary : 0.0, run_z = l->count > 1 ? (zh - z * h / n) / vary : 0.0;
    l->run = sqrt(run_x * run_x + run_z * run_z);
    if (l->count > 1 && l->run > 0.1)
        l->yaw = lope_atan2(run_x, run_z);
    else if (l->count > 1) // an upright ladder: where the feet point
        l->yaw = lope_atan2(ahead_x, ahead_z);
    else
        l->yaw =
            lope_atan2((double)(earliest->at.x - earliest->behind.x), (double)(earliest->at.z - earliest->behind.z));
}

double scenery_along(const scenery_levels *l, lope_vec3 p)
{
    return (double)p.x * lope_sin(l->yaw) + (double)p.z * lope_cos(l->yaw);
}
double scenery_across(const scenery_levels *l, lope_vec3 p)
{
    return (double)p.x * lope_cos(l->yaw) - (double)p.z * lope_sin(l->yaw);
}

// How much higher heels are drawn than balls, as the feet on the floor show it.
static double drawn_heel(const scenery_levels *l)
{
    double sum = 0.0;
    int count = 0;
    for (int i = l->first[0]; i < l->first[1]; i++)
        if (l->feet[i]->flat) {
            sum += (double)(l->feet[i]->behind.y - l->feet[i]->at.y);
            count++;
        }
    return count ? sum / count : 0.0;
}

// Soles that rise with the ground stand on a slope; on stairs they are level, whatever the stairs do.
bool scenery_soles_follow(const scenery_levels *l)
{
    double drawn = drawn_heel(l), rise = 0.0, ahead = 0.0;
    for (int i = l->first[1]; i < l->first[l->count]; i++) { // the top may be level behind a slope
        const scenery_rest *foot = l->feet[i];
        double step = scenery_along(l, foot->at) - scenery_along(l, foot->behind);
        if (!foot->flat)
            continue;
        rise += ((double)(foot->at.y - foot->behind.y) + drawn) * (step < 0.0 ? -1.0 : 1.0);
        ahead += fabs(step);
    }
    return l->run > SCENERY_STEEP && rise * l->run > 0.5 * ahead;
}

// On the way down the ball hangs over the edge, lower than the step, and the heel stays above it: the sole crosses the
// edge between the two.
void scenery_correct_for_edges(scenery_levels *l)
{
    double drawn = drawn_heel(l);
    for (int level = 1; level <= l->count; level++) {
        double more = 0.0;
        for (int i = l->first[level]; i < l->first[level + 1]; i++) {
            const scenery_rest *foot = l->feet[i];
            if (foot->flat && scenery_along(l, foot->at) < scenery_along(l, foot->behind))
                more += 0.5 * ((double)(foot->behind.y - foot->at.y) - drawn);
        }
        l->heights[level] += more / (l->first[level + 1] - l->first[level]);
    }
}

void scenery_include(scenery_extent *extent, double low, double high)
{
    extent->low = fmin(extent->low, low);
    extent->high = fmax(extent->high, high);
}

void scenery_place(const scenery_levels *l, scenery_extent ahead, scenery_extent aside, lope_scenery_object *object)
{
    double a = 0.5 * (ahead.low + ahead.high), b = 0.5 * (aside.low + aside.high);
    object->place.x = (float)(a * lope_sin(l->yaw) + b * lope_cos(l->yaw));
    object->place.z = (float)(a * lope_cos(l->yaw) - b * lope_sin(l->yaw));
    object->place.yaw = lope_wrap_angle((float)l->yaw);
    object->width = (float)(aside.high - aside.low);
    object->depth = (float)(ahead.high - ahead.low);
}

static lope_status add_objects(lope_scenery *scenery, scenery_levels *l, const scenery_rests *rests, lope_error *error)
{
    if (l->count == 0)
        return LOPE_OK;
    scenery_find_way_up(l);
    lope_scenery_object ladder;
    if (!scenery_make_ladder(l, rests, &ladder))
        return scenery_add_steps(scenery, l, error);
    ladder.group = scenery_next_group(scenery);
    return scenery_add(scenery, &ladder, error);
}

lope_status scenery_add_levels(lope_scenery *scenery, const scenery_rests *rests, const lope_scenery_def *def,
                               lope_error *error)
{
    size_t most = (size_t)rests->count + 2;
    scenery_levels l = {.feet = lope_alloc_array(most, sizeof *l.feet),
                        .first = lope_alloc_array(most, sizeof *l.first),
                        .heights = lope_alloc_array(most, sizeof *l.heights)};
    lope_status status = l.feet && l.first && l.heights ? LOPE_OK : lope_fail_memory(error);
    if (!status) {
        int feet = collect_feet(rests, l.feet);
        if (feet && !cut_levels(&l, feet, def->gap))
            scenery->slope = true;
        else if (feet)
            status = add_objects(scenery, &l, rests, error);
    }
    lope_free(l.feet);
    lope_free(l.first);
    lope_free(l.heights);
    return status;
}
