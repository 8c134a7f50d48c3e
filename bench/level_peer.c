// SPDX-License-Identifier: MIT
// Floors and paths beside Recast and Detour: the same triangles, the same body, one thread, in the same run. Both begin
// with triangles. Detour's paths are pulled tight on a mesh made for the body's radius, and go on to the very ends,
// which its cells may have moved. How near a way comes to what is in the way is asked of our borders, which brute force
// has graded (level_places.c), every 2 cm.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/level.h"
#include "bench/level_recast.h"
#include "generators/level_random.h"

#define RADIUS 0.3f
#define CELL 0.1f
#define PAIRS 300
#define POINTS 4096
#define ROUNDS 25
#define SEED 31337 // of the pairs and the random levels

// The ways that one of the two finds.
typedef struct ways {
    double seconds, length;
    float clearance;   // the least, at most RADIUS
    int near, missing; // ways that come nearer than nine tenths of it; pairs for which only the other has one
} ways;

typedef struct contest {
    const char *name;
    bool soup;        // triangles look anywhere
    float *triangles; // nine numbers each
    int count;
    lope_level *level;
    lope_floors *floors;
    recast_level *peer;
    double build, peer_build, links; // seconds; of links and holds on top
    lope_path_finder *finder;
    lope_vec3 (*pairs)[2];
    int pair_count, longer; // ours by 0.1 % and more
    ways ours, theirs;
    double changed; // seconds of ours after changes
    int lost;       // pairs that are on two floors then
} contest;

// ---- building

static void take_triangles(const lope_terrain *terrain, contest *c)
{
    lope_vec3 low = {0}, high = {0};
    lope_terrain_bounds(terrain, &low, &high);
    c->count = lope_terrain_triangles(terrain, low, high, NULL, 0);
    lope_terrain_triangle *t = malloc((size_t)c->count * sizeof *t);
    c->triangles = malloc((size_t)c->count * 9 * sizeof *c->triangles);
    lope_terrain_triangles(terrain, low, high, t, c->count);
    for (int i = 0; i < c->count; i++) {
        const lope_vec3 *p = t[i].corners, n = lope_v3_cross(lope_v3_sub(p[1], p[0]), lope_v3_sub(p[2], p[0]));
        const bool turned = c->soup && n.y < 0.0f; // Recast stands on what looks up only
        const lope_vec3 corners[3] = {p[0], p[turned ? 2 : 1], p[turned ? 1 : 2]};
        memcpy(c->triangles + 9 * (size_t)i, corners, sizeof corners);
    }
    free(t);
}

// From triangles to floors, with or without links. Returns seconds.
static double build(contest *c, bool only_floors, lope_status *status, lope_error *error)
{
    lope_floors_def def = lope_floors_def_default();
    lope_vec3 *corners = malloc(3 * (size_t)c->count * sizeof *corners);
    int *indices = malloc(3 * (size_t)c->count * sizeof *indices);
    memcpy(corners, c->triangles, 3 * (size_t)c->count * sizeof *corners);
    for (int i = 0; i < 3 * c->count; i++)
        indices[i] = i;
    const lope_terrain_mesh mesh = {3 * c->count, c->count, corners, indices};
    lope_part_def whole = lope_part_def_default(LOPE_PART_MESH);
    whole.mesh = &mesh;
    def.only_floors = only_floors;
    lope_floors_destroy(c->floors), lope_level_destroy(c->level);
    c->floors = NULL, c->level = NULL;
    double begin = bench_processor_seconds();
    *status = lope_level_create(&c->level, error);
    if (!*status)
        *status = lope_level_add(c->level, &whole, NULL, error);
    if (!*status)
        *status = lope_floors_create(c->level, &def, NULL, &c->floors, error);
    double seconds = bench_processor_seconds() - begin;
    free(corners), free(indices);
    return seconds;
}

static lope_status build_both(contest *c, lope_error *error)
{
    const lope_floors_def def = lope_floors_def_default();
    const recast_body body = {CELL, def.height, def.step, def.slope * 57.29578f, RADIUS};
    lope_status status = LOPE_OK;
    double all = HUGE_VAL;
    c->build = c->peer_build = HUGE_VAL;
    for (int i = 0; i < 3 && !status; i++) {
        recast_destroy(c->peer);
        double begin = bench_processor_seconds();
        c->peer = recast_create(c->triangles, c->count, &body);
        c->peer_build = fmin(c->peer_build, bench_processor_seconds() - begin);
        all = fmin(all, build(c, false, &status, error));
        if (!status)
            c->build = fmin(c->build, build(c, true, &status, error));
    }
    c->links = all - c->build;
    return status;
}

// ---- paths

static bool find_ours(contest *c, const lope_vec3 ends[2], lope_path *path)
{
    lope_floor_spot from, to;
    lope_error error;
    return lope_floors_ground(c->floors, ends[0], 0.3f, &from) && lope_floors_ground(c->floors, ends[1], 0.3f, &to) &&
           from.floor >= 0 && from.floor == to.floor &&
           lope_path_find(c->finder, lope_floors_passages(c->floors, from.floor), (lope_vec2){from.at.x, from.at.z},
                          (lope_vec2){to.at.x, to.at.z}, RADIUS, path, &error) == LOPE_OK;
}

