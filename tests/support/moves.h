// SPDX-License-Identifier: MIT
// The moves of the built-in set, for tests.
#ifndef LOPE_TESTS_MOVES_H
#define LOPE_TESTS_MOVES_H

#include "lope/moves_build.h"
#include "support/support.h"

// Opens the file LOPE_TEST_MOVES, where it was built for all tests, or builds them now, which takes some seconds. Close
// them with lope_moves_close.
lope_moves *test_moves_open(void);
// The same for all tests of a program: cmocka_run_group_tests(tests, test_moves_set_up, test_moves_tear_down).
extern lope_moves *test_moves;
int test_moves_set_up(void **state);
int test_moves_tear_down(void **state);

#endif
