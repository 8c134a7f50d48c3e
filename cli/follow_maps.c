// SPDX-License-Identifier: MIT
// Motion maps for commands: from a file, or built from the built-in set on the spot.
#include "cli/follow.h"

int follow_maps_open(const cli_command *command, const char *path, int threads, lope_builtin_maps *out)
{
    lope_error error = {0};
    lope_jobs *jobs = NULL;
    lope_progress progress = {cli_progress_report, NULL};
    *out = (lope_builtin_maps){0};
    lope_status status = path ? lope_maps_open(path, &out->maps, &error) : lope_jobs_create(threads, &jobs, &error);
    if (!status && !path)
        status = lope_maps_builtin(jobs, &progress, out, &error);
    cli_progress_end();
    lope_jobs_destroy(jobs);
    return status ? cli_fail(command, &error) : CLI_OK;
}
