// SPDX-License-Identifier: MIT
// The windowed point cloud of Kovar, Gleicher and Pighin (2002): root mean square distance of joint positions over a
// window of frames around two poses, after the best yaw and shift over the ground.
//
// All pairs in closed form: three matrix products give the inner products of single frames, sums along diagonals make
// them windows, and the window means are taken out at the end. Every tile is centred on its own, because float sums
// of products lose the distance when a clip lies metres away from the origin.
#include <cblas.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/metric.h"
#include "graph/wide.h"

// Taken off all heights: the same shift for everyone changes no distance, and smaller numbers round less.
#define TYPICAL_HEIGHT 0.9f

typedef struct cloud_metric {
    pose_metric base;
    int half;         // frames on each side of the middle one
    int points;       // per frame
    float *x, *y, *z; // [pose_count * points]
    double *means;    // [pose_count * 2] of x and z over one frame
    int *clip_of;     // [pose_count]
    uint8_t *whole;   // [pose_count] the window around the pose lies inside its clip
} cloud_metric;

// Windows of a run of poses: mean position on the ground and spread about it, one array each.
typedef struct window_list {
    float *x, *z, *spread;
} window_list;

// Scratch of one tile: centred coordinates of rows and columns, inner products of frames, sums over windows.
typedef struct tile_scratch {
    float *row_xz; // (x, z) of the rows, followed by (z, -x) of the rows: one product serves both
    float *row_y;
    float *column_xz, *column_y;
    float *cosine, *sine, *height;                      // [frames][frames]; sine follows cosine
    float *window_cosine, *window_sine, *window_height; // [columns] of one row, and of the row before it
    window_list row_windows, column_windows;
    double *frames; // sums of single frames
} tile_scratch;

static int frames_needed(int poses, int half)
{
    return poses + 2 * half;
}

static float *take(float **at, size_t count)
{
    float *block = *at;
    *at += (count + 15) & ~(size_t)15;
    return block;
}

static window_list take_windows(float **at, size_t count)
{
    window_list list = {take(at, count), take(at, count), take(at, count)};
    return list;
}

// Lays the scratch out from `at` on; returns its end.
static float *split_scratch(const cloud_metric *m, int rows, int columns, float *at, tile_scratch *s)
{
    size_t r = (size_t)frames_needed(rows, m->half), c = (size_t)frames_needed(columns, m->half);
    size_t p = (size_t)m->points, longest = r > c ? r : c;
    s->row_xz = take(&at, r * p * 4);
    s->row_y = take(&at, r * p);
    s->column_xz = take(&at, c * p * 2);
    s->column_y = take(&at, c * p);
    s->cosine = take(&at, 2 * r * c);
    s->sine = s->cosine + r * c;
    s->height = take(&at, r * c);
    s->window_cosine = take(&at, (size_t)columns + 1);
    s->window_sine = take(&at, (size_t)columns + 1);
    s->window_height = take(&at, (size_t)columns + 1);
    s->row_windows = take_windows(&at, (size_t)rows);
    s->column_windows = take_windows(&at, (size_t)columns);
    s->frames = (double *)(void *)take(&at, longest * 3 * 2);
    return at;
}

static size_t scratch_size(const cloud_metric *m, int rows, int columns)
{
    float none;
    tile_scratch s;
    return (size_t)(split_scratch(m, rows, columns, &none, &s) - &none);
}

static int clamp_pose(const cloud_metric *m, int pose)
{
    return pose < 0 ? 0 : pose >= m->base.pose_count ? m->base.pose_count - 1 : pose;
}

// Mean ground position of the `count` frames from `first` on.
static lope_vec2 centre_of(const cloud_metric *m, int first, int count)
{
    double x = 0.0, z = 0.0;
    for (int f = 0; f < count; f++) {
        size_t pose = (size_t)clamp_pose(m, first + f);
        x += m->means[2 * pose];
        z += m->means[2 * pose + 1];
    }
    return (lope_vec2){(float)(x / (double)count), (float)(z / (double)count)};
}

