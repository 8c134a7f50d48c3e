// SPDX-License-Identifier: MIT
// `lope build --maps`: clips cut into steps, steps joined into a graph, every step unrolled into its motion map.
#include <stdlib.h>

#include "cli/build.h"
#include "cli/ranks.h"
#include "lope/steps_build.h"

static lope_steps_def definition(const build_settings *settings, const lope_skeleton *skeleton)
{
    if (settings->published)
        return lope_steps_def_published((lope_steps_kind)settings->graph);
    lope_steps_def def = lope_steps_def_for(skeleton);
    def.kind = (lope_steps_kind)settings->graph;
    def.align = (lope_steps_align)settings->align;
    def.threshold = settings->threshold > 0.0 ? (float)settings->threshold : def.threshold;
    def.window = settings->window > 0.0 ? (float)settings->window : def.window;
    def.max_branching = settings->branching;
    def.min_branching = settings->min_branching >= 0 ? settings->min_branching : def.min_branching;
    def.max_slip = (float)settings->max_slip;
    def.speed_ratio = (float)settings->speed_ratio;
    return def;
}

// What is told about a build.
typedef struct maps_result {
    lope_steps_report steps;
    lope_maps_report maps;
    lope_clip_use *uses; // [clip_count]
} maps_result;

static void print_json(const build_work *work, const lope_set *set, const maps_result *result)
{
    const lope_steps_report *r = &result->steps;
    const lope_maps_report *m = &result->maps;
    cli_json json = {stdout, 0, true};
    cli_json_open(&json, NULL, '{');
    cli_json_outputs(&json, &work->settings->outputs);
    cli_json_number(&json, "clips", set->clip_count);
    cli_json_number(&json, "pieces", r->pieces);
    cli_json_number(&json, "merged", r->merged);
    cli_json_number(&json, "steps", r->nodes);
    cli_json_number(&json, "edges", r->edges);
    cli_json_number(&json, "transitions", r->transitions);
    cli_json_number(&json, "stand_edges", r->stand_edges);
    cli_json_number(&json, "starts", r->starts);
    cli_json_number(&json, "stops", r->stops);
    cli_json_number(&json, "component", r->component);
    cli_json_number(&json, "branching", r->branching);
    cli_json_number(&json, "most_branching", r->most_branching);
    cli_json_number(&json, "rescued", r->rescued);
    cli_json_number(&json, "locked", r->locked);
    cli_json_number(&json, "mean_cost", (double)r->mean_cost);
    cli_json_number(&json, "mean_slip", (double)r->mean_slip);
    cli_json_number(&json, "most_slip", (double)r->most_slip);
    cli_json_number(&json, "cloud_slip", (double)r->cloud_slip);
    cli_json_number(&json, "slowest", (double)r->slowest);
    cli_json_number(&json, "fastest", (double)r->fastest);
    cli_json_number(&json, "graph_seconds", r->seconds);
    cli_json_number(&json, "map_nodes", (double)m->nodes);
    cli_json_number(&json, "map_cells", (double)m->cells);
    cli_json_number(&json, "map_bytes", (double)m->bytes);
    cli_json_number(&json, "map_seconds", m->seconds);
    build_json_uses(&json, set, result->uses);
    build_fill_json(work, &json);
    cli_json_close(&json, '}');
}

