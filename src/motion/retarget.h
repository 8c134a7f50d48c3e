// SPDX-License-Identifier: MIT
// What retargeting knows of two skeletons before it looks at a clip's frames.
#ifndef LOPE_SRC_MOTION_RETARGET_H
#define LOPE_SRC_MOTION_RETARGET_H

#include "lope/clip.h"

// A joint of the target that takes its orientation from the source's: from one joint, or from between two.
typedef struct joint_source {
    int from, to;        // source joints; -1: none, the joint stays at rest relative to its parent
    float blend;         // 0: from, 1: to
    bool local;          // taken relative to the parent (a finger), not in the world
    lope_quat alignment; // turns the target's rest bone onto the source's, in the source's axes
} joint_source;

// One skeleton at rest.
typedef struct rest_body {
    const lope_skeleton *skeleton;
    lope_transform *model; // [joint_count]
    lope_quat axes;        // columns: left, up, forward of the body
    float leg_length;
} rest_body;

typedef struct retarget {
    rest_body source, target;
    joint_source *joints; // [target joint_count]
    lope_quat turn;       // from the target's body axes to the source's
    float scale;
    float ankle_rise[2];     // metres added to an ankle's height: soles of another thickness
    float ball_rise[2];      // the same for the ball of the foot
    bool balls[2];           // both skeletons have that toe
    lope_transform *moving;  // source model of the current frame
    lope_transform *working; // target model of the current frame
} retarget;

// retarget_plan.c: measures both bodies and finds out what each joint of the target follows. Everything that `r` points
// to is there; a source that does not stand at rest is stood up by the clip.
void retarget_plan(const lope_clip *clip, retarget *r);

#endif
