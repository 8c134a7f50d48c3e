// SPDX-License-Identifier: MIT
// Motion patches: sorting poses, the walk tile, worlds of tiles and the people in them. Beside it what the paper had on
// a 2.8 GHz processor of 2004.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/clips.h"
#include "bench/patches_blocks.h"

#define SUBJECT "069"
#define FLOOR_TILES 30 // a side
#define LARGE_TILES 94 // a side: 8,836 tiles, about as many instances as the paper's large world
#define CROWD 1000     // the paper's figure 7
#define CROWD_TILES 55 // a side, for 1,000 characters: two tiles and more for each, as reserving tiles needs
#define CROWD_RUNS 3
#define FRAMES 300
#define MANY 20000     // characters that are really there, on a floor of
#define MANY_TILES 180 // a side
#define MANY_FRAMES 90

typedef struct patches_bench {
    bench_run *run;
    lope_jobs *jobs;
    lope_set *set;     // all of the subject
    lope_set *forward; // what walks forwards, and its mirror images
    bool captured;
    lope_tile *tile;
} patches_bench;

static bench_figure figure(const char *name, double value, const char *unit, double paper, double must, bool higher)
{
    return (bench_figure){name, value, unit, paper, (double)NAN, must, higher};
}

// Clips 1 to 15 and 20 to 33 of the subject walk forwards; the others back and sideways.
static bool walks_forward(const char *name)
{
    int number = 0;
    const char *digits = strrchr(name, '_');
    if (!digits || sscanf(digits + 1, "%d", &number) != 1)
        return false;
    return (number >= 1 && number <= 15) || (number >= 20 && number <= 33);
}

static bool strolls(const char *motion)
{
    return strncmp(motion, "stroll_", 7) == 0 || strcmp(motion, "walk_slow") == 0;
}

static lope_status prepare(patches_bench *b, lope_error *error)
{
    bench_clips clips;
    lope_clip **forward;
    int forward_count = 0;
    lope_status status = bench_clips_load(b->run, SUBJECT, (bench_stand_in){strolls, 3}, &clips, error);
    b->captured = clips.captured;
    forward = calloc((size_t)clips.count + 1, sizeof *forward);
    if (!forward)
        abort();
    for (int i = 0; i < clips.count; i++)
        if (!b->captured || walks_forward(clips.items[i]->name))
            forward[forward_count++] = clips.items[i];
    lope_prepare_def def = lope_prepare_def_default();
    if (!status)
        status =
            lope_set_prepare((const lope_clip *const *)clips.items, clips.count, &def, b->jobs, NULL, &b->set, error);
    def.mirror = true;
    if (!status)
        status =
            lope_set_prepare((const lope_clip *const *)forward, forward_count, &def, b->jobs, NULL, &b->forward, error);
    bench_clips_free(&clips);
    free(forward);
    return status;
}

static lope_status measure_groups(patches_bench *b, lope_error *error)
{
    lope_groups_def def = lope_groups_def_default();
    lope_groups *groups = NULL;
    double best = (double)INFINITY;
    for (int i = 0; i < 3; i++) {
        double begin = bench_seconds();
        lope_groups_destroy(groups);
        lope_status status = lope_groups_find(b->set, &def, b->jobs, &groups, error);
        if (status)
            return status;
        best = fmin(best, bench_seconds() - begin);
    }
    double must = b->captured ? 2.0 : (double)NAN;
    bench_add(b->run, figure("sorting all frames into groups of 12 cm", best, "s", (double)NAN, must, false));
    bench_add(b->run,
              figure("groups", groups->group_count, "", b->captured ? 2337.0 : (double)NAN, (double)NAN, false));
    bench_note(b->run, "%d frames; the widest group measures %.2f cm; the paper's office set had 2,337 groups",
               groups->frame_count, 100.0 * (double)groups->widest);
    lope_groups_destroy(groups);
    return LOPE_OK;
}

