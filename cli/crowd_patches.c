// SPDX-License-Identifier: MIT
// `lope crowd --patches`: the flows of a scene, walked on motion patches.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/crowd.h"
#include "cli/maps.h"
#include "lope/offline.h"

// Places tried for a goal, and seconds until one that found no way tries again.
enum { GOAL_TRIES = 40 };
#define TRY_AGAIN 2.0f
// Metres that one must have come in order not to count as stuck; metres below which two bodies overlap by 10 cm.
#define PROGRESS 0.5f
#define OVERLAP 0.4f

typedef struct traveller {
    int flow, leg; // leg: index of the via that it walks to; via_count: to the area
    float pause;
    lope_vec2 mark; // where it was when it last had come on
    float stuck;    // seconds since then
} traveller;

typedef struct patch_crowd {
    const cli_command *command;
    const crowd_settings *settings;
    lope_scene *scene;
    lope_jobs *jobs;
    lope_set *set;
    lope_tile *tile;
    lope_patch_world *world;
    traveller *travellers;
    bool *near; // [count * count] pairs that overlap
    lope_vec2 *places;
    int count, steps;
    cli_ways ways;
    cli_clips clips;
    uint64_t random;
    double seconds;
    int64_t overlaps, arrivals;
    float longest_stuck;
} patch_crowd;

// Sends somebody to the next place of its flow. Where no way leads there, it wanders and tries again.
static void send(patch_crowd *c, int i)
{
    traveller *who = &c->travellers[i];
    const lope_scene_flow *flow = &c->scene->flows[who->flow];
    bool via = who->leg < flow->via_count;
    const lope_scene_area *area = &c->scene->areas[flow->to];
    lope_status status = LOPE_NOT_FOUND;
    for (int attempt = 0; attempt < (via ? 1 : GOAL_TRIES) && status; attempt++)
        status = lope_patch_go_to(
            c->world, i, via ? flow->via[who->leg] : lope_scene_draw_place(area->low, area->high, &c->random), NULL);
    who->pause = TRY_AGAIN;
}

static void update(patch_crowd *c, int i, float dt)
{
    traveller *who = &c->travellers[i];
    lope_ground at = lope_patch_ground(c->world, i);
    who->stuck += dt;
    if (hypotf(at.x - who->mark.x, at.z - who->mark.z) > PROGRESS) {
        who->mark = (lope_vec2){at.x, at.z};
        who->stuck = 0.0f;
    }
    c->longest_stuck = fmaxf(c->longest_stuck, who->stuck);
    if (lope_patch_going(c->world, i) || (who->pause -= dt) > 0.0f)
        return;
    const lope_scene_flow *flow = &c->scene->flows[who->flow];
    if (lope_patch_arrived(c->world, i) && who->leg < flow->via_count) {
        who->leg++;
    } else if (lope_patch_arrived(c->world, i)) {
        c->arrivals++;
        who->flow = lope_scene_draw_flow(c->scene, flow->to, &c->random);
        who->leg = 0;
    }
    send(c, i);
}

static void count_overlaps(patch_crowd *c)
{
    for (int i = 0; i < c->count; i++) {
        lope_ground at = lope_patch_ground(c->world, i);
        c->places[i] = (lope_vec2){at.x, at.z};
        for (int k = 0; k < i; k++) {
            bool *near = &c->near[(size_t)i * (size_t)c->count + (size_t)k];
            bool now = hypotf(at.x - c->places[k].x, at.z - c->places[k].z) < OVERLAP;
            c->overlaps += now && !*near;
            *near = now;
        }
    }
}

static int populate(patch_crowd *c)
{
    lope_error error = {0};
    c->travellers = cli_alloc((size_t)(c->count + 1) * sizeof *c->travellers);
    c->places = cli_alloc((size_t)(c->count + 1) * sizeof *c->places);
    for (int i = 0; i < c->count; i++) {
        int flow = lope_scene_draw_flow(c->scene, -1, &c->random);
        const lope_scene_area *area = &c->scene->areas[c->scene->flows[flow].from];
        lope_vec2 near = c->scene->spawn_anywhere ? lope_scene_draw_place(c->scene->low, c->scene->high, &c->random)
                                                  : lope_scene_draw_place(area->low, area->high, &c->random);
        int character;
        if (lope_patch_spawn(c->world, near, &character, &error) != LOPE_OK) {
            if (i == 0)
                return cli_fail(c->command, &error);
            cli_note_room(c->command, i, c->count, &error);
            c->count = i;
            break;
        }
        c->travellers[i] = (traveller){.flow = flow, .mark = near};
        send(c, i);
    }
    c->near = calloc((size_t)(c->count * c->count) + 1, sizeof *c->near);
    if (!c->near)
        abort();
    return CLI_OK;
}

