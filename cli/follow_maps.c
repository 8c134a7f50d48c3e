// SPDX-License-Identifier: MIT
#include "cli/follow.h"

static lope_status build(int threads, lope_builtin_maps *out, lope_error *error)
{
    lope_progress progress = {cli_progress_report, NULL};
    lope_jobs *jobs;
    lope_status status = lope_jobs_create(threads, &jobs, error);
    if (!status)
        status = lope_maps_builtin(jobs, &progress, out, error);
    cli_progress_end();
    lope_jobs_destroy(jobs);
    return status;
}

int follow_maps_open(const cli_command *command, const char *path, int threads, follow_maps *out)
{
    lope_error error = {0};
    *out = (follow_maps){0};
    lope_status status = cli_moves_open(path, &out->moves, &error);
    out->maps = out->moves ? out->moves->maps : NULL;
    if (!status && path && out->moves && !out->maps)
        return cli_fail(command, &(lope_error){LOPE_NOT_FOUND, .message = "these moves hold no motion maps"});
    if (!status && !out->maps) {
        status = path ? lope_maps_open(path, &out->own.maps, &error) : build(threads, &out->own, &error);
        out->maps = out->own.maps;
    }
    return status ? cli_fail(command, &error) : CLI_OK;
}

void follow_maps_close(follow_maps *maps)
{
    lope_maps_builtin_destroy(&maps->own);
    lope_moves_close(maps->moves);
    *maps = (follow_maps){0};
}
