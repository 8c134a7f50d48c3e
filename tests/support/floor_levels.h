// SPDX-License-Identifier: MIT
// Small levels for tests of floors.
#ifndef LOPE_TESTS_SUPPORT_FLOOR_LEVELS_H
#define LOPE_TESTS_SUPPORT_FLOOR_LEVELS_H

#include "base/random.h"
#include "lope/floors.h"

lope_part_def floors_box(lope_vec3 at, lope_vec3 size, float yaw, float tilt);
lope_part_id floors_add_box(lope_level *level, lope_vec3 at, lope_vec3 size, float yaw, float tilt);
// A ground of `side` metres with boxes, ramps, stairs and a second storey that stairs and ramps lead to.
lope_level *floors_random_level(uint64_t seed, float side);
lope_floors *floors_make(const lope_level *level);
lope_vec3 floors_random_place(lope_random *random, float side);

#endif
