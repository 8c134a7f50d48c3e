// SPDX-License-Identifier: MIT
// The squared distance of two windows a and b is |a|^2 + |b|^2 - 2 |<a, b>| for the ground plane as complex numbers,
// whose phase is free, and |a|^2 + |b|^2 - 2 <a, b> for heights. Split off the parts in a small space: what is left
// over has an inner product of at most the product of its lengths. So a few numbers of each window and the length of
// its rest bound the distance from below. The space is that of the principal components, which hold nearly everything:
// of all pairs that are farther than six centimetres the bound tells 99 in 100.
//
// Nothing that is found depends on these numbers, as long as they are not wrong by more than MARGIN.
#include "graph/cloud_bound.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/wide.h"

#define MARGIN 1e-4 // of the squares of both windows: more than is lost to rounding
#define FAR 1e15f
enum { TRENDS = 3, SAMPLE = 512, ROUNDS = 12, MOST_POINTS = 128 };

// Orthonormal polynomials over a window: mean, slope and bend of every coordinate.
typedef struct trends {
    int count, window;
    double values[TRENDS][512];
} trends;

// The directions in which windows differ most. Trend b of point p is number b * points + p.
typedef struct bound_space {
    trends trends;
    int size;                     // trends * points
    double *re, *im, *height;     // [size * BOUND_RANK], component by component for each number
    double *trend;                // [3 * size] scratch: re, im, heights of a window
    double *covariance, *product; // scratch
} bound_space;

static bool find_trends(int window, trends *out)
{
    if (window > 512)
        return false;
    *out = (trends){.count = window < TRENDS ? window : TRENDS, .window = window};
    for (int b = 0; b < out->count; b++) {
        double *v = out->values[b], squares = 0.0;
        for (int t = 0; t < window; t++) {
            double u = (double)(2 * t - window + 1) / (double)window;
            v[t] = b == 0 ? 1.0 : b == 1 ? u : u * u;
        }
        for (int a = 0; a < b; a++) {
            double along = 0.0;
            for (int t = 0; t < window; t++)
                along += v[t] * out->values[a][t];
            for (int t = 0; t < window; t++)
                v[t] -= along * out->values[a][t];
        }
        for (int t = 0; t < window; t++)
            squares += v[t] * v[t];
        for (int t = 0; t < window; t++)
            v[t] /= sqrt(squares);
    }
    return true;
}

// Trends of the window around a pose: real and imaginary parts, then heights.
static void measure_trends(const cloud_frames *f, const bound_space *space, int pose)
{
    size_t n = (size_t)space->size, points = (size_t)f->points, stride = (size_t)f->stride;
    double *re = space->trend, *im = re + n, *height = im + n;
    memset(space->trend, 0, 3 * n * sizeof *re);
    for (int t = 0; t < space->trends.window; t++) {
        size_t frame = (size_t)(pose - f->half + t);
        const float *x = f->frames + frame * 3 * stride, *z = x + stride, *y = z + stride;
        double mx = f->means[2 * frame] - f->centres[2 * pose], mz = f->means[2 * frame + 1] - f->centres[2 * pose + 1];
        for (int b = 0; b < space->trends.count; b++) {
            double weight = space->trends.values[b][t];
            size_t at = (size_t)b * points;
            for (size_t p = 0; p < points; p++) {
                re[at + p] += weight * ((double)x[p] + mx);
                im[at + p] += weight * ((double)z[p] + mz);
                height[at + p] += weight * (double)y[p];
            }
        }
    }
}

// Adds one window to the covariances: those of complex numbers (real, imaginary) and those of heights.
static void add_covariance(const bound_space *space)
{
    size_t n = (size_t)space->size;
    const double *re = space->trend, *im = re + n, *height = im + n;
    double *cr = space->covariance, *ci = cr + n * n, *ch = ci + n * n;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            cr[a * n + b] += re[a] * re[b] + im[a] * im[b];
            ci[a * n + b] += im[a] * re[b] - re[a] * im[b];
            ch[a * n + b] += height[a] * height[b];
        }
}

// Makes the components orthonormal; one that has vanished is zero.
static void orthonormalise(size_t n, double *re, double *im)
{
    for (int k = 0; k < BOUND_RANK; k++) {
        for (int q = 0; q < k; q++) {
            double sr = 0.0, si = 0.0; // <q, k>
            for (size_t a = 0; a < n; a++) {
                const double *r = re + a * BOUND_RANK, *i = im + a * BOUND_RANK;
                sr += r[q] * r[k] + i[q] * i[k];
                si += r[q] * i[k] - i[q] * r[k];
            }
            for (size_t a = 0; a < n; a++) {
                double *r = re + a * BOUND_RANK, *i = im + a * BOUND_RANK;
                r[k] -= sr * r[q] - si * i[q];
                i[k] -= sr * i[q] + si * r[q];
            }
        }
        double squares = 0.0;
        for (size_t a = 0; a < n; a++)
            squares += re[a * BOUND_RANK + (size_t)k] * re[a * BOUND_RANK + (size_t)k] +
                       im[a * BOUND_RANK + (size_t)k] * im[a * BOUND_RANK + (size_t)k];
        double scale = squares > 1e-20 ? 1.0 / sqrt(squares) : 0.0;
        for (size_t a = 0; a < n; a++) {
            re[a * BOUND_RANK + (size_t)k] *= scale;
            im[a * BOUND_RANK + (size_t)k] *= scale;
        }
    }
}

