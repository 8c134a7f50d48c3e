// SPDX-License-Identifier: MIT
// The moves of the built-in set.
#include "moves/build/build.h"

lope_status lope_moves_builtin(lope_jobs *jobs, const lope_progress *progress, lope_moves **out, lope_error *error)
{
    static const lope_moves_line lines[] = {{"walking", "built-in set", ""},
                                            {"exact steps", "built-in set", ""},
                                            {"uneven ground", "built-in set", ""},
                                            {"things", "built-in set", ""}};
    moves_parts parts = {0};
    *out = NULL;
    lope_status status = lope_mobility_builtin(jobs, progress, &parts.walks, &parts.mobility, error);
    if (!status)
        status = lope_maps_builtin(jobs, progress, &parts.maps, error);
    if (!status)
        status = lope_rings_builtin(false, &parts.rings, NULL, error);
    if (!status)
        status = lope_blocks_builtin(MOVES_THING_TAKES, jobs, progress, &parts.blocks, NULL, error);
    if (!status)
        status = moves_finish(&parts, lines, sizeof lines / sizeof *lines, out, error);
    moves_parts_release(&parts);
    return status;
}

lope_status moves_finish(const moves_parts *parts, const lope_moves_line *lines, int line_count, lope_moves **out,
                         lope_error *error)
{
    lope_moves whole = {.mobility = parts->mobility,
                        .maps = parts->maps.maps,
                        .rings = parts->rings,
                        .blocks = parts->blocks.blocks,
                        .lines = lines,
                        .line_count = line_count};
    return lope_moves_assemble(&whole, out, error);
}

void moves_parts_release(moves_parts *parts)
{
    lope_blocks_builtin_destroy(&parts->blocks);
    lope_rings_close(parts->rings);
    lope_maps_builtin_destroy(&parts->maps);
    lope_mobility_close(parts->mobility);
    lope_set_destroy(parts->walks);
    *parts = (moves_parts){0};
}
