// SPDX-License-Identifier: MIT
// A lower bound on the distance of windowed point clouds that costs a fraction of it.
#ifndef LOPE_SRC_GRAPH_CLOUD_BOUND_H
#define LOPE_SRC_GRAPH_CLOUD_BOUND_H

#include "lope/base.h"

enum {
    BOUND_FEW = 8,   // principal components that tell most pairs,
    BOUND_RANK = 32, // and those that tell distances to a few per cent: of the ground plane, complex, and of heights
    BOUND_LANES = 8, // poses that are compared at once
    BOUND_ROWS = 4,  // with as many others
    BOUND_PADDING = 1024 // poses before the first and behind the last that are near no other
};

// Numbers of a window: its first components, what they leave over, half its spread.
enum {
    BOUND_RE = 0,
    BOUND_IM = BOUND_FEW,
    BOUND_HEIGHT = 2 * BOUND_FEW, // and the lengths of both rests
    BOUND_NORM = 3 * BOUND_FEW + 2,
    BOUND_NUMBERS
};

// Further ones: real part, imaginary part and height of every component that follows, and what those leave over.
enum { BOUND_RESTS = 3 * (BOUND_RANK - BOUND_FEW), BOUND_FURTHER = BOUND_RESTS + 2 };

// Frames of a set as the metric keeps them.
typedef struct cloud_frames {
    int pose_count, points, stride, half;
    const float *frames;   // [pose_count * 3 * stride] x, z, heights
    const double *means;   // [pose_count * 2]
    const double *centres; // [pose_count * 2] of windows
    const double *spreads; // [pose_count] of windows
    const uint8_t *whole;  // [pose_count] has a window
    const float *reaches;  // [pose_count] distance of the farthest among the pose before and the two after it; < 0: no
                           // window
} cloud_frames;

// The numbers of all windows, BOUND_PADDING poses more at either end: lane by lane for BOUND_LANES poses at a time.
// Without any (NULL) nothing can be asked.
typedef struct cloud_bound {
    int pose_count;
    float limit;          // distance of what is still near
    float weight;         // half the points of a window: of the square of a distance in half a sum of squares
    const float *reaches; // of the metric
    float *numbers;       // [poses / BOUND_LANES][BOUND_NUMBERS][BOUND_LANES]
    float *further;       // [poses / BOUND_LANES][BOUND_FURTHER][BOUND_LANES]
    float *groups;        // [groups / BOUND_LANES][BOUND_NUMBERS + 1][BOUND_LANES] of the second in every BOUND_ROWS
} cloud_bound;

// Finds the principal components of some windows and describes all windows by them. The arrays of
// `frames` outlive the bound.
lope_status cloud_bound_find(const cloud_frames *frames, float limit, cloud_bound *out, lope_error *error);
void cloud_bound_free(cloud_bound *bound);

// First pose of the lanes that a pose is in.
static inline int bound_lanes_of(int pose)
{
    return (pose + BOUND_PADDING) / BOUND_LANES * BOUND_LANES - BOUND_PADDING;
}

// Which pairs may be near, of poses row .. row + BOUND_ROWS - 1 and `blocks` * BOUND_LANES poses from `column` on,
// which is the first of its lanes. Where any of BOUND_LANES may be, `lower` and `upper` get half the least and the
// greatest sum of squares that each of them can have; elsewhere they stay as they are.
typedef struct bound_answer {
    uint8_t *near[BOUND_ROWS];                    // [blocks] each, a bit for each lane; zero before
    float *lower[BOUND_ROWS], *upper[BOUND_ROWS]; // [blocks * BOUND_LANES] each, aligned to lanes
} bound_answer;

void cloud_bound_test(const cloud_bound *bound, int row, int column, int blocks, const bound_answer *out);

#endif
