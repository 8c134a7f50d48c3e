// SPDX-License-Identifier: MIT
// Small levels for tests of the world: parts one by one, a world on them with the built-in moves (support/moves.h), and
// characters in it.
#ifndef LOPE_TESTS_YARD_H
#define LOPE_TESTS_YARD_H

#include "lope/world.h"
#include "support/moves.h"

// A part of a level; `kind` is "" for boxes, or a thing.
lope_part_id test_add_part(lope_level *level, const char *kind, lope_vec3 size, lope_vec3 place, float yaw);
// A world with test_moves.
lope_world *test_world_on(const lope_level *level);
// Somebody whose pose is computed in every step.
lope_character_id test_world_spawn(lope_world *world, lope_vec3 place, float facing);

#endif