// One round of orthogonal iteration: the covariance times the components, made orthonormal.
static void iterate(const bound_space *space, const double *cr, const double *ci, double *re, double *im)
{
    size_t n = (size_t)space->size;
    double *pr = space->product, *pi = space->product + n * BOUND_RANK;
    memset(space->product, 0, 2 * n * BOUND_RANK * sizeof *space->product);
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            double r = cr[a * n + b], i = ci ? ci[a * n + b] : 0.0;
            const double *br = re + b * BOUND_RANK, *bi = im + b * BOUND_RANK;
            for (int k = 0; k < BOUND_RANK; k++) {
                pr[a * BOUND_RANK + (size_t)k] += r * br[k] - i * bi[k];
                pi[a * BOUND_RANK + (size_t)k] += r * bi[k] + i * br[k];
            }
        }
    memcpy(re, pr, n * BOUND_RANK * sizeof *re);
    memcpy(im, pi, n * BOUND_RANK * sizeof *im);
    orthonormalise(n, re, im);
}

static void find_components(const cloud_frames *f, const bound_space *space)
{
    size_t n = (size_t)space->size, room = n * BOUND_RANK;
    int step = f->pose_count / SAMPLE > 0 ? f->pose_count / SAMPLE : 1;
    memset(space->covariance, 0, 3 * n * n * sizeof *space->covariance);
    for (int pose = 0; pose < f->pose_count; pose += step)
        if (f->whole[pose]) {
            measure_trends(f, space, pose);
            add_covariance(space);
        }
    for (size_t a = 0; a < room; a++) { // anything that favours no direction
        space->re[a] = space->height[a] = (double)(a * 7919 % 1009) / 1009.0 - 0.5;
        space->im[a] = 0.0;
    }
    double *none = space->product + 2 * room;
    memset(none, 0, room * sizeof *none);
    for (int round = 0; round < ROUNDS; round++) {
        iterate(space, space->covariance, space->covariance + n * n, space->re, space->im);
        iterate(space, space->covariance + 2 * n * n, NULL, space->height, none);
    }
}

// Where the numbers of a pose lie: one every BOUND_LANES floats.
static size_t place_of(int pose)
{
    size_t at = (size_t)(pose + BOUND_PADDING);
    return at / BOUND_LANES * BOUND_LANES * BOUND_NUMBERS + at % BOUND_LANES;
}

static void set(const cloud_bound *bound, int pose, int number, double value)
{
    bound->numbers[place_of(pose) + (size_t)number * BOUND_LANES] = (float)value;
}

// The numbers of one window.
static void describe(const cloud_frames *f, const bound_space *space, int pose, const cloud_bound *out)
{
    size_t n = (size_t)space->size;
    double re[BOUND_RANK] = {0}, im[BOUND_RANK] = {0}, height[BOUND_RANK] = {0};
    measure_trends(f, space, pose);
    for (size_t a = 0; a < n; a++) {
        double x = space->trend[a], z = space->trend[n + a], y = space->trend[2 * n + a];
        const double *r = space->re + a * BOUND_RANK, *i = space->im + a * BOUND_RANK,
                     *h = space->height + a * BOUND_RANK;
        for (int k = 0; k < BOUND_RANK; k++) {
            re[k] += r[k] * x + i[k] * z;
            im[k] += r[k] * z - i[k] * x;
            height[k] += h[k] * y;
        }
    }
    double plane = 0.0, heights = 0.0, squares = 0.0;
    for (int t = 0; t < space->trends.window; t++) {
        const float *y = f->frames + ((size_t)(pose - f->half + t) * 3 + 2) * (size_t)f->stride;
        for (int p = 0; p < f->points; p++)
            squares += (double)y[p] * (double)y[p];
    }
    for (int k = 0; k < BOUND_RANK; k++) {
        plane += re[k] * re[k] + im[k] * im[k];
        heights += height[k] * height[k];
        set(out, pose, BOUND_RE + k, re[k]);
        set(out, pose, BOUND_IM + k, im[k]);
        set(out, pose, BOUND_HEIGHT + k, height[k]);
    }
    set(out, pose, BOUND_HEIGHT + BOUND_RANK, sqrt(fmax(0.0, f->spreads[pose] - squares - plane)));
    set(out, pose, BOUND_HEIGHT + BOUND_RANK + 1, sqrt(fmax(0.0, squares - heights)));
    set(out, pose, BOUND_NORM, 0.5 * (1.0 - MARGIN) * f->spreads[pose]);
}

