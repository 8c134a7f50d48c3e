// SPDX-License-Identifier: MIT
#include "bench/clips.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static lope_status read_folder(const char *folder, bench_clips *out, lope_error *error)
{
    char **paths;
    int found;
    lope_status status = lope_find_clips(folder, &paths, &found, error);
    if (status)
        return status;
    out->items = calloc((size_t)found, sizeof *out->items);
    if (!out->items)
        abort();
    for (; out->count < found && !status; out->count += !status)
        status = lope_bvh_read(paths[out->count], NULL, &out->items[out->count], NULL, error);
    lope_paths_free(paths, found);
    return status;
}

lope_status bench_clips_load(const bench_run *run, const char *subject, bench_stand_in otherwise, bench_clips *out,
                             lope_error *error)
{
    char folder[1024] = "";
    struct stat info;
    *out = (bench_clips){0};
    if (bench_data(run))
        snprintf(folder, sizeof folder, "%s/%s", bench_data(run), subject);
    out->captured = folder[0] && stat(folder, &info) == 0 && S_ISDIR(info.st_mode);
    if (out->captured)
        return read_folder(folder, out, error);
    lope_synth_def def = lope_synth_def_default();
    def.variations = otherwise.takes;
    return otherwise.wanted ? lope_synth_clips(otherwise.wanted, &def, &out->items, &out->count, error) : LOPE_OK;
}

void bench_clips_free(bench_clips *clips)
{
    if (!clips->captured) {
        lope_clips_free(clips->items, clips->count);
    } else {
        for (int i = 0; i < clips->count; i++)
            lope_clip_destroy(clips->items[i]);
        free(clips->items);
    }
    *clips = (bench_clips){0};
}
