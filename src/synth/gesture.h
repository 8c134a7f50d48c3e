// SPDX-License-Identifier: MIT
// Gestures: motions that are not steps along a path, written as keys on channels (pelvis, spine, feet, hands).
#ifndef LOPE_SRC_SYNTH_GESTURE_H
#define LOPE_SRC_SYNTH_GESTURE_H

#include "synth/motions.h"
#include "synth/track.h"

// Angles in radians, places in metres in the clip's world. Sided channels exist twice; use synth_sided().
enum synth_channel {
    SYNTH_SEAT_X, // the seat point: under the pelvis, where one sits. Rocking the pelvis does not move it
    SYNTH_SEAT_Y,
    SYNTH_SEAT_Z,
    SYNTH_PELVIS_PITCH, // > 0: forward
    SYNTH_PELVIS_YAW,   // > 0: to the left
    SYNTH_PELVIS_ROLL,  // > 0: left hip up
    SYNTH_SPINE_PITCH,
    SYNTH_SPINE_YAW,
    SYNTH_SPINE_ROLL,
    SYNTH_HEAD_PITCH, // of the head in the world, > 0: looks down
    SYNTH_HEAD_YAW,   // > 0: looks left
    SYNTH_SIDED,
    SYNTH_BALL_X = SYNTH_SIDED, // where the ball of the foot is
    SYNTH_BALL_Y,
    SYNTH_BALL_Z,
    SYNTH_FOOT_YAW,   // > 0: outwards
    SYNTH_HEEL_UP,    // turn of the foot about its ball
    SYNTH_TOE_BEND,   // > 0: toes bent up against the foot
    SYNTH_KNEE_YAW,   // the direction of the knee, > 0: outwards
    SYNTH_KNEE_PITCH, // 0: forward, pi/2: up
    SYNTH_ARM_SWING,  // of the hanging arm, added to hanging straight down
    SYNTH_ARM_ABDUCTION,
    SYNTH_ARM_ELBOW,
    SYNTH_HAND_HOLD, // 0: the arm hangs, 1: the palm is at the place below
    SYNTH_PALM_X,
    SYNTH_PALM_Y,
    SYNTH_PALM_Z,
    SYNTH_HAND_PITCH, // 0: fingers forward, palm down; > 0: fingers up
    SYNTH_HAND_YAW,   // > 0: fingers outwards
    SYNTH_HAND_ROLL,  // > 0: palm turns inwards
    SYNTH_SIDED_END,
    SYNTH_CHANNEL_COUNT = SYNTH_SIDED_END + (SYNTH_SIDED_END - SYNTH_SIDED)
};

static inline int synth_sided(int channel, lope_side side)
{
    return channel + (side == LOPE_LEFT ? 0 : SYNTH_SIDED_END - SYNTH_SIDED);
}

#define SYNTH_GESTURE_CONTACTS 64

typedef struct synth_contact_span {
    uint16_t mask;
    float from, to; // seconds, both included
} synth_contact_span;

typedef struct synth_gesture {
    const synth_body *body;
    const synth_take *take;
    synth_track channels[SYNTH_CHANNEL_COUNT];
    synth_contact_span contacts[SYNTH_GESTURE_CONTACTS];
    int contact_count;
    float duration;      // nominal seconds; the take's tempo makes it shorter or longer
    bool backwards;      // performed from the end to the beginning
    float breath_period; // seconds, 0: breath is not seen. The duration should be a multiple of it
    float breath_depth;  // radians the chest rises
    lope_vec3 elbow;     // direction held elbows point to, of the left one (the right one mirrors it)
    // Changes the frame after the channels were read; NULL: nothing. `time` is nominal.
    void (*adjust)(const void *user, const struct synth_gesture *gesture, double time, synth_frame *frame);
    const void *user;
} synth_gesture;

// Starts in the neutral stance at z on a floor.
void synth_gesture_begin(synth_gesture *gesture, const synth_body *body, const synth_take *take, float z, float floor);
// Everything that is not there yet moves to the neutral stance at z on a floor, or only one channel (both sides).
void synth_gesture_stand(synth_gesture *gesture, float from, float to, float z, float floor);
void synth_gesture_stand_channel(synth_gesture *gesture, int channel, float from, float to, float z, float floor);
// A channel's value in that stance.
float synth_gesture_stance(const synth_gesture *gesture, int channel, float z, float floor);
// Keeps a channel's last value until `from` and moves it to `value` by `to`; both sides of sided channels.
void synth_gesture_move(synth_gesture *gesture, int channel, float from, float to, float value);
// Adds a key the channel flows through; both sides of sided channels.
void synth_gesture_key(synth_gesture *gesture, int channel, float time, float value);
// The same for one side.
void synth_gesture_move_side(synth_gesture *gesture, int channel, lope_side side, float from, float to, float value);
void synth_gesture_key_side(synth_gesture *gesture, int channel, lope_side side, float time, float value);
// A touch; the touching part's channels must be at rest for all of it.
void synth_gesture_touch(synth_gesture *gesture, unsigned mask, float from, float to);

// One step or reach of a foot's ball or a palm.
typedef struct synth_reach {
    lope_side side;
    float from, to;
    lope_vec3 place; // of the ball or palm
    float lift;      // metres above the higher of both ends, at the share `peak` of the time
    float peak;      // in (0, 1)
    float pull;      // metres back (towards -Z) half way
} synth_reach;
void synth_gesture_step(synth_gesture *gesture, const synth_reach *step);
void synth_gesture_grasp(synth_gesture *gesture, const synth_reach *reach);

// The frame at `time` real seconds. Is a synth_describe with a synth_gesture as its user.
void synth_gesture_describe(const void *gesture, double time, synth_frame *out);
// Records the gesture: the last frame lies on or after its end, so that clips end exactly in their last pose.
lope_status synth_gesture_record(const synth_gesture *gesture, lope_clip **out, lope_error *error);

#endif
