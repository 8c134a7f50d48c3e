// SPDX-License-Identifier: MIT
// How a skeleton stands: the orientation of every joint in one stance that all bodies share. Legs hang straight down,
// feet are flat and point ahead, arms hang out at 45 degrees, the trunk is as at rest; left is +X, up +Y, ahead +Z.
//
// Rest poses differ by convention (T, A, bent, every bone along one axis) and so do joint frames. The stance takes both
// out: a joint's orientation seen from the stance means the same on every skeleton.
#ifndef LOPE_SRC_MOTION_STANCE_H
#define LOPE_SRC_MOTION_STANCE_H

#include "lope/clip.h"

enum { SOLE_HEEL, SOLE_BALL, SOLE_TIP, SOLE_POINTS };

// The underside of a foot: points that come to lie on the ground, each fixed to the ankle or the toe joint.
typedef struct stance_sole {
    int ankle, toe; // toe: -1 where there is none
    int joints[SOLE_POINTS];
    lope_vec3 points[SOLE_POINTS]; // in the frames of those
    bool has_tip;                  // otherwise the tip is the ball
    bool assumed;                  // a typical sole stands in
} stance_sole;

typedef struct stance {
    const lope_skeleton *skeleton;
    lope_quat *turns; // [joint_count] orientation in the stance
    stance_sole soles[2];
    float leg_length;
    bool known; // from a rest pose that stands or from motion; otherwise guessed
} stance;

// `motion` (may be NULL) tells how a body stands whose rest pose is no stance; it is a clip of the skeleton.
lope_status stance_find(const lope_skeleton *skeleton, const lope_clip *motion, stance *out, lope_error *error);
void stance_free(stance *s);

#endif
