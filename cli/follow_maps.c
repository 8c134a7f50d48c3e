// SPDX-License-Identifier: MIT
// Motion maps for commands: from a file, or built from the built-in set on the spot.
#include "cli/follow.h"

#include <stdlib.h>

#include "cli/maps.h"

static lope_status make_clips(lope_clip **clips, int *count, lope_error *error)
{
    lope_synth_def def = lope_synth_def_default();
    lope_status status = LOPE_OK;
    for (int i = 0; i < lope_synth_count() && !status; i++)
        if (cli_in_step_graph(lope_synth_name(i))) {
            status = lope_synth_clip(lope_synth_name(i), &def, 0, &clips[*count], error);
            *count += !status;
        }
    return status;
}

static lope_status build(lope_jobs *jobs, follow_maps *out, lope_error *error)
{
    lope_clip **clips = cli_alloc((size_t)lope_synth_count() * sizeof *clips);
    int count = 0;
    lope_progress progress = {cli_progress_report, NULL};
    lope_prepare_def prepare = lope_prepare_def_default();
    lope_steps_def steps = lope_steps_def_default();
    lope_maps_def maps = lope_maps_def_default();
    lope_status status = make_clips(clips, &count, error);
    if (!status)
        status = lope_set_prepare((const lope_clip *const *)clips, count, &prepare, jobs, &progress, &out->set, error);
    for (int i = 0; i < count; i++)
        lope_clip_destroy(clips[i]);
    free((void *)clips);
    if (!status)
        status = lope_steps_build(out->set, &steps, jobs, &progress, &out->steps, NULL, error);
    if (!status)
        status = lope_maps_build(out->steps, &maps, jobs, &progress, &out->maps, NULL, error);
    cli_progress_end();
    return status;
}

int follow_maps_open(const cli_command *command, const char *path, int threads, follow_maps *out)
{
    lope_error error = {0};
    lope_jobs *jobs = NULL;
    *out = (follow_maps){0};
    lope_status status = path ? lope_maps_open(path, &out->maps, &error) : lope_jobs_create(threads, &jobs, &error);
    if (!status && !path)
        status = build(jobs, out, &error);
    lope_jobs_destroy(jobs);
    if (status)
        follow_maps_close(out);
    return status ? cli_fail(command, &error) : CLI_OK;
}

void follow_maps_close(follow_maps *maps)
{
    lope_maps_destroy(maps->maps);
    lope_steps_destroy(maps->steps);
    lope_set_destroy(maps->set);
    *maps = (follow_maps){0};
}
