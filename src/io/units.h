// SPDX-License-Identifier: MIT
// What readers of clips have in common: checking what the caller asks for, and how long a unit is in files that do not
// say, or that say something a body cannot be.
#ifndef LOPE_SRC_IO_UNITS_H
#define LOPE_SRC_IO_UNITS_H

#include "lope/bvh.h"

// LOPE_BAD_DATA where the scale or the frame rate the caller asks for is impossible.
lope_status lope_read_def_check(const lope_read_def *def, const char *file, lope_error *error);

// Metres per unit, from the longest way through a body's bones (from the toes to the finger tips).
float lope_units_guess(float span);

// True when a span in metres can be that of a body, from a child's to a giant's.
static inline bool lope_units_plausible(float span)
{
    return span >= 0.5f && span <= 5.0f;
}

#endif
