// SPDX-License-Identifier: MIT
// The point cloud metric at rest, and the exact distance of two poses.
#ifndef LOPE_SRC_GRAPH_CLOUD_METRIC_H
#define LOPE_SRC_GRAPH_CLOUD_METRIC_H

#include <math.h>

#include "base/wide.h"
#include "graph/cloud_bound.h"
#include "graph/metric.h"

// Sums are kept in so many lanes until the end: the same additions for any vector unit.
enum { CLOUD_LANES = 8 };

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
    float *reaches;  // [pose_count] distance of the farthest of the pose before and the two after it; < 0: no window
    cloud_bound bound;
} cloud_metric;

// Inner products of two frames: of the ground plane, turned by a quarter, of heights.
typedef double frame_product __attribute__((vector_size(32)));
enum { CLOUD_COSINE, CLOUD_SINE, CLOUD_HEIGHT };

// The products of a diagonal that were computed last, frame by frame modulo the room.
typedef struct cloud_diagonal {
    frame_product *products; // [cloud_ring_size]
    int begin, end;          // rows of frames that are there
} cloud_diagonal;

// Frames of a diagonal that are kept: those of the windows of three poses that follow each other.
static inline int cloud_ring_size(const cloud_metric *m)
{
    int size = 1;
    while (size < 2 * m->half + 3)
        size *= 2;
    return size;
}

// Half the sum of squares of two windows at a distance.
static inline double cloud_half_sum(const cloud_metric *m, double distance)
{
    return 0.5 * (double)m->points * (double)(2 * m->half + 1) * distance * distance;
}

typedef float cloud_lanes __attribute__((vector_size(4 * CLOUD_LANES)));

LOPE_INLINE float cloud_add_lanes(const cloud_lanes *at)
{
    cloud_lanes v = *at; // by address: how vectors are passed depends on the machine
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

LOPE_INLINE void cloud_multiply(const cloud_metric *m, int row, int column, frame_product *out)
{
    size_t n = (size_t)m->stride / CLOUD_LANES;
    const cloud_lanes *a = (const cloud_lanes *)(const void *)m->frames + (size_t)row * 3 * n;
    const cloud_lanes *b = (const cloud_lanes *)(const void *)m->frames + (size_t)column * 3 * n;
    cloud_lanes cosine = {0}, sine = {0}, height = {0};
    for (size_t k = 0; k < n; k++) {
        cloud_lanes ax = a[k], az = a[n + k], bx = b[k], bz = b[n + k];
        cosine += ax * bx + az * bz;
        sine += az * bx - ax * bz;
        height += a[2 * n + k] * b[2 * n + k];
    }
    const double *p = m->means + 2 * (size_t)row, *q = m->means + 2 * (size_t)column;
    double points = (double)m->points;
    *out = (frame_product){(double)cloud_add_lanes(&cosine) + points * (p[0] * q[0] + p[1] * q[1]),
                           (double)cloud_add_lanes(&sine) + points * (p[1] * q[0] - p[0] * q[1]),
                           (double)cloud_add_lanes(&height), 0.0};
}

// Makes sure that the products of a window are there. Rows of a diagonal are asked for in order, but for the row before
// the last one and the one before that.
LOPE_INLINE void cloud_fill(const cloud_metric *m, int row, int column, cloud_diagonal *d, int mask)
{
    int first = row - m->half, end = row + m->half + 1, shift = column - row;
    if (d->end < first)
        d->begin = d->end = first;
    for (; d->begin > first; d->begin--)
        cloud_multiply(m, d->begin - 1, d->begin - 1 + shift, &d->products[(d->begin - 1) & mask]);
    for (; d->end < end; d->end++)
        cloud_multiply(m, d->end, d->end + shift, &d->products[d->end & mask]);
    if (d->end - d->begin > mask + 1)
        d->begin = d->end - (mask + 1);
}

// Distance of two poses whose windows lie inside their clips.
LOPE_INLINE float cloud_distance(const cloud_metric *m, int row, int column, cloud_diagonal *d, int mask)
{
    int first = row - m->half, end = row + m->half + 1;
    cloud_fill(m, row, column, d, mask);
    frame_product sum = d->products[first & mask], other = {0.0};
    for (int f = first + 1; f < end; f += 2) { // windows are odd
        sum += d->products[f & mask];
        other += d->products[(f + 1) & mask];
    }
    sum += other;
    const double *a = m->centres + 2 * (size_t)row, *b = m->centres + 2 * (size_t)column;
    double weight = (double)m->points * (double)(2 * m->half + 1);
    double p = sum[CLOUD_COSINE] - weight * (a[0] * b[0] + a[1] * b[1]);
    double q = sum[CLOUD_SINE] - weight * (a[1] * b[0] - a[0] * b[1]);
    double squares = (m->spreads[row] + m->spreads[column]) - 2.0 * (sqrt(p * p + q * q) + sum[CLOUD_HEIGHT]);
    return squares > 0.0 ? sqrtf((float)squares * m->share) : 0.0f;
}

// Floats of scratch for a tile, and what a metric is asked for.
size_t cloud_tile_scratch(const cloud_metric *m, int rows, int columns);
void cloud_distances(const pose_metric *base, const metric_tile *tile);
int cloud_minima(const pose_metric *base, const metric_tile *tile, metric_pair *out);

#endif
