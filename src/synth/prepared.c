// SPDX-License-Identifier: MIT
// Parts of the built-in set, prepared as clips of files are.
#include "base/error.h"
#include "lope/import.h"
#include "lope/prepare.h"
#include "lope/synth.h"

lope_status lope_set_builtin(const lope_builtin_def *def, lope_jobs *jobs, const lope_progress *progress,
                             lope_set **out, lope_error *error)
{
    lope_clip **clips;
    int count;
    lope_synth_def performer = lope_synth_def_default();
    lope_prepare_def prepare = lope_prepare_def_default();
    *out = NULL;
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, takes, 1, 1000)); // as many as lope_synth_clips makes
    if (status)
        return status;
    performer.variations = def->takes;
    prepare.mirror = def->mirror;
    status = lope_synth_clips(def->wanted, &performer, &clips, &count, error);
    if (status)
        return status;
    status = lope_set_prepare((const lope_clip *const *)clips, count, &prepare, jobs, progress, out, error);
    lope_clips_free(clips, count);
    return status;
}
