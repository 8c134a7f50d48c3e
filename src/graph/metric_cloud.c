// SPDX-License-Identifier: MIT
// The windowed point cloud of Kovar, Gleicher and Pighin (2002): root mean square distance of joint positions over a
// window of frames around two poses, after the best yaw and shift over the ground.
//
// In closed form: with x + iz as complex numbers about the mean of a window, the best yaw is the phase of the inner
// product of two windows, so its modulus and the inner product of heights give the distance. Sums of single frames make
// windows; neighbours on a diagonal share all but one frame, so frames are multiplied once.
//
// Few pairs are near. The others are told by a bound that costs a fraction (cloud_bound.c) and are never computed; what
// is computed depends on the pair alone, so skipping changes no bit of the rest.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/cloud_bound.h"
#include "graph/metric.h"
#include "graph/wide.h"

// Sums are kept in so many lanes until the end: the same additions for any vector unit.
enum { LANES = 8 };

// Taken off all heights: the same shift for everyone changes no distance, and smaller numbers round less.
#define TYPICAL_HEIGHT 0.9f

typedef struct cloud_metric {
    pose_metric base;
    int half;        // frames on each side of the middle one
    int points;      // per frame
    float share;     // of a point of a window in the mean
    int stride;      // points, in whole lanes; what is behind them is zero
    float *frames;   // [pose_count * 3 * stride] x, z about the mean of the frame, heights
    double *means;   // [pose_count * 2] of x and z over one frame
    uint8_t *whole;  // [pose_count] the window around the pose lies inside its clip
    double *centres; // [pose_count * 2] of x and z over the window
    double *spreads; // [pose_count] sum of squares about the mean of the window
    float
        *reaches; // [pose_count] distance within which the pose before and the two after it are; < 0: it has no window
    cloud_bound bound;
} cloud_metric;

// Inner products of two frames: of the ground plane, turned by a quarter, of heights.
typedef double frame_product __attribute__((vector_size(32)));
enum { COSINE, SINE, HEIGHT };

// Products of the frames of one diagonal that were computed last, by row modulo the room.
typedef struct tile_scratch {
    uint8_t *near;           // [BOUND_ROWS * blocks] pairs that may be near, a bit each
    frame_product *products; // [diagonals * ring]
    int *done;               // [diagonals] first row of frames that is not computed
} tile_scratch;

static int ring_size(const cloud_metric *m)
{
    int size = 1;
    while (size < 2 * m->half + 1)
        size *= 2;
    return size;
}

// Room for an array, in floats, so that the next one is aligned.
static size_t room_for(size_t bytes)
{
    return (bytes + 63) / 64 * 16;
}

// Blocks of lanes that hold as many poses, wherever they begin.
static int blocks_of(int poses)
{
    return poses / BOUND_LANES + 2;
}

// Floats of scratch for a tile; lays it out from `at` on unless that is NULL.
static size_t split_scratch(const cloud_metric *m, int rows, int columns, float *at, tile_scratch *s)
{
    size_t diagonals = (size_t)(rows + columns), near = room_for((size_t)(BOUND_ROWS * blocks_of(columns)));
    size_t products = room_for(diagonals * (size_t)ring_size(m) * sizeof *s->products);
    if (at) {
        s->near = (uint8_t *)at;
        s->products = (frame_product *)(void *)(at + near);
        s->done = (int *)(void *)(at + near + products);
    }
    return near + products + room_for(diagonals * sizeof *s->done);
}

typedef float lanes __attribute__((vector_size(4 * LANES)));

