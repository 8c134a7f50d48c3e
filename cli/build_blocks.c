// SPDX-License-Identifier: MIT
// `lope build --blocks`: a walk tile, and what people do at things.
#include "cli/build.h"

#include <math.h>
#include <stdlib.h>

#include "cli/maps.h"
#include "cli/ranks.h"
#include "lope/blocks_build.h"

// Where the nearest other thing of the same kind stands in any block, above or ahead; false where there is none.
static bool next_in_row(const lope_blocks *blocks, int unit, lope_spot *out)
{
    float least = INFINITY;
    for (int b = 0; b < blocks->block_count; b++) {
        const lope_placed_unit *placed = blocks->placed + blocks->blocks[b].unit_first;
        int count = blocks->blocks[b].unit_count;
        for (int i = 0; i < count * count; i++) {
            const lope_placed_unit *from = &placed[i / count], *to = &placed[i % count];
            lope_spot move = lope_spot_mul(lope_spot_inverse(from->at), to->at);
            float far = move.x * move.x + move.y * move.y + move.z * move.z;
            if (from == to || from->unit != unit || to->unit != unit || move.y < 0.0f || far >= least)
                continue;
            least = far;
            *out = move;
        }
    }
    return least < INFINITY;
}

// How things stand in a world: how large they are, and where the next one of the same kind stands if they come in rows.
static void print_units(const lope_blocks *blocks)
{
    const char *const headings[] = {"thing", "width m", "height m", "depth m", "next one at x", "y", "z"};
    cli_table *table = cli_table_create(headings, 7);
    for (int i = 0; i < blocks->unit_count; i++) {
        const lope_unit *unit = &blocks->units[i];
        lope_spot next = {(float)NAN, (float)NAN, (float)NAN, 0.0f};
        bool row = next_in_row(blocks, i, &next);
        cli_table_add(table, unit->name);
        cli_table_number(table, (double)(unit->high.x - unit->low.x), 3);
        cli_table_number(table, (double)(unit->high.y - unit->low.y), 3);
        cli_table_number(table, (double)(unit->high.z - unit->low.z), 3);
        cli_table_number(table, row ? (double)next.x : (double)NAN, 3);
        cli_table_number(table, row ? (double)next.y : (double)NAN, 3);
        cli_table_number(table, row ? (double)next.z : (double)NAN, 3);
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
    printf("\n");
}

static void print_json(const lope_blocks *blocks, const lope_blocks_report *report, const cli_outputs *outputs)
{
    cli_json json = {stdout, 0, true};
    cli_json_open(&json, NULL, '{');
    cli_json_outputs(&json, outputs);
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

static void print_table(const lope_blocks *blocks, const lope_blocks_report *report, const cli_outputs *outputs)
{
    print_units(blocks);
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
    cli_print_outputs(outputs);
    printf(": %d blocks of %d things, found in %.2f s\n", blocks->block_count, blocks->unit_count, report->seconds);
}

// Everything that is made.
typedef struct made {
    lope_scenery *scenery;
    lope_stage_file *file;
    lope_set *set;
    lope_stage *stage;
    lope_tile *tile;
    lope_blocks *blocks;
    lope_blocks_report report;
} made;

// Reads what the clips were performed on.
static lope_status read_stage(const build_settings *settings, made *m, lope_error *error)
{
    lope_status status = settings->scenery ? lope_scenery_read(settings->scenery, &m->scenery, error) : LOPE_OK;
    return !status && settings->stage ? lope_stage_read(settings->stage, &m->file, error) : status;
}

static lope_status set_captured_stage(build_work *work, const lope_progress *progress, made *m, lope_error *error)
{
    const build_settings *settings = work->settings;
    build_clips all = build_clips_all(work);
    lope_stage_def def = {.scenery = m->scenery, .file = m->file, .jobs = work->jobs, .progress = progress};
    lope_status status = lope_stage_captured(all.clips, all.count, &def, &m->set, &m->stage, error);
    if (status && !error->file[0])
        snprintf(error->file, sizeof error->file, "%s", settings->scenery ? settings->scenery : settings->stage);
    build_clips_free(work, &all, false);
    return status;
}

static lope_status make(build_work *work, made *m, lope_error *error)
{
    const build_settings *settings = work->settings;
    lope_progress progress = {build_progress, work};
    lope_blocks_def def = lope_blocks_def_default();
    lope_tile_def tile_def = lope_tile_def_default();
    def.dense = settings->dense;
    tile_def.size = settings->tile_size > 0.0 ? (float)settings->tile_size : tile_def.size;
    tile_def.gates = settings->gates > 0 ? settings->gates : tile_def.gates;
    lope_status status = read_stage(settings, m, error);
    if (!status && settings->builtin && m->file && m->file->performance_count + m->file->part_count > 0) {
        *error =
            (lope_error){LOPE_NOT_FOUND, .message = "the stage names clips, and none were given: name their files"};
        status = error->status;
    }
    if (!status)
        status = !settings->builtin
                     ? set_captured_stage(work, &progress, m, error)
                     : lope_stage_builtin(LOPE_TILE_BUILTIN_TAKES, work->jobs, &m->set, &m->stage, error);
    if (!status && m->file)
        status = lope_stage_vary(m->file, &m->set, m->stage, error);
    if (status)
        return status;
    tile_def.clips = m->stage->walking_clips;
    status = lope_tile_build(m->set, &tile_def, work->jobs, &progress, &m->tile, NULL, error);
    if (status)
        return status;
    return lope_blocks_build(m->set, m->stage, m->tile, &tile_def, &def, work->jobs, &m->blocks, &m->report, error);
}

static void release(build_work *work, made *m)
{
    lope_blocks_destroy(m->blocks);
    lope_tile_destroy(m->tile);
    lope_stage_destroy(m->stage);
    lope_set_destroy(m->set);
    lope_scenery_destroy(m->scenery);
    lope_stage_file_destroy(m->file);
    lope_jobs_destroy(work->jobs);
    for (int i = 0; work->loaded && i < work->sources.count; i++)
        cli_loaded_free(&work->loaded[i]);
    free(work->loaded);
}

static lope_status save(void *blocks, const cli_output *output, lope_error *error)
{
    return lope_blocks_save(blocks, output->path, error);
}

int build_blocks(build_work *work)
{
    const build_settings *settings = work->settings;
    made m = {0};
    lope_error error = {0};
    bool speaks = cli_ranks_speaks(work->ranks);
    int result = settings->builtin ? CLI_OK : build_load(work);
    if (result) {
        release(work, &m);
        return result;
    }
    lope_status status = lope_jobs_create(build_threads(work), &work->jobs, &error);
    if (!status)
        status = make(work, &m, &error);
    cli_progress_end();
    result = build_save(work, save, m.blocks, status, &error);
    if (!result && speaks && settings->json)
        print_json(m.blocks, &m.report, &settings->outputs);
    else if (!result && speaks)
        print_table(m.blocks, &m.report, &settings->outputs);
    release(work, &m);
    return result;
}
