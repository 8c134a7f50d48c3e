// SPDX-License-Identifier: MIT
// Loading the sets of walks.
#include "bench/walk_sets.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CLIPS = 32 };

static const char *const names[BENCH_WALK_SETS] = {"built-in", "016 11-20", "016, five clips"};

// Numbers of the clips of subject 016, ended by 0.
static const int numbers[BENCH_WALK_SETS][MOST_CLIPS] = {
    {0}, {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 0}, {12, 13, 15, 17, 19, 0}};

static const char *const builtin[] = {"walk_slow",
                                      "walk_normal",
                                      "turn_left_gentle",
                                      "turn_right_gentle",
                                      "stroll_30_left",
                                      "stroll_30_right",
                                      "stroll_60_left",
                                      "stroll_60_right",
                                      "walk_start",
                                      "walk_stop",
                                      "turn_in_place_left_45",
                                      "turn_in_place_right_45",
                                      "turn_in_place_left_90",
                                      "turn_in_place_right_90",
                                      "turn_in_place_left_180",
                                      "turn_in_place_right_180"};

const char *bench_walk_set_name(bench_walk_set which)
{
    return names[which];
}

static lope_status read_builtin(lope_clip **clips, int *count, lope_error *error)
{
    lope_synth_def def = lope_synth_def_default();
    lope_status status = LOPE_OK;
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin && !status; i++) {
        status = lope_synth_clip(builtin[i], &def, 0, &clips[*count], error);
        *count += !status;
    }
    return status;
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
    lope_status status = which == BENCH_BUILTIN ? read_builtin(clips, &count, error)
                                                : read_subject(run, numbers[which], clips, &count, error);
    if (!status)
        status = lope_set_prepare((const lope_clip *const *)clips, count, &def, jobs, NULL, out, error);
    for (int i = 0; i < count; i++)
        lope_clip_destroy(clips[i]);
    return status;
}
