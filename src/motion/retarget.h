// SPDX-License-Identifier: MIT
// A plan to carry motion from one skeleton to another: made by retarget_plan.c, applied by retarget.c.
#ifndef LOPE_SRC_MOTION_RETARGET_H
#define LOPE_SRC_MOTION_RETARGET_H

#include "lope/retarget.h"
#include "motion/contact_points.h"
#include "motion/stance.h"

// How a joint of the target gets its orientation in the world.
typedef enum retarget_kind {
    RETARGET_REST,   // parent * turn
    RETARGET_FOLLOW, // source[from] * turn
    RETARGET_BLEND,  // between that and source[to] * turn_to
    RETARGET_LOCAL,  // parent * turn_to * (source[from] relative to source[to]) * turn
    RETARGET_LEG     // set when the legs are
} retarget_kind;

typedef struct retarget_rule {
    retarget_kind kind;
    int from, to;
    float blend; // 0: from, 1: to
    int8_t limb; // which part of an arm it moves with: retarget_limb of the left one, 3 more of the right one
    lope_quat turn, turn_to;
} retarget_rule;

// One leg of both bodies.
typedef struct retarget_leg {
    int source[3], target[3]; // hip, knee, ankle
    int target_toe;           // the ankle where there is none
    lope_quat turns[3];       // source to target
    lope_vec3 hip_in_hips;    // target, in the frame of its hips
    lope_vec3 thigh, shin;    // target, unit vectors to the next joint, in the frames of hip and knee
    float thigh_length, shin_length;
    float squares;                     // of both lengths together
    float reach;                       // metres from hip to ankle that are not exceeded
    float fold;                        // nor are fewer than these
    lope_vec3 ahead;                   // where the knee bends to, in the frame of the source's hip
    stance_sole sole;                  // source
    lope_vec3 from_ankle[SOLE_POINTS]; // target: a sole's point is from_ankle, turned by the ankle,
    lope_vec3 from_toe[SOLE_POINTS];   // plus from_toe, turned by the toe
    lope_vec3 toes;                    // target, from ball to tip, in the frame of the toe
    bool bends_toes;                   // the source has no toes
} retarget_leg;

// Parts of an arm, each with all joints that hang on it up to the next part.
enum retarget_limb { LIMB_NONE, LIMB_UPPER, LIMB_LOWER, LIMB_HAND };

// One arm of both bodies; joints[0] < 0: one of them has none.
typedef struct retarget_arm {
    int joints[3];                     // of the target: shoulder, elbow, hand
    lope_contact_place source, target; // palms
} retarget_arm;

struct lope_retarget {
    lope_skeleton *source, *target;
    float scale;      // of the body
    float travel;     // of the ground
    float floor;      // metres
    float leg_length; // of the target
    bool any_ground;  // feet are where the source's are
    bool level;       // the source's motion is known, and walks on its floor: feet above it are in the air
    float rise;       // metres that hips are higher because ankles are
    int target_hips, source_hips;
    lope_quat hips_turn;    // source to target
    lope_vec3 root_in_hips; // where joint 0 is, in the frame of the hips
    retarget_leg legs[2];
    retarget_arm arms[2];
    lope_vec3 back;                              // in the frame of the source's hips
    lope_contact_place source_seat, target_seat; // in the frames of the hips; joint < 0: not known
    retarget_rule rules[];                       // [target joint_count]
};

#endif
