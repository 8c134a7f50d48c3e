// SPDX-License-Identifier: MIT
// `lope crowd` in worlds with things: characters of one world go about, sit, climb, slide and talk.
#include <stdlib.h>

#include "cli/blocks.h"
#include "cli/crowd.h"
#include "generators/level_place.h"
#include "lope/level_draw.h"
#include "lope/world.h"

#define LOOKS 5.0  // a second, at where everybody is
#define NEAR 0.25f // metres between hips of two that are in each other

typedef struct level_crowd {
    const cli_command *command;
    const crowd_settings *settings;
    lope_jobs *jobs;
    lope_moves *moves;
    lope_block_scene *scene;
    lope_level *level;
    lope_world *world;
    lope_character_id *people;
    lope_transform *model;
    int count, steps, look_every, looks, way_room;
    lope_vec3 *way; // [count][way_room]
    cli_clips clips;
    double seconds; // that stepping took
    // What came of it.
    int64_t arrivals, given_up, used, sittings, talks, near;
    float longest_stuck;
} level_crowd;

static lope_status open_world(level_crowd *c, const char *word, lope_error *error)
{
    // The seed is that of the people: the world stays the same.
    const cli_blocks_def def = {.word = word, .seed = 1};
    lope_status status = cli_moves_need(c->settings->map, c->jobs, &c->moves, error);
    if (!status)
        status = cli_block_scene_open(&def, c->moves->blocks, &c->scene, error);
    if (!status)
        status = lope_level_create(&c->level, error);
    if (!status)
        status = lope_block_scene_level(c->scene, c->level, error);
    lope_world_def world = lope_world_def_default();
    world.level = c->level;
    world.moves = c->moves;
    world.seed = c->settings->asked.seed;
    return status ? status : lope_world_create(&world, c->jobs, &c->world, error);
}

static int populate(level_crowd *c, int wanted)
{
    lope_errands_def errands = lope_errands_def_default();
    lope_error error = {.message = "the floors have no more"};
    uint64_t random = errands.seed = c->settings->asked.seed;
    c->people = cli_alloc((size_t)(wanted + 1) * sizeof *c->people);
    for (; c->count < wanted; c->count++) {
        lope_character_def def = lope_character_def_default();
        def.traveller.kinds = 1u << LOPE_LINK_SEAM | 1u << LOPE_LINK_STAIRS | 1u << LOPE_LINK_SLOPE |
                              1u << LOPE_LINK_LADDER | 1u << LOPE_LINK_SLIDE; // nobody climbs desks
        if (!level_random_room(c->world, c->people, c->count, &random, &def.place))
            break;
        lope_status status = lope_world_spawn(c->world, &def, &c->people[c->count], &error);
        if (!status || status == LOPE_PARTIAL)
            status = lope_character_errands(c->world, c->people[c->count], &errands, &error);
        if (status)
            return cli_fail(c->command, &error);
    }
    if (c->count < wanted)
        cli_note_room(c->command, c->count, wanted, &error);
    return CLI_OK;
}

static void heed(level_crowd *c)
{
    int count;
    const lope_event *e = lope_world_events(c->world, &count);
    for (int i = 0; i < count; i++) {
        const bool thing = e[i].link == LOPE_LINK_STAIRS || e[i].link == LOPE_LINK_LADDER ||
                           e[i].link == LOPE_LINK_SLIDE || e[i].link == LOPE_LINK_SEAT;
        c->arrivals += e[i].kind == LOPE_EVENT_ARRIVED;
        c->given_up += e[i].kind == LOPE_EVENT_CANNOT;
        c->used += e[i].kind == LOPE_EVENT_BEGAN && thing;
        c->sittings += e[i].kind == LOPE_EVENT_BEGAN && e[i].link == LOPE_LINK_SEAT;
        c->talks += e[i].kind == LOPE_EVENT_ENDED && e[i].link < 0 && e[i].task == LOPE_TASK_TALK;
    }
    for (int i = 0; i < c->count; i++)
        c->longest_stuck = fmaxf(c->longest_stuck, lope_character_stuck(c->world, c->people[i]));
}

static void look(level_crowd *c)
{
    for (int i = 0; i < c->count; i++) {
        const lope_vec3 at = lope_character_place(c->world, c->people[i]);
        for (int k = 0; k < i; k++)
            c->near += lope_v3_distance(at, lope_character_place(c->world, c->people[k])) < NEAR;
        if (c->way)
            c->way[(size_t)i * (size_t)c->way_room + (size_t)c->looks] = lope_v3_add(at, lope_v3(0.0f, 0.05f, 0.0f));
    }
    c->looks++;
}

