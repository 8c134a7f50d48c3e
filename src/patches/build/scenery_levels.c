// SPDX-License-Identifier: MIT
// Steps and ladders from the rests of feet. Heights gather at levels, one per step or rung; a gap parts two levels.
// Where the way up is steep and hands hold on, the levels are rungs: heights lowest + pitch * k, fitted to all rests of
// feet (hands may hold the rails). Otherwise they are steps, with edges between the feet on one and on the next.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "patches/build/scenery.h"

#define WIDEST_LEVEL 0.1f    // metres: heights that run on for more are a slope
#define STEEP 0.7            // metres ahead per metre up, below which one climbs with the hands
#define LADDER_WIDTH 0.5     // metres from the middle within which the holds of a ladder lie above one another
#define LEAST_HOLDS 4        // of a ladder
#define FIT 0.025            // metres: root mean square distance of feet from the rungs
#define FOOT_HALF_WIDTH 0.05 // metres
#define TOES 0.07            // metres of foot ahead of the ball
#define LEAST_DEPTH 0.1      // metres of a step

// Rests of feet in the order of height, cut into levels: level i holds feet[first[i] .. first[i + 1]).
typedef struct levels {
    const scenery_rest **feet;
    int *first;
    double *heights;
    int count;  // of levels above the floor; level 0 is the floor
    double yaw; // the way up
    double run; // metres ahead per metre up
} levels;

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

// A level where no foot stands has none: NAN.
static double mean_height(const levels *l, int level)
{
    double sum = 0.0;
    for (int i = l->first[level]; i < l->first[level + 1]; i++)
        sum += (double)l->feet[i]->height;
    return sum / (l->first[level + 1] - l->first[level]);
}

// Cuts the sorted feet. Feet below the floor are left out: no object explains them. False where a level is a slope.
static bool cut_levels(levels *l, int feet, float gap)
{
    int from = 0, cuts = 0;
    while (from < feet && l->feet[from]->height < -gap)
        from++;
    l->first[0] = from;
    for (int i = from; i < feet; i++) {
        float below = i > from ? l->feet[i - 1]->height : 0.0f;
        if (l->feet[i]->height - below > gap)
            l->first[++cuts] = i;
    }
    l->first[cuts + 1] = feet;
    l->count = cuts;
    // What the feet stand on most is zero, as far as the floor tells.
    double floor = l->first[1] > l->first[0] ? mean_height(l, 0) : 0.0;
    for (int level = 0; level <= cuts; level++) {
        l->heights[level] = level ? mean_height(l, level) - floor : 0.0;
        if (l->first[level + 1] > l->first[level] &&
            l->feet[l->first[level + 1] - 1]->height - l->feet[l->first[level]]->height > WIDEST_LEVEL)
            return false;
    }
    return true;
}

// The way up: how places move ahead with height, by least squares over all feet above the floor; for a single level
// where the first foot on it points.
static void find_way_up(levels *l)
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

// Coordinates along the way up and across it.
static double along(const levels *l, lope_vec3 p)
{
    return (double)p.x * lope_sin(l->yaw) + (double)p.z * lope_cos(l->yaw);
}
static double across(const levels *l, lope_vec3 p)
{
    return (double)p.x * lope_cos(l->yaw) - (double)p.z * lope_sin(l->yaw);
}

// How much higher heels are drawn than balls, as the feet on the floor show it.
static double drawn_heel(const levels *l)
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
static bool soles_follow(const levels *l)
{
    double drawn = drawn_heel(l), rise = 0.0, ahead = 0.0;
    for (int i = l->first[1]; i < l->first[l->count]; i++) { // the top may be level behind a slope
        const scenery_rest *foot = l->feet[i];
        double step = along(l, foot->at) - along(l, foot->behind);
        if (!foot->flat)
            continue;
        rise += ((double)(foot->at.y - foot->behind.y) + drawn) * (step < 0.0 ? -1.0 : 1.0);
        ahead += fabs(step);
    }
    return l->run > STEEP && rise * l->run > 0.5 * ahead;
}

