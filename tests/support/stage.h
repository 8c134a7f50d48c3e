// SPDX-License-Identifier: MIT
// Blocks of the built-in set, worlds made of them, and a look at paths through those, frame by frame.
#ifndef LOPE_TESTS_STAGE_H
#define LOPE_TESTS_STAGE_H

#include "lope/block_world.h"
#include "lope/blocks_build.h"
#include "support/support.h"

typedef lope_builtin_blocks test_stage; // of captures, too: support/captures.h

// As setup and teardown of groups: *state is a test_stage.
int test_stage_create(void **state);
// The same without `stage`, opened from a file that ctest had built for all tests; built here where there is none.
int test_blocks_create(void **state);
int test_stage_destroy(void **state);

lope_block_world *test_world(const test_stage *stage);
int test_add_floor(lope_block_world *world, float x, float height, float z, int columns, int rows);
int test_add_unit(lope_block_world *world, const char *unit, float x, float y, float z, float yaw);
// A staircase of `steps` steps whose last riser leads to a floor that begins at (x, z), coming from -Z.
void test_add_stairs(lope_block_world *world, float x, float base, float z, int steps);
// `sections` of a ladder and its top, in front of a platform whose edge is at z.
void test_add_ladder(lope_block_world *world, float x, float base, float z, int sections);
// A slide that leaves a platform over its edge at z, with so many pieces in the middle.
void test_add_slide(lope_block_world *world, float x, float top, float z, int pieces);

// Metres from a point to the nearest floor, which has no edges here, or surface of a thing, from either side.
float test_surface_distance(const lope_block_world *world, lope_vec3 point);

typedef struct test_playing {
    int frames;
    float widest_step; // metres: the farthest hips go from frame to frame (30 per second), not sliding
    float widest_gap;  // metres: from feet and seat that touch to what is there
    float deepest;     // metres: the deepest that any part of the body is in anything but what it touches
    float in_floor;    // metres that a sole is below the floor that is walked on
    float fastest;     // metres per second, sliding
    float hardest;     // metres per second squared along the way, sliding or a second later, over 0.1 s
    float in_slide;    // metres that a part of the body is in it, sliding
    float seconds;
} test_playing;

// Plays steps one after the other.
test_playing test_play(const lope_block_world *world, const lope_block_step *steps, int count);

#endif
