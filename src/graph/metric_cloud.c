// SPDX-License-Identifier: MIT
// The windowed point cloud of Kovar, Gleicher and Pighin (2002): root mean square distance of joint positions over a
// window of frames around two poses, after the best yaw and shift over the ground.
//
// In closed form: with x + iz as complex numbers about the mean of a window, the best yaw is the phase of the inner
// product of two windows, so its modulus and the inner product of heights give the distance. Sums of single frames make
// windows; neighbours on a diagonal share all but one frame, so frames are multiplied once.
//
// Which pairs are computed is decided tile by tile (cloud_tile.c).
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/cloud_metric.h"

// Taken off all heights: the same shift for everyone changes no distance, and smaller numbers round less.
#define TYPICAL_HEIGHT 0.9f

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
            // The last pose of a clip is neither left nor, as the one before an entry, gone on from.
            m->whole[pose] = f >= m->half && f + (m->half ? m->half : 1) < set->clips[c]->frame_count;
        }
    for (size_t p = 0; p < pose; p++)
        if (m->whole[p])
            fill_window(m, p);
}

// How far the poses are that one stands for: the one before and the two after it. Of windows that are nearly the same
// the difference is lost to rounding, so it is taken to be a millionth of their squares at least.
static void fill_reaches(const cloud_metric *m, frame_product *rings)
{
    int ring = cloud_ring_size(m);
    cloud_diagonal diagonals[2] = {{rings, -ring, -ring}, {rings + ring, -ring, -ring}};
    for (int p = 0; p < m->base.pose_count; p++)
        m->reaches[p] = m->whole[p] ? sqrtf(1e-6f * (float)m->spreads[p] * m->share) : -1.0f;
    for (int p = 0; p < m->base.pose_count; p++)
        for (int k = 1; k <= 2 && m->whole[p] && p + k < m->base.pose_count; k++) {
            float distance = m->whole[p + k] ? cloud_distance(m, p, p + k, &diagonals[k - 1], ring - 1) : 0.0f;
            m->reaches[p] = fmaxf(m->reaches[p], distance);
            if (k == 1 && m->whole[p + 1])
                m->reaches[p + 1] = fmaxf(m->reaches[p + 1], distance);
        }
}

// Principal components pay where many pairs are compared.
static lope_status find_bound(cloud_metric *m, lope_error *error)
{
    enum { FEW = 1024 };
    if (m->base.pose_count < FEW)
        return LOPE_OK;
    m->reaches = lope_alloc_array((size_t)m->base.pose_count, sizeof *m->reaches);
    frame_product *rings = lope_alloc_array(2 * (size_t)cloud_ring_size(m), sizeof *rings);
    bool ready = m->reaches && rings;
    if (ready)
        fill_reaches(m, rings);
    lope_free(rings);
    cloud_frames frames = {m->base.pose_count, m->points,  m->stride,  m->half,  m->frames,
                           m->means,           m->centres, m->spreads, m->whole, m->reaches};
    return ready ? cloud_bound_find(&frames, m->base.limit, &m->bound, error) : lope_fail_memory(error);
}

lope_status pose_metric_cloud(const lope_set *set, const lope_transition_def *def, float limit, pose_metric **out,
                              lope_error *error)
{
    *out = NULL;
    cloud_metric *m = lope_alloc_zero(sizeof *m);
    if (!m)
        return lope_fail_memory(error);
    m->base = (pose_metric){lope_set_pose_count(set), limit, 0, cloud_distances, cloud_minima, cloud_destroy};
    m->half = cloud_half_window(set, def);
    m->points = set->skeleton->joint_count;
    m->share = 1.0f / ((float)m->points * (float)(2 * m->half + 1));
    m->stride = (m->points + CLOUD_LANES - 1) / CLOUD_LANES * CLOUD_LANES;
    m->base.scratch_floats = cloud_tile_scratch(m, TILE_ROWS + 4, TILE_COLUMNS + 4);
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
