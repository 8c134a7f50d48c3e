// SPDX-License-Identifier: MIT
// Terrain questions on the built-in grounds, beside every triangle, a plain tree, and Embree. Places are drawn over the
// whole ground, within 0.25 m of its surface, and asked in the order they were drawn, so that neighbours in time are
// strangers in space: the hardest order for caches.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/bench.h"
#include "bench/terrain_embree.h"
#include "bench/terrain_plain.h"

#define PLACES 4000
#define SLOW_PLACES 100 // where every triangle is looked at
#define REACH 0.2f      // metres: the contact spheres of the paper
#define SPHERES 125
#define EMBREE_NEAREST 405.0 // ns on the same kind of machine, 9,800 triangles
#define EMBREE_BELOW 123.0
#define BUDGET 0.15 // seconds per figure

typedef struct ground {
    lope_terrain_scene *scene;
    const lope_terrain *terrain;
    plain_tree *plain;
    embree_ground *embree;
    lope_vec3 places[PLACES]; // near the surface
    lope_vec3 above[PLACES];  // up to 2 m above it
    lope_terrain_patch *patches;
    bool live; // Embree was there
    int wrong; // answers that differ from the plain tree's
} ground;

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void draw_places(ground *g)
{
    lope_vec3 low, high;
    uint64_t random = 2026;
    lope_terrain_bounds(g->terrain, &low, &high);
    for (int i = 0; i < PLACES;) {
        lope_vec3 p = high;
        p.x = low.x + (high.x - low.x) * (float)bench_random(&random);
        p.z = low.z + (high.z - low.z) * (float)bench_random(&random);
        // Stairs may pass over themselves: any of their floors.
        lope_terrain_hit floors[8];
        int count = lope_terrain_column(g->terrain, lope_v3(p.x, INFINITY, p.z), INFINITY, floors, 8);
        if (count == 0)
            continue;
        float y = floors[(int)(bench_random(&random) * count)].point.y;
        g->places[i] = lope_v3(p.x, y - 0.25f + 0.5f * (float)bench_random(&random), p.z);
        g->above[i++] = lope_v3(p.x, y + 2.0f * (float)bench_random(&random), p.z);
    }
}

// ---- what is measured

static void ask_nearest(void *user)
{
    const ground *g = user;
    float sum = 0.0f;
    for (int i = 0; i < PLACES; i++) {
        lope_terrain_hit hit;
        if (lope_terrain_nearest(g->terrain, NULL, g->places[i], REACH, &hit))
            sum += hit.distance;
    }
    bench_keep(&sum);
}

static void ask_touches(void *user)
{
    const ground *g = user;
    int sum = 0;
    for (int i = 0; i < PLACES; i++)
        sum += lope_terrain_touches(g->terrain, NULL, g->places[i], REACH);
    bench_keep(&sum);
}

static void ask_below(void *user)
{
    const ground *g = user;
    float sum = 0.0f;
    for (int i = 0; i < PLACES; i++) {
        lope_terrain_hit hit;
        if (lope_terrain_below(g->terrain, NULL, g->above[i], INFINITY, &hit))
            sum += hit.point.y;
    }
    bench_keep(&sum);
}

static void plain_nearest(void *user)
{
    const ground *g = user;
    float sum = 0.0f;
    for (int i = 0; i < PLACES; i++)
        sum += plain_tree_nearest(g->plain, g->places[i], REACH * REACH);
    bench_keep(&sum);
}

static void plain_below(void *user)
{
    const ground *g = user;
    float sum = 0.0f;
    for (int i = 0; i < PLACES; i++)
        sum += plain_tree_below(g->plain, g->above[i]);
    bench_keep(&sum);
}

static void every_nearest(void *user)
{
    const ground *g = user;
    float sum = 0.0f;
    for (int i = 0; i < SLOW_PLACES; i++)
        sum += plain_scan_nearest(g->plain, g->places[i], REACH * REACH);
    bench_keep(&sum);
}

static void every_below(void *user)
{
    const ground *g = user;
    float sum = 0.0f;
    for (int i = 0; i < SLOW_PLACES; i++)
        sum += plain_scan_below(g->plain, g->above[i]);
    bench_keep(&sum);
}

static void peer_nearest(void *user)
{
    const ground *g = user;
    float sum = 0.0f;
    for (int i = 0; i < PLACES; i++)
        sum += embree_nearest(g->embree, g->places[i], REACH * REACH);
    bench_keep(&sum);
}

static void peer_below(void *user)
{
    const ground *g = user;
    float sum = 0.0f;
    for (int i = 0; i < PLACES; i++)
        sum += embree_below(g->embree, g->above[i]);
    bench_keep(&sum);
}

