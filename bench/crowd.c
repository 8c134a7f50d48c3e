// SPDX-License-Identifier: MIT
// Crowds: how many characters a machine walks in real time, posed, and how well five hundred of them share a plaza.
// The thesis updated the positions of 500 at about 30 frames per second.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/crowds.h"
#include "bench/motion.h"

#define SUBJECT "069"
#define FRAME_RATE 30.0
#define MANY 4000           // characters that are timed
#define PLAZA 500           // characters on the plaza
#define PLAZA_SECONDS 300.0 // of walking

typedef struct crowd_bench {
    bench_run *run;
    lope_jobs *jobs;
    bench_map of;
    const lope_mobility *map; // of it
    lope_scene *plaza;
} crowd_bench;

static lope_status build_map(crowd_bench *bench, lope_error *error)
{
    lope_status status = bench_map_open(bench->run, SUBJECT, bench->jobs, &bench->of, error);
    bench->map = bench->of.map;
    bench_note(bench->run, "map of %s",
               bench->of.captured ? "subject " SUBJECT : "the built-in set (no capture found)");
    return status;
}

static lope_status open_crowd(const crowd_bench *bench, bench_crowd_def def, bench_walkers *out, lope_error *error)
{
    def.map = bench->map;
    return bench_crowd_open(&def, out, error);
}

// Seconds per step of many, the best of several runs of ten steps.
static double time_steps(crowd_bench *bench, bench_walkers *c)
{
    double best = (double)INFINITY;
    for (int round = 0; round < 6; round++) {
        double begin = bench_seconds();
        for (int i = 0; i < 10; i++)
            bench_crowd_step(c, bench->jobs);
        best = fmin(best, (bench_seconds() - begin) / 10.0);
    }
    return best;
}

static lope_status measure_speed(crowd_bench *bench, lope_error *error)
{
    static const struct {
        const char *name, *each;
        lope_avoidance avoidance;
        double paper, must;
    } kinds[] = {{"characters tracking at 30 fps, full poses", "one of them, one frame", LOPE_AVOID_NONE, 500, 20000},
                 {"the same, avoiding each other", "one of them avoiding, one frame", LOPE_AVOID_PREDICT, (double)NAN,
                  (double)NAN}};
    lope_scene field = bench_open_field(bench->plaza, MANY);
    for (int i = 0; i < 2; i++) {
        bench_walkers c;
        lope_status status =
            open_crowd(bench,
                       (bench_crowd_def){
                           .scene = &field, .count = MANY, .avoidance = kinds[i].avoidance, .posed = true, .seed = 1},
                       &c, error);
        double seconds = status ? 0.0 : time_steps(bench, &c) / (double)lope_traffic_count(c.traffic);
        bench_crowd_close(&c);
        if (status)
            return status;
        bench_add(bench->run, (bench_figure){.name = kinds[i].name,
                                             .value = 1.0 / (FRAME_RATE * seconds),
                                             .unit = "characters",
                                             .paper = kinds[i].paper,
                                             .peer = (double)NAN,
                                             .must = kinds[i].must,
                                             .higher_is_better = true});
        bench_add(bench->run, (bench_figure){.name = kinds[i].each,
                                             .value = seconds * 1e6,
                                             .unit = "us",
                                             .paper = (double)NAN,
                                             .peer = (double)NAN,
                                             .must = (double)NAN});
    }
    return LOPE_OK;
}

#define BOXES 400
#define FIELD 100.0f // metres, side of the ground that they stand on

static lope_status add_box(lope_crowd *world, int index, lope_obstacle_id *out, lope_error *error)
{
    // Scattered by the golden ratio: even, but in no rows.
    double x = fmod(0.5 + 0.754877666 * index, 1.0), z = fmod(0.5 + 0.569840291 * index, 1.0);
    lope_vec2 place = {(float)(x - 0.5) * 0.95f * FIELD, (float)(z - 0.5) * 0.95f * FIELD};
    return lope_crowd_add_box(world, (lope_ground){place.x, place.z, (float)index}, (lope_vec2){1.5f, 0.8f}, out,
                              error);
}