static lope_status measure_tile(patches_bench *b, lope_error *error)
{
    lope_tile_def def = lope_tile_def_default();
    lope_tile_report best = {.seconds = (double)INFINITY};
    for (int i = 0; i < 3; i++) {
        lope_tile_report report;
        lope_tile_destroy(b->tile);
        b->tile = NULL;
        lope_status status = lope_tile_build(b->forward, &def, b->jobs, NULL, &b->tile, &report, error);
        if (status)
            return status;
        if (report.seconds < best.seconds)
            best = report;
    }
    double none = (double)NAN, gates = best.gates;
    bool must = b->captured;
    bench_add(b->run, figure("walk tile of 1.5 m, built", best.seconds, "s", none, must ? 5.0 : none, false));
    bench_add(b->run, figure("its gates", 4.0 * gates, "", 144.0, must ? 144.0 : none, true));
    bench_add(b->run,
              figure("connections of a gate", best.links / gates, "", 7967.0 / 144.0, must ? 55.0 : none, true));
    bench_add(b->run, figure("of all pairs of gates", 100.0 * best.links / (4.0 * gates * gates), "%", 38.4,
                             must ? 38.0 : none, true));
    bench_add(b->run, figure("a standing foot jumps at junctions, 95 %", 100.0 * (double)best.junction_foot_95, "cm",
                             none, must ? 7.0 : none, false));
    bench_note(b->run, "poses at junctions are %.1f cm apart (median), %.1f cm (95 %%)",
               100.0 * (double)best.junction_pose, 100.0 * (double)best.junction_pose_95);
    return LOPE_OK;
}

static lope_status make_world(const patches_bench *b, int tiles, int characters, lope_reserve reserve,
                              lope_patch_world **out, lope_error *error)
{
    lope_patch_world_def def = lope_patch_world_def_default();
    def.tile = b->tile;
    def.columns = def.rows = tiles;
    def.characters = characters;
    def.reserve = reserve;
    return lope_patch_world_create(&def, out, error);
}

static int spawn_many(lope_patch_world *world, int count, float side)
{
    for (int i = 0; i < count; i++) {
        double u = fmod(0.7548776662466927 * (i + 1), 1.0), v = fmod(0.5698402909980532 * (i + 1), 1.0);
        lope_vec2 near = {(float)u * side, (float)v * side};
        int character;
        if (lope_patch_spawn(world, near, &character, NULL) != LOPE_OK)
            return i;
    }
    return count;
}

// Seconds of all frames: walking alone, and with what is shown.
typedef struct crowd_times {
    double steps, shown;
    lope_patch_traffic traffic;
} crowd_times;

typedef struct crowd_size {
    int count, tiles, frames;
    lope_reserve reserve;
    bool local; // poses relative to parents, otherwise in model space with locked feet
} crowd_size;

// Where poses go.
typedef struct crowd_poses {
    lope_transform *models;
    lope_quat *rotations;
    lope_vec3 *roots;
} crowd_poses;

static crowd_poses make_poses(size_t count, size_t joints)
{
    crowd_poses p = {calloc(count * joints, sizeof *p.models), calloc(count * joints, sizeof *p.rotations),
                     calloc(count, sizeof *p.roots)};
    if (!p.models || !p.rotations || !p.roots)
        abort();
    return p;
}

static void free_poses(crowd_poses *p)
{
    bench_keep(p->models);
    bench_keep(p->rotations);
    free(p->models);
    free(p->rotations);
    free(p->roots);
}

