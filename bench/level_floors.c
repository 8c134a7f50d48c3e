// SPDX-License-Identifier: MIT
// Changes of a level, and routes. Boxes of 1 m come, move and go in a level of about 100 x 100 m; after each everything
// derived is made right again, and in the end every answer is compared with floors made anew. Routes lead from anywhere
// to anywhere over storeys and links.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/level.h"
#include "bench/level_links_same.h"
#include "generators/level_random.h"
#include "lope/level_route.h"

#define SEED 638001 // nothing was tuned on it
#define PLOTS 8     // 96 m
#define BOXES 50    // of those that come and go, at once
#define PLACES 5000
#define ROUTES 2000

typedef struct changing {
    lope_level *level;
    lope_floors *floors;
    bench_run *run;
    lope_jobs *jobs; // NULL: one thread, whose own time counts
    lope_part_id parts[BOXES];
    int count;
    uint64_t state;
    double seconds[3], worst[3];
    int times[3];
} changing;

static float between(uint64_t *state, float low, float high)
{
    return low + (high - low) * (float)bench_random(state);
}

static lope_transform anywhere(uint64_t *state)
{
    const float side = PLOTS * LEVEL_RANDOM_PLOT;
    lope_transform at = lope_transform_identity();
    at.translation.x = between(state, 1.0f, side - 1.0f);
    at.translation.z = between(state, 1.0f, side - 1.0f);
    at.translation.y = bench_random(state) < 0.7 ? 0.0f : between(state, 0.0f, 9.0f);
    at.rotation = lope_quat_yaw(between(state, 0.0f, 6.0f));
    return at;
}

// One change, 0 to 2: a box comes, moves, goes.
static lope_status change(changing *c, int way, lope_error *error)
{
    lope_status status = LOPE_OK;
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    def.size = lope_v3(1.0f, 1.0f, 1.0f);
    def.at = anywhere(&c->state);
    int which = (int)(bench_random(&c->state) * c->count);
    double begin = c->jobs ? bench_seconds() : bench_processor_seconds();
    if (way == 0) {
        status = lope_level_add(c->level, &def, &c->parts[c->count], error);
        c->count += status == LOPE_OK;
    } else if (way == 1) {
        status = lope_level_move(c->level, c->parts[which], &def.at, error);
    } else {
        lope_level_remove(c->level, c->parts[which]);
        c->parts[which] = c->parts[--c->count];
    }
    if (!status)
        status = lope_floors_update(c->floors, c->jobs, error);
    double seconds = (c->jobs ? bench_seconds() : bench_processor_seconds()) - begin;
    c->seconds[way] += seconds;
    c->worst[way] = fmax(c->worst[way], seconds);
    c->times[way]++;
    return status;
}

// Whether two floors say the same of a place.
static bool agree(const lope_floors *a, const lope_floors *b, lope_vec3 at)
{
    lope_floor_spot s, t;
    bool found = lope_floors_ground(a, at, 1.5f, &s);
    if (found != lope_floors_ground(b, at, 1.5f, &t))
        return false;
    if (!found)
        return true;
    if (s.at.y != t.at.y || (s.floor >= 0) != (t.floor >= 0) ||
        fabsf(lope_floors_clearance(a, &s, 3.0f) - lope_floors_clearance(b, &t, 3.0f)) > 4e-4f)
        return false;
    lope_floor_spot u, v;
    found = lope_floors_nearest(a, at, 0.3f, 0.5f, &u);
    return found == lope_floors_nearest(b, at, 0.3f, 0.5f, &v) &&
           (!found || hypotf(u.at.x - v.at.x, u.at.z - v.at.z) < 1e-3f);
}

// Pairs of places between which only one of two floors has a route.
static lope_status compare_routes(changing *c, const lope_floors *anew, int pairs, double *different, lope_error *error)
{
    const lope_floors *both[2] = {c->floors, anew};
    lope_level_router *routers[2] = {NULL, NULL};
    lope_status status = lope_level_router_create(&routers[0], error);
    if (!status)
        status = lope_level_router_create(&routers[1], error);
    for (int i = 0; i < pairs && !status; i++) {
        lope_trip trip = {anywhere(&c->state).translation, anywhere(&c->state).translation, lope_traveller_default()};
        lope_status found[2];
        for (int k = 0; k < 2; k++) {
            lope_legs legs;
            found[k] = lope_level_route(routers[k], both[k], &trip, &legs, error);
        }
        *different += found[0] != found[1];
    }
    lope_level_router_destroy(routers[0]);
    lope_level_router_destroy(routers[1]);
    return status;
}

