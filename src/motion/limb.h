// SPDX-License-Identifier: MIT
// How limbs bend: what inverse kinematics of one limb and of crowds agree on.
#ifndef LOPE_SRC_MOTION_LIMB_H
#define LOPE_SRC_MOTION_LIMB_H

#include "lope/ik.h"

// Metres the middle joint must lie off the straight line for the pose to outweigh the rest pose's hint.
#define KNEE_HINT 0.01f
// Knees less than this far behind the line are stretched too far by noise and are bent the right way; those
// farther behind are meant that way (a skeleton of another kind).
#define OVERSTRETCH_KEPT 0.08f
#define OVERSTRETCH_CURED 0.04f

// Where a straight limb bends to, in the frame of its upper joint: knees forwards, elbows backwards.
lope_vec3 limb_hint(const lope_skeleton *skeleton, lope_limb limb);

#endif
