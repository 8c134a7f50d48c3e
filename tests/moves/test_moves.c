// SPDX-License-Identifier: MIT
#include "support/moves.h"

static void test_everything_is_there(void **state)
{
    (void)state;
    lope_moves *moves = test_moves_open();
    assert_non_null(moves->mobility);
    assert_non_null(moves->maps);
    assert_non_null(moves->rings);
    assert_non_null(moves->blocks);
    assert_int_equal(moves->line_count, 4);
    assert_true(lope_blocks_unit(moves->blocks, "chair") >= 0);
    assert_true(lope_skeleton_equal(moves->skeleton, moves->blocks->set->skeleton, 1e-6f));
    lope_moves_close(moves);
    lope_moves_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_everything_is_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
