// SPDX-License-Identifier: MIT
// A lower bound on the distance of windowed point clouds that costs a fraction of it.
#ifndef LOPE_SRC_GRAPH_CLOUD_BOUND_H
#define LOPE_SRC_GRAPH_CLOUD_BOUND_H

#include "lope/base.h"

enum {
    BOUND_RANK = 8,      // principal components of the ground plane, complex, and of heights
    BOUND_LANES = 8,     // poses that are compared at once
    BOUND_ROWS = 4,      // with as many others
    BOUND_PADDING = 1024 // poses before the first and behind the last that are near no other
};

// Numbers of a window: its principal components, what they leave over, half its spread.
enum {
    BOUND_RE = 0,
    BOUND_IM = BOUND_RANK,
    BOUND_HEIGHT = 2 * BOUND_RANK, // and the lengths of both rests
    BOUND_NORM = 3 * BOUND_RANK + 2,
    BOUND_NUMBERS
};

// Frames of a set as the metric keeps them.
typedef struct cloud_frames {
    int pose_count, points, stride, half;
    const float *frames;   // [pose_count * 3 * stride] x, z, heights
    const double *means;   // [pose_count * 2]
    const double *centres; // [pose_count * 2] of windows
    const double *spreads; // [pose_count] of windows
    const uint8_t *whole;  // [pose_count] has a window
} cloud_frames;

// The numbers of all windows, BOUND_PADDING poses more at either end: lane by lane for BOUND_LANES poses at a time.
// NULL where there is no bound.
typedef struct cloud_bound {
    float *numbers; // [poses / BOUND_LANES][BOUND_NUMBERS][BOUND_LANES]
} cloud_bound;

// Finds the principal components of some windows and describes all windows by them.
lope_status cloud_bound_find(const cloud_frames *frames, cloud_bound *out, lope_error *error);
void cloud_bound_free(cloud_bound *bound);

// First pose of the lanes that a pose is in.
static inline int bound_lanes_of(int pose)
{
    return (pose + BOUND_PADDING) / BOUND_LANES * BOUND_LANES - BOUND_PADDING;
}

// What is asked about poses row .. row + BOUND_ROWS - 1 and `blocks` * BOUND_LANES poses from `column` on, which is the
// first of its lanes.
typedef struct bound_question {
    int row, column, blocks;
    float limit; // half the sum of squares of a window that is still near
    float wide;  // the same for the second of the rows, so far that nothing near any of them is farther; 0: unknown
} bound_question;

// Which pairs may be near, a bit each: near[blocks][BOUND_ROWS].
void cloud_bound_test(const cloud_bound *bound, const bound_question *asked, uint8_t *near);

#endif
