// SPDX-License-Identifier: MIT
#include "support/moves.h"

#include <stdlib.h>

lope_moves *test_moves_open(void)
{
    lope_error error;
    lope_moves *moves;
    const char *file = getenv("LOPE_TEST_MOVES");
    if (file)
        assert_ok(lope_moves_open(file, &moves, &error));
    else
        assert_ok(lope_moves_builtin(NULL, NULL, &moves, &error));
    return moves;
}

lope_moves *test_moves;

int test_moves_set_up(void **state)
{
    (void)state;
    test_moves = test_moves_open();
    return 0;
}

int test_moves_tear_down(void **state)
{
    (void)state;
    lope_moves_close(test_moves);
    return 0;
}
