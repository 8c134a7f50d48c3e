// SPDX-License-Identifier: MIT
// Random places in levels, for benchmarks, tests and `lope go`; stands on public headers alone.
#ifndef LOPE_GENERATORS_LEVEL_PLACE_H
#define LOPE_GENERATORS_LEVEL_PLACE_H

#include "lope/world.h"

// Places where a body of 0.35 m radius can stand, on any floor of at least 4 square metres, small ones as often as
// large ones, into out[capacity]. The same state gives the same places. Returns how many were found.
int level_random_places(const lope_floors *floors, uint64_t *state, lope_vec3 *out, int capacity);
// One of them, or of any others, at random; `count` is above 0.
lope_vec3 level_random_choice(const lope_vec3 *places, int count, uint64_t *state);
// A place in a world, at least 0.8 m from all of these characters. False: none was found.
bool level_random_room(const lope_world *world, const lope_character_id *people, int count, uint64_t *state,
                       lope_vec3 *out);

#endif
