// SPDX-License-Identifier: MIT
// The body of the built-in set, for tests of what it performs.
#ifndef LOPE_TESTS_PERFORMER_H
#define LOPE_TESTS_PERFORMER_H

#include "support/support.h"
#include "synth/body.h"

// As setup and teardown of groups: *state is a synth_body.
int test_performer_create(void **state);
int test_performer_release(void **state);

#endif
