// SPDX-License-Identifier: MIT
// Motion sets of built-in walks for tests of what walks on graphs and maps.
#ifndef LOPE_TESTS_WALKING_H
#define LOPE_TESTS_WALKING_H

#include "lope/mobility_build.h"
#include "support/support.h"

// A few walks and turns at 30 frames per second, which connect to each other, and options for a map of them that is
// built in a blink.
lope_set *test_few_walks(void);
lope_mobility_def test_few_walks_def(void);

// All that walks on flat ground, two takes of each: enough to go anywhere.
lope_set *test_walks(void);

// Hash of a whole file.
uint64_t test_file_hash(const char *path);

#endif
