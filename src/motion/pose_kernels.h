// SPDX-License-Identifier: MIT
// The innermost loops of sampling: interpolating rotations and going down the hierarchy. There are several sets of
// them, one plain and one per vector width, and all give the same bits; sample.c picks one and never looks inside.
#ifndef LOPE_SRC_MOTION_POSE_KERNELS_H
#define LOPE_SRC_MOTION_POSE_KERNELS_H

#include "lope/clip.h"

// Where a clip stands at a moment: the joints of two frames and how far between them. With t = 0 both are the same
// frame, whose bits are then kept.
typedef struct pose_span {
    const lope_quat *a, *b; // [joint_count]
    float t;                // in [0, 1)
    lope_vec3 root;         // already interpolated
} pose_span;

typedef struct pose_kernels {
    const char *name;
    int lanes;      // characters that `group` takes at once; 0: it has none
    int max_joints; // that `group` can hold
    // Shortest-arc interpolation of `count` rotations, 0 < t < 1. `out` may be `a` or `b`.
    void (*interpolate)(const lope_quat *a, const lope_quat *b, float t, int count, lope_quat *out);
    // Model transforms of joints [first, end), whose ancestors before `first` are there already. `rotations` begins
    // with joint `first`; `translations` is NULL (rest pose) or [joint_count]. Joint 0 goes to `root`.
    void (*to_model)(const lope_skeleton *skeleton, int first, int end, lope_vec3 root, const lope_quat *rotations,
                     const lope_vec3 *translations, lope_transform *out);
    // Samples `lanes` characters of one skeleton into models[lanes * joint_count]. Meanwhile it asks for the memory of
    // the `next` [lanes] ones, because a crowd's clips rarely lie in the cache (any valid spans will do).
    void (*group)(const lope_skeleton *skeleton, const pose_span *spans, const pose_span *next, lope_transform *models);
} pose_kernels;

extern const pose_kernels lope_kernels_plain;
extern const pose_kernels lope_kernels_lanes4;
// NULL where this machine has no such vectors.
const pose_kernels *lope_kernels_lanes8(void);
// The fastest of them here.
const pose_kernels *lope_kernels_best(void);

#endif