// What it takes to learn the ground of a world, and to learn that one obstacle came or went while somebody walks.
static lope_status measure_changes(crowd_bench *bench, lope_error *error)
{
    lope_crowd *world = NULL;
    lope_crowd_def def = lope_crowd_def_default();
    def.bounded = true;
    def.low = (lope_vec2){-0.5f * FIELD, -0.5f * FIELD};
    def.high = (lope_vec2){0.5f * FIELD, 0.5f * FIELD};
    lope_member_def character = lope_member_def_default(bench->map);
    lope_member_id id;
    lope_status status = lope_crowd_create(&def, &world, error);
    for (int i = 0; i < BOXES && !status; i++)
        status = add_box(world, i + 1, NULL, error); // the first one would stand in the middle, where somebody begins
    if (!status)
        status = lope_crowd_spawn(world, &character, &id, error);
    double begin = bench_seconds();
    if (!status)
        status = lope_member_go_to(world, id, (lope_vec3){0.45f * FIELD, 0, 0.45f * FIELD}, error);
    double whole = bench_seconds() - begin, change = (double)INFINITY;
    for (int round = 0; round < 5 && status <= LOPE_PARTIAL; round++) {
        begin = bench_seconds();
        for (int i = 0; i < 20; i++) {
            lope_obstacle_id box;
            status = add_box(world, BOXES + 1 + 20 * round + i, &box, error);
            if (status)
                break;
            lope_crowd_remove_obstacle(world, box);
        }
        change = fmin(change, (bench_seconds() - begin) / 40.0);
    }
    lope_crowd_destroy(world);
    if (status && status != LOPE_PARTIAL)
        return status;
    bench_add(bench->run, (bench_figure){"learning a ground of 400 obstacles", whole * 1e3, "ms", (double)NAN,
                                         (double)NAN, (double)NAN, false});
    bench_add(bench->run, (bench_figure){"learning that one of them came or went", change * 1e3, "ms", (double)NAN,
                                         (double)NAN, (double)NAN, false});
    return LOPE_OK;
}

// The worst of several crowds, per character-minute where it is not seconds.
typedef struct plaza_figures {
    double overlaps, walls, arrivals, stuck;
    int characters;
} plaza_figures;

static lope_status walk_plaza(crowd_bench *bench, uint64_t seed, plaza_figures *worst, lope_error *error)
{
    bench_walkers c;
    lope_status status =
        open_crowd(bench, (bench_crowd_def){.scene = bench->plaza, .count = PLAZA, .seed = seed}, &c, error);
    for (int i = 0; !status && i < (int)(PLAZA_SECONDS * FRAME_RATE); i++)
        bench_crowd_step(&c, bench->jobs);
    if (!status) {
        lope_crowd_counts counts = lope_crowd_counts_of(c.world);
        double minutes = counts.character_seconds / 60.0;
        worst->overlaps = fmax(worst->overlaps, (double)counts.overlaps / minutes);
        worst->walls = fmax(worst->walls, (double)counts.wall_hits / minutes);
        worst->arrivals = fmin(worst->arrivals, (double)counts.arrivals / minutes);
        worst->stuck = fmax(worst->stuck, (double)counts.longest_stuck);
        worst->characters = lope_traffic_count(c.traffic);
    }
    bench_crowd_close(&c);
    return status;
}

static lope_status measure_plaza(crowd_bench *bench, lope_error *error)
{
    static const uint64_t seeds[] = {21, 22, 23}; // none of those that avoidance was tuned on
    plaza_figures worst = {.arrivals = (double)INFINITY};
    lope_status status = LOPE_OK;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds && !status; i++)
        status = walk_plaza(bench, seeds[i], &worst, error);
    if (status)
        return status;
    const bench_figure figures[] = {
        {"plaza: overlaps > 10 cm per character-minute", worst.overlaps, "", (double)NAN, (double)NAN, 0.1, false},
        {"plaza: longest without progress", worst.stuck, "s", (double)NAN, (double)NAN, 10.0, false},
        {"plaza: obstacles entered > 10 cm per character-minute", worst.walls, "", (double)NAN, (double)NAN,
         (double)NAN, false},
        {"plaza: arrivals per character-minute", worst.arrivals, "", (double)NAN, (double)NAN, (double)NAN, true}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        bench_add(bench->run, figures[i]);
    bench_note(bench->run, "plaza: %d characters, 0.3 per square metre, %.0f s; the worst of seeds 21, 22 and 23",
               worst.characters, PLAZA_SECONDS);
    return LOPE_OK;
}

static lope_status measure_motion(crowd_bench *bench, lope_error *error)
{
    bench_walkers c;
    lope_status status = open_crowd(
        bench, (bench_crowd_def){.scene = bench->plaza, .count = PLAZA, .posed = true, .seed = 1}, &c, error);
    if (!status)
        status = bench_crowd_motion(bench->run, bench->map, c.world, c.traffic, bench->jobs,
                                    bench->of.captured ? 1.2 : (double)NAN, error);
    bench_crowd_close(&c);
    return status;
}

static lope_status run_crowd(bench_run *run, lope_error *error)
{
    crowd_bench bench = {.run = run};
    lope_status status = lope_jobs_create(0, &bench.jobs, error);
    if (!status)
        status = lope_scene_builtin("plaza", &bench.plaza, error);
    if (!status)
        status = build_map(&bench, error);
    if (!status)
        status = measure_speed(&bench, error);
    if (!status)
        status = measure_changes(&bench, error);
    if (!status)
        status = measure_motion(&bench, error);
    if (!status)
        status = measure_plaza(&bench, error);
    lope_scene_destroy(bench.plaza);
    bench_map_close(&bench.of);
    lope_jobs_destroy(bench.jobs);
    return status;
}

const bench_entry bench_crowd = {"crowd", "many characters: speed, overlaps on a plaza", run_crowd};