static void record(patch_crowd *c, int step)
{
    for (int i = 0; cli_ways_due(&c->ways, step) && i < c->count; i++)
        cli_ways_note(&c->ways, i, step, c->places[i]);
    cli_clips_record(&c->clips, c->world, step);
}

static int walk(patch_crowd *c)
{
    float dt = (float)(1.0 / c->settings->asked.fps);
    for (int step = 0; step < c->steps; step++) {
        double begin = cli_seconds();
        lope_patch_world_step(c->world, dt, c->jobs);
        c->seconds += cli_seconds() - begin;
        for (int i = 0; i < c->count; i++)
            update(c, i, dt);
        count_overlaps(c);
        record(c, step);
        if (!cli_step_goes_on(c->command, step, c->steps))
            return CLI_INTERRUPTED;
    }
    cli_progress_end();
    return CLI_OK;
}

static void print_report(const patch_crowd *c)
{
    lope_patch_traffic traffic = lope_patch_world_traffic(c->world);
    double seconds = (double)c->steps / c->settings->asked.fps, minutes = seconds * c->count / 60.0;
    const cli_figure rows[] = {
        {"characters", "characters", c->count, 0},
        {"seconds", "seconds", seconds, 1},
        {"character_steps_per_second", "characters stepped per second", (double)c->steps * c->count / c->seconds, 0},
        {"overlaps", "overlaps > 10 cm per character-minute", (double)c->overlaps / minutes, 3},
        {"arrivals", "arrivals", (double)c->arrivals, 0},
        {"longest_stuck", "longest without progress, seconds", (double)c->longest_stuck, 1},
        {"decisions", "segments chosen", (double)traffic.decisions, 0},
        {"forced", "of them into somebody's place", (double)traffic.forced, 0},
    };
    cli_print_scene(c->scene->name, rows, (int)(sizeof rows / sizeof *rows), lope_patch_world_hash(c->world),
                    c->settings->asked.json);
}

static int simulate(patch_crowd *c)
{
    const crowd_settings *settings = c->settings;
    lope_error error = {0};
    lope_patch_world_def def = lope_patch_world_def_default();
    def.tile = c->tile;
    def.characters = c->count;
    def.reserve = settings->avoid == 2 ? LOPE_RESERVE_NONE : LOPE_RESERVE_CELLS;
    def.seed = settings->asked.seed;
    if (lope_scene_patch_world(c->scene, &def, &c->world, &error))
        return cli_fail(c->command, &error);
    int result = populate(c);
    cli_clips_def clips = {c->tile->set->skeleton, c->count, LOPE_CLIP_CONTACTS};
    cli_ways_begin(&settings->asked, c->count, &c->ways);
    if (!result)
        result = cli_clips_begin(c->command, &settings->asked, &clips, &c->clips);
    if (!result)
        result = walk(c);
    if (!result)
        result = cli_write_simulation(c->command, &settings->asked, c->scene, &c->ways, &c->clips);
    if (!result)
        print_report(c);
    return result;
}

int crowd_on_patches(const cli_command *command, const crowd_settings *settings, lope_scene *scene, lope_jobs *jobs)
{
    patch_crowd c = {
        .command = command, .settings = settings, .scene = scene, .jobs = jobs, .random = settings->asked.seed};
    c.count = settings->asked.count ? settings->asked.count : scene->characters;
    c.steps = cli_steps(settings->asked.seconds, settings->asked.fps);
    if (settings->avoid == LOPE_AVOID_STEER || settings->avoid == LOPE_AVOID_THESIS)
        return cli_usage(command, "on patches people keep apart by reserving: --avoid %s is for mobility maps",
                         settings->avoid == LOPE_AVOID_STEER ? "steer" : "thesis");
    if (c.count > 20000)
        return cli_usage(command, "--number must not exceed 20000 with --patches, found %d", c.count);
    const char *file = strcmp(settings->patches, "builtin") == 0 ? NULL : settings->patches;
    int result = cli_tile_open(command, file, jobs, &c.set, &c.tile);
    if (!result)
        result = simulate(&c);
    cli_clips_free(&c.clips);
    cli_ways_free(&c.ways);
    free(c.near);
    free(c.places);
    free(c.travellers);
    lope_patch_world_destroy(c.world);
    lope_tile_destroy(c.tile);
    lope_set_destroy(c.set);
    return result;
}
