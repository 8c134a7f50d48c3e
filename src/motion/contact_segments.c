// SPDX-License-Identifier: MIT
// Still stretches of a path under noise. The slope of a local line fit over about 0.1 s is a speed that noise cannot
// shake much; stretches slower than leave_speed that somewhere are slower than enter_speed are candidates (hysteresis,
// blind to the direction of time). The thresholds rise with the noise measured in the path itself. This blurs edges by
// some frames, so each is looked for again in the raw positions (contact_edges.c).
#include "motion/contact_segments.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/contact_edges.h"

#define HALF_WINDOW 0.05 // seconds to either side in the coarse look
#define NOISE_FACTOR 3.5 // thresholds stay this many deviations of the smoothed speed above zero
#define CREEP_MARGIN 1.6 // on noise, so that noise alone does not pass for creeping
#define CREEP_FACTOR 6.0 // how much faster than it creeps in its rest a point may be that still touches
#define SAME_PLACE 0.02f // metres: stretches closer than this with a short gap are one

static int clamp_int(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

void lope_sort_heights(float *heights, int count)
{
    qsort(heights, (size_t)count, sizeof *heights, compare_floats);
}

// Deviation per axis of the noise: third differences cancel smooth motion and keep noise (variance times 20). The
// median does not mind the few frames in which a foot really jerks.
static float noise_of(const lope_vec3 *p, int count, float *scratch)
{
    int used = 0;
    for (int f = 0; f + 3 < count; f++) {
        lope_vec3 d = {p[f + 3].x - 3.0f * p[f + 2].x + 3.0f * p[f + 1].x - p[f].x,
                       p[f + 3].y - 3.0f * p[f + 2].y + 3.0f * p[f + 1].y - p[f].y,
                       p[f + 3].z - 3.0f * p[f + 2].z + 3.0f * p[f + 1].z - p[f].z};
        scratch[used++] = lope_v3_length(d);
    }
    if (!used)
        return 0.0f;
    lope_sort_heights(scratch, used);
    // The median length of a three-dimensional normal vector is 1.538 deviations.
    return scratch[used / 2] / (1.538f * sqrtf(20.0f));
}

// Speed as the slope of a line fitted over the window; near the ends the window is shifted, not shortened.
static void smooth_speed(const lope_vec3 *p, int count, double frame_rate, float *speed)
{
    int half = lope_frames_in(HALF_WINDOW, frame_rate), width = 2 * half + 1 < count ? 2 * half + 1 : count;
    double middle = 0.5 * (width - 1), spread = 0.0;
    for (int i = 0; i < width; i++)
        spread += (i - middle) * (i - middle);
    for (int f = 0; f < count; f++) {
        int first = clamp_int(f - half, 0, count - width);
        double sx = 0.0, sy = 0.0, sz = 0.0;
        for (int i = 0; i < width; i++) {
            sx += (i - middle) * (double)(p[first + i].x - p[f].x);
            sy += (i - middle) * (double)(p[first + i].y - p[f].y);
            sz += (i - middle) * (double)(p[first + i].z - p[f].z);
        }
        speed[f] = spread > 0.0 ? (float)(sqrt(sx * sx + sy * sy + sz * sz) / spread * frame_rate) : 0.0f;
    }
}

// Deviation of that slope per axis for noise of deviation 1 per frame.
static double slope_noise(int count, double frame_rate)
{
    int half = lope_frames_in(HALF_WINDOW, frame_rate), width = 2 * half + 1 < count ? 2 * half + 1 : count;
    return width < 2 ? 0.0 : frame_rate * sqrt(12.0 / ((double)width * ((double)width * width - 1.0)));
}

static lope_vec3 mean_place(const lope_vec3 *p, int first, int last)
{
    double x = 0.0, y = 0.0, z = 0.0, n = last - first + 1;
    for (int f = first; f <= last; f++) {
        x += (double)p[f].x;
        y += (double)p[f].y;
        z += (double)p[f].z;
    }
    return lope_v3((float)(x / n), (float)(y / n), (float)(z / n));
}

// Candidates of the coarse look.
static int coarse_stretches(const float *speed, int count, float enter, float leave, lope_still *out)
{
    int found = 0;
    for (int f = 0; f < count; f++) {
        if (!(speed[f] < leave))
            continue;
        int first = f;
        bool slow = false;
        for (; f < count && speed[f] < leave; f++)
            slow |= speed[f] < enter;
        if (slow)
            out[found++] = (lope_still){.first = first, .last = f - 1};
    }
    return found;
}

static float smooth_height(const lope_vec3 *p, int count, int frame)
{
    int first = frame > 0 ? frame - 1 : 0, last = frame + 1 < count ? frame + 1 : frame;
    float sum = 0.0f;
    for (int f = first; f <= last; f++)
        sum += p[f].y;
    return sum / (float)(last - first + 1);
}

// Cuts off slow risers: the ends of a stretch that lie more than `rise` above its median height.
static void cut_rises(const lope_vec3 *p, int count, float rise, float *scratch, lope_still *still)
{
    int used = 0;
    for (int f = still->first; f <= still->last; f++)
        scratch[used++] = p[f].y;
    lope_sort_heights(scratch, used);
    float highest = scratch[used / 2] + rise;
    while (still->first < still->last && smooth_height(p, count, still->first) > highest)
        still->first++;
    while (still->last > still->first && smooth_height(p, count, still->last) > highest)
        still->last--;
}

// How fast the point creeps while it rests: a low quantile of the speed within each stretch, the median of these, less
// what noise alone would show there. Exactly fixed points do not creep; captured feet do, because skin and shoes give
// way and because the point that we follow is not quite the one that touches. Each stretch has one vote: feet that
// stand around before they walk hardly creep then. `votes` has room for one per stretch, `scratch` for all frames.
static double creep_of(const float *speed, const lope_still *stills, int count, double slope_deviation, float *votes,
                       float *scratch)
{
    if (!count)
        return 0.0;
    for (int i = 0; i < count; i++) {
        int length = stills[i].last - stills[i].first + 1;
        memcpy(scratch, speed + stills[i].first, (size_t)length * sizeof *scratch);
        lope_sort_heights(scratch, length);
        votes[i] = scratch[3 * length / 10];
    }
    lope_sort_heights(votes, count);
    // 1.193 deviations is the 0.3 quantile of the length of a three-dimensional normal vector.
    double typical = (double)votes[count / 2], noise = 1.193 * CREEP_MARGIN * slope_deviation;
    return typical > noise ? sqrt(typical * typical - noise * noise) : 0.0;
}

static void refine_all(const lope_edge_search *search, lope_still *stills, int still_count)
{
    int end = search->frame_count - 1;
    for (int i = 0; i < still_count; i++) {
        int first = stills[i].first, last = stills[i].last, middle = (first + last) / 2;
        int before = i > 0 ? stills[i - 1].last : 0, after = i + 1 < still_count ? stills[i + 1].first : end;
        stills[i].first = first > 0 ? lope_edge_refine(search, first, -1, middle, before) : 0;
        stills[i].last = last < end ? lope_edge_refine(search, last, 1, middle, after) : end;
    }
}

// Joins stretches at one place that a short twitch parted, drops those that are too short, fills in the means.
static int tidy(const lope_vec3 *p, lope_still *stills, int count, int shortest)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        lope_still next = stills[i];
        if (next.last < next.first)
            continue;
        next.place = mean_place(p, next.first, next.last);
        lope_still *previous = kept ? &stills[kept - 1] : NULL;
        if (previous && next.first <= previous->last)
            next.first = previous->last + 1;
        if (next.last < next.first)
            continue;
        if (previous && next.first - previous->last <= shortest &&
            lope_v3_distance(previous->place, next.place) < SAME_PLACE) {
            previous->last = next.last;
            previous->place = mean_place(p, previous->first, previous->last);
        } else {
            stills[kept++] = next;
        }
    }
    int long_enough = 0;
    for (int i = 0; i < kept; i++)
        if (stills[i].last - stills[i].first + 1 >= shortest)
            stills[long_enough++] = stills[i];
    return long_enough;
}

