// SPDX-License-Identifier: MIT
// Standing places on random levels, and on those that come with the library, against the body test of level_brute.c.
// Some random levels are given to the library as soup: one mesh without shared corners, triangles in any order and
// direction, a few twice. A place counts where a body's middle can stand by either of the two.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/level.h"
#include "bench/level_brute.h"
#include "generators/level_random.h"

#define RADIUS 0.3f
#define NEAR 0.03f     // metres from a border within which opinions may differ
#define AT_ONCE 0.005f // metres of height: one place
#define LAYERS 32
#define SEED 416001 // nothing was tuned on these

typedef struct place {
    lope_vec3 at;
    bool counts, agrees, far;
} place;

typedef struct grading {
    const lope_level *level; // of the library
    lope_floors *floors;
    brute_level *brute;
    place *places; // [LAYERS * points]
    int points;
    lope_vec3 low, high;
    uint64_t seed;
} grading;

static brute_level *brute_of(const lope_level *level, const lope_floors_def *def)
{
    const lope_terrain *terrain = lope_level_terrain(level);
    lope_vec3 low, high;
    lope_terrain_bounds(terrain, &low, &high);
    int count = lope_terrain_triangles(terrain, low, high, NULL, 0);
    lope_terrain_triangle *t = malloc((size_t)count * sizeof *t);
    float *numbers = malloc((size_t)count * 9 * sizeof *numbers);
    int *parts = malloc((size_t)count * sizeof *parts);
    lope_terrain_triangles(terrain, low, high, t, count);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            const lope_vec3 c = t[i].corners[k];
            numbers[9 * i + 3 * k] = c.x, numbers[9 * i + 3 * k + 1] = c.y, numbers[9 * i + 3 * k + 2] = c.z;
        }
        parts[i] = t[i].piece;
    }
    const brute_body body = {(double)def->height, (double)def->step, (double)def->slope};
    brute_level *brute = brute_level_create(numbers, parts, count, &body);
    free(t), free(numbers), free(parts);
    return brute;
}

static bool brute_stands(const brute_level *brute, lope_vec3 at, double *clearance)
{
    double heights[LAYERS];
    int count = brute_level_ground(brute, (double)at.x, (double)at.z, heights, LAYERS);
    for (int i = 0; i < count; i++)
        if (fabs(heights[i] - (double)at.y) < (double)AT_ONCE) {
            *clearance = brute_level_clearance(brute, (double)at.x, heights[i], (double)at.z, (double)(RADIUS + 0.05f));
            return true;
        }
    *clearance = 0.0;
    return false;
}

// What brute force finds where it looks at borders that we claim, point by point.
static double look_at_borders(const grading *g, lope_vec3 at, double limit)
{
    int count;
    const lope_floor_border *b = lope_floors_borders(g->floors, &count);
    const double from[3] = {(double)at.x, (double)at.y, (double)at.z};
    for (int i = 0; i < count; i++) {
        double x = (double)(b[i].to.x - b[i].from.x), z = (double)(b[i].to.z - b[i].from.z),
               length = sqrt(x * x + z * z);
        if (fabsf(b[i].from.x - at.x) > 3.5f || fabsf(b[i].from.z - at.z) > 3.5f)
            continue;
        for (double t = 0.001; t < length; t += 0.01) {
            double to_x = (double)b[i].from.x + t / length * x, to_z = (double)b[i].from.z + t / length * z;
            if ((to_x - from[0]) * (to_x - from[0]) + (to_z - from[2]) * (to_z - from[2]) < limit * limit)
                limit = brute_level_towards(g->brute, from, to_x, to_z, limit);
        }
    }
    return limit;
}

// One point of the plan: every surface there is a place.
static void grade_point(void *user, int index, int thread)
{
    grading *g = user;
    uint64_t random = g->seed + (uint64_t)index * 7919u;
    lope_vec3 at = {0.0f, INFINITY, 0.0f};
    (void)thread;
    bench_random(&random);
    at.x = g->low.x + (g->high.x - g->low.x) * (float)bench_random(&random);
    at.z = g->low.z + (g->high.z - g->low.z) * (float)bench_random(&random);
    lope_terrain_hit hits[LAYERS];
    int count = lope_terrain_column(lope_level_terrain(g->level), at, INFINITY, hits, LAYERS);
    for (int i = 0; i < LAYERS; i++) {
        place *p = &g->places[index * LAYERS + i];
        *p = (place){0};
        if (i >= count)
            continue;
        lope_floor_spot spot;
        double theirs = 0.0;
        p->at = hits[i].point;
        bool ground = lope_floors_ground(g->floors, p->at, AT_ONCE, &spot),
             other = brute_stands(g->brute, p->at, &theirs);
        double ours = ground ? (double)lope_floors_clearance(g->floors, &spot, RADIUS + 0.05f) : 0.0;
        p->counts = ground || other;
        if (ground && other && ours < (double)RADIUS && theirs >= (double)RADIUS)
            theirs = look_at_borders(g, p->at, theirs);
        p->agrees = (ours >= (double)RADIUS) == (theirs >= (double)RADIUS);
        p->far = !p->agrees && fabs(ours - theirs) > (double)NEAR;
    }
}

