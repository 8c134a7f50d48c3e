// SPDX-License-Identifier: MIT
// The map of the built-in set: the recipe that tool, studio, benchmarks and examples share.
//
// The procedural walks differ little from each other, but begin and end their turns alike. Compared by joint angles
// they meet only there; compared by where joints are over a window of time, they meet on the way, too, and bodies can
// turn in many more places: half the time to stand at a goal, and a third of the detours.
#include <string.h>

#include "lope/mobility_build.h"
#include "lope/prepare.h"

bool lope_mobility_builtin_uses(const char *motion)
{
    static const char *const beginnings[] = {"walk_s", "walk_n",     "walk_f",     "turn_",
                                             "veer_",  "side_step_", "back_steps", "idle"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(motion, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

lope_mobility_def lope_mobility_def_builtin(void)
{
    lope_mobility_def def = lope_mobility_def_default();
    def.transitions = lope_transition_def_default(LOPE_METRIC_CLOUD);
    return def;
}

lope_status lope_mobility_builtin(lope_jobs *jobs, const lope_progress *progress, lope_set **set, lope_mobility **out,
                                  lope_error *error)
{
    *out = NULL;
    lope_builtin_def builtin = {lope_mobility_builtin_uses, LOPE_MOBILITY_BUILTIN_TAKES, false};
    lope_mobility_def def = lope_mobility_def_builtin();
    lope_status status = lope_set_builtin(&builtin, jobs, progress, set, error);
    if (!status)
        status = lope_mobility_build(*set, &def, jobs, progress, out, NULL, error);
    if (status) {
        lope_set_destroy(*set);
        *set = NULL;
    }
    return status;
}
