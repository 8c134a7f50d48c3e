// SPDX-License-Identifier: MIT
// The squared distance of two windows a and b is |a|^2 + |b|^2 - 2 |<a, b>| for the ground plane as complex numbers,
// whose phase is free, and |a|^2 + |b|^2 - 2 <a, b> for heights. Split off the parts in a small space: what is left
// over has an inner product of at most the product of its lengths. So a few numbers of each window and the length of
// its rest bound the distance from below and from above. The space is that of the principal components, which hold
// nearly everything: eight tell 97 in 100 of all pairs that are farther than six centimetres, and 32 tell most
// distances to a tenth.
//
// The triangle inequality holds, so one of four poses stands for all of them: first against one of four columns, then
// against every column; only what is left is tested row by row.
//
// Nothing that is found depends on these numbers, as long as they are not wrong by more than MARGIN.
#include "graph/cloud_bound.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/wide.h"

#define MARGIN 2e-5 // of the squares of both windows: three times what rounding can lose
#define FAR 1e15f
enum { TRENDS = 3, SAMPLE = 512, ROUNDS = 12, MOST_POINTS = 128, STAND = 1 };

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
LOPE_INLINE void measure_trends(const cloud_frames *f, const bound_space *space, int pose)
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

// Where a number of a pose lies, of `count` that each has.
static size_t place_of(int pose, int number, int count)
{
    size_t at = (size_t)(pose + BOUND_PADDING);
    return (at / BOUND_LANES * (size_t)count + (size_t)number) * BOUND_LANES + at % BOUND_LANES;
}

static void set_number(const cloud_bound *bound, int pose, int number, double value)
{
    bound->numbers[place_of(pose, number, BOUND_NUMBERS)] = (float)value;
}

static void set_further(const cloud_bound *bound, int pose, int number, double value)
{
    bound->further[place_of(pose, number, BOUND_FURTHER)] = (float)value;
}

// Components of a window, and the squares of the ground plane and of heights.
typedef struct window_parts {
    double re[BOUND_RANK], im[BOUND_RANK], height[BOUND_RANK];
    double plane, heights;
} window_parts;

LOPE_WIDE static void find_parts(const cloud_frames *f, const bound_space *space, int pose, window_parts *out)
{
    size_t n = (size_t)space->size;
    *out = (window_parts){.plane = f->spreads[pose]};
    measure_trends(f, space, pose);
    for (size_t a = 0; a < n; a++) {
        double x = space->trend[a], z = space->trend[n + a], y = space->trend[2 * n + a];
        const double *r = space->re + a * BOUND_RANK, *i = space->im + a * BOUND_RANK,
                     *h = space->height + a * BOUND_RANK;
        for (int k = 0; k < BOUND_RANK; k++) {
            out->re[k] += r[k] * x + i[k] * z;
            out->im[k] += r[k] * z - i[k] * x;
            out->height[k] += h[k] * y;
        }
    }
    for (int t = 0; t < space->trends.window; t++) {
        const float *y = f->frames + ((size_t)(pose - f->half + t) * 3 + 2) * (size_t)f->stride;
        for (int p = 0; p < f->points; p++)
            out->heights += (double)y[p] * (double)y[p];
    }
    out->plane -= out->heights;
}

// The numbers of one window.
static void describe(const cloud_frames *f, const bound_space *space, int pose, const cloud_bound *out)
{
    window_parts parts;
    find_parts(f, space, pose, &parts);
    for (int k = 0; k < BOUND_RANK; k++) {
        parts.plane -= parts.re[k] * parts.re[k] + parts.im[k] * parts.im[k];
        parts.heights -= parts.height[k] * parts.height[k];
        double rests[2] = {sqrt(fmax(0.0, parts.plane)), sqrt(fmax(0.0, parts.heights))};
        if (k < BOUND_FEW) {
            set_number(out, pose, BOUND_RE + k, parts.re[k]);
            set_number(out, pose, BOUND_IM + k, parts.im[k]);
            set_number(out, pose, BOUND_HEIGHT + k, parts.height[k]);
        } else {
            set_further(out, pose, 3 * (k - BOUND_FEW), parts.re[k]);
            set_further(out, pose, 3 * (k - BOUND_FEW) + 1, parts.im[k]);
            set_further(out, pose, 3 * (k - BOUND_FEW) + 2, parts.height[k]);
        }
        for (int r = 0; r < 2; r++)
            if (k == BOUND_FEW - 1)
                set_number(out, pose, BOUND_HEIGHT + BOUND_FEW + r, rests[r]);
            else if (k == BOUND_RANK - 1)
                set_further(out, pose, BOUND_RESTS + r, rests[r]);
    }
    set_number(out, pose, BOUND_NORM, 0.5 * (1.0 - MARGIN) * f->spreads[pose]);
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
    lope_free(bound->further);
    lope_free(bound->groups);
    *bound = (cloud_bound){0};
}

