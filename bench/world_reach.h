// SPDX-License-Identifier: MIT
// Which places of a level can be reached, found the slow way.
#ifndef LOPE_BENCH_WORLD_REACH_H
#define LOPE_BENCH_WORLD_REACH_H

#include "lope/level_route.h"

// Whether a body gets from one place to another over floors and links.
bool world_bench_reaches(const lope_floors *floors, const lope_traveller *who, lope_vec3 from, lope_vec3 to);

#endif
