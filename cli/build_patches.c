// SPDX-License-Identifier: MIT
// `lope build --patches`: a square of walking that can be tiled.
#include "cli/build.h"
#include "cli/ranks.h"
#include "lope/patches_build.h"

typedef struct report_row {
    const char *key, *name;
    double value;
    int decimals;
    const char *note;
} report_row;

static void print_report(const build_work *work, const lope_set *set, const lope_tile_report *r)
{
    const build_settings *settings = work->settings;
    double gates = r->gates, scale = settings->json ? 1.0 : 100.0;
    const report_row rows[] = {
        {"clips", "clips", set->clip_count, 0, ""},
        {"frames", "frames", r->frames, 0, ""},
        {"passes", "moments near a typical pose", r->passes, 0, ""},
        {"pieces", "pieces between them", r->pieces, 0, ""},
        {"gates", "gates", 4.0 * gates, 0, "on all four sides"},
        {"links", "connections", 4.0 * r->links, 0, ""},
        {"links_per_gate", "connections of a gate", r->links / gates, 1, ""},
        {"share", "of all pairs of gates", scale * r->links / (4.0 * gates * gates), 1, "%"},
        {"ahead", "ahead", r->links_to[0] / gates, 1, "of each gate's"},
        {"left", "to the left", r->links_to[1] / gates, 1, ""},
        {"back", "back", r->links_to[2] / gates, 1, ""},
        {"right", "to the right", r->links_to[3] / gates, 1, ""},
        {"stops", "ways to stand still", r->stops, 0, "from all gates of a side"},
        {"starts", "and from there", r->starts, 0, ""},
        {"junction_pose", "poses apart at junctions", scale * (double)r->junction_pose, 1, "cm, median"},
        {"junction_pose_95", "", scale * (double)r->junction_pose_95, 1, "cm, 95th percentile"},
        {"junction_foot", "a standing foot jumps", scale * (double)r->junction_foot, 1,
         "cm, median, before it is locked"},
        {"junction_foot_95", "", scale * (double)r->junction_foot_95, 1, "cm, 95th percentile"},
        {"seconds", "built in", r->seconds, 2, "s"},
    };
    const int count = (int)(sizeof rows / sizeof *rows);
    if (settings->json) {
        cli_json json = {stdout, 0, true};
        cli_json_open(&json, NULL, '{');
        cli_json_outputs(&json, &settings->outputs);
        for (int i = 0; i < count; i++)
            cli_json_number(&json, rows[i].key, rows[i].value);
        build_fill_json(work, &json);
        cli_json_close(&json, '}');
        return;
    }
    const char *const headings[] = {settings->outputs.items[0].path, "", ""};
    cli_table *table = cli_table_create(headings, 3);
    for (int i = 0; i < count; i++) {
        cli_table_add(table, rows[i].name);
        cli_table_number(table, rows[i].value, rows[i].decimals);
        cli_table_add(table, rows[i].note);
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
    build_fill_print(work);
}

static lope_status save(void *tile, const cli_output *output, lope_error *error)
{
    return lope_tile_save(tile, output->path, error);
}

int build_patches(build_work *work, const lope_set *set)
{
    bool speaks = cli_ranks_speaks(work->ranks);
    const build_settings *settings = work->settings;
    lope_progress progress = {build_progress, work};
    lope_tile_def def = lope_tile_def_default();
    def.size = settings->tile_size > 0.0 ? (float)settings->tile_size : def.size;
    def.gates = settings->gates > 0 ? settings->gates : def.gates;
    lope_tile *tile = NULL;
    lope_tile_report report;
    lope_error error = {0};
    lope_status status = lope_tile_build(set, &def, work->jobs, &progress, &tile, &report, &error);
    cli_progress_end();
    int result = build_save(work, save, tile, status, &error);
    lope_tile_destroy(tile);
    if (!result && speaks)
        print_report(work, set, &report);
    return result;
}
