// SPDX-License-Identifier: MIT
// Still stretches of a path under noise. The slope of a local line fit over about 0.1 s is a speed that noise cannot
// shake much; stretches slower than leave_speed that somewhere are slower than enter_speed are candidates (hysteresis,
// blind to the direction of time). The thresholds rise with the noise measured in the path itself. This blurs edges by
// some frames, so each is looked for again in the raw positions (contact_edges.c). Captures of few frames per second
// are looked at through a curve with more, so that what is found depends little on the rate.
#include "motion/contact_segments.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/contact_edges.h"
#include "motion/cubic.h"

#define HALF_WINDOW 0.05  // seconds to either side in the coarse look
#define NOISE_FACTOR 3.5  // thresholds stay this many deviations of the smoothed speed above zero
#define CREEP_MARGIN 1.6  // on noise, so that noise alone does not pass for creeping
#define LOUD 0.0015       // metres: noise above it is told well from motion, and would hide all creeping
#define LOUD_MARGIN 1.3   // the margin then
#define CREEP_FACTOR 6.0  // how much faster than it creeps in its rest a point may be that still touches
#define CREEP_UNSURE 5.0  // the same where noise is not known and may be part of what seems to creep
#define FEW_FRAMES 50.0   // per second: below, positions are filled in
#define SHORT_STANCE 0.11 // seconds: where four frames take longer, noise and the foot of a runner look the same
#define ROLLING 54.0      // metres per second cubed, of feet that rest and roll: with few frames it looks like noise
#define SLOWEST 5.0       // per second: below, nothing between frames can be known
#define MORE_FRAMES 100.0 // per second: up to at least this
#define MOST_FILLED (1 << 26) // frames that may be filled in: with twenty times as many, an int still counts them
#define SAME_PLACE 0.02f      // metres: stretches closer than this with a short gap are one

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
// median does not mind the few frames in which a foot really jerks. With few frames per second all of a swing looks
// like that: only the quietest tenth tells then, beyond what a foot that rests and rolls amounts to.
static float noise_of(const lope_vec3 *p, int count, bool few, float *scratch)
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
    // The median length of a three-dimensional normal vector is 1.538 deviations, the 0.1 quantile 0.764.
    float median = scratch[used / 2] / (1.538f * sqrtf(20.0f)), quiet = scratch[used / 10] / (0.764f * sqrtf(20.0f));
    return few ? quiet : median;
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

// Speeds between which a point may be that rests.
typedef struct rest_speeds {
    float enter, leave;
    bool cut_short; // at either end of the clip it may be slowest beyond it
} rest_speeds;

