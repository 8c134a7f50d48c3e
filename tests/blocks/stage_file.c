// SPDX-License-Identifier: MIT
// Builds the blocks of the built-in set once for all tests that only use them, and writes them into a file.
#include <stdio.h>

#include "support/stage.h"

int main(int count, char **words)
{
    lope_error error;
    void *state;
    if (count != 2 || test_stage_create(&state))
        return 1;
    const test_stage *stage = state;
    lope_status status = lope_blocks_save(stage->blocks, words[1], &error);
    test_stage_destroy(&state);
    if (status)
        fprintf(stderr, "%s: %s\n", words[1], error.message);
    return status ? 1 : 0;
}