// The contact spheres of a step around a place: 5 x 5 x 5 in 0.9 x 0.5 x 0.9 m.
static void spheres_of(lope_vec3 place, lope_vec3 out[SPHERES])
{
    for (int i = 0; i < SPHERES; i++)
        out[i] = lope_v3_add(
            place, lope_v3(0.225f * (float)(i % 5 - 2), 0.125f * (float)(i / 5 % 5 - 2), 0.225f * (float)(i / 25 - 2)));
}

#define STRIKES 100

static void ask_strikes(void *user)
{
    const ground *g = user;
    for (int i = 0; i < STRIKES; i++) {
        lope_vec3 spheres[SPHERES];
        uint8_t touches[SPHERES];
        lope_terrain_scan scan;
        spheres_of(g->places[i], spheres);
        lope_terrain_scan_begin(&scan, g->terrain, spheres, SPHERES, REACH, touches);
        lope_terrain_scan_run(&scan, g->terrain, 1 << 30);
        bench_keep(touches);
    }
}

static void ask_strikes_one_by_one(void *user)
{
    const ground *g = user;
    for (int i = 0; i < STRIKES; i++) {
        lope_vec3 spheres[SPHERES];
        int sum = 0;
        spheres_of(g->places[i], spheres);
        for (int k = 0; k < SPHERES; k++)
            sum += lope_terrain_touches(g->terrain, NULL, spheres[k], REACH);
        bench_keep(&sum);
    }
}

// The longest of eight frames that share the spheres of a step: seconds, the least of several tries for each step.
static double worst_frame(const ground *g)
{
    double worst = 0.0;
    for (int i = 0; i < STRIKES; i++) {
        double step = (double)INFINITY;
        for (int try = 0; try < 5; try++) {
            lope_vec3 spheres[SPHERES];
            uint8_t touches[SPHERES];
            lope_terrain_scan scan;
            spheres_of(g->places[i], spheres);
            double begin = cpu_seconds(), longest;
            lope_terrain_scan_begin(&scan, g->terrain, spheres, SPHERES, REACH, touches);
            longest = cpu_seconds() - begin;
            for (bool done = false; !done;) {
                begin = cpu_seconds();
                done = lope_terrain_scan_run(&scan, g->terrain, 100);
                longest = fmax(longest, cpu_seconds() - begin);
            }
            step = fmin(step, longest);
        }
        worst = fmax(worst, step);
    }
    return worst;
}

static void gather(void *user)
{
    ground *g = user;
    const lope_vec3 more = lope_v3(0.8f, 0.8f, 0.8f);
    for (int i = 0; i < STRIKES; i++)
        lope_terrain_gather(g->terrain, lope_v3_sub(g->places[i], more), lope_v3_add(g->places[i], more),
                            &g->patches[i]);
}

static void ask_patches(void *user)
{
    const ground *g = user;
    float sum = 0.0f;
    for (int i = 0; i < STRIKES; i++)
        for (int k = 0; k < 20; k++) {
            lope_terrain_hit hit;
            lope_vec3 p =
                lope_v3_add(g->places[i], lope_v3(0.05f * (float)(k % 5 - 2), 0.0f, 0.05f * (float)(k / 5 - 2)));
            if (lope_terrain_nearest(g->terrain, &g->patches[i], p, REACH, &hit))
                sum += hit.distance;
        }
    bench_keep(&sum);
}

static void ask_patches_below(void *user)
{
    const ground *g = user;
    float sum = 0.0f;
    for (int i = 0; i < STRIKES; i++)
        for (int k = 0; k < 20; k++) {
            lope_terrain_hit hit;
            lope_vec3 p =
                lope_v3_add(g->places[i], lope_v3(0.05f * (float)(k % 5 - 2), 0.3f, 0.05f * (float)(k / 5 - 2)));
            if (lope_terrain_below(g->terrain, &g->patches[i], p, INFINITY, &hit))
                sum += hit.point.y;
        }
    bench_keep(&sum);
}

// ---- reporting

// The best of several runs, in time that this thread had the processor: others may be at work.
static double per_call(void (*body)(void *), void *user, int calls, double unit)
{
    double best = (double)INFINITY, begin = cpu_seconds(), now = begin;
    for (int i = 0; i < 3 || now - begin < BUDGET; i++) {
        double start = cpu_seconds();
        body(user);
        now = cpu_seconds();
        best = fmin(best, now - start);
    }
    return best / calls / unit;
}

