// SPDX-License-Identifier: MIT
// What foot locking knows of a skeleton, and the constants of its arithmetic (lock_lanes.h).
#ifndef LOPE_SRC_MOTION_LOCK_H
#define LOPE_SRC_MOTION_LOCK_H

#include "lope/ik.h"
#include "motion/limb.h"

// Speeds a spring may start with: what a foot that swings off can have, not what a jump in the data can.
#define FASTEST_OFFSET 3.0f
#define FASTEST_TURN 10.0f
// Sine of the angle from which on a foot that stands flat is let turn.
#define UNLOCK_SINE 0.56f
// A foot that strayed may be locked again once this share of the unlock distance is left.
#define NEAR_AGAIN 0.25f
// A correction smaller than this (metres, radians) is none, and the pose keeps its bits.
#define NEGLIGIBLE 1e-6f

// Of the springs: divided by the half-life.
#define LOCK_STIFFNESS (2.0f * 0.69314718055994530942f)

// Metres within which the bound of a sole's height is rounded off.
#define FLOOR_SOFTNESS 0.004f

// Measures the feet of a skeleton.
LOPE_API void lope_lock_rig_find(const lope_skeleton *skeleton, lope_lock_rig *out);
// And how far the motion of clips stretches and folds legs and bends elbows, and how low soles come.
LOPE_API void lope_lock_rig_learn(const lope_skeleton *skeleton, lope_clip *const *clips, int count,
                                  lope_lock_rig *out);

// What was learnt of clips, for files: they need not be looked at again when they are opened.
typedef struct lock_learnt {
    float legs[2][5];                    // longest, shortest, back, heel_low, ball_low
    lope_hinge hinges[LOPE_LOCK_HINGES]; // of the joints that the skeleton has hinges at
} lock_learnt;
LOPE_API void lope_lock_rig_note(const lope_lock_rig *rig, lock_learnt *out);
// A rig that knows this of its clips.
LOPE_API void lope_lock_rig_recall(const lope_skeleton *skeleton, const lock_learnt *learnt, lope_lock_rig *out);

// A body whose feet are locked, at one moment.
typedef struct lock_moment {
    const lope_skeleton *skeleton;
    const lope_lock_rig *rig;
    const lope_lock_def *def;
    uint16_t contacts;
    float dt; // seconds since the last one
} lock_moment;

// lope_lock_apply with the rig apart; `model` is the pose in model space already.
void lock_apply(const lock_moment *moment, lope_lock_feet *state, lope_pose *pose, lope_transform *model);

#endif
