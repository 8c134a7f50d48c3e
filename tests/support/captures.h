// SPDX-License-Identifier: MIT
// Blocks of clips and the scenery recovered from them, and a close look at people who use them.
#ifndef LOPE_TESTS_CAPTURES_H
#define LOPE_TESTS_CAPTURES_H

#include "support/stage.h"

// Recovers the scenery of `performances`, writes it, confirms it with the usual corrections (steps 0.8 m wide, seats
// 0.32 m), and builds blocks of them and the walks. Clips are files of the data folder or, without a dot, built-in
// motions; both lists end with NULL. NULL where a file is not there.
test_stage *test_captured_stage(const char *const *performances, const char *const *walks);

// Clips of files or built-in motions; false where one is not there.
bool test_load_clips(const char *const *names, lope_clip **out, int *count);
lope_scenery *test_recover(lope_clip *const *clips, int count, const char *path);

typedef struct test_use {
    int frames, thing_frames; // all; those in which links are played
    float feet_gap;           // metres: the farthest that a touching foot is from what carries it
    float seat_gap;           // likewise the seat
    float feet_depth;         // metres: the deepest that a sole is in something
    float body_depth;         // metres: the deepest that the body is in anything, what it sits on aside
    float widest_step;        // metres: the farthest hips go within a frame
    float skate;              // centimetres per second: of touching feet, over the ground
    float highest, lowest;    // hips, metres
} test_use;

// Plays steps and looks at every frame.
test_use test_look_closely(const lope_block_world *world, const lope_block_step *steps, int count);

// Centimetres per second that touching feet slide in the clips [first, end) of a set.
float test_captured_skate(const lope_set *set, int first, int end);

#endif