static bool allocate_space(int points, bound_space *space)
{
    size_t n = (size_t)(space->size = space->trends.count * points), room = n * BOUND_RANK;
    space->re = lope_alloc_array(room, sizeof(double));
    space->im = lope_alloc_array(room, sizeof(double));
    space->height = lope_alloc_array(room, sizeof(double));
    space->trend = lope_alloc_array(3 * n, sizeof(double));
    space->covariance = lope_alloc_array(3 * n * n, sizeof(double));
    space->product = lope_alloc_array(3 * room, sizeof(double));
    return space->re && space->im && space->height && space->trend && space->covariance && space->product;
}

static void free_space(bound_space *space)
{
    lope_free(space->re);
    lope_free(space->im);
    lope_free(space->height);
    lope_free(space->trend);
    lope_free(space->covariance);
    lope_free(space->product);
}

void cloud_bound_free(cloud_bound *bound)
{
    lope_free(bound->numbers);
    *bound = (cloud_bound){0};
}

lope_status cloud_bound_find(const cloud_frames *frames, cloud_bound *out, lope_error *error)
{
    *out = (cloud_bound){0};
    bound_space space = {0};
    if (frames->points > MOST_POINTS || !find_trends(2 * frames->half + 1, &space.trends))
        return LOPE_OK;
    int end = frames->pose_count + BOUND_PADDING;
    out->numbers = lope_alloc_zero(place_of(end + BOUND_LANES) * sizeof(float));
    bool ready = out->numbers && allocate_space(frames->points, &space);
    if (ready) {
        find_components(frames, &space);
        for (int pose = -BOUND_PADDING; pose < end; pose++)
            if (pose >= 0 && pose < frames->pose_count && frames->whole[pose])
                describe(frames, &space, pose, out);
            else
                set(out, pose, BOUND_NORM, (double)FAR);
    } else {
        cloud_bound_free(out);
    }
    free_space(&space);
    return ready ? LOPE_OK : lope_fail_memory(error);
}

typedef float lanes __attribute__((vector_size(4 * BOUND_LANES)));
typedef int32_t lane_mask __attribute__((vector_size(4 * BOUND_LANES)));

// A bit for each lane whose mask is set.
LOPE_INLINE uint8_t bits_of(const lane_mask *set)
{
    unsigned bits = 0;
    for (int l = 0; l < BOUND_LANES; l++)
        bits |= (unsigned)((*set)[l] & 1) << l;
    return (uint8_t)bits;
}

LOPE_INLINE bool any_set(const lane_mask *set)
{
    int64_t words[sizeof *set / sizeof(int64_t)], all = 0;
    memcpy(words, set, sizeof *set);
    for (size_t w = 0; w < sizeof *set / sizeof *words; w++)
        all |= words[w];
    return all != 0;
}

// Lanes whose distance from a row may be within the limit: after the inner products of heights and rests, that of the
// plane is long enough. Vectors are handed on by their address: how they are passed depends on the machine.
LOPE_INLINE void test_lanes(const lanes *at, const float *row, float limit, lane_mask *out)
{
    lanes cosine = {0}, sine = {0}, height = {0};
    for (int k = BOUND_HEIGHT; k < BOUND_NORM; k++)
        height += at[k] * row[k * BOUND_LANES];
    lanes wanted = (at[BOUND_NORM] + (row[BOUND_NORM * BOUND_LANES] - limit)) - height;
    for (int k = 0; k < BOUND_RANK; k++) {
        lanes re = at[BOUND_RE + k], im = at[BOUND_IM + k];
        float x = row[(BOUND_RE + k) * BOUND_LANES], z = row[(BOUND_IM + k) * BOUND_LANES];
        cosine += re * x + im * z;
        sine += re * z - im * x;
    }
    *out = (wanted <= 0.0f) | (cosine * cosine + sine * sine >= wanted * wanted);
}

// One row stands for its neighbours first: most lanes are far from all of them.
LOPE_WIDE static void test_blocks(const cloud_bound *bound, const bound_question *asked, uint8_t *near)
{
    const float *rows[BOUND_ROWS];
    for (int r = 0; r < BOUND_ROWS; r++)
        rows[r] = bound->numbers + place_of(asked->row + r);
    const lanes *at = (const lanes *)(const void *)(bound->numbers + place_of(asked->column));
    for (int b = 0; b < asked->blocks; b++, at += BOUND_NUMBERS, near += BOUND_ROWS) {
        lane_mask hit;
        memset(near, 0, BOUND_ROWS);
        if (asked->wide > 0.0f) {
            test_lanes(at, rows[1], asked->wide, &hit);
            if (!any_set(&hit))
                continue;
        }
        for (int r = 0; r < BOUND_ROWS; r++) {
            test_lanes(at, rows[r], asked->limit, &hit);
            if (any_set(&hit))
                near[r] = bits_of(&hit);
        }
    }
}

// Apart from the loop: functions that are compiled several times are shown by libraries.
void cloud_bound_test(const cloud_bound *bound, const bound_question *asked, uint8_t *near)
{
    test_blocks(bound, asked, near);
}