static lope_status measure_crowd(patches_bench *b, const crowd_size *size, crowd_times *out, lope_error *error)
{
    lope_patch_world *world;
    int count = size->count;
    lope_status status = make_world(b, size->tiles, count, size->reserve, &world, error);
    if (status)
        return status;
    int spawned = spawn_many(world, count, (float)size->tiles * b->tile->size);
    crowd_poses poses = make_poses((size_t)count, (size_t)b->forward->skeleton->joint_count);
    *out = (crowd_times){0};
    for (int frame = 0; frame < size->frames; frame++) {
        double begin = bench_seconds();
        lope_patch_world_step(world, 1.0f / 30.0f, b->jobs);
        double stepped = bench_seconds();
        if (size->local)
            lope_patch_world_locals(world, poses.roots, poses.rotations, b->jobs);
        else
            lope_patch_world_poses(world, poses.models, b->jobs);
        out->steps += stepped - begin;
        out->shown += bench_seconds() - begin;
    }
    out->traffic = lope_patch_world_traffic(world);
    if (spawned < count)
        bench_note(b->run, "only %d of %d characters found a free gate", spawned, count);
    free_poses(&poses);
    lope_patch_world_destroy(world);
    return LOPE_OK;
}

// The best of a few runs, because others use the machine too.
static lope_status best_crowd(patches_bench *b, const crowd_size *size, int runs, crowd_times *out, lope_error *error)
{
    lope_status status = LOPE_OK;
    *out = (crowd_times){(double)INFINITY, (double)INFINITY, {0, 0, 0}};
    for (int i = 0; i < runs && !status; i++) {
        crowd_times times;
        status = measure_crowd(b, size, &times, error);
        if (!status)
            *out = (crowd_times){fmin(out->steps, times.steps), fmin(out->shown, times.shown), times.traffic};
    }
    return status;
}

static void note_traffic(patches_bench *b, const char *what, lope_patch_traffic traffic)
{
    bench_note(b->run, "%s: %lld segments chosen, %lld of them into somebody's place", what,
               (long long)traffic.decisions, (long long)traffic.forced);
}

static lope_status measure_many(patches_bench *b, lope_error *error)
{
    crowd_size size = {MANY, MANY_TILES, MANY_FRAMES, LOPE_RESERVE_CELLS, false};
    crowd_times times;
    lope_status status = best_crowd(b, &size, 1, &times, error);
    if (status)
        return status;
    double frames_per_second = MANY_FRAMES / times.shown;
    bench_add(b->run, figure("20,000 characters: model space and foot lock", frames_per_second, "fps", (double)NAN,
                             30.0, true));
    bench_add(b->run,
              figure("characters at 30 fps, likewise", MANY * frames_per_second / 30.0, "", 1000.0, 20000.0, true));
    note_traffic(b, "20,000 characters", times.traffic);
    return LOPE_OK;
}

static lope_status measure_crowds(patches_bench *b, lope_error *error)
{
    double none = (double)NAN;
    crowd_times times;
    crowd_size size = {CROWD, CROWD_TILES, FRAMES, LOPE_RESERVE_TILES, true};
    lope_status status = best_crowd(b, &size, CROWD_RUNS, &times, error);
    if (status)
        return status;
    bench_add(b->run, figure("1,000 characters, 300 frames: steps only", times.steps, "s", none, none, false));
    bench_add(b->run, figure("with placed and blended local poses", times.shown, "s", none, 0.06, false));
    size.local = false;
    status = best_crowd(b, &size, CROWD_RUNS, &times, error);
    if (status)
        return status;
    bench_add(b->run, figure("with model space and foot lock", times.shown, "s", 2.8, 0.2, false));
    note_traffic(b, "tiles reserved as in the paper", times.traffic);
    size.reserve = LOPE_RESERVE_CELLS;
    status = best_crowd(b, &size, CROWD_RUNS, &times, error);
    if (status)
        return status;
    bench_add(b->run, figure("the same with reserved cells", times.shown, "s", none, 0.2, false));
    note_traffic(b, "cells reserved", times.traffic);
    return measure_many(b, error);
}

