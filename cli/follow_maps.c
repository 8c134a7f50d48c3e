// SPDX-License-Identifier: MIT
// Motion maps for commands: from a file, or built from the built-in set on the spot.
#include "cli/follow.h"

#include "cli/maps.h"

static lope_status build(lope_jobs *jobs, follow_maps *out, lope_error *error)
{
    lope_clip **clips;
    int count;
    lope_progress progress = {cli_progress_report, NULL};
    lope_synth_def performer = lope_synth_def_default();
    lope_prepare_def prepare = lope_prepare_def_default();
    lope_steps_def steps = lope_steps_def_default();
    lope_maps_def maps = lope_maps_def_default();
    lope_status status = lope_synth_clips(cli_in_step_graph, &performer, &clips, &count, error);
    if (status)
        return status;
    status = lope_set_prepare((const lope_clip *const *)clips, count, &prepare, jobs, &progress, &out->set, error);
    lope_clips_free(clips, count);
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