// On the way down the ball hangs over the edge, lower than the step, and the heel stays above it: the sole crosses the
// edge between the two.
static void correct_for_edges(levels *l)
{
    double drawn = drawn_heel(l);
    for (int level = 1; level <= l->count; level++) {
        double more = 0.0;
        for (int i = l->first[level]; i < l->first[level + 1]; i++) {
            const scenery_rest *foot = l->feet[i];
            if (foot->flat && along(l, foot->at) < along(l, foot->behind))
                more += 0.5 * ((double)(foot->behind.y - foot->at.y) - drawn);
        }
        l->heights[level] += more / (l->first[level + 1] - l->first[level]);
    }
}

typedef struct extent {
    double low, high;
} extent;
static const extent NOTHING = {HUGE_VAL, -HUGE_VAL};
static void include(extent *e, double value)
{
    e->low = fmin(e->low, value);
    e->high = fmax(e->high, value);
}

static void place_box(const levels *l, extent ahead, extent aside, lope_scenery_object *object)
{
    double a = 0.5 * (ahead.low + ahead.high), b = 0.5 * (aside.low + aside.high);
    object->place.x = (float)(a * lope_sin(l->yaw) + b * lope_cos(l->yaw));
    object->place.z = (float)(a * lope_cos(l->yaw) - b * lope_sin(l->yaw));
    object->place.yaw = lope_wrap_angle((float)l->yaw);
    object->width = (float)(aside.high - aside.low);
    object->depth = (float)(ahead.high - ahead.low);
}

// Where a level's edge to the one below lies: between the balls of the feet that stand on it and what stands before
// it on the one below.
static double front_edge(const levels *l, int level)
{
    double ball = HUGE_VAL, below = -HUGE_VAL;
    for (int i = l->first[level]; i < l->first[level + 1]; i++)
        ball = fmin(ball, along(l, l->feet[i]->at));
    for (int i = l->first[level - 1]; i < l->first[level]; i++) {
        double tip = fmax(along(l, l->feet[i]->at), along(l, l->feet[i]->behind));
        if (tip < ball)
            below = fmax(below, tip);
    }
    return fmax(0.5 * (ball + below), ball - 0.15); // feet do not hang over an edge by more than half their length
}

static lope_scenery_object make_step(const levels *l, int level)
{
    lope_scenery_object step = {.kind = LOPE_SCENERY_STEP, .height = (float)l->heights[level]};
    extent ahead = NOTHING, aside = NOTHING;
    for (int i = l->first[level]; i < l->first[level + 1]; i++) {
        const scenery_rest *foot = l->feet[i];
        include(&ahead, along(l, foot->at) + TOES);
        include(&ahead, along(l, foot->behind));
        include(&aside, across(l, foot->at) - FOOT_HALF_WIDTH);
        include(&aside, across(l, foot->at) + FOOT_HALF_WIDTH);
        step.holds++;
    }
    double front = front_edge(l, level), back = level < l->count ? front_edge(l, level + 1) : ahead.high;
    if (back - front >= LEAST_DEPTH)
        ahead = (extent){front, back};
    place_box(l, ahead, aside, &step);
    return step;
}

// Rungs through all feet above the floor. Returns the root mean square distance.
static double fit_rungs(const levels *l, double *pitch, double *lowest)
{
    double gap = HUGE_VAL;
    for (int level = 2; level <= l->count; level++)
        gap = fmin(gap, l->heights[level] - l->heights[level - 1]);
    double n = 0.0, k = 0.0, h = 0.0, kk = 0.0, kh = 0.0, hh = 0.0;
    int rung = 0;
    for (int level = 1; level <= l->count; level++) {
        rung += level > 1 ? (int)lround((l->heights[level] - l->heights[level - 1]) / gap) : 0;
        double floor = mean_height(l, level) - l->heights[level];
        for (int i = l->first[level]; i < l->first[level + 1]; i++) {
            double height = (double)l->feet[i]->height - floor;
            n += 1.0, k += rung, h += height;
            kk += (double)rung * rung, kh += rung * height, hh += height * height;
        }
    }
    *pitch = (kh - k * h / n) / (kk - k * k / n);
    *lowest = (h - *pitch * k) / n;
    double square = hh - h * h / n - *pitch * (kh - k * h / n);
    return sqrt(fmax(square, 0.0) / n);
}

