// SPDX-License-Identifier: MIT
// Moves in the making.
#ifndef LOPE_SRC_MOVES_BUILD_BUILD_H
#define LOPE_SRC_MOVES_BUILD_BUILD_H

#include "lope/blocks_build.h"
#include "lope/mobility_build.h"
#include "lope/moves_build.h"
#include "lope/rings_build.h"
#include "lope/steps_build.h"
#include "moves/moves.h"

// Takes of what is done at things: two are enough for much variety.
#define MOVES_THING_TAKES 2

// What was built, with the sets that it refers to.
typedef struct moves_parts {
    lope_set *walks;
    lope_mobility *mobility;
    lope_builtin_maps maps;
    lope_rings *rings;
    lope_builtin_blocks blocks;
} moves_parts;

// Copies the parts into moves.
lope_status moves_finish(const moves_parts *parts, const lope_moves_line *lines, int line_count, lope_moves **out,
                         lope_error *error);
void moves_parts_release(moves_parts *parts);

#endif