// Points of the way with its very ends, three numbers each; 0: none.
static int find_theirs(contest *c, const lope_vec3 ends[2], float *points)
{
    const float from[3] = {ends[0].x, ends[0].y, ends[0].z}, to[3] = {ends[1].x, ends[1].y, ends[1].z};
    const int count = recast_path(c->peer, from, to, points + 3, POINTS - 2);
    if (count < 1 || count >= POINTS - 2)
        return 0;
    memcpy(points, from, sizeof from);
    memcpy(points + 3 * (size_t)(count + 1), to, sizeof to);
    return count + 2;
}

// Places where a body stands with a little more room than it needs, so that cells have them, too; pairs of one floor
// between which both find a way.
static void choose_pairs(contest *c, float *points)
{
    uint64_t state = SEED;
    lope_vec3 low = {0}, high = {0}, ends[2];
    int have = 0;
    lope_path path;
    lope_terrain_bounds(lope_level_terrain(c->level), &low, &high);
    for (int i = 0; i < 400 * PAIRS && c->pair_count < PAIRS; i++) {
        lope_floor_spot spot;
        lope_vec3 at = {low.x + (high.x - low.x) * (float)bench_random(&state), 0.0f,
                        low.z + (high.z - low.z) * (float)bench_random(&state)};
        at.y = low.y + (high.y - low.y) * (float)bench_random(&state);
        if (!lope_floors_ground(c->floors, at, 2.0f, &spot) || spot.floor < 0 ||
            lope_floors_clearance(c->floors, &spot, 0.5f) < 0.5f)
            continue;
        ends[have++] = spot.at;
        if (have < 2)
            continue;
        have = 0;
        const bool ours = find_ours(c, ends, &path), theirs = find_theirs(c, ends, points) > 0;
        if (ours && theirs)
            memcpy(c->pairs[c->pair_count++], ends, sizeof ends);
        c->ours.missing += theirs && !ours, c->theirs.missing += ours && !theirs;
    }
}

// The least clearance along a line of the plan that begins at a height; *y is that at its end.
static float clearance_along(const lope_floors *floors, lope_vec2 from, lope_vec2 to, float *y)
{
    const float length = hypotf(to.x - from.x, to.z - from.z);
    const int steps = 1 + (int)(length / 0.02f);
    float least = RADIUS;
    for (int i = 0; i <= steps; i++) {
        const float part = (float)i / (float)steps;
        const lope_vec3 at = {from.x + part * (to.x - from.x), *y, from.z + part * (to.z - from.z)};
        lope_floor_spot spot;
        if (!lope_floors_ground(floors, at, 0.6f, &spot))
            return 0.0f;
        *y = spot.at.y;
        least = fminf(least, lope_floors_clearance(floors, &spot, RADIUS));
    }
    return least;
}

static void grade(contest *c, float *points)
{
    ways *w[2] = {&c->ours, &c->theirs};
    double lengths[2] = {0};
    lope_path path;
    for (int i = 0; i < c->pair_count; i++) {
        find_ours(c, c->pairs[i], &path);
        const int counts[2] = {path.point_count, find_theirs(c, c->pairs[i], points)};
        for (int who = 0; who < 2; who++) {
            float y = c->pairs[i][0].y, least = RADIUS;
            lengths[who] = 0.0;
            for (int k = 0; k + 1 < counts[who]; k++) {
                lope_vec2 from = who ? (lope_vec2){points[3 * k], points[3 * k + 2]} : path.points[k],
                          to = who ? (lope_vec2){points[3 * k + 3], points[3 * k + 5]} : path.points[k + 1];
                lengths[who] += (double)hypotf(to.x - from.x, to.z - from.z);
                least = fminf(least, clearance_along(c->floors, from, to, &y));
            }
            w[who]->length += lengths[who];
            w[who]->near += least < 0.9f * RADIUS;
            w[who]->clearance = fminf(w[who]->clearance, least);
        }
        c->longer += lengths[0] > 1.001 * lengths[1];
    }
}

static double time_ours(contest *c)
{
    lope_path path;
    const double begin = bench_processor_seconds();
    for (int i = 0; i < c->pair_count; i++)
        find_ours(c, c->pairs[i], &path);
    return bench_processor_seconds() - begin;
}

// By turns with Detour.
static void time_paths(contest *c, float *points, double *ours)
{
    for (int round = 0; round < ROUNDS; round++) {
        *ours = fmin(*ours, time_ours(c));
        const double begin = bench_processor_seconds();
        for (int i = 0; i < c->pair_count; i++)
            find_theirs(c, c->pairs[i], points);
        c->theirs.seconds = fmin(c->theirs.seconds, bench_processor_seconds() - begin);
    }
}

