// SPDX-License-Identifier: MIT
// Blocks of the built-in set: the recipe that tool, benchmarks and tests share.
#include "base/error.h"
#include "blocks/build/build.h"

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

static lope_status check_legs(const lope_skeleton *skeleton, const lope_skeleton *builtin, lope_error *error)
{
    float leg = lope_skeleton_leg_length(skeleton), usual = lope_skeleton_leg_length(builtin);
    if (!lope_skeleton_is_biped(skeleton))
        return lope_fail(error, LOPE_MISMATCH, "the body has no two legs");
    if (!(leg >= LOPE_CARRY_LEAST * usual && leg <= LOPE_CARRY_MOST * usual))
        return lope_fail(error, LOPE_MISMATCH, "legs of %.2f m: usual things are for legs of %.2f to %.2f m",
                         (double)leg, (double)(LOPE_CARRY_LEAST * usual), (double)(LOPE_CARRY_MOST * usual));
    return LOPE_OK;
}

lope_status lope_blocks_carried(const lope_skeleton *skeleton, int takes, const lope_build_context *context,
                                lope_builtin_blocks *out, lope_error *error)
{
    *out = (lope_builtin_blocks){0};
    lope_tile_def tile = lope_tile_def_default();
    lope_blocks_def def = lope_blocks_def_default();
    lope_status status = lope_stage_builtin(takes, context->jobs, &out->set, &out->stage, error);
    if (!status)
        status = check_legs(skeleton, out->set->skeleton, error);
    if (!status)
        status = stage_carry(out->stage, skeleton, context->jobs, &out->set, error);
    if (!status) {
        tile.clips = out->stage->walking_clips;
        status = lope_tile_build_fitting(out->set, &tile, context, &out->tile, NULL, error);
    }
    if (!status)
        status =
            lope_blocks_build(out->set, out->stage, out->tile, &tile, &def, context->jobs, &out->blocks, NULL, error);
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