// Candidates of the coarse look.
static int coarse_stretches(const float *speed, int count, const rest_speeds *rest, lope_still *out)
{
    int found = 0;
    for (int f = 0; f < count; f++) {
        if (!(speed[f] < rest->leave))
            continue;
        int first = f;
        bool slow = false;
        for (; f < count && speed[f] < rest->leave; f++)
            slow |= speed[f] < rest->enter;
        if (slow || (rest->cut_short && (first == 0 || f == count)))
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

// How fast the point moves while it rests: a low quantile of the speed within each stretch, the median of these. Each
// stretch has one vote: feet that stand around before they walk hardly creep then. `votes` has room for one per
// stretch, `scratch` for all frames.
static double speed_at_rest(const float *speed, const lope_still *stills, int count, float *votes, float *scratch)
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
    return (double)votes[count / 2];
}

// What of that is creeping, and not what noise alone would show there. Exactly fixed points do not creep; captured feet
// do, because skin and shoes give way and because the point that we follow is not quite the one that touches.
static double creep_of(double speed, double most_noise)
{
    // 1.193 deviations is the 0.3 quantile of the length of a three-dimensional normal vector.
    double noise = 1.193 * most_noise;
    return speed > noise ? sqrt(speed * speed - noise * noise) : 0.0;
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

// A path and what is known about its noise.
typedef struct still_search {
    const lope_vec3 *points;
    int frame_count;
    double frame_rate;
    double deviation; // of the smoothed speed per axis, by noise alone
    double margin;    // on it
    bool noise_known; // else it is taken for none
} still_search;

static lope_status find_stills(const still_search *path, const lope_contacts_def *def, lope_still_list *out,
                               lope_error *error)
{
    int frame_count = path->frame_count;
    float *speed = lope_alloc_array(3 * (size_t)frame_count, sizeof *speed);
    lope_still *stills = lope_alloc_array((size_t)frame_count, sizeof *stills);
    if (!speed || !stills) {
        lope_free(speed);
        lope_free(stills);
        return lope_fail_memory(error);
    }
    float *scratch = speed + frame_count;
    double enter = (double)def->enter_speed, leave = (double)def->leave_speed, noise = path->deviation * NOISE_FACTOR;
    smooth_speed(path->points, frame_count, path->frame_rate, speed);
    rest_speeds speeds = {(float)sqrt(enter * enter + noise * noise), (float)sqrt(leave * leave + noise * noise),
                          !path->noise_known};
    int count = coarse_stretches(speed, frame_count, &speeds, stills);
    double rest = speed_at_rest(speed, stills, count, speed + 2 * (size_t)frame_count, scratch);
    double creep = creep_of(rest, path->margin * path->deviation);
    for (int i = 0; i < count; i++)
        cut_rises(path->points, frame_count, def->leave_height, scratch, &stills[i]);
    double factor = path->noise_known ? CREEP_FACTOR : CREEP_UNSURE;
    lope_edge_search search = {path->points, frame_count, path->frame_rate, fmin(leave, factor * creep)};
    refine_all(&search, stills, count);
    out->items = stills;
    int shortest = lope_frames_in((double)def->min_duration, path->frame_rate);
    out->count = tidy(path->points, stills, count, shortest < frame_count ? shortest : frame_count);
    lope_free(speed);
    return LOPE_OK;
}

// The point `t` of the way from frame `f` to the next on the cubic through their neighbours.
static lope_vec3 point_between(const lope_vec3 *p, int count, int f, float t)
{
    float weights[4];
    int frames[4];
    cubic_weights(t, weights);
    cubic_frames(f, count, frames);
    lope_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 4; k++)
        sum = lope_v3_mad(sum, p[frames[k]], weights[k]);
    return sum;
}

// Keeps the frames of the path that lie within the stretches of the curve.
static int back_to_frames(lope_still *stills, int count, int factor)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        lope_still still = stills[i];
        still.first = (still.first + factor - 1) / factor;
        still.last /= factor;
        if (still.first <= still.last)
            stills[kept++] = still;
    }
    return kept;
}

static lope_status find_between(const still_search *path, const lope_contacts_def *def, lope_still_list *out,
                                lope_error *error)
{
    int factor = (int)ceil(MORE_FRAMES / path->frame_rate), count = (path->frame_count - 1) * factor + 1;
    lope_vec3 *curve = lope_alloc_array((size_t)count, sizeof *curve);
    if (!curve)
        return lope_fail_memory(error);
    for (int i = 0; i < count - 1; i++)
        curve[i] = point_between(path->points, path->frame_count, i / factor, (float)(i % factor) / (float)factor);
    curve[count - 1] = path->points[path->frame_count - 1];
    still_search finer = {curve, count, path->frame_rate * factor, path->deviation, path->margin, path->noise_known};
    lope_status status = find_stills(&finer, def, out, error);
    if (!status)
        out->count = back_to_frames(out->items, out->count, factor);
    lope_free(curve);
    return status;
}

lope_status lope_still_find(const lope_vec3 *points, int frame_count, double frame_rate, const lope_contacts_def *def,
                            lope_still_list *out, lope_error *error)
{
    assert(frame_count >= 1);
    *out = (lope_still_list){0};
    still_search path = {points, frame_count, frame_rate, 0.0, CREEP_MARGIN, true};
    bool few = frame_rate < FEW_FRAMES && frame_rate >= SLOWEST && frame_count > 1 && frame_count < MOST_FILLED;
    float *scratch = lope_alloc_array((size_t)frame_count, sizeof *scratch);
    if (!scratch)
        return lope_fail_memory(error);
    double noise = (double)noise_of(points, frame_count, few, scratch);
    double rolling = ROLLING / (frame_rate * frame_rate * frame_rate);
    path.noise_known = !few || 3.0 / frame_rate <= SHORT_STANCE;
    if (few)
        noise = path.noise_known ? sqrt(fmax(0.0, noise * noise - rolling * rolling)) : 0.0;
    path.margin = !few && noise > LOUD ? LOUD_MARGIN : CREEP_MARGIN;
    path.deviation = noise * slope_noise(frame_count, frame_rate);
    lope_free(scratch);
    return few ? find_between(&path, def, out, error) : find_stills(&path, def, out, error);
}

void lope_still_release(lope_still_list *list)
{
    lope_free(list->items);
    *list = (lope_still_list){0};
}
