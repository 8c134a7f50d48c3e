// SPDX-License-Identifier: MIT
// The part of the built-in set that walk tiles are made from.
#ifndef LOPE_TESTS_STROLLS_H
#define LOPE_TESTS_STROLLS_H

#include "support/support.h"

// Slow walks and turns within the space of a door, `takes` of each, and their mirror images, at 30 frames per second.
lope_set *test_strolls(int takes);

// A tile of one take of each, as built by default.
typedef struct test_tile {
    lope_set *set;
    lope_tile_def def; // that it was built by
    lope_tile *tile;
    lope_tile_report report;
} test_tile;

// As setup and teardown of groups: *state is a test_tile.
int test_tile_create(void **state);
int test_tile_destroy(void **state);

#endif
