// SPDX-License-Identifier: MIT
// Levels of many triangles: how long everything takes that is found in them, how much memory it needs, and whether the
// result is the same for any number of threads. Recast gets the same triangles where the tool was built with it.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/level.h"
#include "bench/level_random.h"
#include "bench/level_recast.h"

typedef struct measured {
    double seconds, processor, megabytes, recast;
    uint64_t hash;
    int triangles;
} measured;

static uint64_t hash_borders(const lope_floors *floors)
{
    int count;
    const lope_floor_border *borders = lope_floors_borders(floors, &count);
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < count; i++) {
        uint32_t bits[6];
        memcpy(bits, &borders[i], sizeof bits);
        for (int k = 0; k < 6; k++)
            hash = (hash ^ bits[k]) * 1099511628211u;
    }
    return hash;
}

static double recast_seconds(const lope_terrain *terrain, const lope_floors_def *def)
{
    lope_vec3 low, high;
    lope_terrain_bounds(terrain, &low, &high);
    int count = lope_terrain_triangles(terrain, low, high, NULL, 0);
    lope_terrain_triangle *t = malloc((size_t)count * sizeof *t);
    float *numbers = malloc((size_t)count * 9 * sizeof *numbers);
    lope_terrain_triangles(terrain, low, high, t, count);
    for (int i = 0; i < count; i++)
        memcpy(numbers + 9 * (size_t)i, t[i].corners, 9 * sizeof *numbers);
    const recast_body body = {0.1f, def->height, def->step, def->slope * 57.29578f, def->radius};
    double seconds = recast_build_seconds(numbers, count, &body);
    free(t), free(numbers);
    return seconds;
}

static lope_status measure(int triangles, lope_jobs *jobs, measured *out, lope_error *error)
{
    level_random_def def = level_random_def_default(4242);
    const lope_floors_def whose = lope_floors_def_default();
    // As dense everywhere: about 70 triangles a square metre on each plot at most, more plots for more.
    int side = (int)ceil(sqrt((double)triangles / 1500.0));
    def.columns = def.rows = side < 2 ? 2 : side;
    def.triangles = triangles;
    level_random made = {0};
    lope_status status = level_random_create(&def, &made, error);
    if (status)
        return status;
    lope_floors *floors = NULL;
    double begin = bench_seconds();
    clock_t used = clock();
    status = lope_floors_create(made.level, &whose, jobs, &floors, error);
    out->seconds = bench_seconds() - begin;
    out->processor = (double)(clock() - used) / CLOCKS_PER_SEC;
    if (!status) {
        out->triangles = lope_terrain_triangle_count(lope_level_terrain(made.level));
        out->megabytes = 1e-6 * (double)(lope_floors_memory(floors) + lope_level_memory(made.level));
        out->hash = hash_borders(floors);
        out->recast = recast_seconds(lope_level_terrain(made.level), &whose);
    }
    lope_floors_destroy(floors);
    level_random_destroy(&made);
    return status;
}

lope_status level_bench_sizes(bench_run *run, lope_error *error)
{
    static const int sizes[3] = {10000, 100000, 1000000};
    static const double musts[3] = {0.1, 1.0, 10.0};
    const double none = (double)NAN;
    lope_jobs *jobs;
    measured m[3] = {0}, alone = {0};
    lope_status status = lope_jobs_create(2, &jobs, error);
    if (status)
        return status;
    for (int i = 0; i < 3 && !status && !bench_stopped(run); i++) {
        status = measure(sizes[i], jobs, &m[i], error);
        if (status)
            break;
        double peer = m[i].recast > 0.0 ? m[i].recast : none;
        bench_add(run, (bench_figure){bench_name(run, "%d triangles: everything, two threads", sizes[i]), m[i].seconds,
                                      "s", none, peer, musts[i], false});
        bench_add(run,
                  (bench_figure){bench_name(run, "%d triangles: memory", sizes[i]),
                                 1e6 * m[i].megabytes / m[i].triangles, "bytes a triangle", none, none, none, false});
    }
    if (!status)
        status = measure(sizes[1], NULL, &alone, error);
    if (!status) {
        bench_add(run, (bench_figure){"borders differ between one thread and two", alone.hash != m[1].hash, "", none,
                                      none, 0.0, false});
        if (alone.recast > 0.0)
            bench_add(run, (bench_figure){"100000 triangles, one thread: part of Recast's time",
                                          alone.seconds / alone.recast, "", none, none, 1.0, false});
        else
            bench_note(run, "sizes: built without Recast (-DLOPE_RECAST=ON, librecast-dev): no time of it beside ours");
    }
    lope_jobs_destroy(jobs);
    return status;
}
