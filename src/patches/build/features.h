// SPDX-License-Identifier: MIT
// Poses as rows of numbers whose Euclidean distance (the chord) bounds the distance of the poses (the arc) from below
// and all but equals it where poses are alike: what clustering and searches for similar poses compute with.
#ifndef LOPE_SRC_PATCHES_BUILD_FEATURES_H
#define LOPE_SRC_PATCHES_BUILD_FEATURES_H

#include "lope/groups.h"
#include "math/four.h"

// A squared arc is at most so many times its squared chord, (pi / (4 sin(pi / 4)))^2: rotations by half a turn.
#define POSE_ARC2_PER_CHORD2 1.2338f

// A row: four numbers for each joint that turns, three for the lean of the root, then height and velocities.
typedef struct pose_features {
    int count;     // rows: frames of all clips, clip after clip
    int width;     // numbers in a row, a multiple of 8; what is not used is zero
    int turns;     // joints in a row
    int *joints;   // [turns]
    float *levers; // [turns + 1] metres, that of the root's lean last
    float *rows;   // [count * width]
} pose_features;

lope_status pose_features_create(const lope_set *set, const lope_groups_def *def, lope_jobs *jobs, pose_features *out,
                                 lope_error *error);
void pose_features_destroy(pose_features *features);

static inline const float *pose_row(const pose_features *features, int frame)
{
    return features->rows + (size_t)frame * (size_t)features->width;
}

// Squared length of the chord between two rows. Eight sums side by side: the order is fixed, so the bits are the same
// on every machine.
static inline float pose_chord2(const float *a, const float *b, int width)
{
    f4 low = {0.0f}, high = {0.0f};
    for (int i = 0; i < width; i += 8) {
        f4 near = load4(a + i) - load4(b + i), far = load4(a + i + 4) - load4(b + i + 4);
        low += near * near;
        high += far * far;
    }
    low += high;
    return (low[0] + low[1]) + (low[2] + low[3]);
}

// Squared distance of the poses behind two rows: arcs instead of chords.
float pose_arc2(const pose_features *features, const float *a, const float *b);

// Squared distance where it is at most `bound2`, or a number above it. Looks at arcs only where chords leave it open.
float pose_distance2_within(const pose_features *features, int a, int b, float bound2);

#endif