// The numbers of the pose that stands for a group, and how far the others are. Without a window it stands for none,
// and all of them are taken to be near.
static void describe_group(const cloud_frames *f, int first, const cloud_bound *out)
{
    int pose = first + STAND;
    size_t group = (size_t)(first + BOUND_PADDING) / BOUND_ROWS;
    float *to = out->groups + group / BOUND_LANES * BOUND_LANES * (BOUND_NUMBERS + 1) + group % BOUND_LANES;
    bool stands = pose >= 0 && pose < f->pose_count && f->whole[pose], any = false;
    for (int p = first; p < first + BOUND_ROWS; p++)
        any = any || (p >= 0 && p < f->pose_count && f->whole[p]);
    for (int k = 0; k < BOUND_NUMBERS; k++)
        to[k * BOUND_LANES] = out->numbers[place_of(pose, k, BOUND_NUMBERS)];
    if (stands)
        to[BOUND_NUMBERS * BOUND_LANES] = f->reaches[pose];
    else
        to[BOUND_NORM * BOUND_LANES] = any ? -FAR : FAR;
}

static bool allocate_numbers(const cloud_frames *frames, cloud_bound *out)
{
    size_t poses = (size_t)(frames->pose_count + 2 * BOUND_PADDING) / BOUND_LANES * BOUND_LANES + 8 * BOUND_LANES;
    out->numbers = lope_alloc_zero(poses * BOUND_NUMBERS * sizeof(float));
    out->further = lope_alloc_zero(poses * BOUND_FURTHER * sizeof(float));
    out->groups = lope_alloc_zero(poses / BOUND_ROWS * (BOUND_NUMBERS + 1) * sizeof(float));
    return out->numbers && out->further && out->groups;
}

