// SPDX-License-Identifier: MIT
// Levels of boxes, walls and slopes for tests, made by hand.
#ifndef LOPE_TESTS_SOLIDS_H
#define LOPE_TESTS_SOLIDS_H

#include "lope/floors.h"

#define TEST_MOST_TRIANGLES 20000

typedef struct test_solids {
    int count; // of triangles
    lope_vec3 corners[TEST_MOST_TRIANGLES][3];
} test_solids;

void test_solids_add_quad(test_solids *solids, lope_vec3 a, lope_vec3 b, lope_vec3 c, lope_vec3 d);
// A level rectangle at height y.
void test_solids_add_floor(test_solids *solids, float x0, float z0, float x1, float z1, float y);
// A closed box, turned about the vertical through its middle; faces outwards.
typedef struct test_box {
    float x, z, width, length; // middle in plan; sizes along x and z before turning
    float low, high;
    float yaw;
} test_box;
void test_solids_add_box(test_solids *solids, test_box box);
// One piece of everything. The caller destroys it.
lope_terrain *test_solids_terrain(const test_solids *solids);
// The same as the one part of a level, and its floors.
void test_solids_floors(const test_solids *solids, const lope_floors_def *def, lope_level **level,
                        lope_floors **floors);

#endif
