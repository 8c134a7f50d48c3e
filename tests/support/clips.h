// SPDX-License-Identifier: MIT
// Clips for tests of what mends them.
#ifndef LOPE_TESTS_CLIPS_H
#define LOPE_TESTS_CLIPS_H

#include "support/support.h"

// A built-in motion at so many frames per second.
lope_clip *test_performed(const char *name, double rate);
// A clip of the data folder; without it the test is skipped.
lope_clip *test_captured_clip(const char *relative);

lope_quat *test_rotation_at(const lope_clip *clip, int frame, int joint);
// Radians per second: the fastest that a joint turns.
float test_fastest_turn(const lope_clip *clip, int joint);

// That `mend`, which returns how much it has changed, changes nothing. Destroys the clip.
void assert_keeps_its_bits(lope_clip *clip, int (*mend)(lope_clip *clip));

#endif
