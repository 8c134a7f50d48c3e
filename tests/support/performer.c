// SPDX-License-Identifier: MIT
#include "support/performer.h"

int test_performer_create(void **state)
{
    static synth_body body;
    lope_error error;
    assert_ok(synth_body_create(&body, &error));
    *state = &body;
    return 0;
}

int test_performer_release(void **state)
{
    synth_body_release(*state);
    return 0;
}