typedef struct sum {
    int places, agree, far;
} sum;

static void add_up(bench_run *run, const grading *g, const char *name, sum *all)
{
    for (int i = 0; i < g->points * LAYERS; i++) {
        const place *p = &g->places[i];
        if (!p->counts)
            continue;
        all->places++, all->agree += p->agrees, all->far += p->far;
        if (p->far && all->far <= 5)
            bench_note(run, "%s: far from agreeing at (%.4f, %.4f, %.4f)", name, (double)p->at.x, (double)p->at.y,
                       (double)p->at.z);
    }
}

// `same` is the level as the grader sees it.
static lope_status grade(const lope_level *level, const lope_level *same, grading *g, lope_jobs *jobs,
                         lope_error *error)
{
    const lope_floors_def def = lope_floors_def_default();
    lope_status status = lope_floors_create(level, &def, jobs, &g->floors, error);
    if (status)
        return status;
    g->level = level;
    g->brute = brute_of(same, &def);
    lope_terrain_bounds(lope_level_terrain(level), &g->low, &g->high);
    lope_jobs_run(jobs, g->points, grade_point, g);
    brute_level_destroy(g->brute);
    lope_floors_destroy(g->floors);
    return LOPE_OK;
}

static lope_status grade_random(bench_run *run, int index, grading *g, lope_jobs *jobs, sum *all, lope_error *error)
{
    level_random_def def = level_random_def_default(SEED + (uint64_t)index);
    char name[64];
    def.columns = def.rows = 3;
    def.hills = index % 3 == 1;
    def.soup = index % 4 == 3;
    snprintf(name, sizeof name, "random level %d%s%s", (int)def.seed, def.hills ? ", hills" : "",
             def.soup ? ", soup" : "");
    level_random made = {0}, plain = {0};
    lope_status status = level_random_create(&def, &made, error);
    def.soup = false;
    if (!status)
        status = level_random_create(&def, &plain, error);
    g->seed = 1000u * (uint64_t)index + 5u;
    if (!status)
        status = grade(made.level, plain.level, g, jobs, error);
    if (!status)
        add_up(run, g, name, all);
    level_random_destroy(&made), level_random_destroy(&plain);
    return status;
}

static lope_status grade_builtin(bench_run *run, int index, grading *g, lope_jobs *jobs, sum *all, lope_error *error)
{
    lope_level_file *file;
    const char *name = lope_level_builtin_name(index);
    lope_status status = lope_level_open(name, NULL, &file, error);
    if (status)
        return status;
    g->seed = 77u + (uint64_t)index;
    status = grade(file->level, file->level, g, jobs, error);
    if (!status)
        add_up(run, g, name, all);
    lope_level_file_destroy(file);
    return status;
}

lope_status level_bench_places(bench_run *run, lope_error *error)
{
    const int levels = bench_full(run) ? 50 : 10, points = bench_full(run) ? 2000 : 500;
    lope_jobs *jobs;
    lope_status status = lope_jobs_create(0, &jobs, error);
    if (status)
        return status;
    grading g = {.points = points, .places = malloc((size_t)points * LAYERS * sizeof *g.places)};
    sum all = {0};
    for (int i = 0; i < levels && !status && !bench_stopped(run); i++)
        status = grade_random(run, i, &g, jobs, &all, error);
    for (int i = 0; i < lope_level_builtin_count() && !status && !bench_stopped(run); i++)
        status = grade_builtin(run, i, &g, jobs, &all, error);
    free(g.places);
    lope_jobs_destroy(jobs);
    const double none = (double)NAN;
    bench_add(run, (bench_figure){"standing places that agree with brute force",
                                  100.0 * all.agree / (all.places ? all.places : 1), "%", none, none, 99.8, true});
    bench_add(run, (bench_figure){"places that differ by more than 3 cm", all.far, "", none, none, 0.0, false});
    bench_note(
        run, "places: %d of %d agree, on %d random levels, every fourth one given as soup, and on the built-in ones%s",
        all.agree, all.places, levels, bench_full(run) ? "" : "; --full asks 50 levels, 100,000 places");
    return status;
}