static lope_status measure_large(patches_bench *b, lope_error *error)
{
    lope_patch_world *world;
    lope_patch_survey survey;
    double begin = bench_seconds(), none = (double)NAN;
    lope_status status = make_world(b, LARGE_TILES, 0, LOPE_RESERVE_NONE, &world, error);
    if (!status)
        status = lope_patch_world_survey(world, &survey, error);
    if (status)
        return status;
    double seconds = bench_seconds() - begin, side = LARGE_TILES * (double)b->tile->size, best = (double)INFINITY;
    bench_add(b->run, figure("world of 8,836 tiles: assembled and surveyed", seconds, "s", none, 20.0, false));
    bench_add(b->run, figure("its gates and segments", 1e-6 * (double)(survey.gates + survey.links), "million", 16.7,
                             none, true));
    bench_add(b->run, figure("its memory", (double)survey.bytes / 1e6, "MB", none, 1000.0, false));
    bench_add(b->run, figure("segments in the largest component",
                             100.0 * (double)survey.largest_links / (double)survey.live_links, "%", none, 80.0, true));
    for (int i = 0; i < 5 && !status; i++) {
        int count;
        double start = bench_seconds();
        lope_vec2 goal = {(float)side - 0.5f, (float)side - 0.5f};
        status = lope_patch_path(world, 0, 0, 0, goal, NULL, 0, &count, error);
        best = fmin(best, bench_seconds() - start);
    }
    bench_add(b->run, figure("way across it, corner to corner", 1e3 * best, "ms", none, 5.0, false));
    lope_patch_world_destroy(world);
    return status;
}

// A desk of 1.6 by 0.8 m is put down, dragged and taken away on a floor of 900 tiles.
static lope_status measure_edits(patches_bench *b, lope_error *error)
{
    lope_patch_world *world;
    lope_status status = make_world(b, FLOOR_TILES, 0, LOPE_RESERVE_NONE, &world, error);
    double worst = 0.0;
    for (int i = 0; i < 200 && !status; i++) {
        float x = 2.0f + fmodf(7.31f * (float)i, FLOOR_TILES * b->tile->size - 4.0f);
        float z = 2.0f + fmodf(3.77f * (float)i, FLOOR_TILES * b->tile->size - 4.0f);
        lope_vec2 desk[4] = {{x - 0.8f, z - 0.4f}, {x + 0.8f, z - 0.4f}, {x + 0.8f, z + 0.4f}, {x - 0.8f, z + 0.4f}};
        int id;
        double times[4];
        times[0] = bench_seconds();
        status = lope_patch_world_add(world, desk, 4, 0.0f, &id, error);
        times[1] = bench_seconds();
        for (int k = 0; k < 4; k++)
            desk[k].x += 0.1f;
        if (!status)
            status = lope_patch_world_move(world, id, desk, 4, 0.0f, error);
        times[2] = bench_seconds();
        lope_patch_world_remove(world, id);
        times[3] = bench_seconds();
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, times[k + 1] - times[k]);
    }
    bench_add(b->run, figure("a desk put down, dragged, removed among 900 tiles: worst", 1e3 * worst, "ms", 1000.0,
                             16.0, false));
    lope_patch_world_destroy(world);
    return status;
}

static lope_status run_patches(bench_run *run, lope_error *error)
{
    patches_bench b = {.run = run};
    lope_status status = lope_jobs_create(0, &b.jobs, error);
    if (!status)
        status = prepare(&b, error);
    if (!status && !b.captured)
        bench_note(run, "no captured clips: measured on the built-in set, which promises less");
    if (!status)
        status = measure_groups(&b, error);
    if (!status)
        status = measure_tile(&b, error);
    if (!status)
        status = measure_crowds(&b, error);
    if (!status)
        status = measure_edits(&b, error);
    if (!status)
        status = measure_large(&b, error);
    if (!status)
        status = bench_patches_blocks(run, b.jobs, error);
    lope_tile_destroy(b.tile);
    lope_set_destroy(b.set);
    lope_set_destroy(b.forward);
    lope_jobs_destroy(b.jobs);
    return status;
}

const bench_entry bench_patches = {"patches", "motion patches: groups, tiles, worlds, crowds", run_patches};