static void copy_frame(const cloud_metric *m, int pose, lope_vec2 centre, float *xz, float *zx, float *y)
{
    size_t p = (size_t)m->points, from = (size_t)clamp_pose(m, pose) * p;
    for (size_t k = 0; k < p; k++) {
        float dx = m->x[from + k] - centre.x, dz = m->z[from + k] - centre.z;
        xz[k] = dx;
        xz[p + k] = dz;
        if (zx) {
            zx[k] = dz;
            zx[p + k] = -dx;
        }
        y[k] = m->y[from + k];
    }
}

// Copies frames [first, first + count), those of each clip relative to their common centre: windows do not cross clips,
// so each clip may have its own. `zx` receives (z, -x), may be NULL.
static void centre_frames(const cloud_metric *m, int first, int count, float *xz, float *zx, float *y)
{
    size_t p = (size_t)m->points;
    for (int f = 0; f < count;) {
        int clip = m->clip_of[clamp_pose(m, first + f)], run = f;
        while (run < count && m->clip_of[clamp_pose(m, first + run)] == clip)
            run++;
        lope_vec2 centre = centre_of(m, first + f, run - f);
        for (; f < run; f++) {
            size_t to = (size_t)f * p;
            copy_frame(m, first + f, centre, xz + 2 * to, zx ? zx + 2 * to : NULL, y + to);
        }
    }
}

// Sums of x, z and squares of each frame.
static void sum_frames(const cloud_metric *m, int count, const float *xz, const float *y, double *out)
{
    size_t p = (size_t)m->points;
    for (int f = 0; f < count; f++) {
        const float *x = xz + 2 * (size_t)f * p, *z = x + p, *h = y + (size_t)f * p;
        double sx = 0.0, sz = 0.0, squares = 0.0;
        for (size_t k = 0; k < p; k++) {
            sx += (double)x[k];
            sz += (double)z[k];
            squares += (double)(x[k] * x[k] + z[k] * z[k] + h[k] * h[k]);
        }
        out[3 * f] = sx;
        out[3 * f + 1] = sz;
        out[3 * f + 2] = squares;
    }
}

static void describe_windows(const cloud_metric *m, int count, const double *frames, window_list out)
{
    int window = 2 * m->half + 1;
    double weight = (double)window * (double)m->points;
    for (int i = 0; i < count; i++) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (int f = i; f < i + window; f++)
            for (int k = 0; k < 3; k++)
                sum[k] += frames[3 * f + k];
        out.x[i] = (float)(sum[0] / weight);
        out.z[i] = (float)(sum[1] / weight);
        out.spread[i] = (float)(sum[2] - (sum[0] * sum[0] + sum[1] * sum[1]) / weight);
    }
}

static void multiply(const float *rows, int row_count, const float *columns, int column_count, int depth, float *out)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, row_count, column_count, depth, 1.0f, rows, depth, columns,
                depth, 0.0f, out, column_count);
}

// Sums `values` over `window` steps down the diagonal that starts at row `r`, for all columns.
LOPE_INLINE void sum_window(const float *restrict values, int r, int stride, int window, int columns,
                            float *restrict sums)
{
    for (int c = 0; c < columns; c++)
        sums[c] = 0.0f;
    for (int k = 0; k < window; k++) {
        const float *restrict row = values + (size_t)(r + k) * (size_t)stride + (size_t)k;
        for (int c = 0; c < columns; c++)
            sums[c] += row[c];
    }
}

