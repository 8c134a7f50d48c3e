// SPDX-License-Identifier: MIT
// The performer of the built-in set: a frame is described by where pelvis, feet and hands are, and the body solves
// for the joints: legs and held arms by IK, the spine's turn spread over its joints, head kept where it looks.
#ifndef LOPE_SRC_SYNTH_BODY_H
#define LOPE_SRC_SYNTH_BODY_H

#include "lope/clip.h"

// The joints of the built-in skeleton, in order. Names are in the MotionBuilder convention.
enum synth_joint {
    SYNTH_HIPS,
    SYNTH_LEFT_HIP,
    SYNTH_LEFT_KNEE,
    SYNTH_LEFT_ANKLE,
    SYNTH_LEFT_TOE, // the ball of the foot; its tip is the end of the toes
    SYNTH_RIGHT_HIP,
    SYNTH_RIGHT_KNEE,
    SYNTH_RIGHT_ANKLE,
    SYNTH_RIGHT_TOE,
    SYNTH_SPINE,
    SYNTH_SPINE1,
    SYNTH_CHEST,
    SYNTH_NECK,
    SYNTH_HEAD,
    SYNTH_LEFT_COLLAR,
    SYNTH_LEFT_SHOULDER,
    SYNTH_LEFT_ELBOW,
    SYNTH_LEFT_HAND,
    SYNTH_RIGHT_COLLAR,
    SYNTH_RIGHT_SHOULDER,
    SYNTH_RIGHT_ELBOW,
    SYNTH_RIGHT_HAND,
    SYNTH_JOINT_COUNT
};

// Measures of the performer in metres.
typedef struct synth_body {
    lope_skeleton *skeleton;
    float thigh, shin;    // lengths
    float hip_height;     // of the hip joints when standing straight
    float hip_half_width; // hip joint to the middle
    float ankle_height;   // ankle joint above the sole
    float heel_back;      // heel behind the ankle joint
    float ball_forward;   // ball ahead of the ankle joint
    float toe_length;     // ball to tip of the toes
    float upper_arm, forearm, hand_length;
    float palm;                    // middle of the palm beyond the wrist: where hands touch
    float kneecap;                 // skin ahead of the knee joint, in the shin's frame: where knees touch
    float seat_below, seat_behind; // where one sits: below and behind the pelvis joint, in its frame
} synth_body;

// Where one foot is. The foot frame has its origin at the ankle joint, +Z to the toes, +Y up from the sole.
typedef struct synth_foot {
    lope_transform ankle;   // in the world
    float toe_bend;         // radians, > 0: toes bent up against the foot (at toe-off)
    lope_vec3 knee_towards; // direction the knee points to; zero: the foot's forward
} synth_foot;

typedef struct synth_arm {
    bool held;               // true: the hand is at `wrist`; false: the arm hangs and swings by the angles below
    lope_vec3 wrist;         // in the world
    lope_quat hand_rotation; // in the world, rest: fingers along the rest pose's arm direction; ignored unless held
    lope_vec3 elbow_towards; // direction the elbow points to; zero: back and down
    float swing;             // radians, > 0: forward
    float abduction;         // radians away from the trunk
    float elbow;             // radians of bend, >= 0
    float twist;             // radians about the upper arm, > 0: palm turns inwards
} synth_arm;

typedef struct synth_frame {
    lope_transform pelvis; // joint 0 in the world
    float spine_pitch;     // radians spread over the spine joints, relative to the pelvis, > 0: bend forward
    float spine_yaw;       // > 0: shoulders turn to the left (about +Y)
    float spine_roll;      // > 0: lean to the left
    lope_quat head;        // orientation of the head in the world; rest: identity facing +Z
    synth_foot feet[2];    // lope_side
    synth_arm arms[2];     // lope_side
    uint16_t contacts;     // lope_contact bits, exact
} synth_frame;

// Makes the standard performer; the skeleton is retained by the body until released.
lope_status synth_body_create(synth_body *out, lope_error *error);
void synth_body_release(synth_body *body);

// Joint rotations of a frame. Returns the largest distance in metres by which a foot or a held hand was missed (reach).
float synth_body_solve(const synth_body *body, const synth_frame *frame, lope_pose *out);

// Foot transform when the sole lies flat at `sole` (point below the ankle) with heading `yaw` on ground sloping by
// `pitch` (> 0: rising towards the toes).
lope_transform synth_foot_flat(const synth_body *body, lope_vec3 sole, float yaw, float pitch);

#endif