// A box of 1 m comes and goes at an end of every tenth pair: in the end the level is as it was.
static lope_status change_level(contest *c, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int i = 0; i < c->pair_count && !status; i += 10) {
        lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
        lope_part_id box;
        def.size = lope_v3(1.0f, 1.0f, 1.0f);
        def.at.translation = c->pairs[i][0];
        status = lope_level_add(c->level, &def, &box, error);
        if (!status)
            status = lope_floors_update(c->floors, NULL, error);
        lope_level_remove(c->level, box);
        if (!status)
            status = lope_floors_update(c->floors, NULL, error);
    }
    return status;
}

static lope_status measure_paths(contest *c, lope_error *error)
{
    float *points = malloc((size_t)POINTS * 3 * sizeof *points);
    c->pairs = malloc(PAIRS * sizeof *c->pairs);
    choose_pairs(c, points);
    c->ours.seconds = c->theirs.seconds = c->changed = HUGE_VAL;
    c->ours.clearance = c->theirs.clearance = RADIUS;
    time_paths(c, points, &c->ours.seconds);
    grade(c, points);
    const lope_status status = change_level(c, error);
    if (!status)
        time_paths(c, points, &c->changed);
    for (int i = 0; i < c->pair_count; i++)
        c->lost += !find_ours(c, c->pairs[i], &(lope_path){0});
    free(points), free(c->pairs);
    return status;
}

// ---- rows

static void report(bench_run *run, const contest *c)
{
    const double pairs = c->pair_count ? c->pair_count : 1, none = (double)NAN;
    const struct {
        const char *what, *unit;
        double ours, theirs;
    } rows[] = {{"floors built", "ms", 1e3 * c->build, 1e3 * c->peer_build},
                {"a path", "us", 1e6 * c->ours.seconds / pairs, 1e6 * c->theirs.seconds / pairs},
                {"a path after changes", "us", 1e6 * c->changed / pairs, 1e6 * c->theirs.seconds / pairs},
                {"a path's length", "m", c->ours.length / pairs, c->theirs.length / pairs}};
    for (int i = 0; i < 4; i++) // no more than the peer has
        bench_add(run, (bench_figure){bench_name(run, "%s: %s", c->name, rows[i].what), rows[i].ours, rows[i].unit,
                                      none, rows[i].theirs, rows[i].theirs, false});
    bench_add(run, (bench_figure){bench_name(run, "%s: least clearance of paths for 0.3 m", c->name),
                                  (double)c->ours.clearance, "m", none, (double)c->theirs.clearance, 0.299, true});
    bench_note(
        run,
        "%s: %d triangles; links and holds take %.1f ms more; of %d ways on one floor, ours are longer by 0.1 %% "
        "and more in %d, and Detour comes nearer to something than 27 cm in %d; %d more are found by us only, %d "
        "by Detour only, over other floors; after changes %d are on two floors",
        c->name, c->count, 1e3 * c->links, c->pair_count, c->longer, c->theirs.near, c->theirs.missing, c->ours.missing,
        c->lost);
}

static lope_status run_contest(bench_run *run, contest *c, lope_error *error)
{
    lope_status status = build_both(c, error);
    if (!status)
        status = lope_path_finder_create(&c->finder, error);
    if (!status && c->peer) {
        status = measure_paths(c, error);
        if (!status)
            report(run, c);
    } else if (!status) {
        bench_note(run, "%s: Recast failed", c->name);
    }
    lope_path_finder_destroy(c->finder);
    lope_floors_destroy(c->floors), lope_level_destroy(c->level);
    recast_destroy(c->peer);
    free(c->triangles);
    return status;
}

static lope_status contest_random(bench_run *run, const char *name, const level_random_def *def, lope_error *error)
{
    level_random made = {0};
    contest c = {.name = name};
    lope_status status = level_random_create(def, &made, error);
    if (!status)
        take_triangles(lope_level_terrain(made.level), &c);
    level_random_destroy(&made);
    return status ? status : run_contest(run, &c, error);
}

lope_status level_bench_recast(bench_run *run, lope_error *error)
{
    static const char *const names[4] = {"random level", "random level with hills", "fine random level",
                                         "random level of 108 x 108 m"};
    lope_status status = LOPE_OK;
    if (!recast_is_there()) {
        bench_note(run,
                   "recast: the tool was built without Recast (-DLOPE_RECAST=ON, Debian's librecast-dev), so there "
                   "is nothing beside us");
        return LOPE_OK;
    }
    for (int i = 0; i < lope_level_builtin_count() && !status && !bench_stopped(run); i++) {
        lope_level_file *file;
        contest c = {.name = lope_level_builtin_name(i), .soup = strcmp(lope_level_builtin_name(i), "ruin") == 0};
        status = lope_level_open(c.name, NULL, &file, error);
        if (status)
            break;
        take_triangles(lope_level_terrain(file->level), &c);
        lope_level_file_destroy(file);
        status = run_contest(run, &c, error);
    }
    for (int i = 0; i < 4 && !status && !bench_stopped(run); i++) {
        level_random_def def = level_random_def_default(SEED + (uint64_t)i);
        def.columns = def.rows = i == 3 ? 9 : 4;
        def.hills = i == 1;
        def.triangles = i == 2 ? 100000 : 0;
        status = contest_random(run, names[i], &def, error);
    }
    return status;
}