LOPE_INLINE float add_lanes(const lanes *at)
{
    lanes v = *at; // by address: how vectors are passed depends on the machine
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

LOPE_INLINE void multiply_frames(const cloud_metric *m, int row, int column, frame_product *out)
{
    size_t n = (size_t)m->stride / LANES;
    const lanes *a = (const lanes *)(const void *)m->frames + (size_t)row * 3 * n;
    const lanes *b = (const lanes *)(const void *)m->frames + (size_t)column * 3 * n;
    lanes cosine = {0}, sine = {0}, height = {0};
    for (size_t k = 0; k < n; k++) {
        lanes ax = a[k], az = a[n + k], bx = b[k], bz = b[n + k];
        cosine += ax * bx + az * bz;
        sine += az * bx - ax * bz;
        height += a[2 * n + k] * b[2 * n + k];
    }
    const double *p = m->means + 2 * (size_t)row, *q = m->means + 2 * (size_t)column;
    double points = (double)m->points;
    *out = (frame_product){(double)add_lanes(&cosine) + points * (p[0] * q[0] + p[1] * q[1]),
                           (double)add_lanes(&sine) + points * (p[1] * q[0] - p[0] * q[1]), (double)add_lanes(&height),
                           0.0};
}

// Distance of two poses whose windows lie inside their clips. `done` is the first row of this diagonal whose product is
// not in the ring yet; rows of a diagonal are asked for in order.
LOPE_INLINE float distance(const cloud_metric *m, int row, int column, frame_product *ring, int mask, int *done)
{
    int first = row - m->half, end = row + m->half + 1, shift = column - row;
    for (int f = *done > first ? *done : first; f < end; f++)
        multiply_frames(m, f, f + shift, &ring[f & mask]);
    *done = end;
    frame_product sum = ring[first & mask], other = {0.0};
    for (int f = first + 1; f < end; f += 2) { // windows are odd
        sum += ring[f & mask];
        other += ring[(f + 1) & mask];
    }
    sum += other;
    const double *a = m->centres + 2 * (size_t)row, *b = m->centres + 2 * (size_t)column;
    double weight = (double)m->points * (double)(2 * m->half + 1);
    double p = sum[COSINE] - weight * (a[0] * b[0] + a[1] * b[1]);
    double q = sum[SINE] - weight * (a[1] * b[0] - a[0] * b[1]);
    double d = (m->spreads[row] + m->spreads[column]) - 2.0 * (sqrt(p * p + q * q) + sum[HEIGHT]);
    return d > 0.0 ? sqrtf((float)d * m->share) : 0.0f;
}

// Distances of the pairs of one row that may be near. `column` is that of the first bit.
LOPE_WIDE static void finish_row(const cloud_metric *m, const metric_tile *tile, int r, int column, int blocks,
                                 const uint8_t *near, const tile_scratch *s)
{
    int row = tile->row + r, ring = ring_size(m);
    float *values = tile->values + (size_t)r * (size_t)tile->stride;
    for (int b = 0; b < blocks; b++)
        for (unsigned left = near[b * BOUND_ROWS]; left; left &= left - 1) {
            int c = column + b * BOUND_LANES + __builtin_ctz(left) - tile->column;
            if (c < 0 || c >= tile->columns)
                continue;
            int diagonal = c - r + tile->rows;
            values[c] = distance(m, row, tile->column + c, s->products + (size_t)diagonal * (size_t)ring, ring - 1,
                                 &s->done[diagonal]);
        }
}

static bool has_window(const cloud_metric *m, int pose)
{
    return pose >= 0 && pose < m->base.pose_count && m->whole[pose];
}

// Without a bound: all that have windows.
static void take_all(const cloud_metric *m, int row, int column, int blocks, uint8_t *near)
{
    memset(near, 0, (size_t)(BOUND_ROWS * blocks));
    for (int r = 0; r < BOUND_ROWS; r++)
        for (int c = 0; c < blocks * BOUND_LANES && has_window(m, row + r); c++)
            near[c / BOUND_LANES * BOUND_ROWS + r] |= (uint8_t)((unsigned)has_window(m, column + c) << c % BOUND_LANES);
}

// By the bound. The triangle inequality holds: what is near one of the rows is not far from the second one.
static void test_rows(const cloud_metric *m, int row, int column, int blocks, uint8_t *near)
{
    double weight = 0.5 * (double)m->points * (double)(2 * m->half + 1), limit = (double)m->base.limit;
    bound_question asked = {row, column, blocks, (float)(limit * limit * weight), 0.0f};
    if (row >= 0 && row + 1 < m->base.pose_count && m->reaches[row + 1] >= 0.0f) {
        double wide = limit + (double)m->reaches[row + 1];
        asked.wide = (float)(wide * wide * weight);
    }
    cloud_bound_test(&m->bound, &asked, near);
}

static void cloud_distances(const pose_metric *base, const metric_tile *tile)
{
    const cloud_metric *m = (const cloud_metric *)(const void *)base;
    tile_scratch s = {0};
    split_scratch(m, tile->rows, tile->columns, tile->scratch, &s);
    memset(s.done, 0, (size_t)(tile->rows + tile->columns) * sizeof *s.done);
    int column = bound_lanes_of(tile->column), blocks = (tile->column + tile->columns - column) / BOUND_LANES + 1;
    for (int first = 0; first < tile->rows; first += BOUND_ROWS) {
        if (m->bound.numbers)
            test_rows(m, tile->row + first, column, blocks, s.near);
        else
            take_all(m, tile->row + first, column, blocks, s.near);
        for (int r = first; r < first + BOUND_ROWS && r < tile->rows; r++) {
            float *values = tile->values + (size_t)r * (size_t)tile->stride;
            for (int c = 0; c < tile->columns; c++)
                values[c] = LOPE_FAR;
            finish_row(m, tile, r, column, blocks, s.near + (r - first), &s);
        }
    }
}

static void cloud_destroy(pose_metric *base)
{
    cloud_metric *m = (cloud_metric *)(void *)base;
    lope_free(m->frames);
    lope_free(m->means);
    lope_free(m->centres);
    lope_free(m->spreads);
    lope_free(m->whole);
    lope_free(m->reaches);
    cloud_bound_free(&m->bound);
    lope_free(m);
}

int cloud_half_window(const lope_set *set, const lope_transition_def *def)
{
    int half = (int)(0.5 * (double)def->window * set->clips[0]->frame_rate + 0.25);
    return half < 0 ? 0 : half;
}

static void fill_frame(cloud_metric *m, const lope_transform *model, size_t pose)
{
    size_t n = (size_t)m->points, stride = (size_t)m->stride;
    float *x = m->frames + pose * 3 * stride, *z = x + stride, *y = z + stride;
    double sx = 0.0, sz = 0.0;
    for (size_t k = 0; k < n; k++) {
        sx += (double)model[k].translation.x;
        sz += (double)model[k].translation.z;
    }
    sx /= (double)n;
    sz /= (double)n;
    for (size_t k = 0; k < n; k++) {
        x[k] = (float)((double)model[k].translation.x - sx);
        z[k] = (float)((double)model[k].translation.z - sz);
        y[k] = model[k].translation.y - TYPICAL_HEIGHT;
    }
    m->means[2 * pose] = sx;
    m->means[2 * pose + 1] = sz;
}

// Mean place and spread of the window around a pose.
static void fill_window(cloud_metric *m, size_t pose)
{
    size_t stride = (size_t)m->stride, first = pose - (size_t)m->half, end = pose + (size_t)m->half + 1;
    double x = 0.0, z = 0.0, squares = 0.0, window = (double)(end - first);
    for (size_t f = first; f < end; f++) {
        x += m->means[2 * f] / window;
        z += m->means[2 * f + 1] / window;
    }
    for (size_t f = first; f < end; f++) {
        double dx = m->means[2 * f] - x, dz = m->means[2 * f + 1] - z;
        for (size_t k = 0; k < 3 * stride; k++)
            squares += (double)m->frames[f * 3 * stride + k] * (double)m->frames[f * 3 * stride + k];
        squares += (double)m->points * (dx * dx + dz * dz);
    }
    m->centres[2 * pose] = x;
    m->centres[2 * pose + 1] = z;
    m->spreads[pose] = squares;
}

static void fill_clips(cloud_metric *m, const lope_set *set, lope_transform *model)
{
    size_t pose = 0;
    for (int c = 0; c < set->clip_count; c++)
        for (int f = 0; f < set->clips[c]->frame_count; f++, pose++) {
            lope_clip_model(set->clips[c], f, model);
            fill_frame(m, model, pose);
            m->whole[pose] = f >= m->half && f + m->half < set->clips[c]->frame_count;
        }
    for (size_t p = 0; p < pose; p++)
        if (m->whole[p])
            fill_window(m, p);
}

// How far the neighbours are that a pose stands for in test_rows.
static void fill_reaches(const cloud_metric *m, frame_product *ring)
{
    for (int p = 0; p < m->base.pose_count; p++) {
        m->reaches[p] = m->whole[p] ? 0.0f : -1.0f;
        for (int q = p - 1; q <= p + BOUND_ROWS - 2 && m->whole[p]; q++) {
            int done = 0;
            if (has_window(m, q) && q != p)
                m->reaches[p] = fmaxf(m->reaches[p], distance(m, p, q, ring, ring_size(m) - 1, &done));
        }
    }
}

// Principal components pay where many pairs are compared.
static lope_status find_bound(cloud_metric *m, lope_error *error)
{
    enum { FEW = 1024 };
    if (m->base.pose_count < FEW)
        return LOPE_OK;
    cloud_frames frames = {m->base.pose_count, m->points,  m->stride,  m->half, m->frames,
                           m->means,           m->centres, m->spreads, m->whole};
    m->reaches = lope_alloc_array((size_t)m->base.pose_count, sizeof *m->reaches);
    frame_product *ring = lope_alloc_array((size_t)ring_size(m), sizeof *ring);
    if (m->reaches && ring)
        fill_reaches(m, ring);
    lope_status status = m->reaches && ring ? cloud_bound_find(&frames, &m->bound, error) : lope_fail_memory(error);
    lope_free(ring);
    return status;
}

lope_status pose_metric_cloud(const lope_set *set, const lope_transition_def *def, float limit, pose_metric **out,
                              lope_error *error)
{
    *out = NULL;
    cloud_metric *m = lope_alloc_zero(sizeof *m);
    if (!m)
        return lope_fail_memory(error);
    m->base = (pose_metric){lope_set_pose_count(set), limit, 0, cloud_distances, cloud_destroy};
    m->half = cloud_half_window(set, def);
    m->points = set->skeleton->joint_count;
    m->share = 1.0f / ((float)m->points * (float)(2 * m->half + 1));
    m->stride = (m->points + LANES - 1) / LANES * LANES;
    m->base.scratch_floats = split_scratch(m, TILE_ROWS + 4, TILE_COLUMNS + 4, NULL, NULL);
    size_t poses = (size_t)m->base.pose_count;
    m->frames = lope_alloc_zero(poses * 3 * (size_t)m->stride * sizeof *m->frames);
    m->means = lope_alloc_array(poses * 2, sizeof *m->means);
    m->centres = lope_alloc_array(poses * 2, sizeof *m->centres);
    m->spreads = lope_alloc_array(poses, sizeof *m->spreads);
    m->whole = lope_alloc_array(poses, sizeof *m->whole);
    lope_transform *model = lope_alloc_array((size_t)m->points, sizeof *model);
    bool ready = m->frames && m->means && m->centres && m->spreads && m->whole && model;
    if (ready)
        fill_clips(m, set, model);
    lope_free(model);
    lope_status status = ready ? find_bound(m, error) : lope_fail_memory(error);
    if (status)
        cloud_destroy(&m->base);
    else
        *out = &m->base;
    return status;
}