// Names outlive the run: they are kept here.
static const char *name_of(const char *ground_name, const char *what)
{
    static char names[128][128];
    static int count;
    char *name = names[count++ % 128];
    snprintf(name, sizeof names[0], "%s: %s", ground_name, what);
    return name;
}

static void add(bench_run *run, const char *name, double value, const char *unit)
{
    bench_add(run, (bench_figure){name, value, unit, (double)NAN, (double)NAN, (double)NAN, false});
}

static void report_questions(bench_run *run, ground *g, bool promised)
{
    const char *name = g->scene->name;
    double nearest = per_call(ask_nearest, g, PLACES, 1e-9), below = per_call(ask_below, g, PLACES, 1e-9);
    double peer_n = g->embree ? per_call(peer_nearest, g, PLACES, 1e-9) : promised ? EMBREE_NEAREST : (double)NAN;
    double peer_b = g->embree ? per_call(peer_below, g, PLACES, 1e-9) : promised ? EMBREE_BELOW : (double)NAN;
    const double none = (double)NAN;
    bench_add(run, (bench_figure){name_of(name, "nearest within 0.2 m"), nearest, "ns", none, peer_n,
                                  promised ? 2.0 * EMBREE_NEAREST : none, false});
    bench_add(run, (bench_figure){name_of(name, "straight down"), below, "ns", none, peer_b,
                                  promised ? 2.0 * EMBREE_BELOW : none, false});
    add(run, name_of(name, "does a sphere touch"), per_call(ask_touches, g, PLACES, 1e-9), "ns");
    double tree_n = per_call(plain_nearest, g, PLACES, 1e-9), tree_b = per_call(plain_below, g, PLACES, 1e-9);
    double all_n = per_call(every_nearest, g, SLOW_PLACES, 1e-9), all_b = per_call(every_below, g, SLOW_PLACES, 1e-9);
    add(run, name_of(name, "faster than a plain tree, nearest"), tree_n / nearest, "times");
    add(run, name_of(name, "faster than a plain tree, down"), tree_b / below, "times");
    add(run, name_of(name, "faster than every triangle, nearest"), all_n / nearest, "times");
    add(run, name_of(name, "faster than every triangle, down"), all_b / below, "times");
}

static void report_steps(bench_run *run, ground *g)
{
    const char *name = g->scene->name;
    add(run, name_of(name, "gather a patch of 1.6 m"), per_call(gather, g, STRIKES, 1e-9), "ns");
    add(run, name_of(name, "nearest within 0.2 m, from a patch"), per_call(ask_patches, g, 20 * STRIKES, 1e-9), "ns");
    add(run, name_of(name, "straight down, from a patch"), per_call(ask_patches_below, g, 20 * STRIKES, 1e-9), "ns");
    add(run, name_of(name, "125 spheres of a step, two-step"), per_call(ask_strikes, g, STRIKES, 1e-6), "us");
    add(run, name_of(name, "125 spheres of a step, one by one"), per_call(ask_strikes_one_by_one, g, STRIKES, 1e-6),
        "us");
    add(run, name_of(name, "worst frame, steps spread by 100 units"), worst_frame(g) * 1e6, "us");
}

// Both trees must say the same, or the race is for nothing.
static void compare(ground *g)
{
    for (int i = 0; i < PLACES; i++) {
        lope_terrain_hit hit;
        float near = plain_tree_nearest(g->plain, g->places[i], REACH * REACH),
              down = plain_tree_below(g->plain, g->above[i]);
        bool found = lope_terrain_nearest(g->terrain, NULL, g->places[i], REACH, &hit);
        g->wrong += fabsf((found ? hit.distance : REACH) - sqrtf(near)) > 1e-5f;
        found = lope_terrain_below(g->terrain, NULL, g->above[i], INFINITY, &hit);
        g->wrong += found != isfinite(down) || (found && fabsf(hit.point.y - down) > 1e-4f);
        if (g->embree)
            g->wrong += fabsf(sqrtf(embree_nearest(g->embree, g->places[i], REACH * REACH)) - sqrtf(near)) > 1e-4f;
    }
}

static lope_status measure_scene(bench_run *run, const char *name, ground *g, lope_error *error)
{
    lope_status status = lope_terrain_scene_builtin(name, &g->scene, error);
    if (status)
        return status;
    bool bumps = g->scene->terrain && lope_terrain_triangle_count(g->scene->terrain) == 10000;
    g->terrain = g->scene->terrain;
    g->plain = plain_tree_create(g->terrain);
    g->embree = embree_ground_create(g->terrain);
    g->live = g->embree != NULL;
    draw_places(g);
    g->wrong = 0;
    compare(g);
    report_questions(run, g, bumps);
    if (bumps)
        report_steps(run, g);
    bench_note(run, "%s: %d triangles in %zu kB; %d of %d answers differ from the plain tree's", name,
               lope_terrain_triangle_count(g->terrain), lope_terrain_memory(g->terrain) / 1000, g->wrong, 2 * PLACES);
    plain_tree_destroy(g->plain);
    embree_ground_destroy(g->embree);
    lope_terrain_scene_destroy(g->scene);
    return LOPE_OK;
}

