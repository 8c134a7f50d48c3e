// SPDX-License-Identifier: MIT
// The tile of the built-in set: the recipe that tool and stages share.
#include <string.h>

#include "lope/patches_build.h"
#include "lope/prepare.h"

bool lope_tile_builtin_uses(const char *motion)
{
    return strcmp(motion, "walk_slow") == 0 || strcmp(motion, "idle") == 0 || strncmp(motion, "stroll_", 7) == 0;
}

lope_status lope_tile_builtin(lope_jobs *jobs, const lope_progress *progress, lope_set **set, lope_tile **out,
                              lope_error *error)
{
    *out = NULL;
    lope_builtin_def builtin = {lope_tile_builtin_uses, LOPE_TILE_BUILTIN_TAKES, true};
    lope_tile_def def = lope_tile_def_default();
    lope_status status = lope_set_builtin(&builtin, jobs, progress, set, error);
    if (!status)
        status = lope_tile_build(*set, &def, jobs, progress, out, NULL, error);
    if (status) {
        lope_set_destroy(*set);
        *set = NULL;
    }
    return status;
}
