// SPDX-License-Identifier: MIT
// Still stretches of a path under noise. Two looks at the same data:
//   coarse: the slope of a local line fit over about 0.1 s is a speed that noise cannot shake much; stretches slower
//           than leave_speed that somewhere are slower than enter_speed are candidates (hysteresis, blind to the
//           direction of time). The thresholds rise with the noise measured in the path itself.
//   fine:   the coarse look blurs edges by some frames. Each edge is put where "constant before, s^3 and s^4 after"
//           fits the raw positions best: a change point by least squares, which needs no threshold at all. The powers
//           are those with which a movement of least jerk begins and ends (Flash, Hogan 1985).
#include "motion/contact_segments.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define HALF_WINDOW 0.05  // seconds to either side in the coarse look
#define EDGE_SEARCH 0.10  // seconds to either side of a coarse edge
#define EDGE_CONTEXT 0.12 // seconds beyond the search that still take part in the fit
#define NOISE_FACTOR 3.5  // thresholds stay this many deviations of the smoothed speed above zero
#define TERMS 3           // of the curve that is fitted to an edge
#define SAME_PLACE 0.02f  // metres: stretches closer than this with a short gap are one

static int frames_of(double seconds, double frame_rate)
{
    int frames = (int)(seconds * frame_rate + 0.5);
    return frames < 1 ? 1 : frames;
}

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
    int half = frames_of(HALF_WINDOW, frame_rate), width = 2 * half + 1 < count ? 2 * half + 1 : count;
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
    int half = frames_of(HALF_WINDOW, frame_rate), width = 2 * half + 1 < count ? 2 * half + 1 : count;
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

// Solves the symmetric positive system a x = b for the three columns of b by elimination; false where it is singular.
static bool solve(double a[TERMS][TERMS], double b[TERMS][3])
{
    for (int k = 0; k < TERMS; k++) {
        if (a[k][k] < 1e-12)
            return false;
        for (int r = k + 1; r < TERMS; r++) {
            double m = a[r][k] / a[k][k];
            for (int c = k; c < TERMS; c++)
                a[r][c] -= m * a[k][c];
            for (int c = 0; c < 3; c++)
                b[r][c] -= m * b[k][c];
        }
    }
    for (int k = TERMS - 1; k >= 0; k--)
        for (int c = 0; c < 3; c++) {
            for (int r = k + 1; r < TERMS; r++)
                b[k][c] -= a[k][r] * b[r][c];
            b[k][c] /= a[k][k];
        }
    return true;
}

// The frames an edge is fitted to: from `inner`, inside the stretch, to `outer`; `step` is 1 towards the future.
typedef struct edge_window {
    const lope_vec3 *points;
    int inner, outer, step;
} edge_window;

// Sum of squared residuals of "constant up to `edge`, then constant + q s^3 + r s^4", s counted from the edge outwards.
static double edge_residual(const edge_window *window, double edge)
{
    double a[TERMS][TERMS] = {{0}}, b[TERMS][3] = {{0}}, moments[TERMS][3], squares = 0.0;
    lope_vec3 origin = window->points[window->inner];
    double reach = ((double)window->outer - edge) * window->step;
    for (int f = window->inner; f != window->outer + window->step; f += window->step) {
        double s = fmax(((double)f - edge) * window->step, 0.0) / reach;
        double basis[TERMS] = {1.0, s * s * s, s * s * s * s};
        lope_vec3 d = lope_v3_sub(window->points[f], origin);
        double value[3] = {(double)d.x, (double)d.y, (double)d.z};
        for (int r = 0; r < TERMS; r++) {
            for (int c = 0; c < TERMS; c++)
                a[r][c] += basis[r] * basis[c];
            for (int c = 0; c < 3; c++)
                b[r][c] += basis[r] * value[c];
        }
        squares += value[0] * value[0] + value[1] * value[1] + value[2] * value[2];
    }
    memcpy(moments, b, sizeof moments);
    if (!solve(a, b))
        return HUGE_VAL;
    for (int r = 0; r < TERMS; r++)
        for (int c = 0; c < 3; c++)
            squares -= moments[r][c] * b[r][c];
    return squares;
}

// The time in frames, near the coarse `edge`, at which the point really starts to move (step 1) or comes to rest
// (step -1). `limit` bounds the search on the outer side, `core` on the inner one.
static double fit_edge(const lope_vec3 *p, int edge, int step, int core, int limit, int search, int context)
{
    int inward = (edge - core) * step, outward = (limit - edge) * step, reach = search + context;
    edge_window window = {p, edge - step * (inward < reach ? inward : reach),
                          edge + step * (outward < reach ? outward : reach), step};
    double best = edge, least = HUGE_VAL;
    for (int half = -2 * search; half <= 2 * search; half++) {
        double candidate = edge + 0.5 * half * step;
        if ((candidate - window.inner) * step < 1.0 || (window.outer - candidate) * step < 3.0)
            continue;
        double residual = edge_residual(&window, candidate);
        if (residual < least) {
            least = residual;
            best = candidate;
        }
    }
    return best;
}

// The last frame of the stretch on the side of `step`. The second look is centred on what the first one found, so that
// both sides of the edge carry weight.
static int refine_edge(const lope_vec3 *p, int edge, int step, int core, int limit, double frame_rate)
{
    int search = frames_of(EDGE_SEARCH, frame_rate), context = frames_of(EDGE_CONTEXT, frame_rate);
    double time = fit_edge(p, edge, step, core, limit, search, context);
    time = fit_edge(p, (int)(time + 0.5), step, core, limit, search / 2 + 1, context);
    return step > 0 ? (int)floor(time) : (int)ceil(time);
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

static void refine_all(const lope_vec3 *p, int count, double frame_rate, lope_still *stills, int still_count)
{
    for (int i = 0; i < still_count; i++) {
        int first = stills[i].first, last = stills[i].last, middle = (first + last) / 2;
        int before = i > 0 ? stills[i - 1].last : 0;
        int after = i + 1 < still_count ? stills[i + 1].first : count - 1;
        stills[i].first = first > 0 ? refine_edge(p, first, -1, middle, before, frame_rate) : 0;
        stills[i].last = last < count - 1 ? refine_edge(p, last, 1, middle, after, frame_rate) : count - 1;
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
    float *speed = lope_alloc_array((size_t)frame_count, sizeof *speed);
    lope_still *stills = lope_alloc_array((size_t)frame_count, sizeof *stills);
    if (!speed || !stills) {
        lope_free(speed);
        lope_free(stills);
        return lope_fail_memory(error);
    }
    double noise = (double)noise_of(points, frame_count, speed) * slope_noise(frame_count, frame_rate) * NOISE_FACTOR;
    double enter = (double)def->enter_speed, leave = (double)def->leave_speed;
    smooth_speed(points, frame_count, frame_rate, speed);
    int count = coarse_stretches(speed, frame_count, (float)sqrt(enter * enter + noise * noise),
                                 (float)sqrt(leave * leave + noise * noise), stills);
    for (int i = 0; i < count; i++)
        cut_rises(points, frame_count, def->leave_height, speed, &stills[i]);
    refine_all(points, frame_count, frame_rate, stills, count);
    out->items = stills;
    int shortest = frames_of((double)def->min_duration, frame_rate);
    out->count = tidy(points, stills, count, shortest < frame_count ? shortest : frame_count);
    lope_free(speed);
    return LOPE_OK;
}

void lope_still_release(lope_still_list *list)
{
    lope_free(list->items);
    *list = (lope_still_list){0};
}
