// SPDX-License-Identifier: MIT
// Gaits on the built-in rings, standing and on their way along a built-in terrain.
#ifndef LOPE_TESTS_CROSSING_H
#define LOPE_TESTS_CROSSING_H

#include "lope/rings.h"
#include "lope/terrain_scene.h"
#include "support/support.h"

// Rings of the built-in set for all tests of a program: cmocka_run_group_tests(tests, test_rings_set_up,
// test_rings_tear_down).
extern lope_rings *test_rings;
int test_rings_set_up(void **state);
int test_rings_tear_down(void **state);
// A body that stands on a terrain; the ground is looked for up to `above` metres higher.
lope_gait *test_stand_at(const lope_terrain *terrain, lope_ground at, float above);

typedef struct test_crossing {
    lope_terrain_scene *scene;
    lope_gait *gait;
    int next;     // point of the way
    bool arrived; // it stands at the end
} test_crossing;

test_crossing test_crossing_begin(const lope_rings *rings, const char *terrain);
// Walks on for `dt` seconds.
void test_crossing_step(test_crossing *crossing, float dt);
void test_crossing_end(test_crossing *crossing);

#endif
