// SPDX-License-Identifier: MIT
// The moves of the built-in set for all tests that only use them, where CMake makes none (under sanitizers): those of a
// plain build beside this one, because building takes minutes here; else built.
#include <stdio.h>
#include <stdlib.h>

#include "lope/moves_build.h"

int main(int count, char **words)
{
    lope_error error;
    lope_moves *moves = NULL;
    if (count != 2)
        return 1;
    char plain[1024];
    snprintf(plain, sizeof plain, "%s/build/moves.lope", getenv("LOPE_SOURCE"));
    lope_status status = lope_moves_open(plain, &moves, &error);
    if (status)
        status = lope_moves_builtin(NULL, NULL, &moves, &error);
    if (!status)
        status = lope_moves_save(moves, words[1], &error);
    if (status)
        fprintf(stderr, "%s: %s\n", words[1], error.message);
    lope_moves_close(moves);
    return status ? 1 : 0;
}
