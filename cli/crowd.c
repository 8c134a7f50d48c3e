// SPDX-License-Identifier: MIT
// `lope crowd`: a scene full of characters that find their way past each other; report, picture, BVH.
#include <stdlib.h>
#include <string.h>

#include "cli/blocks.h"
#include "cli/crowd.h"
#include "cli/maps.h"
#include "cli/outputs.h"
#include "cli/scenes.h"

static const cli_option options[] = {
    {"map", 'm', CLI_TEXT, "FILE.lope", offsetof(crowd_settings, map),
     "A mobility map from 'lope build --mobility', or moves; in worlds with things, moves. By default those of the "
     "built-in set."},
    {"patches", 'p', CLI_TEXT, "FILE.lope|builtin", offsetof(crowd_settings, patches),
     "Walk on motion patches instead: a walk tile from 'lope build --patches', or one of the built-in set."},
    {"avoid", 'a', CLI_CHOICE, "predict|steer|none|thesis", offsetof(crowd_settings, avoid),
     "How to keep off obstacles and others: by predicted walks, by steering round obstacles and braking before them, "
     "not "
     "at all, or by the thesis' steering to the letter."},
    {"output", 'o', CLI_OUTPUT, "OUT.svg|OUT.bvh|OUT.glb|FOLDER", offsetof(crowd_settings, asked.outputs),
     "A picture of all ways, from above; of worlds with things, at an angle. Or motions of some characters."},
    CLI_SIMULATION_OPTIONS(crowd_settings),
    {0}};

static const char *const synopsis[] = {"[OPTION...] [SCENE.json|plaza|maze|living_room|office|playground]", NULL};
static const char *const examples[] = {"A plaza with the built-in motions, and a picture of all ways:",
                                       "lope crowd -o plaza.svg",
                                       "Five minutes with captured motions:",
                                       "lope crowd plaza --map walk.lope -n 500 --seconds 300",
                                       "The same on motion patches:",
                                       "lope crowd plaza --patches tile.lope -n 500 --seconds 300",
                                       "Two visitors of a living room, for Blender:",
                                       "lope crowd living_room -n 2 --who 0,1 -o motions --to glb",
                                       "People of an office for five minutes: they sit, talk, take the stairs:",
                                       "lope crowd office -n 20 --seconds 300 -o office.svg",
                                       NULL};

typedef struct crowd_work {
    const cli_command *command;
    const crowd_settings *settings;
    lope_scene *scene;
    lope_jobs *jobs;
    cli_map map;
    lope_crowd *world;
    lope_traffic *traffic;
    int steps;
    cli_ways ways;
    cli_clips clips;
    double seconds; // that stepping took
} crowd_work;

static int populate(crowd_work *work)
{
    const crowd_settings *settings = work->settings;
    lope_error error = {0};
    int count = settings->asked.count ? settings->asked.count : work->scene->characters;
    lope_crowd_def world = lope_crowd_def_default();
    world.seed = settings->asked.seed;
    world.capacity = count;
    world.avoidance = (lope_avoidance)settings->avoid;
    lope_member_def character = lope_member_def_default(work->map.map);
    character.posed = cli_writes_motion(&settings->asked.outputs);
    character.walker.arrive_radius = 0.4f;
    lope_status status = lope_scene_world(work->scene, &world, &work->world, &error);
    if (!status)
        status = lope_traffic_create(work->scene, work->world, &character, count, settings->asked.seed, &work->traffic,
                                     &error);
    if (status == LOPE_PARTIAL)
        fprintf(stderr, "lope %s: note: %s\n", work->command->name, error.message);
    else if (status)
        return cli_fail(work->command, &error);
    return CLI_OK;
}

// Joints relative to their parents, from where they are in the world.
static void record_pose(lope_clip *clip, int frame, const lope_transform *model)
{
    const lope_skeleton *skeleton = clip->skeleton;
    lope_quat *rotations = clip->rotations + (size_t)frame * (size_t)skeleton->joint_count;
    clip->root[frame] = model[0].translation;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parents[j];
        rotations[j] = parent < 0 ? model[j].rotation
                                  : lope_quat_mul(lope_quat_conjugate(model[parent].rotation), model[j].rotation);
    }
}

static void record(crowd_work *work, int step)
{
    int count = lope_traffic_count(work->traffic);
    for (int i = 0; cli_ways_due(&work->ways, step) && i < count; i++) {
        lope_ground at = lope_member_ground(work->world, lope_traffic_character(work->traffic, i));
        cli_ways_note(&work->ways, i, step, (lope_vec2){at.x, at.z});
    }
    for (int i = 0; i < work->clips.count; i++)
        record_pose(work->clips.items[i], step,
                    lope_member_pose(work->world, lope_traffic_character(work->traffic, work->clips.who[i])));
}

