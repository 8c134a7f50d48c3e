// SPDX-License-Identifier: MIT
// `lope world`: a scene laid out with motion patches: what can be walked in it, and people who do.
#include <stdlib.h>
#include <string.h>

#include "cli/blocks.h"
#include "cli/maps.h"
#include "cli/scenes.h"
#include "cli/world.h"
#include "lope/offline.h"

#define AT(member) offsetof(world_settings, member)
static const cli_option options[] = {
    {"patches", 'p', CLI_TEXT, "FILE.lope", AT(patches),
     "A walk tile from 'lope build --patches', for worlds of things one with blocks from 'lope build --blocks'. By "
     "default it is built from the built-in set."},
    {"reserve", 'r', CLI_CHOICE, "cells|tiles|none", AT(reserve),
     "How characters keep apart: each has the places of its body to itself while it is there, or whole tiles as in the "
     "paper, or nothing."},
    {"generate", 'g', CLI_TEXT, "office|playground", AT(generate),
     "Make up a world with things to use; -o OUT.json writes it, -o OUT.svg draws it."},
    {"size", 0, CLI_COUNT, "N", AT(size), "Of what is generated: desks of an office, gyms of a playground."},
    {"output", 'o', CLI_OUTPUT, "OUT.svg|OUT.bvh|OUT.glb|OUT.json|FOLDER", AT(asked.outputs),
     "A picture of all ways, from above; of worlds with things, at an angle. Or motions of some characters. OUT.json "
     "takes the world itself, if it has things."},
    CLI_SIMULATION_OPTIONS(world_settings),
    {0}};

static const char *const synopsis[] = {"[OPTION...] [SCENE.json|plaza|maze|living_room|office|playground]",
                                       "[OPTION...] --generate office|playground [--size N] -o WORLD.json", NULL};
static const char *const examples[] = {
    "A plaza tiled with the built-in motions, and a picture of all ways:",
    "lope world -o plaza.svg",
    "With captured motions, from 'lope build --patches captures/069 --mirror -o walk.lope':",
    "lope world plaza --patches walk.lope -n 100 --who 0-9 -o motions --to bvh",
    "An office of 40 desks on two floors:",
    "lope world --generate office --size 40 -o office.json -o office.svg",
    "The same again, with a walk through it for Blender:",
    "lope world office.json -o office.glb",
    NULL};

typedef struct world_work {
    const cli_command *command;
    const world_settings *settings;
    lope_scene *scene;
    lope_jobs *jobs;
    lope_set *set; // of a tile that was built here
    lope_tile *tile;
    lope_patch_world *world;
    lope_patch_survey survey;
    int count, steps;
    cli_ways ways;
    cli_clips clips;
    double assemble_seconds, walk_seconds;
} world_work;

static int assemble(world_work *work)
{
    const world_settings *settings = work->settings;
    lope_error error = {0};
    static const lope_reserve kinds[] = {LOPE_RESERVE_CELLS, LOPE_RESERVE_TILES, LOPE_RESERVE_NONE};
    lope_patch_world_def def = lope_patch_world_def_default();
    work->count = settings->asked.count ? settings->asked.count : work->scene->characters;
    def.tile = work->tile;
    def.characters = work->count;
    def.reserve = kinds[settings->reserve];
    def.seed = settings->asked.seed;
    double begin = cli_seconds();
    lope_status status = lope_scene_patch_world(work->scene, &def, &work->world, &error);
    if (!status)
        status = lope_patch_world_survey(work->world, &work->survey, &error);
    work->assemble_seconds = cli_seconds() - begin;
    return status ? cli_fail(work->command, &error) : CLI_OK;
}

// Evenly spread over the bounds by the golden ratio, so that nobody stands in a heap.
static int populate(world_work *work)
{
    lope_error error = {0};
    const lope_scene *scene = work->scene;
    for (int i = 0; i < work->count; i++) {
        double u = fmod(0.5 + 0.7548776662466927 * (i + 1), 1.0), v = fmod(0.5 + 0.5698402909980532 * (i + 1), 1.0);
        lope_vec2 near = {scene->low.x + (float)u * (scene->high.x - scene->low.x),
                          scene->low.z + (float)v * (scene->high.z - scene->low.z)};
        int character;
        if (lope_patch_spawn(work->world, near, &character, &error) == LOPE_OK)
            continue;
        if (i == 0)
            return cli_fail(work->command, &error);
        cli_note_room(work->command, i, work->count, &error);
        work->count = i;
    }
    return CLI_OK;
}

static void record(world_work *work, int step)
{
    for (int i = 0; cli_ways_due(&work->ways, step) && i < work->count; i++) {
        lope_ground at = lope_patch_ground(work->world, i);
        cli_ways_note(&work->ways, i, step, (lope_vec2){at.x, at.z});
    }
    cli_clips_record(&work->clips, work->world, step);
}

static int walk(world_work *work)
{
    float dt = (float)(1.0 / work->settings->asked.fps);
    for (int step = 0; step < work->steps; step++) {
        double begin = cli_seconds();
        lope_patch_world_step(work->world, dt, work->jobs);
        work->walk_seconds += cli_seconds() - begin;
        record(work, step);
        if (!cli_step_goes_on(work->command, step, work->steps))
            return CLI_INTERRUPTED;
    }
    cli_progress_end();
    return CLI_OK;
}

