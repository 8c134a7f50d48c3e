// SPDX-License-Identifier: MIT
// Mobility maps for commands.
#include "cli/maps.h"

#include "lope/mobility_build.h"
#include "lope/moves_build.h"
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

lope_status cli_moves_open(const char *path, lope_moves **out, lope_error *error)
{
    lope_container *container;
    lope_status status = path ? lope_container_open(path, &container, error) : LOPE_OK;
    *out = NULL;
    if (status)
        return status;
    bool moves = !path || lope_container_find(container, LOPE_MOVES_CHUNK, 0) >= 0;
    if (path)
        lope_container_close(container);
    if (!moves)
        return LOPE_OK;
    status = lope_moves_open(path, out, error);
    return status == LOPE_NOT_FOUND && !path ? LOPE_OK : status;
}

lope_status cli_moves_need(const char *path, lope_jobs *jobs, lope_moves **out, lope_error *error)
{
    const lope_progress progress = {cli_progress_report, NULL};
    lope_status status = cli_moves_open(path, out, error);
    if (status || *out)
        return status;
    if (!path) {
        status = lope_moves_builtin(jobs, &progress, out, error);
        cli_progress_end();
        return status;
    }
    *error = (lope_error){.status = LOPE_BAD_DATA};
    snprintf(error->message, sizeof error->message, "%s holds no moves; 'lope build CLIPS -o moves.lope' makes some",
             path);
    return LOPE_BAD_DATA;
}

static lope_status build_builtin(int threads, cli_map *out, lope_error *error)
{
    lope_progress progress = {cli_progress_report, NULL};
    lope_jobs *jobs;
    lope_status status = lope_jobs_create(threads, &jobs, error);
    if (!status)
        status = lope_mobility_builtin(jobs, &progress, &out->set, &out->own, error);
    cli_progress_end();
    lope_jobs_destroy(jobs);
    return status;
}

int cli_map_open(const cli_command *command, const char *path, int threads, cli_map *out)
{
    *out = (cli_map){0};
    lope_error error = {0};
    lope_status status = cli_moves_open(path, &out->moves, &error);
    if (!status && !out->moves)
        status = path ? lope_mobility_open(path, &out->own, &error) : build_builtin(threads, out, &error);
    out->map = out->moves ? out->moves->mobility : out->own;
    if (!status)
        return CLI_OK;
    cli_map_close(out);
    return cli_fail(command, &error);
}

void cli_map_close(cli_map *map)
{
    lope_moves_close(map->moves);
    lope_mobility_close(map->own);
    lope_set_destroy(map->set);
    *map = (cli_map){0};
}