static lope_status compare_anew(changing *c, double *different, lope_error *error)
{
    lope_floors *anew;
    const lope_floors_def def = lope_floors_def_default();
    lope_status status = lope_floors_create(c->level, &def, NULL, &anew, error);
    if (status)
        return status;
    int ours, theirs;
    char text[256];
    lope_floors_borders(c->floors, &ours), lope_floors_borders(anew, &theirs);
    const int links = level_links_differ(c->floors, anew, text, sizeof text);
    if (links)
        bench_note(c->run, "%d links or holds differ from those found anew: %s", links, text);
    *different = abs(ours - theirs) + links;
    for (int i = 0; i < PLACES; i++)
        *different += !agree(c->floors, anew, anywhere(&c->state).translation);
    status = compare_routes(c, anew, PLACES / 5, different, error);
    lope_floors_destroy(anew);
    return status;
}

static lope_status open_level(int storeys, int only, level_random *made, lope_floors **floors, lope_error *error)
{
    level_random_def def = level_random_def_default(SEED);
    const lope_floors_def whose = lope_floors_def_default();
    def.columns = def.rows = PLOTS;
    def.storeys = storeys;
    def.only = only;
    lope_status status = level_random_create(&def, made, error);
    return status ? status : lope_floors_create(made->level, &whose, NULL, floors, error);
}

static void report_changes(const changing *c)
{
    static const char *const names[3] = {"added", "moved", "removed"};
    const double none = (double)NAN;
    const char *threads = c->jobs ? ", two threads" : "";
    for (int i = 0; i < 3; i++) {
        bench_add(c->run, (bench_figure){bench_name(c->run, "a box %s, everything right again%s", names[i], threads),
                                         1e3 * c->seconds[i] / c->times[i], "ms", none, none, 1.0, false});
        if (!c->jobs)
            bench_add(c->run, (bench_figure){bench_name(c->run, "a box %s, the slowest", names[i]), 1e3 * c->worst[i],
                                             "ms", none, none, none, false});
    }
}

static lope_status measure_changes(bench_run *run, lope_jobs *jobs, int total, lope_error *error)
{
    level_random made = {0};
    changing c = {.run = run, .jobs = jobs, .state = SEED};
    double different = 0.0;
    lope_status status = open_level(4, -1, &made, &c.floors, error);
    c.level = made.level;
    for (int i = 0; i < total && !status && !bench_stopped(run); i++) {
        int way = (int)(3.0 * bench_random(&c.state));
        status = change(&c, c.count == 0 ? 0 : c.count == BOXES && way == 0 ? 2 : way, error);
    }
    if (!status && !jobs)
        status = compare_anew(&c, &different, error);
    if (!status)
        report_changes(&c);
    if (!status && !jobs)
        bench_add(run, (bench_figure){bench_name(run, "answers that differ from floors made anew, after %d", total),
                                      different, "", (double)NAN, (double)NAN, 0.0, false});
    lope_floors_destroy(c.floors);
    level_random_destroy(&made);
    return status;
}

lope_status level_bench_changes(bench_run *run, lope_error *error)
{
    lope_jobs *two;
    lope_status status = measure_changes(run, NULL, bench_full(run) ? 10000 : 300, error);
    if (!status)
        status = lope_jobs_create(2, &two, error);
    if (status)
        return status;
    status = measure_changes(run, two, 300, error);
    lope_jobs_destroy(two);
    return status;
}

// Places that a body can stand at, anywhere in the level.
static int find_places(const lope_floors *floors, uint64_t *state, lope_vec3 *out, int count)
{
    int found = 0;
    for (int i = 0; i < 100 * count && found < count; i++) {
        lope_floor_spot spot;
        lope_vec3 at = anywhere(state).translation;
        at.y = between(state, 0.0f, 15.0f);
        if (lope_floors_ground(floors, at, 1.5f, &spot) && spot.floor >= 0 &&
            lope_floors_clearance(floors, &spot, 0.3f) >= 0.3f)
            out[found++] = spot.at;
    }
    return found;
}