static void print_report(const world_work *work)
{
    const lope_patch_survey *s = &work->survey;
    lope_patch_traffic traffic = lope_patch_world_traffic(work->world);
    double per_step = work->walk_seconds / work->steps / (work->count > 0 ? work->count : 1);
    const cli_figure rows[] = {
        {"tiles", "tiles", s->tiles, 0},
        {"gates", "gates", (double)s->gates, 0},
        {"live_gates", "gates with a way on", (double)s->live_gates, 0},
        {"links", "segments", (double)s->links, 0},
        {"live_links", "segments that lead on for ever", (double)s->live_links, 0},
        {"largest_links", "segments in the largest component", (double)s->largest_links, 0},
        {"components", "components", s->components, 0},
        {"megabytes", "megabytes beside tile and clips", (double)s->bytes / 1e6, 1},
        {"assemble_seconds", "seconds to assemble and survey", work->assemble_seconds, 3},
        {"characters", "characters", lope_patch_character_count(work->world), 0},
        {"seconds", "seconds walked", (double)work->steps / work->settings->asked.fps, 1},
        {"decisions", "segments chosen", (double)traffic.decisions, 0},
        {"forced", "of them into somebody's place", (double)traffic.forced, 0},
        {"microseconds", "microseconds per character and step, without poses", 1e6 * per_step, 2},
    };
    cli_print_scene(work->scene->name, rows, (int)(sizeof rows / sizeof *rows), lope_patch_world_hash(work->world),
                    work->settings->asked.json);
}

static void print_notes(const world_work *work)
{
    const lope_patch_survey *s = &work->survey;
    if (s->components > 1)
        fprintf(stderr,
                "lope %s: note: the world falls into %d parts between which nobody can go back and forth; the largest "
                "has %.0f %% of what can be walked\n",
                work->command->name, s->components, 100.0 * (double)s->largest_links / (double)s->live_links);
}

static int simulate(world_work *work)
{
    const world_settings *settings = work->settings;
    work->steps = cli_steps(settings->asked.seconds, settings->asked.fps);
    int result = assemble(work);
    if (!result)
        result = populate(work);
    cli_clips_def clips = {work->tile->set->skeleton, work->count, LOPE_CLIP_CONTACTS};
    cli_ways_begin(&settings->asked, work->count, &work->ways);
    if (!result)
        result = cli_clips_begin(work->command, &settings->asked, &clips, &work->clips);
    if (!result)
        result = walk(work);
    if (!result)
        result = cli_write_simulation(work->command, &settings->asked, work->scene, &work->ways, &work->clips);
    if (!result) {
        print_notes(work);
        print_report(work);
    }
    return result;
}

static int check(const cli_command *self, const world_settings *settings, cli_operands operands)
{
    if (settings->generate && operands.count == 1)
        return cli_usage(self, "--generate makes up a world; '%s' is one already", operands.words[0]);
    if (settings->size && !settings->generate && operands.count == 0)
        return cli_usage(self, "--size goes with --generate");
    return cli_check_simulation(self, operands, &settings->asked);
}

static void clean_up(world_work *work)
{
    cli_clips_free(&work->clips);
    cli_ways_free(&work->ways);
    lope_patch_world_destroy(work->world);
    lope_tile_destroy(work->tile);
    lope_set_destroy(work->set);
    lope_jobs_destroy(work->jobs);
    lope_scene_destroy(work->scene);
}

static int run(const cli_command *self, int count, char **arguments)
{
    world_settings settings = {.asked = CLI_SIMULATION_DEFAULT};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    result = check(self, &settings, operands);
    if (result)
        return result;
    const char *word = operands.count ? operands.words[0] : NULL;
    if (settings.generate || (word && cli_names_blocks(word)))
        return cli_world_blocks(self, &settings, word);
    if (cli_writes(&settings.asked.outputs, CLI_FORMAT_JSON))
        return cli_usage(self, "only worlds of floors and things are written as .json");
    world_work work = {.command = self, .settings = &settings};
    lope_error error = {0};
    result = cli_scene_open(self, operands.count ? operands.words[0] : "plaza", &work.scene);
    if (!result && lope_jobs_create(settings.asked.threads, &work.jobs, &error) != LOPE_OK)
        result = cli_fail(self, &error);
    if (!result)
        result = cli_tile_open(self, settings.patches, work.jobs, &work.set, &work.tile);
    if (!result)
        result = simulate(&work);
    clean_up(&work);
    return result;
}

const cli_command cli_world = {
    .name = "world",
    .summary = "a scene laid out with motion patches, and people who walk in it",
    .synopsis = synopsis,
    .description =
        "Tiles the bounds of a scene with a walk tile, closes what its obstacles are in the way of and what "
        "leads nowhere else, and says what is left: gates, segments, components. Then lets characters walk "
        "in it from gate to gate.\n\nScenes with floors and things (stairs, ladders, slides, chairs, desks) are fitted "
        "with all the motion of the built-in set that was performed on such things; what does not fit, and "
        "parts that cannot be left, are named; characters wander through the graph of it, each by itself. 'lope crowd' "
        "and 'lope go' let them live there, with errands, seats and each other.\n\nThe same for any number of threads.",
    .options = options,
    .examples = examples,
    .run = run,
};
