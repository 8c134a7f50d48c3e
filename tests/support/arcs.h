// SPDX-License-Identifier: MIT
// A made-up step graph for tests of searches: steps are arcs, of the left and the right foot in turn.
#ifndef LOPE_TESTS_ARCS_H
#define LOPE_TESTS_ARCS_H

#include "lope/steps.h"
#include "support/support.h"

// Steps of about 0.65 m that turn by -30, -15, 0, 15 and 30 degrees for each foot, then one that starts from standing
// (step 10, straight) and one that stops (step 11). Steps of one foot lead to all of the other, and `branching` limits
// how many (0: all). Lengths and joins differ a little from step to step, by `seed`. The set is NULL.
lope_steps *test_arcs(int branching, uint64_t seed);
void test_arcs_destroy(lope_steps *steps);

#endif
