// SPDX-License-Identifier: MIT
// From steps to frames: a smooth, timed motion that keeps every contact.
#ifndef LOPE_SRC_GRASP_MOTION_H
#define LOPE_SRC_GRASP_MOTION_H

#include "grasp/search.h"

typedef struct motion_input {
    const lope_grasp_world *world;
    const lope_grasp_body *body;
    footing start;
    int count;
    const search_step *steps;
    const lope_climb_def *def; // speeds
    double natural;            // clock of the curve of speeds where it begins
    double frame_rate;
} motion_input;

// Fills frames and steps of a plan. LOPE_NO_MEMORY where there is not enough.
lope_status motion_build(const motion_input *input, lope_climb_plan *plan, lope_error *error);
// Seconds that it would take at natural speed.
double motion_natural(const motion_input *input);
// Which way the body looks when so much of a turn is done.
void motion_turn(int from, int to, double share, lope_climb_frame *frame);
// While a body turns (the frame's yaw says how far it is): its legs, which stand still.
void motion_turn_legs(const lope_grasp_body *body, const lope_grasp_contacts *contacts, lope_climb_frame *frame);

#endif
