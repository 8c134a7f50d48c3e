// SPDX-License-Identifier: MIT
// Levels of many triangles: how long everything takes that is found in them, how much memory it needs, and whether the
// result is the same for any number of threads.
#include <math.h>
#include <string.h>

#include "bench/level.h"
#include "generators/level_random.h"

typedef struct measured {
    double seconds, megabytes;
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
    status = lope_floors_create(made.level, &whose, jobs, &floors, error);
    out->seconds = bench_seconds() - begin;
    if (!status) {
        out->triangles = lope_terrain_triangle_count(lope_level_terrain(made.level));
        out->megabytes = 1e-6 * (double)(lope_floors_memory(floors) + lope_level_memory(made.level));
        out->hash = hash_borders(floors);
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
        bench_add(run, (bench_figure){bench_name(run, "%d triangles: everything, two threads", sizes[i]), m[i].seconds,
                                      "s", none, none, musts[i], false});
        bench_add(run,
                  (bench_figure){bench_name(run, "%d triangles: memory", sizes[i]),
                                 1e6 * m[i].megabytes / m[i].triangles, "bytes a triangle", none, none, none, false});
    }
    if (!status)
        status = measure(sizes[1], NULL, &alone, error);
    if (!status)
        bench_add(run, (bench_figure){"borders differ between one thread and two", alone.hash != m[1].hash, "", none,
                                      none, 0.0, false});
    lope_jobs_destroy(jobs);
    return status;
}
