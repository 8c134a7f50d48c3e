// SPDX-License-Identifier: MIT
// `lope scenery`: the steps, seats and ladders that clips were performed on, as a proposal to confirm.
#include <math.h>
#include <stdlib.h>

#include "cli/outputs.h"
#include "lope/scenery.h"

typedef struct scenery_settings {
    cli_reading reading;
    cli_outputs outputs;
    double gap;
    bool check;
} scenery_settings;

#define AT(field) offsetof(scenery_settings, field)
static const cli_option options[] = {
    CLI_OUTPUT_OPTION(scenery_settings, "OUT.json", "The proposal; without it only tables are printed."),
    {"gap", 0, CLI_POSITIVE, "METRES", AT(gap), "Feet whose heights are farther apart stand on different steps; 0.06."},
    {"check", 0, CLI_FLAG, NULL, AT(check),
     "Read a proposal instead of clips: says what is wrong with it, or what is confirmed and what is not."},
    CLI_READING_OPTIONS(scenery_settings),
    {"fps", 0, CLI_RATE, "N", AT(reading.fps), "Frames per second, against what the file says."},
    CLI_THREADS_OPTION(scenery_settings),
    {0}};

static const char *const synopsis[] = {"[OPTION...] FILE|FOLDER|NAME... [-o OUT.json]", "--check FILE.json", NULL};
static const char *const examples[] = {
    "What the built-in ladder is like:", "lope scenery ladder_up ladder_down",
    "The stage of a capture, to look over and confirm:", "lope scenery captures/013 -o stage.json", NULL};

// What the clips of one source show.
typedef struct source_scenery {
    lope_status status;
    lope_error error;
    int count;
    char **names;
    lope_scenery **found;
} source_scenery;

typedef struct scenery_work {
    const scenery_settings *settings;
    lope_scenery_def def;
    cli_sources sources;
    source_scenery *shown;
    // All of them in a row.
    int count;
    const char **names;
    const lope_scenery **parts;
} scenery_work;

static void look_at_source(void *user, int index)
{
    scenery_work *work = user;
    source_scenery *out = &work->shown[index];
    cli_loaded loaded;
    cli_source_load(&work->sources.items[index], &work->settings->reading, &loaded);
    out->status = loaded.status;
    out->error = loaded.error;
    out->names = cli_alloc((size_t)loaded.count * sizeof *out->names);
    out->found = cli_alloc((size_t)loaded.count * sizeof *out->found);
    for (int i = 0; i < loaded.count && !out->status; i++) {
        out->status = lope_scenery_find(loaded.clips[i], &work->def, &out->found[i], &out->error);
        if (out->status)
            break;
        out->names[i] = cli_format("%s", loaded.clips[i]->name);
        out->count = i + 1;
    }
    cli_error_in(&out->error, &work->sources.items[index]);
    cli_loaded_free(&loaded);
}

static void collect(scenery_work *work)
{
    for (int s = 0; s < work->sources.count; s++)
        work->count += work->shown[s].count;
    work->names = cli_alloc((size_t)work->count * sizeof *work->names);
    work->parts = cli_alloc((size_t)work->count * sizeof *work->parts);
    int at = 0;
    for (int s = 0; s < work->sources.count; s++)
        for (int i = 0; i < work->shown[s].count; i++, at++) {
            work->names[at] = work->shown[s].names[i];
            work->parts[at] = work->shown[s].found[i];
        }
}

static const char *const headings[] = {"clip",     "kind", "height cm", "pitch cm", "hips cm",
                                       "centre x", "z",    "width m",   "depth m",  "holds"};
#define COLUMN_COUNT ((int)(sizeof headings / sizeof *headings))

static void add_row(cli_table *table, const char *name, const lope_scenery_object *o)
{
    bool ladder = o->kind == LOPE_SCENERY_LADDER, seat = o->kind == LOPE_SCENERY_SEAT;
    cli_table_add(table, name);
    cli_table_add(table, lope_scenery_kind_name(o->kind));
    cli_table_number(table, (double)o->height * 100.0, 1);
    cli_table_number(table, ladder ? (double)o->pitch * 100.0 : (double)NAN, 1);
    cli_table_number(table, seat ? (double)o->hips * 100.0 : (double)NAN, 1);
    cli_table_number(table, (double)o->place.x, 2);
    cli_table_number(table, (double)o->place.z, 2);
    cli_table_number(table, (double)o->width, 2);
    cli_table_number(table, (double)o->depth, 2);
    cli_table_number(table, o->holds, 0);
}

static void add_empty_row(cli_table *table, const char *name, bool slope)
{
    cli_table_add(table, name);
    cli_table_add(table, slope ? "(a slope)" : "(a floor)");
    for (int c = 2; c < COLUMN_COUNT; c++)
        cli_table_number(table, (double)NAN, 0);
}

