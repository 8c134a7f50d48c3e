// SPDX-License-Identifier: MIT
// The ground frame of a pose: where the body stands and which way it faces, split off from everything else, so
// that any clip can be placed anywhere and played on from any pose.
#ifndef LOPE_GROUND_H
#define LOPE_GROUND_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

// Ground frame of a body whose hips and hip joints are given in world space. Facing is read off the line through
// the two hip joints by atan2, so pitching the pelvis (crawling, lying on the back) does not disturb it.
// Without roles the root joint and its rest orientation serve. `model` is [joint_count].
LOPE_API lope_ground lope_ground_of_model(const lope_skeleton *skeleton, const lope_transform *model);

// The same for one frame of a clip, without computing the whole pose.
LOPE_API lope_ground lope_clip_ground(const lope_clip *clip, int frame);

// Movement from `frame` to `frame + 1` seen from `frame`: apply with lope_ground_mul. Zero for the last frame.
LOPE_API lope_ground lope_clip_ground_step(const lope_clip *clip, int frame);

// Moves a pose as a rigid body over the ground: root translation and root rotation change, nothing else.
LOPE_API void lope_pose_place(lope_pose *pose, lope_ground by);

// A copy of the clip whose `frame` has ground frame `at`.
LOPE_API lope_status lope_clip_place(const lope_clip *clip, int frame, lope_ground at, lope_clip **out,
                                     lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
