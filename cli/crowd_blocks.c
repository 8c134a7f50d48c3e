// SPDX-License-Identifier: MIT
// `lope crowd` in worlds with things: people who go about, sit, climb, slide and talk.
#include <math.h>
#include <stdlib.h>

#include "cli/blocks.h"
#include "cli/crowd.h"
#include "cli/errands.h"
#include "lope/offline.h"

enum { MOST_PEOPLE = 10000 };

typedef struct block_crowd {
    const cli_command *command;
    const crowd_settings *settings;
    lope_jobs *jobs;
    cli_blocks blocks;
    errands people;
    int steps, path_points, seen; // seen: points of every way so far
    lope_vec3 *points;            // [count][path_points]
    cli_clips clips;
} block_crowd;

static void record(block_crowd *c, int step, bool looked)
{
    for (int i = 0; i < c->clips.count; i++)
        errands_record(c->people.people, c->clips.who[i], c->clips.items[i], step);
    if (!looked || !c->points)
        return;
    for (int i = 0; i < c->people.count; i++)
        c->points[(size_t)i * (size_t)c->path_points + (size_t)c->seen] =
            errands_ground(c->people.models + (size_t)i * (size_t)c->people.joints, c->people.joints);
    c->seen++;
}

static int walk(block_crowd *c)
{
    for (int step = 0; step < c->steps; step++) {
        bool looked = errands_step(&c->people);
        record(c, step, looked);
        if (!cli_step_goes_on(c->command, step, c->steps))
            return CLI_INTERRUPTED;
    }
    cli_progress_end();
    return CLI_OK;
}

static lope_status write_one(void *user, const cli_output *output, lope_error *error)
{
    const block_crowd *c = user;
    if (output->format != CLI_FORMAT_SVG)
        return cli_write_clips(output, c->clips.items, c->clips.count, error);
    lope_block_way *ways = cli_alloc((size_t)(c->people.count + 1) * sizeof *ways);
    for (int i = 0; i < c->people.count; i++)
        ways[i] = (lope_block_way){c->points + (size_t)i * (size_t)c->path_points, c->seen};
    lope_block_picture picture = lope_block_picture_default();
    picture.title = c->blocks.scene->name;
    picture.width = c->settings->asked.width;
    picture.dark = c->settings->asked.dark;
    picture.bodies = c->people.models;
    picture.body_count = picture.way_count = c->people.count;
    picture.ways = ways;
    lope_status status = lope_draw_block_world(c->blocks.world, &picture, output->path, error);
    free(ways);
    return status;
}

static void print_report(const block_crowd *c)
{
    const errands *e = &c->people;
    lope_people_counts counts = lope_people_counts_of(e->people);
    double seconds = (double)c->steps / c->settings->asked.fps, minutes = seconds * e->count / 60.0;
    const cli_figure rows[] = {
        {"characters", "characters", e->count, 0},
        {"seconds", "seconds", seconds, 1},
        {"character_steps_per_second", "characters stepped per second", (double)c->steps * e->count / e->seconds, 0},
        {"overlaps", "overlaps > 2 cm per character-minute", (double)e->overlaps / minutes, 3},
        {"in_people", "bodies in each other, deepest, cm", 100.0 * (double)e->in_people, 1},
        {"in_things", "bodies in things they do not use, deepest, cm", 100.0 * (double)e->in_things, 1},
        {"in_used", "bodies in what they sit or climb on, deepest, cm", 100.0 * (double)e->in_used, 1},
        {"arrivals", "arrivals", (double)e->arrivals, 0},
        {"given_up", "ways given up", (double)e->given_up, 0},
        {"longest_way", "longest way, seconds", (double)counts.longest_way, 1},
        {"longest_stuck", "longest without progress, seconds", (double)counts.longest_stuck, 1},
        {"longest_queue", "longest wait for stairs, ladders, slides, seconds", (double)counts.longest_queue, 1},
        {"used", "times that things were used", (double)e->used, 0},
        {"sittings", "times that somebody sat down", (double)counts.sittings, 0},
        {"waits", "times that somebody waited for a seat", (double)counts.waits, 0},
        {"chats", "talks", (double)counts.chats, 0},
        {"decisions", "steps chosen", (double)counts.decisions, 0},
        {"forced", "of them into somebody's place", (double)counts.forced, 0},
    };
    cli_print_scene(c->blocks.scene->name, rows, (int)(sizeof rows / sizeof *rows), lope_people_hash(e->people),
                    c->settings->asked.json);
}

static int simulate(block_crowd *c)
{
    const crowd_settings *settings = c->settings;
    int wanted = settings->asked.count ? settings->asked.count : c->blocks.scene->characters;
    errands_def def = {c->blocks.world, c->jobs, wanted, settings->asked.fps, settings->asked.seed};
    int result = errands_begin(c->command, &def, &c->people);
    cli_clips_def clips = {c->blocks.blocks->set->skeleton, c->people.count, LOPE_CLIP_CONTACTS};
    if (!result)
        result = cli_clips_begin(c->command, &settings->asked, &clips, &c->clips);
    c->path_points = c->steps / (c->people.look_every > 0 ? c->people.look_every : 1) + 1;
    if (!result && cli_writes(&settings->asked.outputs, CLI_FORMAT_SVG))
        c->points = cli_alloc((size_t)(c->people.count + 1) * (size_t)c->path_points * sizeof *c->points);
    if (!result)
        result = walk(c);
    if (!result)
        result = cli_write_outputs(c->command, &settings->asked.outputs, write_one, c);
    if (!result)
        print_report(c);
    return result;
}

static int check(const cli_command *command, const crowd_settings *settings)
{
    if (settings->map)
        return cli_usage(command, "in worlds with things people move on blocks: leave out --map");
    if (settings->avoid != 0)
        return cli_usage(command, "in worlds with things people keep apart by reserving: leave out --avoid");
    if (settings->asked.count > MOST_PEOPLE)
        return cli_usage(command, "--number must not exceed %d in worlds with things, found %d", MOST_PEOPLE,
                         settings->asked.count);
    return CLI_OK;
}

int crowd_on_blocks(const cli_command *command, const crowd_settings *settings, const char *word)
{
    block_crowd c = {.command = command, .settings = settings};
    lope_error error = {0};
    c.steps = cli_steps(settings->asked.seconds, settings->asked.fps);
    int result = check(command, settings);
    if (!result && lope_jobs_create(settings->asked.threads, &c.jobs, &error) != LOPE_OK)
        result = cli_fail(command, &error);
    // The seed is that of the people: the world stays the same.
    cli_blocks_def def = {.patches = settings->patches, .word = word, .seed = 1};
    if (!result)
        result = cli_blocks_open(command, &def, c.jobs, &c.blocks);
    if (!result)
        result = simulate(&c);
    cli_clips_free(&c.clips);
    free(c.points);
    errands_end(&c.people);
    cli_blocks_close(&c.blocks);
    lope_jobs_destroy(c.jobs);
    return result;
}
