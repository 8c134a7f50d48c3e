// SPDX-License-Identifier: MIT
// `lope synth`: the built-in motion set as BVH files.
#include <stdlib.h>
#include <string.h>

#include "cli/outputs.h"

typedef struct synth_settings {
    cli_outputs outputs;
    const char *only;
    double fps;
    uint64_t seed;
    int variations, threads;
    bool list, json;
} synth_settings;

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(synth_settings, "FOLDER|OUT.bvh",
                      "A folder, made if need be, or a file for one motion. The folder 'motions' by default."),
    {"list", 'l', CLI_FLAG, NULL, offsetof(synth_settings, list), "Say what there is and write nothing."},
    {"json", 0, CLI_FLAG, NULL, offsetof(synth_settings, json), "With --list: an array with one object per motion."},
    {"only", 0, CLI_TEXT, "NAME", offsetof(synth_settings, only), "Just this motion."},
    {"fps", 0, CLI_POSITIVE, "N", offsetof(synth_settings, fps), "Frames per second."},
    {"seed", 0, CLI_SEED, "N", offsetof(synth_settings, seed),
     "Another performer: stride, width, tempo and posture come from the seed."},
    {"variations", 'n', CLI_COUNT, "N", offsetof(synth_settings, variations),
     "Takes of every motion; the first is the plain one. 1 by default."},
    {"threads", 'j', CLI_COUNT, "N", offsetof(synth_settings, threads),
     "Threads to use; one per core by default. Results do not depend on it."},
    {0}};

static const char *const synopsis[] = {"[OPTION...]", NULL};
static const char *const examples[] = {"Write the whole set:",
                                       "lope synth -o motions",
                                       "What is there?",
                                       "lope synth --list",
                                       "Five takes of a walk by another performer:",
                                       "lope synth --only walk_normal -n 5 --seed 7 -o walks",
                                       NULL};

typedef struct synth_work {
    const synth_settings *settings;
    const cli_output *output;
    int first; // motion of item 0
    lope_status *status;
    lope_error *errors;
} synth_work;

static void write_one(void *user, int index)
{
    synth_work *work = user;
    int variation = index % work->settings->variations;
    const char *name = lope_synth_name(work->first + index / work->settings->variations);
    lope_synth_def def = lope_synth_def_default();
    def.seed = work->settings->seed;
    def.frame_rate = work->settings->fps;
    def.variations = work->settings->variations;
    lope_clip *clip;
    work->status[index] = lope_synth_clip(name, &def, variation, &clip, &work->errors[index]);
    if (work->status[index])
        return;
    const char *output = work->output->path;
    char *path = !work->output->folder ? cli_format("%s", output)
                 : variation           ? cli_format("%s/%s_%d.bvh", output, name, variation + 1)
                                       : cli_format("%s/%s.bvh", output, name);
    work->status[index] = lope_bvh_write(clip, path, 100.0f, &work->errors[index]);
    free(path);
    lope_clip_destroy(clip);
}

static void print_list(bool as_json)
{
    if (as_json) {
        cli_json json = {stdout, 0, true};
        cli_json_open(&json, NULL, '[');
        for (int i = 0; i < lope_synth_count(); i++) {
            cli_json_open(&json, NULL, '{');
            cli_json_text(&json, "name", lope_synth_name(i));
            cli_json_text(&json, "description", lope_synth_description(i));
            cli_json_close(&json, '}');
        }
        cli_json_close(&json, ']');
        return;
    }
    static const char *const headings[] = {"motion", "what is performed"};
    cli_table *table = cli_table_create(headings, 2);
    for (int i = 0; i < lope_synth_count(); i++) {
        cli_table_add(table, lope_synth_name(i));
        cli_table_add(table, lope_synth_description(i));
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}

static const char *motion_name(int index)
{
    return index < lope_synth_count() ? lope_synth_name(index) : NULL;
}

static int unknown_motion(const cli_command *self, const char *name)
{
    const char *meant = cli_suggest(name, motion_name);
    fprintf(stderr, "lope %s: no built-in motion is called '%s'", self->name, name);
    if (meant)
        fprintf(stderr, "; did you mean '%s'?", meant);
    fputc('\n', stderr);
    return CLI_NOT_FOUND;
}

static int write_all(const cli_command *self, synth_work *work, int count)
{
    lope_error error = {0};
    cli_new_folders made = {0};
    if (work->output->folder && cli_make_folder(work->output->path, &made, &error) != LOPE_OK)
        return cli_fail(self, &error);
    work->status = cli_alloc((size_t)count * sizeof *work->status);
    work->errors = cli_alloc((size_t)count * sizeof *work->errors);
    int result = cli_sources_run(self, "writing motion", work->settings->threads, count, write_one, work);
    for (int i = 0; i < count; i++)
        if (work->status[i])
            result = cli_worse(result, cli_fail(self, &work->errors[i]));
    if (result == CLI_OK)
        printf("%s: %d clip%s\n", work->output->path, count, count == 1 ? "" : "s");
    cli_remove_empty_folders(&made);
    free(work->status);
    free(work->errors);
    return result;
}

static int write_outputs(const cli_command *self, synth_work *work, int count)
{
    const cli_outputs usual = {1, {{"motions", CLI_FORMAT_BVH, true}}, CLI_FORMAT_AUTO};
    const cli_outputs *outputs = work->settings->outputs.count ? &work->settings->outputs : &usual;
    for (int i = 0; i < outputs->count; i++)
        if (!outputs->items[i].folder && count > 1)
            return cli_usage(self, "-o %s: a BVH file holds one motion, these are %d; give a folder or --only NAME",
                             outputs->items[i].path, count);
    int result = CLI_OK;
    for (int i = 0; i < outputs->count && !result; i++) {
        work->output = &outputs->items[i];
        result = write_all(self, work, count);
        if (result)
            cli_say_written(self, outputs, i);
    }
    return result;
}

static int run(const cli_command *self, int count, char **arguments)
{
    lope_synth_def def = lope_synth_def_default();
    synth_settings settings = {.fps = def.frame_rate, .seed = def.seed, .variations = 1};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    if (operands.count)
        return cli_usage(self, "takes no operands, found '%s'; --only chooses a motion", operands.words[0]);
    if (settings.list) {
        print_list(settings.json);
        return CLI_OK;
    }
    if (settings.fps < 5.0 || settings.fps > 1000.0)
        return cli_usage(self, "--fps needs a number from 5 to 1000, found '%g'", settings.fps);
    if (settings.variations > 10000)
        return cli_usage(self, "--variations needs a whole number from 1 to 10000, found '%d'", settings.variations);
    synth_work work = {.settings = &settings};
    int motions = lope_synth_count();
    if (settings.only) {
        while (work.first < motions && strcmp(lope_synth_name(work.first), settings.only) != 0)
            work.first++;
        if (work.first == motions)
            return unknown_motion(self, settings.only);
        motions = 1;
    }
    return write_outputs(self, &work, motions * settings.variations);
}

const cli_command cli_synth = {
    .name = "synth",
    .summary = "the built-in motion set as BVH files",
    .synopsis = synopsis,
    .description = "Writes the built-in motions, made by a procedural generator: walks, turns, starts and stops, side "
                   "and back steps, "
                   "runs, slopes and stairs, sitting, climbing, crawling, sliding. They need no licence, and feet "
                   "stand exactly where "
                   "they touch. Files are in centimetres, Y up, one motion each.",
    .examples = examples,
    .options = options,
    .run = run,
};
