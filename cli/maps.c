// SPDX-License-Identifier: MIT
// Mobility maps for commands.
#include "cli/maps.h"

#include "lope/mobility_build.h"
#include "lope/patches_build.h"

int cli_tile_open(const cli_command *command, const char *path, lope_jobs *jobs, lope_set **set, lope_tile **tile)
{
    lope_error error = {0};
    lope_progress progress = {cli_progress_report, NULL};
    lope_status status =
        path ? lope_tile_open(path, tile, &error) : lope_tile_builtin(jobs, &progress, set, tile, &error);
    cli_progress_end();
    return status ? cli_fail(command, &error) : CLI_OK;
}

static lope_status build_builtin(lope_jobs *jobs, cli_map *out, lope_error *error)
{
    lope_progress progress = {cli_progress_report, NULL};
    lope_status status = lope_mobility_builtin(jobs, &progress, &out->set, &out->map, error);
    cli_progress_end();
    return status;
}

int cli_map_open(const cli_command *command, const char *path, int threads, cli_map *out)
{
    *out = (cli_map){0};
    lope_error error = {0};
    lope_jobs *jobs = NULL;
    lope_status status = LOPE_OK;
    if (path) {
        status = lope_mobility_open(path, &out->map, &error);
    } else {
        status = lope_jobs_create(threads, &jobs, &error);
        if (!status)
            status = build_builtin(jobs, out, &error);
        lope_jobs_destroy(jobs);
    }
    if (!status)
        return CLI_OK;
    cli_map_close(out);
    return cli_fail(command, &error);
}

void cli_map_close(cli_map *map)
{
    lope_mobility_close(map->map);
    lope_set_destroy(map->set);
    *map = (cli_map){0};
}
