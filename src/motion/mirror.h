// SPDX-License-Identifier: MIT
// The plane a skeleton's rest pose is mirrored at.
#ifndef LOPE_SRC_MOTION_MIRROR_H
#define LOPE_SRC_MOTION_MIRROR_H

#include "lope/skeleton.h"

typedef struct mirror_plane {
    lope_vec3 point;
    lope_vec3 normal; // unit, towards the left
} mirror_plane;

// From the roles of both sides, snapped to an axis where it nearly is one; x = root's place without roles.
// `model` is the rest pose in model space.
mirror_plane mirror_plane_of(const lope_skeleton *skeleton, const lope_transform *model);

// True for a joint on one side that has no counterpart (a prop in one hand), and for all below it: mirroring leaves
// them as they are relative to what carries them.
bool mirror_is_alone(const lope_skeleton *skeleton, const int *map, int joint);

#endif
