// SPDX-License-Identifier: MIT
// A gait on its way along a built-in terrain.
#ifndef LOPE_TESTS_CROSSING_H
#define LOPE_TESTS_CROSSING_H

#include "lope/rings.h"
#include "lope/terrain_scene.h"
#include "support/support.h"

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
