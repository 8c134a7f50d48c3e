// SPDX-License-Identifier: MIT
// The part of the built-in set that walk tiles are made from.
#ifndef LOPE_TESTS_STROLLS_H
#define LOPE_TESTS_STROLLS_H

#include "support/support.h"

// Slow walks and turns within the space of a door, `takes` of each, and their mirror images, at 30 frames per second.
lope_set *test_strolls(int takes);

#endif
