// SPDX-License-Identifier: MIT
// Builds the moves of the built-in set once for all tests that only use them, and writes them into a file.
#include <stdio.h>

#include "lope/moves_build.h"

int main(int count, char **words)
{
    lope_error error;
    lope_moves *moves = NULL;
    if (count != 2)
        return 1;
    lope_status status = lope_moves_builtin(NULL, NULL, &moves, &error);
    if (!status)
        status = lope_moves_save(moves, words[1], &error);
    if (status)
        fprintf(stderr, "%s: %s\n", words[1], error.message);
    lope_moves_close(moves);
    return status ? 1 : 0;
}