static void print_table(const lope_set *set, const lope_steps_report *r, const lope_maps_report *m, const char *path)
{
    const char *const headings[] = {path, "", ""};
    char clips[64], ways[64], joins[64], slips[96], speeds[64], cells[64], unrolled[64], kinds[96];
    snprintf(clips, sizeof clips, "of %d in %d clips, %d like another", r->pieces, set->clip_count, r->merged);
    snprintf(ways, sizeof ways, "ways on, mean; %d at most", r->most_branching);
    snprintf(joins, sizeof joins, "cm apart on average");
    snprintf(slips, sizeof slips, "cm, mean; %.1f at most; %.1f if clouds alone were aligned",
             100.0 * (double)r->most_slip, 100.0 * (double)r->cloud_slip);
    snprintf(speeds, sizeof speeds, "m/s, the slowest clip; %.2f the fastest", (double)r->fastest);
    snprintf(cells, sizeof cells, "walks ahead of all steps, in %zu cells", m->cells);
    snprintf(unrolled, sizeof unrolled, "s; %.1f MB", 1e-6 * (double)m->bytes);
    cli_table *table = cli_table_create(headings, 3);
    build_add_row(table, "steps", r->nodes, 0, clips);
    build_add_row(table, "connected", r->component, 0, "from each of which all can be walked to");
    build_add_row(table, "branching", r->branching, 2, ways);
    snprintf(kinds, sizeof kinds, "beside the clips going on; %d above the threshold, where ways on are few",
             r->rescued);
    build_add_row(table, "transitions", r->transitions, 0, kinds);
    build_add_row(table, "fit", 100.0 * (double)r->mean_cost, 1, joins);
    build_add_row(table, "slip of the foot", 100.0 * (double)r->mean_slip, 1, slips);
    build_add_row(table, "starts", r->starts, 0, "from standing");
    build_add_row(table, "stops", r->stops, 0, "in standing");
    build_add_row(table, "locked in a turn", r->locked, 0, "steps");
    build_add_row(table, "speed", (double)r->slowest, 2, speeds);
    build_add_row(table, "graph", r->seconds, 3, "s");
    build_add_row(table, "motion maps", (double)m->nodes, 0, cells);
    build_add_row(table, "unrolling", m->seconds, 3, unrolled);
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}

// What a user should know before he wonders.
static void print_notes(const lope_steps_report *r)
{
    if (r->mixed_speeds)
        fprintf(stderr,
                "lope build: note: the clips walk at %.2f to %.2f m/s, and walks will change between; choose clips of "
                "one speed, or keep them apart with --speed-ratio 1.2\n",
                (double)r->slowest, (double)r->fastest);
    if (r->starts == 0 || r->stops == 0)
        fprintf(stderr,
                "lope build: note: no clip %s at rest: walks cannot %s standing; built-in motions can help out: "
                "walk_start walk_stop turn_in_place_left_90 turn_in_place_right_90 --retarget --threshold 0.08\n",
                r->starts  ? "ends"
                : r->stops ? "begins"
                           : "begins or ends",
                r->starts  ? "stop in"
                : r->stops ? "start from"
                           : "start from or stop in");
    if (r->locked)
        fprintf(stderr,
                "lope build: note: after %d steps no walk goes straight for two metres; a higher --threshold or "
                "--mirror helps\n",
                r->locked);
}

// 0: as the library does.
static lope_maps_def map_definition(const build_settings *settings)
{
    lope_maps_def def = lope_maps_def_default();
    def.depth = settings->map_depth;
    if (settings->map_nodes > 0)
        def.nodes = settings->map_nodes;
    else if (settings->map_depth > 0)
        def.nodes = 0;
    return def;
}

static lope_status save(void *maps, const cli_output *output, lope_error *error)
{
    return lope_maps_save(maps, output->path, error);
}

static int build_and_save(build_work *work, const lope_set *set, maps_result *out)
{
    lope_error error = {0};
    lope_progress progress = {build_progress, work};
    lope_steps_def def = definition(work->settings, set->skeleton);
    lope_maps_def maps_def = map_definition(work->settings);
    lope_steps *steps;
    lope_maps *maps = NULL;
    def.uses = out->uses;
    def.own_clips = work->filled.clips ? set->clip_count - work->filled.clips : 0;
    lope_status status = lope_steps_build(set, &def, work->jobs, &progress, &steps, &out->steps, &error);
    if (!status)
        status = lope_maps_build(steps, &maps_def, work->jobs, &progress, &maps, &out->maps, &error);
    cli_progress_end();
    int result = build_save(work, save, maps, status, &error);
    lope_maps_destroy(maps);
    lope_steps_destroy(steps);
    return result;
}

int build_maps(build_work *work, const lope_set *set)
{
    const build_settings *settings = work->settings;
    maps_result told = {.uses = cli_alloc((size_t)set->clip_count * sizeof *told.uses)};
    int result = build_and_save(work, set, &told);
    if (!result && cli_ranks_speaks(work->ranks)) {
        print_notes(&told.steps);
        if (settings->json) {
            print_json(work, set, &told);
        } else {
            print_table(set, &told.steps, &told.maps, settings->outputs.items[0].path);
            build_print_uses(set, told.uses, "steps");
            build_fill_print(work);
        }
    }
    free(told.uses);
    return result;
}