static int walk(crowd_work *work)
{
    float dt = (float)(1.0 / work->settings->asked.fps);
    double begin = cli_seconds();
    for (int step = 0; step < work->steps; step++) {
        lope_crowd_step(work->world, dt, work->jobs);
        lope_traffic_update(work->traffic, dt);
        record(work, step);
        if (!cli_step_goes_on(work->command, step, work->steps))
            return CLI_INTERRUPTED;
    }
    work->seconds = cli_seconds() - begin;
    cli_progress_end();
    return CLI_OK;
}

static void print_report(const crowd_work *work)
{
    lope_crowd_counts counts = lope_crowd_counts_of(work->world);
    double minutes = counts.character_seconds / 60.0;
    const cli_figure rows[] = {
        {"characters", "characters", lope_crowd_member_count(work->world), 0},
        {"seconds", "seconds", (double)work->steps / work->settings->asked.fps, 1},
        {"character_steps_per_second", "characters stepped per second",
         (double)work->steps * lope_crowd_member_count(work->world) / work->seconds, 0},
        {"overlaps", "overlaps > 10 cm per character-minute", (double)counts.overlaps / minutes, 3},
        {"wall_hits", "walls entered > 10 cm per character-minute", (double)counts.wall_hits / minutes, 3},
        {"arrivals", "arrivals", (double)counts.arrivals, 0},
        {"longest_stuck", "longest without progress, seconds", (double)counts.longest_stuck, 1},
    };
    cli_print_scene(work->scene->name, rows, (int)(sizeof rows / sizeof *rows), lope_crowd_hash(work->world),
                    work->settings->asked.json);
}

static int simulate(crowd_work *work)
{
    const crowd_settings *settings = work->settings;
    work->steps = cli_steps(settings->asked.seconds, settings->asked.fps);
    int result = populate(work), count = result ? 0 : lope_traffic_count(work->traffic);
    cli_clips_def clips = {lope_mobility_set(work->map.map)->skeleton, count, 0};
    cli_ways_begin(&settings->asked, count, &work->ways);
    if (!result)
        result = cli_clips_begin(work->command, &settings->asked, &clips, &work->clips);
    if (!result)
        result = walk(work);
    if (!result)
        result = cli_write_simulation(work->command, &settings->asked, work->scene, &work->ways, &work->clips);
    if (!result)
        print_report(work);
    return result;
}

static void clean_up(crowd_work *work)
{
    cli_clips_free(&work->clips);
    cli_ways_free(&work->ways);
    lope_traffic_destroy(work->traffic);
    lope_crowd_destroy(work->world);
    cli_map_close(&work->map);
    lope_jobs_destroy(work->jobs);
    lope_scene_destroy(work->scene);
}

static int check(const cli_command *self, const crowd_settings *settings, cli_operands operands)
{
    int result = cli_check_simulation(self, operands, &settings->asked);
    if (!result && settings->map && settings->patches)
        return cli_usage(self, "--map or --patches, not both");
    return result;
}

static int run(const cli_command *self, int count, char **arguments)
{
    crowd_settings settings = {.asked = CLI_SIMULATION_DEFAULT};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    result = check(self, &settings, operands);
    if (result)
        return result;
    const char *word = operands.count ? operands.words[0] : "plaza";
    if (cli_names_blocks(word))
        return crowd_on_blocks(self, &settings, word);
    crowd_work work = {.command = self, .settings = &settings};
    lope_error error = {0};
    result = cli_scene_open_flows(self, word, &work.scene);
    if (!result && lope_jobs_create(settings.asked.threads, &work.jobs, &error) != LOPE_OK)
        result = cli_fail(self, &error);
    if (!result && settings.patches) {
        result = crowd_on_patches(self, &settings, work.scene, work.jobs);
        clean_up(&work);
        return result;
    }
    if (!result)
        result = cli_map_open(self, settings.map, settings.asked.threads, &work.map);
    if (!result)
        result = simulate(&work);
    clean_up(&work);
    return result;
}

const cli_command cli_crowd = {
    .name = "crowd",
    .summary = "many characters in a scene, past obstacles and each other",
    .synopsis = synopsis,
    .description =
        "Fills a scene with characters that walk from area to area on one mobility map, or on motion patches, round "
        "obstacles and past each other, and says how it went: how often bodies overlapped, who arrived, who got stuck. "
        "The same seed gives the "
        "same walk for any number of threads.\n\nA scene is a JSON file with bounds, obstacles, areas and flows, or "
        "one of the built-in ones: plaza (the default), maze, living_room.\n\nIn worlds with things (office, "
        "playground, "
        "files with floors as 'lope world' reads them) characters of one world go on errands on all floors, sit where "
        "one can, take stairs, ladders and slides and talk; 'lope go --errands' does the same in any level.",
    .examples = examples,
    .options = options,
    .run = run,
};
