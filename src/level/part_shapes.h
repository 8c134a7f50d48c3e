// SPDX-License-Identifier: MIT
// Triangles of parts, in the part's own frame.
#ifndef LOPE_SRC_LEVEL_PART_SHAPES_H
#define LOPE_SRC_LEVEL_PART_SHAPES_H

#include "lope/level.h"

// Checks what depends on the shape. *size is the definition's, or what its kind has where that is 0.
lope_status part_check(const lope_part_def *def, lope_vec3 *size, lope_error *error);
// The size that things of a kind usually have. False: no such kind.
bool part_usual_size(const char *kind, lope_vec3 *size);
// The triangles of a definition that was checked and has its size, scaled; none of holds. Solids face outwards.
lope_status part_mesh(const lope_part_def *def, lope_terrain_mesh **out, lope_error *error);

// The part of that number, until the level changes; NULL: none.
const lope_part *level_part_at(const lope_level *level, int part);
// Whether parts are holds without a body.
bool level_has_holds(const lope_level *level);

#endif