lope_status cloud_bound_find(const cloud_frames *frames, float limit, cloud_bound *out, lope_error *error)
{
    int window = 2 * frames->half + 1, end = frames->pose_count + BOUND_PADDING;
    *out = (cloud_bound){.pose_count = frames->pose_count, .limit = limit, .reaches = frames->reaches};
    out->weight = 0.5f * (float)frames->points * (float)window;
    bound_space space = {0};
    if (frames->points > MOST_POINTS || !find_trends(window, &space.trends))
        return LOPE_OK;
    bool ready = allocate_numbers(frames, out) && allocate_space(frames->points, &space);
    if (ready) {
        find_components(frames, &space);
        for (int pose = -BOUND_PADDING; pose < end; pose++)
            if (pose >= 0 && pose < frames->pose_count && frames->whole[pose])
                describe(frames, &space, pose, out);
            else
                set_number(out, pose, BOUND_NORM, (double)FAR);
        for (int first = -BOUND_PADDING; first + BOUND_ROWS < end; first += BOUND_ROWS)
            describe_group(frames, first, out);
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

// Inner products of lanes with a row: of the ground plane, turned by a quarter, of heights; and half of both spreads.
typedef struct lane_products {
    lanes cosine, sine, height, norm;
} lane_products;

// Vectors are handed on by their address: how they are passed depends on the machine.
LOPE_INLINE void multiply_few(const lanes *at, const float *row, lane_products *out)
{
    lanes cosine = {0}, sine = {0}, height = {0};
    for (int k = 0; k < BOUND_FEW; k++) {
        lanes re = at[BOUND_RE + k], im = at[BOUND_IM + k];
        float x = row[(BOUND_RE + k) * BOUND_LANES], z = row[(BOUND_IM + k) * BOUND_LANES];
        cosine += re * x + im * z;
        sine += re * z - im * x;
        height += at[BOUND_HEIGHT + k] * row[(BOUND_HEIGHT + k) * BOUND_LANES];
    }
    *out = (lane_products){cosine, sine, height, at[BOUND_NORM] + row[BOUND_NORM * BOUND_LANES]};
}

// Lanes whose distance from a row may be within a limit of their own: after the inner products of heights and rests,
// that of the plane is long enough.
LOPE_INLINE bool test_few(const lanes *at, const float *row, const lane_products *p, const lanes *limit, lane_mask *hit)
{
    const lanes *rests = at + BOUND_HEIGHT + BOUND_FEW;
    const float *others = row + (BOUND_HEIGHT + BOUND_FEW) * BOUND_LANES;
    lanes wanted = (p->norm - *limit) - (p->height + rests[0] * others[0] + rests[1] * others[BOUND_LANES]);
    *hit = (wanted <= 0.0f) | (p->cosine * p->cosine + p->sine * p->sine >= wanted * wanted);
    return any_set(hit);
}

LOPE_INLINE void root_of(lanes *v)
{
    for (int l = 0; l < BOUND_LANES; l++)
        (*v)[l] = sqrtf((*v)[l]);
}

// Where bounds of lanes go.
typedef struct lane_bounds {
    lanes *lower, *upper;
} lane_bounds;

// By all components: a bit for each lane that may be within the limit.
LOPE_INLINE uint8_t test_all(const lanes *at, const float *row, lane_products *p, float limit, const lane_bounds *out)
{
    for (int k = 0; k < BOUND_RESTS; k += 3) {
        float x = row[k * BOUND_LANES], z = row[(k + 1) * BOUND_LANES];
        p->cosine += at[k] * x + at[k + 1] * z;
        p->sine += at[k] * z - at[k + 1] * x;
        p->height += at[k + 2] * row[(k + 2) * BOUND_LANES];
    }
    lanes plane = p->cosine * p->cosine + p->sine * p->sine;
    root_of(&plane);
    lanes middle = p->norm - (plane + p->height);
    lanes slack =
        at[BOUND_RESTS] * row[BOUND_RESTS * BOUND_LANES] + at[BOUND_RESTS + 1] * row[(BOUND_RESTS + 1) * BOUND_LANES];
    lanes least = middle - slack;
    lane_mask hit = least <= limit;
    if (!any_set(&hit))
        return 0;
    *out->lower = least;
    *out->upper = middle + slack + p->norm * (float)(3.0 * MARGIN);
    return bits_of(&hit);
}

// What is asked about some rows.
typedef struct bound_rows {
    const float *few[BOUND_ROWS], *further[BOUND_ROWS];
    float reach; // of the row that stands for all; < 0: none does
} bound_rows;

// Lanes against each row, after one row that stands for its neighbours.
LOPE_INLINE void test_block(const cloud_bound *bound, const bound_rows *rows, int column, int b,
                            const bound_answer *out)
{
    const lanes *few = (const lanes *)(const void *)(bound->numbers + place_of(column, 0, BOUND_NUMBERS));
    const lanes *all = (const lanes *)(const void *)(bound->further + place_of(column, 0, BOUND_FURTHER));
    lanes none = {0}, limit = none + bound->limit * bound->limit * bound->weight;
    lane_products products;
    lane_mask hit;
    if (rows->reach >= 0.0f) {
        float wide = bound->limit + rows->reach;
        lanes limits = none + wide * wide * bound->weight;
        multiply_few(few, rows->few[STAND], &products);
        if (!test_few(few, rows->few[STAND], &products, &limits, &hit))
            return;
    }
    for (int r = 0; r < BOUND_ROWS; r++) {
        multiply_few(few, rows->few[r], &products);
        lane_bounds bounds = {(lanes *)(void *)out->lower[r] + b, (lanes *)(void *)out->upper[r] + b};
        if (test_few(few, rows->few[r], &products, &limit, &hit))
            out->near[r][b] = test_all(all, rows->further[r], &products, limit[0], &bounds);
    }
}

// Groups of columns that may be near any of the rows, a bit each: one pose stands for each.
LOPE_INLINE uint8_t test_groups(const cloud_bound *bound, const bound_rows *rows, size_t at)
{
    if (rows->reach < 0.0f)
        return 0xff;
    const lanes *groups = (const lanes *)(const void *)bound->groups + at * (BOUND_NUMBERS + 1);
    lanes wide = groups[BOUND_NUMBERS] + (bound->limit + rows->reach), limits = wide * wide * bound->weight;
    lane_products products;
    lane_mask hit;
    multiply_few(groups, rows->few[STAND], &products);
    return test_few(groups, rows->few[STAND], &products, &limits, &hit) ? bits_of(&hit) : 0;
}

LOPE_WIDE static void test_rows(const cloud_bound *bound, int row, int column, int blocks, const bound_answer *out)
{
    bound_rows rows;
    for (int r = 0; r < BOUND_ROWS; r++) {
        rows.few[r] = bound->numbers + place_of(row + r, 0, BOUND_NUMBERS);
        rows.further[r] = bound->further + place_of(row + r, 0, BOUND_FURTHER);
    }
    int stand = row + STAND;
    rows.reach = stand >= 0 && stand < bound->pose_count ? bound->reaches[stand] : -1.0f;
    // Two groups make a block, four blocks are tested at once.
    int first = (column + BOUND_PADDING) / BOUND_LANES;
    for (int at = first / 4; at * 4 < first + blocks; at++) {
        unsigned bits = test_groups(bound, &rows, (size_t)at);
        for (int k = 0; k < 4 && bits; k++, bits >>= 2) {
            int b = at * 4 + k - first;
            if (bits & 3 && b >= 0 && b < blocks)
                test_block(bound, &rows, column + b * BOUND_LANES, b, out);
        }
    }
}

// Apart from the loop: functions that are compiled several times are shown by libraries.
void cloud_bound_test(const cloud_bound *bound, int row, int column, int blocks, const bound_answer *out)
{
    test_rows(bound, row, column, blocks, out);
}