// A ladder's footprint and what the hands say; false where there are too few holds above one another.
static bool measure_ladder(const levels *l, const scenery_rests *rests, lope_scenery_object *ladder)
{
    extent ahead = NOTHING, aside = NOTHING;
    double middle = 0.0;
    int feet = l->first[l->count + 1] - l->first[1], hands = 0;
    for (int i = l->first[1]; i < l->first[l->count + 1]; i++)
        middle += across(l, l->feet[i]->at) / feet;
    for (int i = 0; i < rests->count + feet; i++) {
        const scenery_rest *rest = i < feet ? l->feet[l->first[1] + i] : &rests->items[i - feet];
        bool hand = i >= feet;
        if ((hand && (rest->kind != REST_HAND || rest->height < (float)l->heights[1])) ||
            fabs(across(l, rest->at) - middle) > LADDER_WIDTH)
            continue;
        include(&aside, across(l, rest->at) - FOOT_HALF_WIDTH);
        include(&aside, across(l, rest->at) + FOOT_HALF_WIDTH);
        if (!hand &&
            (l->count <= LEAST_HOLDS || i < l->first[l->count] - l->first[1])) // the last step is off the ladder
            include(&ahead, along(l, rest->at));
        else
            ladder->top = fmaxf(ladder->top, rest->height);
        hands += hand;
        ladder->holds++;
    }
    ahead.low -= FOOT_HALF_WIDTH;
    ahead.high += FOOT_HALF_WIDTH;
    place_box(l, ahead, aside, ladder);
    return ladder->holds >= LEAST_HOLDS && feet >= 3 && (hands > 0 || !rests->has_hands);
}

static bool make_ladder(const levels *l, const scenery_rests *rests, lope_scenery_object *ladder)
{
    if (l->count < 3 || l->run > STEEP)
        return false;
    double pitch, lowest;
    if (fit_rungs(l, &pitch, &lowest) > FIT)
        return false;
    *ladder = (lope_scenery_object){.kind = LOPE_SCENERY_LADDER, .pitch = (float)pitch, .lowest = (float)lowest};
    ladder->height = (float)l->heights[l->count];
    ladder->top = ladder->height;
    return measure_ladder(l, rests, ladder);
}

static lope_status add_objects(lope_scenery *scenery, levels *l, const scenery_rests *rests, lope_error *error)
{
    if (l->count == 0)
        return LOPE_OK;
    find_way_up(l);
    scenery->slope = soles_follow(l);
    if (scenery->slope)
        return LOPE_OK;
    lope_scenery_object ladder;
    int group = scenery->object_count ? scenery->objects[scenery->object_count - 1].group + 1 : 0;
    if (make_ladder(l, rests, &ladder)) {
        ladder.group = group;
        return scenery_add(scenery, &ladder, error);
    }
    lope_status status = LOPE_OK;
    correct_for_edges(l);
    for (int level = 1; !status && level <= l->count; level++) {
        lope_scenery_object step = make_step(l, level);
        step.group = group;
        status = scenery_add(scenery, &step, error);
    }
    return status;
}

lope_status scenery_add_levels(lope_scenery *scenery, const scenery_rests *rests, const lope_scenery_def *def,
                               lope_error *error)
{
    size_t most = (size_t)rests->count + 2;
    levels l = {.feet = lope_alloc_array(most, sizeof *l.feet),
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
