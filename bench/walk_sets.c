// SPDX-License-Identifier: MIT
// Loading the sets of walks.
#include "bench/walk_sets.h"

#include <stdio.h>

enum { MOST_CLIPS = 32 };

static const char *const names[BENCH_WALK_SETS] = {"built-in", "016 11-20", "016, five clips"};

// Numbers of the clips of subject 016, ended by 0.
static const int numbers[BENCH_WALK_SETS][MOST_CLIPS] = {
    {0}, {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 0}, {12, 13, 15, 17, 19, 0}};

const char *bench_walk_set_name(bench_walk_set which)
{
    return names[which];
}

static lope_status read_subject(const bench_run *run, const int *wanted, lope_clip **clips, int *count,
                                lope_error *error)
{
    if (!bench_data(run)) {
        *error = (lope_error){.status = LOPE_NOT_FOUND, .message = "captured clips are not there"};
        return LOPE_NOT_FOUND;
    }
    lope_status status = LOPE_OK;
    for (; *wanted && !status; wanted++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/016/16_%02d.bvh", bench_data(run), *wanted);
        status = lope_bvh_read(path, NULL, &clips[*count], NULL, error);
        *count += !status;
    }
    return status;
}

lope_status bench_walk_set_load(const bench_run *run, bench_walk_set which, lope_jobs *jobs, lope_set **out,
                                lope_error *error)
{
    *out = NULL;
    lope_clip *clips[MOST_CLIPS];
    int count = 0;
    lope_prepare_def def = lope_prepare_def_default();
    if (which == BENCH_BUILTIN)
        return lope_set_builtin(&(lope_builtin_def){lope_maps_builtin_uses, 1, false}, jobs, NULL, out, error);
    lope_status status = read_subject(run, numbers[which], clips, &count, error);
    if (!status)
        status = lope_set_prepare((const lope_clip *const *)clips, count, &def, jobs, NULL, out, error);
    for (int i = 0; i < count; i++)
        lope_clip_destroy(clips[i]);
    return status;
}
