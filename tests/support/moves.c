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
