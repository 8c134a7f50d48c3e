// SPDX-License-Identifier: MIT
// A motion while it is made: its timeline, the motion through its keys, and how far each instant is smoothed.
#ifndef LOPE_SRC_GRASP_MOTION_STATE_H
#define LOPE_SRC_GRASP_MOTION_STATE_H

#include "grasp/motion.h"

#define MOTION_MOST_TAPS 640 // samples to either side that are averaged at most
#define MOTION_JUMP 0.6      // radians of a joint between two samples that no slowing down would mend

// When a step happens.
typedef struct motion_step {
    double begin, span; // seconds
    int key;            // its first
    double stretch;     // how much longer it takes than is natural
    double haste;       // how fast the body moves at most, as a part of what is allowed
    bool tightened;     // in the last round
    bool plain;         // the body stops at both ends, as it was searched
    // When each limb that does not hold left its last hold, and when it takes the next one; infinite where it never
    // did or does.
    double leaves[LOPE_LIMB_COUNT], arrives[LOPE_LIMB_COUNT];
} motion_step;

// A pose of the search on the timeline.
typedef struct motion_key {
    double time;
    double at[LOPE_GRASP_DOF], slope[LOPE_GRASP_DOF];
    double loose; // how much of its slope it keeps, 0 to 1
} motion_key;

// An instant of the motion through the keys.
typedef struct motion_sample {
    lope_grasp_pose pose;
    bool held; // everything that holds is in reach
} motion_sample;

typedef struct motion {
    const motion_input *input;
    motion_step *steps; // [input->count]
    motion_key *keys;   // [motion_key_count]
    double window;      // seconds to either side that are averaged, and that the body rests at first and last
    double rate;        // samples per second, `per_frame` of them a frame
    int per_frame;
    double duration;
    int sample_count, sample_capacity;
    motion_sample *samples;   // through the keys
    lope_climb_frame *frames; // smooth
    double *width;            // seconds that each is averaged over, to either side
    bool *changed;            // what has to be worked out again
    edge_probe probe;
} motion;

// --- motion_time.c

// Lays the steps out in time, from their stretches.
void motion_lay_out(motion *m);
// The step at a time: -1 before the first, input->count after the last.
int motion_step_at(const motion *m, double time);
bool motion_turns(const edge *e);

// --- motion_keys.c

int motion_key_count(const motion_input *input);
// All slopes as long as they are smooth; bodies that turn round rest before and after.
void motion_loosen_keys(motion *m);
// Puts the keys on the timeline.
void motion_lay_keys(motion *m);
// Shortens the slopes at both keys around a time; where they are gone, the step becomes plain. False where it was.
bool motion_tighten(motion *m, int step, double time);
// Whether the motion through the keys is allowed at a sample.
bool motion_key_fits(motion *m, int index);
// Works the motion through them out, from one sample to another (not included).
void motion_run_keys(motion *m, int first, int end);

// --- motion_smooth.c

// The smooth motion at a sample; false where a held limb is out of reach.
bool motion_smooth(const motion *m, int index, lope_climb_frame *out);

// --- motion_fit.c

// Shortens slopes of the keys until the motion through them touches nothing, and works it out.
void motion_fit_keys(motion *m);
// Narrows windows until the smooth motion touches nothing, and works it out. False where a step of the keys has to be
// tightened first.
bool motion_fit_windows(motion *m);
// Stretches steps in which the body moves too fast, smooth or through the keys; where only smoothing made a joint so
// fast, windows are narrowed instead; where one snaps through the keys, the step becomes plain. True where a step is
// stretched, or `narrower` set.
bool motion_slow_down(motion *m, bool smooth, double allowed, bool *narrower);

#endif