// Moves the sums one step down the diagonal: what lay at column c lies at c + 1, one product leaves and one enters.
LOPE_INLINE void slide_window(const float *restrict values, int r, int stride, int window, int columns,
                              float *restrict sums)
{
    const float *restrict leaves = values + (size_t)(r - 1) * (size_t)stride;
    const float *restrict enters = values + (size_t)(r - 1 + window) * (size_t)stride + (size_t)window;
    float first = 0.0f;
    for (int k = 0; k < window; k++)
        first += values[(size_t)(r + k) * (size_t)stride + (size_t)k];
    memmove(sums + 1, sums, (size_t)(columns - 1) * sizeof *sums);
    sums[0] = first;
    for (int c = 1; c < columns; c++)
        sums[c] = (sums[c] - leaves[c - 1]) + enters[c - 1];
}

LOPE_INLINE void window_sums(const tile_scratch *s, int r, int stride, int window, int columns)
{
    // Starting anew now and then keeps rounding from piling up.
    bool anew = r % 16 == 0;
    const float *const values[3] = {s->cosine, s->sine, s->height};
    float *const sums[3] = {s->window_cosine, s->window_sine, s->window_height};
    for (int k = 0; k < 3; k++)
        if (anew)
            sum_window(values[k], r, stride, window, columns, sums[k]);
        else
            slide_window(values[k], r, stride, window, columns, sums[k]);
}

// Distances of one row from its window sums.
LOPE_INLINE void finish_row(const tile_scratch *s, int r, int columns, float weight, float *restrict out)
{
    const float *restrict cosine = s->window_cosine, *restrict sine = s->window_sine;
    const float *restrict height = s->window_height, *restrict x = s->column_windows.x;
    const float *restrict z = s->column_windows.z, *restrict spread = s->column_windows.spread;
    float mx = weight * s->row_windows.x[r], mz = weight * s->row_windows.z[r], own = s->row_windows.spread[r];
    float share = 1.0f / weight;
    for (int c = 0; c < columns; c++) {
        float p = cosine[c] - (mx * x[c] + mz * z[c]);
        float q = sine[c] - (mz * x[c] - mx * z[c]);
        float d = (own + spread[c]) - 2.0f * (sqrtf(p * p + q * q) + height[c]);
        d = d > 0.0f ? d : 0.0f;
        out[c] = sqrtf(d * share);
    }
}

LOPE_WIDE static void finish_tile(const tile_scratch *s, const metric_tile *tile, int stride, int window, float weight)
{
    for (int r = 0; r < tile->rows; r++) {
        window_sums(s, r, stride, window, tile->columns);
        finish_row(s, r, tile->columns, weight, tile->values + (size_t)r * (size_t)tile->stride);
    }
}

// Windows that reach beyond their clip have no distance.
static void forbid_cut_windows(const cloud_metric *m, const metric_tile *tile)
{
    for (int r = 0; r < tile->rows; r++) {
        int row = tile->row + r;
        if (row < 0 || row >= m->base.pose_count || !m->whole[row])
            for (int c = 0; c < tile->columns; c++)
                tile->values[(size_t)r * (size_t)tile->stride + (size_t)c] = LOPE_FAR;
    }
    for (int c = 0; c < tile->columns; c++) {
        int column = tile->column + c;
        if (column < 0 || column >= m->base.pose_count || !m->whole[column])
            for (int r = 0; r < tile->rows; r++)
                tile->values[(size_t)r * (size_t)tile->stride + (size_t)c] = LOPE_FAR;
    }
}

static void cloud_distances(const pose_metric *base, const metric_tile *tile)
{
    const cloud_metric *m = (const cloud_metric *)(const void *)base;
    tile_scratch s;
    split_scratch(m, tile->rows, tile->columns, tile->scratch, &s);
    int rows = frames_needed(tile->rows, m->half), columns = frames_needed(tile->columns, m->half);
    int window = 2 * m->half + 1;
    size_t row_floats = (size_t)rows * (size_t)m->points * 2;
    centre_frames(m, tile->row - m->half, rows, s.row_xz, s.row_xz + row_floats, s.row_y);
    centre_frames(m, tile->column - m->half, columns, s.column_xz, NULL, s.column_y);
    sum_frames(m, rows, s.row_xz, s.row_y, s.frames);
    describe_windows(m, tile->rows, s.frames, s.row_windows);
    sum_frames(m, columns, s.column_xz, s.column_y, s.frames);
    describe_windows(m, tile->columns, s.frames, s.column_windows);
    multiply(s.row_xz, 2 * rows, s.column_xz, columns, 2 * m->points, s.cosine);
    multiply(s.row_y, rows, s.column_y, columns, m->points, s.height);
    finish_tile(&s, tile, columns, window, (float)window * (float)m->points);
    forbid_cut_windows(m, tile);
}