typedef struct routing {
    lope_floors *floors;
    lope_level_router *router;
    lope_vec3 places[2 * ROUTES];
    int count, found;
    int legs[LOPE_LINK_KIND_COUNT + 1]; // by kind of link, and of walks
    double first, seconds;              // of the first route after a change, and of all
} routing;

static lope_status ask(routing *r, int i, double *seconds, lope_error *error)
{
    const lope_trip trip = {r->places[2 * i], r->places[2 * i + 1], lope_traveller_default()};
    lope_legs legs;
    int count;
    double begin = bench_seconds();
    lope_status status = lope_level_route(r->router, r->floors, &trip, &legs, error);
    *seconds = bench_seconds() - begin;
    const lope_link *links = lope_floors_links(r->floors, &count);
    r->found += status == LOPE_OK;
    for (int k = 0; k < legs.count; k++)
        r->legs[legs.items[k].link < 0 ? LOPE_LINK_KIND_COUNT : (int)links[legs.items[k].link].kind]++;
    return status == LOPE_NOT_FOUND ? LOPE_OK : status;
}

// The first route after each of a few boxes came.
static lope_status ask_after_changes(routing *r, lope_level *level, uint64_t *state, lope_error *error)
{
    enum { TIMES = 20 };
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    lope_status status = LOPE_OK;
    double one = 0.0;
    def.size = lope_v3(1.0f, 1.0f, 1.0f);
    for (int i = -1; i < TIMES && !status; i++) { // once to begin with, which learns all of the level
        def.at = anywhere(state);
        status = lope_level_add(level, &def, NULL, error);
        if (!status)
            status = lope_floors_update(r->floors, NULL, error);
        if (!status)
            status = ask(r, i + 1, &one, error);
        r->first += i < 0 ? 0.0 : one / TIMES;
    }
    return status;
}

// The best of three rounds.
static lope_status ask_all(routing *r, lope_error *error)
{
    lope_status status = LOPE_OK;
    r->seconds = HUGE_VAL;
    for (int round = 0; round < 3 && !status; round++) {
        double sum = 0.0, one = 0.0;
        memset(r->legs, 0, sizeof r->legs);
        r->found = 0;
        for (int i = 0; i < r->count && !status; i++, sum += one)
            status = ask(r, i, &one, error);
        r->seconds = fmin(r->seconds, sum);
    }
    return status;
}

// How often each kind of link is taken, so that nobody misses one that never is.
static void tell_legs(bench_run *run, const char *name, const routing *r)
{
    char kinds[256] = "";
    for (int i = 0, length = 0; i < LOPE_LINK_KIND_COUNT; i++)
        length += snprintf(kinds + length, sizeof kinds - (size_t)length, ", %d %s", r->legs[i],
                           lope_link_kind_name((lope_link_kind)i));
    bench_note(run, "routes, %s: %d of %d pairs of places have one; legs: %d walks%s", name, r->found, r->count,
               r->legs[LOPE_LINK_KIND_COUNT], kinds);
}

// Routes in a level of storeys alone, or of all kinds of plots.
static lope_status measure_routes(bench_run *run, bool storeys, lope_error *error)
{
    const double none = (double)NAN;
    level_random made = {0};
    uint64_t state = SEED;
    routing *r = calloc(1, sizeof *r);
    lope_status status = open_level(5, storeys ? 0 : -1, &made, &r->floors, error);
    if (!status)
        status = lope_level_router_create(&r->router, error);
    if (!status)
        r->count = find_places(r->floors, &state, r->places, 2 * ROUTES) / 2;
    if (!status)
        status = ask_after_changes(r, made.level, &state, error);
    if (!status)
        status = ask_all(r, error);
    if (!status && storeys) {
        bench_add(run, (bench_figure){"a route over five storeys and links, 96 x 96 m", 1e6 * r->seconds / r->count,
                                      "us", none, none, 50.0, false});
        bench_add(run, (bench_figure){"the first route after a change", 1e3 * r->first, "ms", none, none, 1.0, false});
    }
    if (!status)
        tell_legs(run, storeys ? "storeys" : "all kinds of links", r);
    lope_level_router_destroy(r->router);
    lope_floors_destroy(r->floors);
    level_random_destroy(&made);
    free(r);
    return status;
}

lope_status level_bench_routes(bench_run *run, lope_error *error)
{
    lope_status status = measure_routes(run, true, error);
    return status ? status : measure_routes(run, false, error);
}
