// SPDX-License-Identifier: MIT
// Random places in levels, for benchmarks, tests and `lope go`; stands on public headers alone.
#ifndef LOPE_GENERATORS_LEVEL_PLACE_H
#define LOPE_GENERATORS_LEVEL_PLACE_H

#include "lope/floors.h"

// A place where a body of 0.35 m radius can stand, on any floor of at least 4 square metres, small ones as often as
// large ones. The same state gives the same place. False where none was found.
bool level_random_place(const lope_floors *floors, uint64_t *state, lope_vec3 *out);

#endif
