// SPDX-License-Identifier: MIT
// Mobility maps for commands.
#include "cli/maps.h"

#include <stdlib.h>
#include <string.h>

#include "lope/mobility_build.h"
#include "lope/patches_build.h"

bool cli_in_tile(const char *builtin)
{
    return strcmp(builtin, "walk_slow") == 0 || strcmp(builtin, "idle") == 0 || strncmp(builtin, "stroll_", 7) == 0;
}

bool cli_in_step_graph(const char *builtin)
{
    static const char *const beginnings[] = {"walk_s",    "walk_normal", "turn_left_gentle", "turn_right_gentle",
                                             "turn_in_p", "stroll_30",   "stroll_60"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(builtin, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

// The takes of the built-in motions that tiles are made of.
static lope_status make_tile_clips(lope_clip **clips, int *count, lope_error *error)
{
    lope_synth_def def = lope_synth_def_default();
    lope_status status = LOPE_OK;
    for (int i = 0; i < lope_synth_count() && !status; i++) {
        if (!cli_in_tile(lope_synth_name(i)))
            continue;
        for (int take = 0; take < CLI_TILE_TAKES && !status; take++) {
            status = lope_synth_clip(lope_synth_name(i), &def, take, &clips[*count], error);
            *count += !status;
        }
    }
    return status;
}

static lope_status build_tile(lope_jobs *jobs, lope_set **set, lope_tile **tile, lope_error *error)
{
    lope_clip **clips = cli_alloc((size_t)lope_synth_count() * CLI_TILE_TAKES * sizeof *clips);
    int count = 0;
    lope_progress progress = {cli_progress_report, NULL};
    lope_prepare_def prepare = lope_prepare_def_default();
    lope_tile_def def = lope_tile_def_default();
    prepare.mirror = true;
    lope_status status = make_tile_clips(clips, &count, error);
    if (!status)
        status = lope_set_prepare((const lope_clip *const *)clips, count, &prepare, jobs, &progress, set, error);
    if (!status)
        status = lope_tile_build(*set, &def, jobs, &progress, tile, NULL, error);
    for (int i = 0; i < count; i++)
        lope_clip_destroy(clips[i]);
    free(clips);
    return status;
}

int cli_tile_open(const cli_command *command, const char *path, lope_jobs *jobs, lope_set **set, lope_tile **tile)
{
    lope_error error = {0};
    lope_status status = path ? lope_tile_open(path, tile, &error) : build_tile(jobs, set, tile, &error);
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
