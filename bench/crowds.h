// SPDX-License-Identifier: MIT
// Crowds that benchmarks run: a map, and characters that walk about a scene on it.
#ifndef LOPE_BENCH_CROWDS_H
#define LOPE_BENCH_CROWDS_H

#include "bench/clips.h"

// The map of a captured subject, or of the built-in set where there is no capture. The map is to be closed first.
typedef struct bench_map {
    lope_set *set;
    lope_mobility *map;
    bool captured;
} bench_map;
lope_status bench_map_open(bench_run *run, const char *subject, lope_jobs *jobs, bench_map *out, lope_error *error);
void bench_map_close(bench_map *map);

typedef struct bench_crowd_def {
    const lope_mobility *map;
    const lope_scene *scene;
    int count;
    lope_avoidance avoidance;
    bool posed;
    uint64_t seed;
} bench_crowd_def;
typedef struct bench_walkers {
    lope_crowd *world;
    lope_traffic *traffic;
} bench_walkers;
// As many as there is room for.
lope_status bench_crowd_open(const bench_crowd_def *def, bench_walkers *out, lope_error *error);
void bench_crowd_close(bench_walkers *walkers);
// A frame of a thirtieth of a second.
void bench_crowd_step(bench_walkers *walkers, lope_jobs *jobs);

// The plaza without obstacles, large enough for `count` at 0.3 per square metre. Shares its arrays.
lope_scene bench_open_field(const lope_scene *plaza, int count);

#endif
