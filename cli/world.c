// SPDX-License-Identifier: MIT
// `lope world`: a scene laid out with motion patches: what can be walked in it, and people who do.
#include <stdlib.h>
#include <string.h>

#include "cli/blocks.h"
#include "cli/maps.h"
#include "cli/outputs.h"
#include "cli/scenes.h"
#include "cli/world.h"
#include "lope/offline.h"

#define AT(member) offsetof(world_settings, member)
static const cli_option options[] = {
    {"patches", 'p', CLI_TEXT, "FILE.lope", AT(patches),
     "A walk tile from 'lope build --patches', for worlds of things one with blocks from 'lope build --blocks'. By "
     "default it is built from the built-in set."},
    {"number", 'n', CLI_COUNT, "N", AT(count), "Characters; as many as the scene is meant for."},
    {"seconds", 's', CLI_POSITIVE, "S", AT(seconds), "How long to walk; 60 by default."},
    {"fps", 0, CLI_POSITIVE, "N", AT(fps), "Steps per second; 30 by default."},
    {"reserve", 'r', CLI_CHOICE, "cells|tiles|none", AT(reserve),
     "How characters keep apart: each has the places of its body to itself while it is there, or whole tiles as in the "
     "paper, or nothing."},
    {"generate", 'g', CLI_TEXT, "office|playground", AT(generate),
     "Make up a world with things to use; -o OUT.json writes it, -o OUT.svg draws it."},
    {"size", 0, CLI_COUNT, "N", AT(size), "Of what is generated: desks of an office, gyms of a playground."},
    {"seed", 0, CLI_SEED, "N", AT(seed), "Another beginning, other ways."},
    {"svg", 'o', CLI_TEXT, "OUT.svg", AT(svg),
     "A picture of all ways, from above; of worlds with things, at an angle."},
    {"width", 'w', CLI_COUNT, "PIXELS", AT(width), "Width of the picture; 1000 by default."},
    {"dark", 0, CLI_FLAG, NULL, AT(dark), "Light lines on dark ground."},
    {"bvh", 'b', CLI_TEXT, "FOLDER", AT(bvh), "Write the motion of the first characters there."},
    {"bvh-number", 0, CLI_COUNT, "N", AT(bvh_count), "How many --bvh writes; 1 by default."},
    {"threads", 'j', CLI_COUNT, "N", AT(threads),
     "Threads to use; one per core by default. Results do not depend on it."},
    {"json", 0, CLI_FLAG, NULL, AT(json), "Print the report as JSON."},
    {0}};

static const char *const synopsis[] = {"[OPTION...] [SCENE.json|plaza|maze|living_room|office|playground]",
                                       "[OPTION...] --generate office|playground [--size N] -o WORLD.json", NULL};
static const char *const examples[] = {
    "A plaza tiled with the built-in motions, and a picture of all ways:",
    "lope world -o plaza.svg",
    "With captured motions, from 'lope build --patches captures/069 --mirror -o walk.lope':",
    "lope world plaza --patches walk.lope -n 100 --bvh motions",
    "An office of 40 desks on two floors:",
    "lope world --generate office --size 40 -o office.json",
    "The same, checked and drawn:",
    "lope world office.json -o office.svg",
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
    work->count = settings->count ? settings->count : work->scene->characters;
    def.tile = work->tile;
    def.characters = work->count;
    def.reserve = kinds[settings->reserve];
    def.seed = settings->seed;
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
    float dt = (float)(1.0 / work->settings->fps);
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
        {"seconds", "seconds walked", (double)work->steps / work->settings->fps, 1},
        {"decisions", "segments chosen", (double)traffic.decisions, 0},
        {"forced", "of them into somebody's place", (double)traffic.forced, 0},
        {"microseconds", "microseconds per character and step, without poses", 1e6 * per_step, 2},
    };
    cli_print_scene(work->scene->name, rows, (int)(sizeof rows / sizeof *rows), lope_patch_world_hash(work->world),
                    work->settings->json);
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

int world_begin_clips(const cli_command *command, const world_settings *settings, const lope_skeleton *skeleton,
                      int count, cli_clips *out)
{
    cli_clips_def def = {.skeleton = skeleton,
                         .count = settings->bvh_count < count ? settings->bvh_count : count,
                         .frames = cli_steps(settings->seconds, settings->fps),
                         .fps = settings->fps,
                         .flags = LOPE_CLIP_CONTACTS};
    return cli_clips_begin(command, &def, out);
}

static int simulate(world_work *work)
{
    const world_settings *settings = work->settings;
    work->steps = cli_steps(settings->seconds, settings->fps);
    int result = assemble(work);
    if (!result)
        result = populate(work);
    if (!result && settings->bvh)
        result = world_begin_clips(work->command, settings, work->tile->set->skeleton, work->count, &work->clips);
    if (!result && settings->svg)
        cli_ways_begin(work->count, work->steps, settings->fps, &work->ways);
    if (!result)
        result = walk(work);
    if (!result && settings->svg)
        result = cli_ways_draw(work->command, &work->ways, work->scene, settings->width, settings->dark, settings->svg);
    if (!result && settings->bvh)
        result = cli_write_clips(work->command, settings->bvh, CLI_FORMAT_BVH, work->clips.items, work->clips.count);
    if (!result) {
        print_notes(work);
        print_report(work);
    }
    return result;
}

static int check(const cli_command *self, const world_settings *settings, cli_operands operands)
{
    cli_simulation asked = {settings->seconds, settings->fps, settings->count, settings->svg};
    if (settings->generate && operands.count == 1)
        return cli_usage(self, "--generate makes up a world; '%s' is one already", operands.words[0]);
    if (settings->size && !settings->generate && operands.count == 0)
        return cli_usage(self, "--size goes with --generate");
    return cli_check_simulation(self, operands, &asked);
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
    world_settings settings = {.seconds = 60.0, .fps = 30.0, .seed = 1, .width = 1000, .bvh_count = 1};
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
    world_work work = {.command = self, .settings = &settings};
    lope_error error = {0};
    result = cli_scene_open(self, operands.count ? operands.words[0] : "plaza", &work.scene);
    if (!result && lope_jobs_create(settings.threads, &work.jobs, &error) != LOPE_OK)
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
        "parts that cannot be left, are named.\n\nThe same for any number of threads.",
    .options = options,
    .examples = examples,
    .run = run,
};
