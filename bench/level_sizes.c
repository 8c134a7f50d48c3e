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

// ---- what is crowded

// Triangles from anywhere to anywhere in a cube of 2 m, over a floor, as one mesh.
static lope_status add_heap(lope_level *level, int count, lope_error *error)
{
    lope_part_def floor = lope_part_def_default(LOPE_PART_BOX), heap = lope_part_def_default(LOPE_PART_MESH);
    lope_terrain_mesh *mesh;
    uint64_t state = 17;
    lope_part_id part;
    floor.size = lope_v3(8.0f, 0.1f, 8.0f);
    lope_status status = lope_terrain_mesh_create(3 * count, count, &mesh, error);
    if (status)
        return status;
    for (int i = 0; i < 3 * count; i++) {
        float at[3];
        for (int k = 0; k < 3; k++)
            at[k] = (float)(2.0 * bench_random(&state));
        mesh->vertices[i] = lope_v3(at[0] - 1.0f, at[1], at[2] - 1.0f);
        mesh->indices[i] = i;
    }
    heap.mesh = mesh;
    status = lope_level_add(level, &floor, &part, error);
    if (!status)
        status = lope_level_add(level, &heap, &part, error);
    lope_terrain_mesh_destroy(mesh);
    return status;
}

// Slabs of 12 x 12 m, 4 m apart.
static lope_status add_tower(lope_level *level, int storeys, lope_error *error)
{
    lope_status status = LOPE_OK;
    lope_part_id part;
    for (int i = 0; i < storeys && !status; i++) {
        lope_part_def slab = lope_part_def_default(LOPE_PART_BOX);
        slab.size = lope_v3(12.0f, 0.2f, 12.0f);
        slab.at.translation.y = 4.0f * (float)i;
        status = lope_level_add(level, &slab, &part, error);
    }
    return status;
}

static lope_status measure_crowded(bench_run *run, lope_jobs *jobs, lope_error *error)
{
    static const char *const names[2] = {"1000 triangles that cross in a cube of 2 m", "a tower of 60 storeys"};
    const lope_floors_def whose = lope_floors_def_default();
    const double none = (double)NAN;
    lope_status status = LOPE_OK;
    for (int i = 0; i < 2 && !status; i++) {
        lope_level *level;
        lope_floors *floors = NULL;
        status = lope_level_create(&level, error);
        if (!status)
            status = i ? add_tower(level, 60, error) : add_heap(level, 1000, error);
        const double begin = bench_seconds();
        if (!status)
            status = lope_floors_create(level, &whose, jobs, &floors, error);
        if (!status)
            bench_add(run, (bench_figure){bench_name(run, "%s: everything, two threads", names[i]),
                                          bench_seconds() - begin, "s", none, none, 1.0, false});
        lope_floors_destroy(floors);
        lope_level_destroy(level);
    }
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
    if (!status)
        status = measure_crowded(run, jobs, error);
    lope_jobs_destroy(jobs);
    return status;
}
