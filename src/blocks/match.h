// SPDX-License-Identifier: MIT
// Equal shapes: units that look the same where they stand, and arrangements of them.
#ifndef LOPE_SRC_BLOCKS_MATCH_H
#define LOPE_SRC_BLOCKS_MATCH_H

#include "lope/blocks.h"

// Units nearer than this (metres, radians) stand where they should.
#define SAME_PLACE 0.02f
#define SAME_YAW 0.02f

// A place turned by `turn` / turns of a full turn about its own vertical.
LOPE_API lope_spot lope_place_turned(lope_spot at, int turn, int turns);

// Whether a unit with so many turns looks the same at both places.
LOPE_API bool lope_places_look_same(lope_spot a, lope_spot b, int turns);

// Where a unit looks the same after 1 / n of a full turn for the largest n of 8, 6, 4, 3, 2; 1 otherwise.
LOPE_API int lope_unit_turns(const lope_box *boxes, int count);

// Whether a shape looks the same in a mirror that stands along the z axis.
LOPE_API bool lope_unit_mirrors(const lope_box *boxes, int count);

// Bounds and symmetry of a unit, from its boxes. LOPE_BAD_DATA where a box has no size.
LOPE_API lope_status lope_unit_measure(const lope_box *boxes, lope_unit *unit, lope_error *error);

#endif