static void cloud_destroy(pose_metric *base)
{
    cloud_metric *m = (cloud_metric *)(void *)base;
    lope_free(m->x);
    lope_free(m->y);
    lope_free(m->z);
    lope_free(m->means);
    lope_free(m->clip_of);
    lope_free(m->whole);
    lope_free(m);
}

int cloud_half_window(const lope_set *set, const lope_transition_def *def)
{
    int half = (int)(0.5 * (double)def->window * set->clips[0]->frame_rate + 0.25);
    return half < 0 ? 0 : half;
}

static void fill_frame(cloud_metric *m, const lope_transform *model, size_t pose)
{
    size_t p = (size_t)m->points;
    double sx = 0.0, sz = 0.0;
    for (size_t k = 0; k < p; k++) {
        m->x[pose * p + k] = model[k].translation.x;
        m->y[pose * p + k] = model[k].translation.y - TYPICAL_HEIGHT;
        m->z[pose * p + k] = model[k].translation.z;
        sx += (double)model[k].translation.x;
        sz += (double)model[k].translation.z;
    }
    m->means[2 * pose] = sx / (double)p;
    m->means[2 * pose + 1] = sz / (double)p;
}

static void fill_clips(cloud_metric *m, const lope_set *set, lope_transform *model)
{
    size_t pose = 0;
    for (int c = 0; c < set->clip_count; c++)
        for (int f = 0; f < set->clips[c]->frame_count; f++, pose++) {
            lope_clip_model(set->clips[c], f, model);
            fill_frame(m, model, pose);
            m->clip_of[pose] = c;
            m->whole[pose] = f >= m->half && f + m->half < set->clips[c]->frame_count;
        }
}

lope_status pose_metric_cloud(const lope_set *set, const lope_transition_def *def, float limit, pose_metric **out,
                              lope_error *error)
{
    *out = NULL;
    openblas_set_num_threads(1); // its results change with the count; parallelism is ours
    cloud_metric *m = lope_alloc_zero(sizeof *m);
    if (!m)
        return lope_fail_memory(error);
    m->base = (pose_metric){lope_set_pose_count(set), limit, 0, cloud_distances, cloud_destroy};
    m->half = cloud_half_window(set, def);
    m->points = set->skeleton->joint_count;
    m->base.scratch_floats = scratch_size(m, TILE_ROWS + 4, TILE_COLUMNS + 4);
    size_t poses = (size_t)m->base.pose_count, values = poses * (size_t)m->points;
    m->x = lope_alloc_array(values, sizeof *m->x);
    m->y = lope_alloc_array(values, sizeof *m->y);
    m->z = lope_alloc_array(values, sizeof *m->z);
    m->means = lope_alloc_array(poses * 2, sizeof *m->means);
    m->clip_of = lope_alloc_array(poses, sizeof *m->clip_of);
    m->whole = lope_alloc_array(poses, sizeof *m->whole);
    lope_transform *model = lope_alloc_array((size_t)m->points, sizeof *model);
    if (!m->x || !m->y || !m->z || !m->means || !m->clip_of || !m->whole || !model) {
        lope_free(model);
        cloud_destroy(&m->base);
        return lope_fail_memory(error);
    }
    fill_clips(m, set, model);
    lope_free(model);
    *out = &m->base;
    return LOPE_OK;
}