static void print_clips(const scenery_work *work)
{
    cli_table *table = cli_table_create(headings, COLUMN_COUNT);
    for (int i = 0; i < work->count; i++) {
        for (int o = 0; o < work->parts[i]->object_count; o++)
            add_row(table, work->names[i], &work->parts[i]->objects[o]);
        if (work->parts[i]->object_count == 0)
            add_empty_row(table, work->names[i], work->parts[i]->slope);
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}

static void print_merged(const lope_scenery *merged)
{
    printf("\nproposed:\n");
    for (int i = 0, source = 0; i < merged->object_count; i++) {
        const lope_scenery_object *o = &merged->objects[i];
        int clips = 0;
        for (; source < merged->source_count && merged->sources[source].object == i; source++)
            clips++;
        bool ladder = o->kind == LOPE_SCENERY_LADDER;
        printf("  %d: %-6s %s %5.1f cm", o->group, lope_scenery_kind_name(o->kind), ladder ? "pitch" : "height",
               (double)(ladder ? o->pitch : o->height) * 100.0);
        printf(" +- %.1f cm in %d %s\n", (double)o->spread * 100.0, clips, clips == 1 ? "clip" : "clips");
    }
}

typedef struct proposal {
    const lope_scenery *scenery;
    const char **names; // of clips
} proposal;

static lope_status write_one(void *user, const cli_output *output, lope_error *error)
{
    const proposal *p = user;
    return lope_scenery_write(p->scenery, p->names, output->path, error);
}

static int propose(const cli_command *self, scenery_work *work)
{
    lope_error error = {0};
    lope_scenery *merged;
    if (lope_scenery_merge(work->parts, work->count, &work->def, &merged, &error))
        return cli_fail(self, &error);
    print_clips(work);
    if (merged->object_count)
        print_merged(merged);
    else
        printf("\nnothing to propose: feet stand on one floor only, and nobody sits\n");
    int result = cli_write_outputs(self, &work->settings->outputs, write_one, &(proposal){merged, work->names});
    lope_scenery_destroy(merged);
    return result;
}

static int check_proposal(const cli_command *self, const scenery_settings *settings, cli_operands operands)
{
    if (operands.count != 1 || settings->outputs.count)
        return cli_usage(self, "--check takes one proposal and writes nothing");
    lope_error error = {0};
    lope_scenery *scenery;
    if (lope_scenery_read(operands.words[0], &scenery, &error))
        return cli_fail(self, &error);
    int confirmed = 0;
    cli_table *table = cli_table_create(headings, COLUMN_COUNT);
    for (int i = 0; i < scenery->object_count; i++) {
        confirmed += scenery->objects[i].confirmed;
        add_row(table, scenery->objects[i].confirmed ? "confirmed" : "-", &scenery->objects[i]);
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
    printf("\n%d of %d objects confirmed\n", confirmed, scenery->object_count);
    lope_scenery_destroy(scenery);
    return CLI_OK;
}

static void release(scenery_work *work)
{
    for (int s = 0; work->shown && s < work->sources.count; s++) {
        for (int i = 0; i < work->shown[s].count; i++) {
            free(work->shown[s].names[i]);
            lope_scenery_destroy(work->shown[s].found[i]);
        }
        free(work->shown[s].names);
        free(work->shown[s].found);
    }
    free(work->shown);
    free(work->names);
    free(work->parts);
    cli_sources_free(&work->sources);
}

static int run(const cli_command *self, int count, char **arguments)
{
    scenery_settings settings = {.gap = 0.06};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    if (operands.count == 0)
        return cli_usage(self, "which clips? Give files, folders or names of built-in motions, or --check FILE.json");
    if (settings.check)
        return check_proposal(self, &settings, operands);
    scenery_work work = {.settings = &settings, .def = lope_scenery_def_default()};
    work.def.gap = (float)settings.gap;
    result = cli_sources_find(self, operands, &work.sources);
    if (!result)
        result = cli_check_not_inputs(self, &settings.outputs, &work.sources);
    if (!result)
        result = cli_sources_look(self, &work.sources, &settings.reading);
    if (!result) {
        work.shown = cli_alloc((size_t)work.sources.count * sizeof *work.shown);
        result = cli_sources_run(self, "looking at clip", settings.reading.threads, work.sources.count, look_at_source,
                                 &work);
    }
    if (!result) {
        collect(&work);
        result = work.count ? propose(self, &work) : CLI_OK;
        for (int s = 0; s < work.sources.count; s++)
            if (work.shown[s].status)
                result = cli_worse(result, cli_fail(self, &work.shown[s].error));
    }
    release(&work);
    return result;
}

const cli_command cli_scenery = {
    .name = "scenery",
    .summary = "recover the steps, seats and ladders that clips were performed on",
    .synopsis = synopsis,
    .description =
        "Looks where feet, hands and the seat of the performer rest and proposes what stood there: steps with their "
        "heights and footprints, seats, ladders with the distance of their rungs. Prints one line per clip and object, "
        "then what all clips together say, with the largest distance of a clip from the mean.\n\nThe proposal in "
        "OUT.json is for people: look it over, correct it, set \"confirmed\" to true where it is right. Heights are in "
        "metres above the floor of the clip, places in the world of the clip that shows most of the object, headings "
        "in degrees (0 is +Z, 90 is +X): the way up, or the way the sitter faces. Steps of one staircase share a "
        "group. Clips are taken to be of one stage; staircases, seats and ladders of other measures become groups of "
        "their own.",
    .examples = examples,
    .options = options,
    .run = run,
};
