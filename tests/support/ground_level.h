// SPDX-License-Identifier: MIT
// Random levels as plain triangles, for tests of free ground: floors, boxes of all heights that stand, hang and sink,
// ramps, sheets, stairs, pyramids, rubble, and soup: doubled, turned, crossing triangles and such without area.
#ifndef LOPE_TESTS_GROUND_LEVEL_H
#define LOPE_TESTS_GROUND_LEVEL_H

#include "lope/terrain.h"

typedef struct test_level {
    float *triangles; // [9 * count]
    int *parts;       // [count]
    int count, part_count;
} test_level;

test_level *test_level_create(uint64_t seed, float side);
void test_level_destroy(test_level *level);
// A terrain with a piece per part, added in the order of their numbers, or backwards.
lope_terrain *test_level_terrain(const test_level *level, bool backwards);
// Adds a box as a part of its own, turned by `yaw` about the vertical through its middle.
void test_level_box(test_level *level, lope_vec3 middle_of_underside, lope_vec3 size, float yaw);

#endif
