// SPDX-License-Identifier: MIT
// What readers of clips have in common: checking what the caller asks for, and how long a unit is in files that do not
// say. Guesses look at bones only, so that they do not depend on where the body stands and what it does.
#ifndef LOPE_SRC_IO_UNITS_H
#define LOPE_SRC_IO_UNITS_H

#include "lope/bvh.h"

// LOPE_BAD_DATA where the scale or the frame rate the caller asks for is impossible.
lope_status lope_read_def_check(const lope_read_def *def, const char *file, lope_error *error);

// A joint's bone as far as measuring needs it, in file units.
typedef struct unit_bone {
    int parent;        // index, -1: the root
    float length, tip; // from the parent; to the end where no joint is, 0: none
} unit_bone;

// Which joints are the body, and how large it is.
typedef struct unit_body {
    int first, end; // joints; those above and beside them only say where the body stands
    float span;     // longest way through its bones: for people from toe to fingertip, the same in every pose and place
} unit_body;

// Measures the body among `count` joints in depth-first order. It begins where the legs part: at the first joint with
// two chains of three joints or more below it, or at the root where there is none.
lope_status lope_units_measure(const unit_bone *bones, int count, unit_body *out, lope_error *error);

// The same for the joints of a skeleton in file units.
lope_status lope_units_measure_skeleton(const lope_skeleton *skeleton, unit_body *out, lope_error *error);

// Metres per unit, from a body's span.
float lope_units_guess(float span);

// True when a span in metres can be that of a body, from a child's to a giant's.
static inline bool lope_units_plausible(float span)
{
    return span >= 0.5f && span <= 5.0f;
}

#endif
