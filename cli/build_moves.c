// SPDX-License-Identifier: MIT
// `lope build` without a kind: the moves of one body.
#include "cli/build.h"
#include "cli/maps.h"
#include "cli/ranks.h"
#include "lope/moves_build.h"

void cli_print_moves(const lope_moves *moves)
{
    static const char *const headings[] = {"moves", "from", "why"};
    cli_table *table = cli_table_create(headings, 3);
    for (int i = 0; i < moves->line_count; i++) {
        cli_table_add(table, moves->lines[i].what);
        cli_table_add(table, moves->lines[i].from);
        cli_table_add(table, moves->lines[i].why);
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}

void cli_json_moves(cli_json *json, const lope_moves *moves)
{
    cli_json_open(json, "moves", '[');
    for (int i = 0; i < moves->line_count; i++) {
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "what", moves->lines[i].what);
        cli_json_text(json, "from", moves->lines[i].from);
        cli_json_text(json, "why", moves->lines[i].why);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static lope_status build(build_work *work, lope_moves **out, lope_error *error)
{
    const build_settings *settings = work->settings;
    lope_progress progress = {build_progress, work};
    if (settings->builtin)
        return lope_moves_builtin(work->jobs, &progress, out, error);
    lope_scenery *scenery = NULL;
    lope_stage_file *stage = NULL;
    lope_status status = settings->scenery ? lope_scenery_read(settings->scenery, &scenery, error) : LOPE_OK;
    if (!status && settings->stage)
        status = lope_stage_read(settings->stage, &stage, error);
    build_clips all = build_clips_all(work);
    lope_moves_def def = lope_moves_def_default();
    def.scenery = scenery;
    def.stage = stage;
    def.prepare = settings->prepare;
    def.prepare.floors = all.floors;
    def.prepare.mended = all.mended;
    def.pure = settings->pure;
    def.jobs = work->jobs;
    def.progress = &progress;
    if (!status)
        status = lope_moves_build(all.clips, all.count, &def, out, error);
    build_clips_free(work, &all, !status && !scenery && !stage);
    lope_scenery_destroy(scenery);
    lope_stage_file_destroy(stage);
    return status;
}

static lope_status save(void *moves, const cli_output *output, lope_error *error)
{
    return lope_moves_save(moves, output->path, error);
}

int build_moves(build_work *work)
{
    const build_settings *settings = work->settings;
    lope_error error = {0};
    lope_moves *moves = NULL;
    lope_jobs *jobs = work->jobs;
    lope_status status = jobs ? LOPE_OK : lope_jobs_create(build_threads(work), &work->jobs, &error);
    if (!status)
        status = build(work, &moves, &error);
    cli_progress_end();
    int result = build_save(work, save, moves, status, &error);
    if (!result && cli_ranks_speaks(work->ranks) && settings->json) {
        cli_json json = {stdout, 0, true};
        cli_json_open(&json, NULL, '{');
        cli_json_outputs(&json, &settings->outputs);
        cli_json_moves(&json, moves);
        cli_json_close(&json, '}');
    } else if (!result && cli_ranks_speaks(work->ranks)) {
        cli_print_moves(moves);
    }
    lope_moves_close(moves);
    if (!jobs)
        lope_jobs_destroy(work->jobs);
    return result;
}
