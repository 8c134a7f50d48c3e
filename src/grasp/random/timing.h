// SPDX-License-Identifier: MIT
// From a path of configurations to frames: natural speeds, rounded corners, exact contacts.
#ifndef LOPE_SRC_GRASP_RANDOM_TIMING_H
#define LOPE_SRC_GRASP_RANDOM_TIMING_H

#include "grasp/random/scribe.h"

typedef struct timing_input {
    const lope_grasp_world *world;
    const lope_grasp_body *body;
    const trail *path;
    const lope_climb_def *def; // speeds
    double natural;            // clock of the curve of speeds where it begins, then where it ends
    double frame_rate;
} timing_input;

// Fills frames and steps of `out`, which the caller frees.
lope_status timing_build(timing_input *input, lope_climb_plan *out, lope_error *error);

#endif
