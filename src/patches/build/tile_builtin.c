// SPDX-License-Identifier: MIT
// The tile of the built-in set: the recipe that tool and stages share.
#include <string.h>

#include "lope/import.h"
#include "lope/patches_build.h"
#include "lope/prepare.h"
#include "lope/synth.h"

bool lope_tile_builtin_uses(const char *motion)
{
    return strcmp(motion, "walk_slow") == 0 || strcmp(motion, "idle") == 0 || strncmp(motion, "stroll_", 7) == 0;
}

lope_status lope_tile_builtin(lope_jobs *jobs, const lope_progress *progress, lope_set **set, lope_tile **out,
                              lope_error *error)
{
    *set = NULL;
    *out = NULL;
    lope_clip **clips;
    int count;
    lope_synth_def performer = lope_synth_def_default();
    lope_prepare_def prepare = lope_prepare_def_default();
    lope_tile_def def = lope_tile_def_default();
    performer.variations = LOPE_TILE_BUILTIN_TAKES;
    prepare.mirror = true;
    lope_status status = lope_synth_clips(lope_tile_builtin_uses, &performer, &clips, &count, error);
    if (status)
        return status;
    status = lope_set_prepare((const lope_clip *const *)clips, count, &prepare, jobs, progress, set, error);
    lope_clips_free(clips, count);
    if (!status)
        status = lope_tile_build(*set, &def, jobs, progress, out, NULL, error);
    if (status) {
        lope_set_destroy(*set);
        *set = NULL;
    }
    return status;
}
