// SPDX-License-Identifier: MIT
// Which of the joints from the root down to the hips carries a body over the ground.
#ifndef LOPE_SRC_MOTION_ROOT_BONE_H
#define LOPE_SRC_MOTION_ROOT_BONE_H

#include "lope/clip.h"

// A copy of the clip whose ground motion is told by `bone`, a joint above the hips: at rest where the body is as at
// rest, and carried along with the body's place and heading. -1: by the hips alone. The other joints above the hips
// keep their rest pose relative to their parents; all joints that are not above the hips stay where they are in the
// clip's world. The skeleton needs hips.
LOPE_API lope_status lope_clip_carry(const lope_clip *clip, int bone, lope_clip **out, lope_error *error);

// The skeleton with one more joint called `name` right above joint `below`, where its parent is. Joints from `below` on
// move up by one.
LOPE_API lope_status lope_skeleton_insert(const lope_skeleton *skeleton, int below, const char *name,
                                          lope_skeleton **out, lope_error *error);

#endif
