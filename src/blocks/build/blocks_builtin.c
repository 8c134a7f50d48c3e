// SPDX-License-Identifier: MIT
// Blocks of the built-in set: the recipe that tool, benchmarks and tests share.
#include "lope/blocks_build.h"

lope_status lope_blocks_builtin(int takes, lope_jobs *jobs, const lope_progress *progress, lope_builtin_blocks *out,
                                lope_blocks_report *report, lope_error *error)
{
    *out = (lope_builtin_blocks){0};
    lope_tile_def tile = lope_tile_def_default();
    lope_blocks_def def = lope_blocks_def_default();
    lope_status status = lope_stage_builtin(takes, jobs, &out->set, &out->stage, error);
    if (!status) {
        tile.clips = out->stage->walking_clips;
        status = lope_tile_build(out->set, &tile, jobs, progress, &out->tile, NULL, error);
    }
    if (!status)
        status = lope_blocks_build(out->set, out->stage, out->tile, &tile, &def, jobs, &out->blocks, report, error);
    if (status)
        lope_blocks_builtin_destroy(out);
    return status;
}

void lope_blocks_builtin_destroy(lope_builtin_blocks *blocks)
{
    if (!blocks)
        return;
    lope_blocks_destroy(blocks->blocks);
    lope_tile_destroy(blocks->tile);
    lope_stage_destroy(blocks->stage);
    lope_set_destroy(blocks->set);
    *blocks = (lope_builtin_blocks){0};
}