// ---- building and changing

typedef struct workshop {
    lope_terrain_mesh *mesh;
    lope_terrain *terrain;
    uint64_t random;
    lope_error *error;
    lope_status status;
} workshop;

static void build(void *user)
{
    workshop *w = user;
    int piece;
    lope_terrain_destroy(w->terrain);
    w->status = lope_terrain_create(&w->terrain, w->error);
    if (!w->status)
        w->status = lope_terrain_add_mesh(w->terrain, w->mesh, &piece, w->error);
}

static void brush(void *user)
{
    workshop *w = user;
    for (int i = 0; i < 100 && !w->status; i++) {
        lope_terrain_brush stroke = {{0.0f, 0.0f}, 1.0f, i % 2 ? 0.05f : -0.05f, -1};
        stroke.centre.x = -14.0f + 28.0f * (float)bench_random(&w->random);
        stroke.centre.z = 1.0f + 13.0f * (float)bench_random(&w->random);
        w->status = lope_terrain_raise(w->terrain, &stroke, w->error);
    }
}

static void ask_field(void *user)
{
    workshop *w = user;
    float sum = 0.0f;
    for (int i = 0; i < 1000; i++) {
        lope_terrain_hit hit;
        lope_vec3 p = lope_v3(0.0f, 5.0f, 0.0f);
        p.x = 20.0f * (float)bench_random(&w->random);
        p.z = 20.0f * (float)bench_random(&w->random);
        if (lope_terrain_below(w->terrain, NULL, p, INFINITY, &hit))
            sum += hit.point.y;
    }
    bench_keep(&sum);
}

static lope_status measure_field(bench_run *run, workshop *w, int side, const char *name)
{
    static float heights[1001 * 1001];
    int piece;
    for (int i = 0; i < side * side; i++)
        heights[i] = 0.3f * (float)lope_sin(0.1 * (i % side)) * (float)lope_sin(0.07 * (i / side));
    lope_terrain_field field = {{0.0f, 0.0f}, 20.0f / (float)(side - 1), side, side, heights};
    lope_terrain_destroy(w->terrain);
    w->status = lope_terrain_create(&w->terrain, w->error);
    if (!w->status)
        w->status = lope_terrain_add_field(w->terrain, &field, &piece, w->error);
    if (!w->status)
        add(run, name, per_call(ask_field, w, 1000, 1e-9), "ns");
    return w->status;
}

static lope_status measure_changes(bench_run *run, lope_error *error)
{
    workshop w = {.random = 7, .error = error};
    lope_terrain_shape shape = lope_terrain_shape_default(LOPE_SHAPE_BUMPS);
    w.status = lope_terrain_shape_mesh(&shape, &w.mesh, error);
    if (!w.status)
        add(run, "building the tree of 10,000 triangles", per_call(build, &w, 1, 1e-3), "ms");
    if (!w.status)
        add(run, "a brush of 1 m radius on it", per_call(brush, &w, 100, 1e-6), "us");
    if (!w.status)
        measure_field(run, &w, 101, "height field of 20,000 triangles: straight down");
    if (!w.status)
        measure_field(run, &w, 1001, "height field of 2,000,000 triangles: straight down");
    lope_terrain_mesh_destroy(w.mesh);
    lope_terrain_destroy(w.terrain);
    return w.status;
}

static lope_status measure(bench_run *run, lope_error *error)
{
    static const char *const names[] = {"bumps", "stairs", "stones", "spiral", "course"};
    ground *g = calloc(1, sizeof *g);
    lope_status status = LOPE_OK;
    if (!g || !(g->patches = calloc(STRIKES, sizeof *g->patches)))
        abort();
    for (size_t i = 0; i < sizeof names / sizeof *names && !status; i++)
        status = measure_scene(run, names[i], g, error);
    if (!status)
        status = measure_changes(run, error);
    bench_note(run, g->live ? "peer: Embree 3.13, measured in this run"
                            : "peer: Embree 3.13 on 9,800 triangles of the same kind of machine");
    free(g->patches);
    free(g);
    return status;
}

const bench_entry bench_terrain = {"terrain", "spheres and rays on rough ground", measure};
