// SPDX-License-Identifier: MIT
// Motion maps of the built-in set: the recipe that tool, benchmarks and moves share.
#include <string.h>

#include "lope/prepare.h"
#include "lope/steps_build.h"

bool lope_maps_builtin_uses(const char *motion)
{
    static const char *const beginnings[] = {"walk_s",    "walk_normal", "turn_left_gentle", "turn_right_gentle",
                                             "turn_in_p", "stroll_30",   "stroll_60"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(motion, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

lope_status lope_maps_builtin(lope_jobs *jobs, const lope_progress *progress, lope_builtin_maps *out, lope_error *error)
{
    *out = (lope_builtin_maps){0};
    lope_builtin_def builtin = {lope_maps_builtin_uses, 1, false};
    lope_steps_def steps = lope_steps_def_default();
    lope_maps_def maps = lope_maps_def_default();
    lope_status status = lope_set_builtin(&builtin, jobs, progress, &out->set, error);
    if (!status)
        status = lope_steps_build(out->set, &steps, jobs, progress, &out->steps, NULL, error);
    if (!status)
        status = lope_maps_build(out->steps, &maps, jobs, progress, &out->maps, NULL, error);
    if (status)
        lope_maps_builtin_destroy(out);
    return status;
}

void lope_maps_builtin_destroy(lope_builtin_maps *maps)
{
    if (!maps)
        return;
    lope_maps_destroy(maps->maps);
    lope_steps_destroy(maps->steps);
    lope_set_destroy(maps->set);
    *maps = (lope_builtin_maps){0};
}
