// SPDX-License-Identifier: MIT
// What feet ask about the ground.
#ifndef LOPE_SRC_MOTION_FOOTING_H
#define LOPE_SRC_MOTION_FOOTING_H

#include "lope/footing.h"

typedef struct footing_spot {
    float y, slope_x, slope_z; // rise for each metre
} footing_spot;

// The highest ground at a place that is at most `over` metres above that under the body. False where there is none.
bool footing_ground(const lope_footing *footing, lope_vec2 at, float over, footing_spot *out);

#endif
