// SPDX-License-Identifier: MIT
// A small walk whose contacts are known exactly: flat, rolling over heel and ball, 1 m/s, for tests of feet.
#ifndef LOPE_TESTS_STRIDE_H
#define LOPE_TESTS_STRIDE_H

#include "support/support.h"

// Walks along +Z on the test biped. `root_drift` moves the body, feet included, over the ground as bad data does:
// metres per second along x, zero for none.
lope_clip *test_walk(int frames, double frame_rate, float root_drift);

#endif
