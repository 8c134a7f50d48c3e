// SPDX-License-Identifier: MIT
// Elbows bend no farther than in the clips that are played; knees are held by foot locking.
#ifndef LOPE_SRC_MOTION_HINGE_H
#define LOPE_SRC_MOTION_HINGE_H

#include "lope/clip.h"
#include "lope/ik.h"

// Of the left and the right elbow.
void hinges_learn(const lope_skeleton *skeleton, lope_clip *const *clips, int count, lope_hinge out[2]);
// A pose with what is left of a fade; for many at once see hinge_lanes.h, which gives the same bits.
void hinges_limit(const lope_hinge hinges[2], lope_pose *pose);

#endif
