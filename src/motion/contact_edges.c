// SPDX-License-Identifier: MIT
// Where a rest ends. The edge is put where "constant before, q s^3 + r s^4 after" fits the raw positions best: a change
// point by least squares, which needs no threshold and averages noise over all frames around. The powers are those with
// which a movement of least jerk sets out and arrives (Flash, Hogan 1985). Captured feet never rest that exactly: they
// have left only when they are clearly faster than they creep while they stand.
#include "motion/contact_edges.h"

#include <string.h>

#define SEARCH 0.10        // seconds to either side of the rough edge
#define CONTEXT 0.12       // seconds beyond the search that still take part in the fit
#define QUICK_WINDOW 0.025 // seconds to either side when looking at the speed of creeping points
#define TERMS 3            // of the fitted curve
#define FINEST 64          // frames of search that are looked at one by one; beyond (640 fps) only every n-th is

int lope_frames_in(double seconds, double frame_rate)
{
    int frames = (int)(seconds * frame_rate + 0.5);
    return frames < 1 ? 1 : frames;
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

// The frames an edge is fitted to: from `inner`, inside the stretch, to `outer`; `step` is 1 towards the future. Every
// `stride`-th frame takes part, so that the work per edge has a bound whatever the frame rate.
typedef struct edge_window {
    const lope_vec3 *points;
    int inner, outer, step, stride;
} edge_window;

// Sum of squared residuals of "constant up to `edge`, then constant + q s^3 + r s^4", s counted from the edge outwards.
static double edge_residual(const edge_window *window, double edge)
{
    double a[TERMS][TERMS] = {{0}}, b[TERMS][3] = {{0}}, moments[TERMS][3], squares = 0.0;
    lope_vec3 origin = window->points[window->inner];
    double reach = ((double)window->outer - edge) * window->step;
    int length = (window->outer - window->inner) * window->step;
    for (int n = 0; n <= length; n += window->stride) {
        int f = window->inner + n * window->step;
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

// Between which frames an edge is looked for.
typedef struct edge_bounds {
    int step, core, limit;
} edge_bounds;

// The time in frames, at most `range` from `edge`, at which the point starts to move outwards.
static double fit_edge(const lope_vec3 *points, edge_bounds bounds, int edge, int range, int context)
{
    int step = bounds.step, reach = range + context;
    int inward = (edge - bounds.core) * step, outward = (bounds.limit - edge) * step;
    int stride = 1 + (range - 1) / FINEST;
    edge_window window = {points, edge - step * (inward < reach ? inward : reach),
                          edge + step * (outward < reach ? outward : reach), step, stride};
    double best = edge, least = HUGE_VAL;
    for (int half = -2 * range; half <= 2 * range; half += stride) {
        double candidate = edge + 0.5 * half * step;
        if ((candidate - window.inner) * step < 1.0 || (window.outer - candidate) * step < 3.0 * stride)
            continue;
        double residual = edge_residual(&window, candidate);
        if (residual < least) {
            least = residual;
            best = candidate;
        }
    }
    return best;
}

static int last_frame_before(double time, int step)
{
    return step > 0 ? (int)floor(time) : (int)ceil(time);
}

static double quick_speed(const lope_edge_search *search, int frame)
{
    int half = lope_frames_in(QUICK_WINDOW, search->frame_rate);
    int first = frame > half ? frame - half : 0;
    int last = frame + half < search->frame_count ? frame + half : search->frame_count - 1;
    double distance = (double)lope_v3_distance(search->points[first], search->points[last]);
    return distance * search->frame_rate / (double)(last - first);
}

int lope_edge_refine(const lope_edge_search *search, int edge, int step, int core, int limit)
{
    edge_bounds bounds = {step, core, limit};
    int range = lope_frames_in(SEARCH, search->frame_rate), context = lope_frames_in(CONTEXT, search->frame_rate);
    edge = last_frame_before(fit_edge(search->points, bounds, edge, range, context), step);
    // The second look is centred on what the first one found, so that both sides of the edge carry weight.
    edge = last_frame_before(fit_edge(search->points, bounds, edge, range / 2 + 1, context), step);
    while (edge != limit && quick_speed(search, edge + step) < search->creep)
        edge += step;
    return edge;
}
