// SPDX-License-Identifier: MIT
// The moves of the built-in set, for tests.
#ifndef LOPE_TESTS_MOVES_H
#define LOPE_TESTS_MOVES_H

#include "lope/moves_build.h"
#include "support/support.h"

// Opens the file LOPE_TEST_MOVES, where it was built for all tests, or builds them now, which takes some seconds. Close
// them with lope_moves_close.
lope_moves *test_moves_open(void);

#endif
