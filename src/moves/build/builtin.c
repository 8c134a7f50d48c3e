// SPDX-License-Identifier: MIT
// The moves of the built-in set.
#include "lope/blocks_build.h"
#include "lope/mobility_build.h"
#include "lope/moves_build.h"
#include "lope/rings_build.h"
#include "lope/steps_build.h"
#include "moves/moves.h"

// Takes of what is done at things: two are enough for much variety.
#define THING_TAKES 2

lope_status lope_moves_builtin(lope_jobs *jobs, const lope_progress *progress, lope_moves **out, lope_error *error)
{
    static const lope_moves_line lines[] = {{"walking", "built-in set", ""},
                                            {"exact steps", "built-in set", ""},
                                            {"uneven ground", "built-in set", ""},
                                            {"things", "built-in set", ""}};
    lope_set *set = NULL;
    lope_mobility *mobility = NULL;
    lope_builtin_maps maps = {0};
    lope_rings *rings = NULL;
    lope_builtin_blocks blocks = {0};
    *out = NULL;
    lope_status status = lope_mobility_builtin(jobs, progress, &set, &mobility, error);
    if (!status)
        status = lope_maps_builtin(jobs, progress, &maps, error);
    if (!status)
        status = lope_rings_builtin(false, &rings, NULL, error);
    if (!status)
        status = lope_blocks_builtin(THING_TAKES, jobs, progress, &blocks, NULL, error);
    lope_moves parts = {.mobility = mobility,
                        .maps = maps.maps,
                        .rings = rings,
                        .blocks = blocks.blocks,
                        .lines = lines,
                        .line_count = sizeof lines / sizeof *lines};
    if (!status)
        status = lope_moves_assemble(&parts, out, error);
    lope_blocks_builtin_destroy(&blocks);
    lope_rings_close(rings);
    lope_maps_builtin_destroy(&maps);
    lope_mobility_close(mobility);
    lope_set_destroy(set);
    return status;
}