static int walk(level_crowd *c)
{
    const float dt = (float)(1.0 / c->settings->asked.fps);
    for (int step = 0; step < c->steps; step++) {
        const double begin = cli_seconds();
        lope_world_step(c->world, dt, c->jobs);
        c->seconds += cli_seconds() - begin;
        heed(c);
        for (int i = 0; i < c->clips.count; i++) {
            const lope_character_id id = c->people[c->clips.who[i]];
            lope_world_poses(c->world, &id, 1, c->model);
            cli_record_model(c->clips.items[i], step, c->model);
            c->clips.items[i]->contacts[step] = lope_character_contacts(c->world, id);
        }
        if (step % c->look_every == 0)
            look(c);
        if (!cli_step_goes_on(c->command, step, c->steps))
            return CLI_INTERRUPTED;
    }
    cli_progress_end();
    return CLI_OK;
}

static lope_status write_one(void *user, const cli_output *output, lope_error *error)
{
    const level_crowd *c = user;
    if (output->format != CLI_FORMAT_SVG)
        return cli_write_clips(output, c->clips.items, c->clips.count, error);
    lope_drawn_track *tracks = cli_alloc((size_t)(c->count + 1) * sizeof *tracks);
    for (int i = 0; i < c->count; i++)
        tracks[i] = (lope_drawn_track){c->way + (size_t)i * (size_t)c->way_room, c->looks, -1};
    lope_level_picture picture = lope_level_picture_default();
    picture.title = c->scene->name;
    picture.width = c->settings->asked.width;
    picture.dark = c->settings->asked.dark;
    picture.plan = false;
    picture.tracks = tracks;
    picture.track_count = c->count;
    const lope_status status = lope_draw_level(c->level, lope_world_floors(c->world), &picture, output->path, error);
    free(tracks);
    return status;
}

static void print_report(const level_crowd *c)
{
    const double seconds = (double)c->steps / c->settings->asked.fps, moments = (double)c->looks * c->count;
    const cli_figure rows[] = {
        {"characters", "characters", c->count, 0},
        {"seconds", "seconds", seconds, 1},
        {"character_steps_per_second", "characters stepped per second", (double)c->steps * c->count / c->seconds, 0},
        {"near", "hips nearer than 25 cm to somebody's, share of moments, %", 100.0 * (double)c->near / moments, 2},
        {"arrivals", "arrivals", (double)c->arrivals, 0},
        {"given_up", "errands given up", (double)c->given_up, 0},
        {"longest_stuck", "longest without progress, seconds", (double)c->longest_stuck, 1},
        {"used", "times that stairs, ladders, slides and seats were used", (double)c->used, 0},
        {"sittings", "times that somebody sat down", (double)c->sittings, 0},
        {"chats", "talks", (double)c->talks, 0},
    };
    cli_print_scene(c->scene->name, rows, (int)(sizeof rows / sizeof *rows), lope_world_hash(c->world),
                    c->settings->asked.json);
}

static int simulate(level_crowd *c)
{
    const cli_simulation *asked = &c->settings->asked;
    int result = populate(c, asked->count ? asked->count : c->scene->characters);
    const cli_clips_def clips = {c->moves->skeleton, c->count, LOPE_CLIP_CONTACTS};
    if (!result)
        result = cli_clips_begin(c->command, asked, &clips, &c->clips);
    c->model = cli_alloc((size_t)c->moves->skeleton->joint_count * sizeof *c->model);
    c->look_every = (int)fmax(1.0, asked->fps / LOOKS);
    c->way_room = c->steps / c->look_every + 1;
    if (!result && cli_writes(&asked->outputs, CLI_FORMAT_SVG))
        c->way = cli_alloc((size_t)(c->count + 1) * (size_t)c->way_room * sizeof *c->way);
    if (!result)
        result = walk(c);
    if (!result)
        result = cli_write_outputs(c->command, &asked->outputs, write_one, c);
    if (!result)
        print_report(c);
    return result;
}

static int check(const cli_command *command, const crowd_settings *settings)
{
    if (settings->patches)
        return cli_usage(command, "in worlds with things characters move on moves: --map MOVES.lope instead of "
                                  "--patches, or neither for the built-in ones");
    if (settings->avoid != 0)
        return cli_usage(command, "in worlds with things characters always avoid each other: leave out --avoid");
    const int result = cli_blocks_check_count(command, settings->asked.count);
    return result ? result : cli_blocks_check_fps(command, settings->asked.fps);
}

int crowd_on_blocks(const cli_command *command, const crowd_settings *settings, const char *word)
{
    level_crowd c = {.command = command, .settings = settings};
    lope_error error = {0};
    c.steps = cli_steps(settings->asked.seconds, settings->asked.fps);
    int result = check(command, settings);
    if (!result && (lope_jobs_create(settings->asked.threads, &c.jobs, &error) || open_world(&c, word, &error)))
        result = cli_fail(command, &error);
    if (!result)
        result = simulate(&c);
    cli_clips_free(&c.clips);
    free(c.way);
    free(c.people);
    free(c.model);
    lope_world_destroy(c.world);
    lope_level_destroy(c.level);
    lope_block_scene_destroy(c.scene);
    lope_moves_close(c.moves);
    lope_jobs_destroy(c.jobs);
    return result;
}
