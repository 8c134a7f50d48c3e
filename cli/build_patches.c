// SPDX-License-Identifier: MIT
// `lope build --patches`: a square of walking that can be tiled.
#include <stdlib.h>
#include <string.h>

#include "cli/build.h"
#include "cli/ranks.h"
#include "lope/patches_build.h"

typedef struct report_row {
    const char *key, *name;
    double value;
    int decimals;
    const char *note;
} report_row;

enum { REPORT_ROWS = 19 };

// What is said of a tile; lengths times `scale` (100: centimetres), shares likewise.
static void list_rows(int clip_count, const lope_tile_report *r, double scale, report_row out[REPORT_ROWS])
{
    const double gates = r->gates;
    const report_row rows[REPORT_ROWS] = {
        {"clips", "clips", clip_count, 0, ""},
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
    memcpy(out, rows, sizeof rows);
}

static void print_json(const build_work *work, const lope_set *set, const report_row *rows, const lope_clip_use *uses)
{
    cli_json json = {stdout, 0, true};
    cli_json_open(&json, NULL, '{');
    cli_json_outputs(&json, &work->settings->outputs);
    for (int i = 0; i < REPORT_ROWS; i++)
        cli_json_number(&json, rows[i].key, rows[i].value);
    build_json_uses(&json, set, uses);
    build_fill_json(work, &json);
    cli_json_close(&json, '}');
}

static void print_report(const build_work *work, const lope_set *set, const lope_tile_report *r,
                         const lope_clip_use *uses)
{
    const build_settings *settings = work->settings;
    report_row rows[REPORT_ROWS];
    list_rows(set->clip_count, r, settings->json ? 1.0 : 100.0, rows);
    if (settings->json) {
        print_json(work, set, rows, uses);
        return;
    }
    const char *const headings[] = {settings->outputs.items[0].path, "", ""};
    cli_table *table = cli_table_create(headings, 3);
    for (int i = 0; i < REPORT_ROWS; i++) {
        cli_table_add(table, rows[i].name);
        cli_table_number(table, rows[i].value, rows[i].decimals);
        cli_table_add(table, rows[i].note);
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
    build_print_uses(set, uses, "pieces");
    build_fill_print(work);
}

static lope_status save(void *tile, const cli_output *output, lope_error *error)
{
    return lope_tile_save(tile, output->path, error);
}

// Sides suit legs of 84 cm, in steps of a quarter of a metre, so that floors can still be counted in tiles.
static lope_tile_def definition(const build_settings *settings, const lope_skeleton *skeleton)
{
    lope_tile_def def = lope_tile_def_default();
    float leg = lope_skeleton_leg_length(skeleton), side = leg > 0.0f ? def.size * leg / 0.84f : def.size;
    def.size = settings->tile_size > 0.0 ? (float)settings->tile_size : fmaxf(0.25f, 0.25f * roundf(side / 0.25f));
    def.gates = settings->gates > 0 ? settings->gates : def.gates;
    return def;
}

static void print_fitting(const lope_tile_def *asked, const lope_tile_def *used)
{
    if (used->size > asked->size || used->max_shift > asked->max_shift || used->ball > asked->ball)
        fprintf(stderr,
                "lope build: note: a tile of %.2f m has too few ways; built with %.2f m, edits of %.0f cm and %.0f "
                "degrees per metre, poses within %.0f cm\n",
                (double)asked->size, (double)used->size, 100.0 * (double)used->max_shift,
                (double)used->max_bend * 180.0 / LOPE_PI, 100.0 * (double)used->ball);
}

int build_patches(build_work *work, const lope_set *set)
{
    bool speaks = cli_ranks_speaks(work->ranks);
    const build_settings *settings = work->settings;
    lope_progress progress = {build_progress, work};
    lope_tile_def asked = definition(settings, set->skeleton), def = asked;
    lope_tile *tile = NULL;
    lope_tile_report report;
    lope_error error = {0};
    def.own_clips = work->filled.clips ? set->clip_count - work->filled.clips : 0;
    def.uses = cli_alloc((size_t)set->clip_count * sizeof *def.uses);
    lope_build_context context = {work->jobs, &progress};
    lope_status status = settings->tile_size > 0.0
                             ? lope_tile_build(set, &def, work->jobs, &progress, &tile, &report, &error)
                             : lope_tile_build_fitting(set, &def, &context, &tile, &report, &error);
    cli_progress_end();
    int result = build_save(work, save, tile, status, &error);
    lope_tile_destroy(tile);
    if (!result && speaks) {
        print_fitting(&asked, &def);
        print_report(work, set, &report, def.uses);
    }
    free(def.uses);
    return result;
}
