// SPDX-License-Identifier: MIT
// The steps of a clip, from its contacts: when a foot comes down, and what the body did since the step before.
#ifndef LOPE_SRC_FILL_STEPS_H
#define LOPE_SRC_FILL_STEPS_H

#include "lope/clip.h"

typedef enum fill_kind {
    FILL_WALK,
    FILL_RUN,
    FILL_SPOT, // turns without going anywhere
    FILL_SIDE,
    FILL_BACK,
    FILL_SHUFFLE // anything smaller
} fill_kind;

// One swing of a foot, from the strike before it (of either foot) to its own.
typedef struct fill_step {
    lope_side side;
    int from, strike;   // frames
    float ahead, aside; // metres the body went, as seen at `from`; > 0: to the left
    float yaw;          // radians the body turned, > 0: to the left
    float turn;         // the same without the swing of the hips: the mean of this step and its neighbour
    float rise;         // metres this foot stands higher than the other one
    float speed;        // metres per second over the ground
    fill_kind kind;
} fill_step;

// Frames [first, end) in which the body stands still.
typedef struct fill_stand {
    int first, end;
} fill_stand;

typedef struct fill_steps {
    int count, stand_count;
    fill_step *steps; // by strike
    fill_stand *stands;
} fill_steps;

// LOPE_MISMATCH unless the skeleton is a biped. Release with fill_steps_free.
lope_status fill_steps_find(const lope_clip *clip, fill_steps *out, lope_error *error);
void fill_steps_free(fill_steps *steps);

// Stays of one foot on the ground: gaps shorter than a tenth of a second are closed, shorter stays left out.
typedef struct fill_stay {
    int first, end; // frames; first 0 or end frame_count: it may have stood before, or longer
} fill_stay;
int fill_stays(const uint16_t *contacts, int frame_count, double frame_rate, lope_side side, fill_stay *out);

#endif