lope_status lope_still_find(const lope_vec3 *points, int frame_count, double frame_rate, const lope_contacts_def *def,
                            lope_still_list *out, lope_error *error)
{
    assert(frame_count >= 1);
    *out = (lope_still_list){0};
    float *speed = lope_alloc_array(3 * (size_t)frame_count, sizeof *speed);
    lope_still *stills = lope_alloc_array((size_t)frame_count, sizeof *stills);
    if (!speed || !stills) {
        lope_free(speed);
        lope_free(stills);
        return lope_fail_memory(error);
    }
    float *scratch = speed + frame_count;
    double deviation = (double)noise_of(points, frame_count, speed) * slope_noise(frame_count, frame_rate);
    double enter = (double)def->enter_speed, leave = (double)def->leave_speed, noise = deviation * NOISE_FACTOR;
    smooth_speed(points, frame_count, frame_rate, speed);
    int count = coarse_stretches(speed, frame_count, (float)sqrt(enter * enter + noise * noise),
                                 (float)sqrt(leave * leave + noise * noise), stills);
    double creep = creep_of(speed, stills, count, deviation, speed + 2 * (size_t)frame_count, scratch);
    for (int i = 0; i < count; i++)
        cut_rises(points, frame_count, def->leave_height, scratch, &stills[i]);
    lope_edge_search search = {points, frame_count, frame_rate, fmin(leave, CREEP_FACTOR * creep)};
    refine_all(&search, stills, count);
    out->items = stills;
    int shortest = lope_frames_in((double)def->min_duration, frame_rate);
    out->count = tidy(points, stills, count, shortest < frame_count ? shortest : frame_count);
    lope_free(speed);
    return LOPE_OK;
}

void lope_still_release(lope_still_list *list)
{
    lope_free(list->items);
    *list = (lope_still_list){0};
}
