// SPDX-License-Identifier: MIT
// Moments for those who have the joints in model space already.
#ifndef LOPE_SRC_MOTION_MOMENT_H
#define LOPE_SRC_MOTION_MOMENT_H

#include "lope/moment.h"
#include "motion/contact_points.h"

// What a moment knows of places.
typedef struct moment_places {
    lope_ground ground;
    lope_vec3 points[LOPE_CONTACT_COUNT];
} moment_places;

// Of a body in model space.
LOPE_API moment_places lope_moment_places(const lope_skeleton *skeleton, const lope_contact_anatomy *anatomy,
                                          const lope_transform *model);
// Fills in where the body is, given where it was `dt` before.
LOPE_API void lope_moment_place(lope_moment *moment, const moment_places *before, const moment_places *now);

#endif
