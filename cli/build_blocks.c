// SPDX-License-Identifier: MIT
// `lope build --blocks`: a walk tile, and what people do at things.
#include "cli/build.h"
#include "cli/maps.h"
#include "cli/ranks.h"
#include "lope/blocks_build.h"

static void print_json(const lope_blocks *blocks, const lope_blocks_report *report, const char *path)
{
    cli_json json = {stdout, 0, true};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "file", path);
    cli_json_number(&json, "clips", blocks->set->clip_count);
    cli_json_number(&json, "seconds", report->seconds);
    cli_json_open(&json, "units", '[');
    for (int i = 0; i < blocks->unit_count; i++)
        cli_json_text(&json, NULL, blocks->units[i].name);
    cli_json_close(&json, ']');
    cli_json_open(&json, "blocks", '[');
    for (int i = 0; i < blocks->block_count; i++) {
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "name", blocks->blocks[i].name);
        cli_json_number(&json, "gates", blocks->blocks[i].gate_count);
        cli_json_number(&json, "links", blocks->blocks[i].link_count);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
}

static void print_table(const lope_blocks *blocks, const lope_blocks_report *report, const char *path)
{
    const char *const headings[] = {"block", "units", "gates", "segments"};
    cli_table *table = cli_table_create(headings, 4);
    for (int i = 0; i < blocks->block_count; i++) {
        const lope_block *block = &blocks->blocks[i];
        cli_table_add(table, block->name);
        cli_table_number(table, block->unit_count, 0);
        cli_table_number(table, block->gate_count, 0);
        cli_table_number(table, block->link_count, 0);
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
    printf("%s: %d blocks of %d things, found in %.2f s\n", path, blocks->block_count, blocks->unit_count,
           report->seconds);
}

static lope_status make(build_work *work, lope_set **set, lope_stage **stage, lope_tile **tile, lope_blocks **blocks,
                        lope_blocks_report *report, lope_error *error)
{
    const build_settings *settings = work->settings;
    lope_progress progress = {build_progress, work};
    lope_blocks_def def = lope_blocks_def_default();
    lope_tile_def tile_def = lope_tile_def_default();
    tile_def.size = settings->tile_size > 0.0 ? (float)settings->tile_size : tile_def.size;
    tile_def.gates = settings->gates > 0 ? settings->gates : tile_def.gates;
    lope_status status = lope_stage_builtin(CLI_TILE_TAKES, work->jobs, set, stage, error);
    if (status)
        return status;
    tile_def.clips = (*stage)->walking_clips;
    status = lope_tile_build(*set, &tile_def, work->jobs, &progress, tile, NULL, error);
    if (status)
        return status;
    return lope_blocks_build(*set, *stage, *tile, &tile_def, &def, work->jobs, blocks, report, error);
}

int build_blocks(build_work *work)
{
    const build_settings *settings = work->settings;
    lope_set *set = NULL;
    lope_stage *stage = NULL;
    lope_tile *tile = NULL;
    lope_blocks *blocks = NULL;
    lope_blocks_report report;
    lope_error error = {0};
    bool speaks = cli_ranks_speaks(work->ranks);
    lope_status status = lope_jobs_create(build_threads(work), &work->jobs, &error);
    if (!status)
        status = make(work, &set, &stage, &tile, &blocks, &report, &error);
    cli_progress_end();
    if (!status && speaks)
        status = lope_blocks_save(blocks, settings->output, &error);
    int result = !status ? CLI_OK : speaks ? cli_fail(work->command, &error) : cli_exit_code(error.status);
    if (!status && speaks && settings->json)
        print_json(blocks, &report, settings->output);
    else if (!status && speaks)
        print_table(blocks, &report, settings->output);
    lope_blocks_destroy(blocks);
    lope_tile_destroy(tile);
    lope_stage_destroy(stage);
    lope_set_destroy(set);
    lope_jobs_destroy(work->jobs);
    return result;
}
