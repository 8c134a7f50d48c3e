// SPDX-License-Identifier: MIT
// Changes of a level, and routes. Boxes of 1 m come, move and go in a level of about 100 x 100 m; after each everything
// derived is made right again, and in the end every answer is compared with floors made anew. Routes lead from anywhere
// to anywhere over storeys and links.
#include <math.h>
#include <stdlib.h>

#include "bench/level.h"
#include "bench/level_links_same.h"
#include "generators/level_random.h"

#define SEED 90210 // nothing was tuned on it
#define PLOTS 8    // 96 m
#define BOXES 50   // of those that come and go, at once
#define PLACES 5000

typedef struct changing {
    lope_level *level;
    lope_floors *floors;
    bench_run *run;
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
    double begin = bench_seconds();
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
        status = lope_floors_update(c->floors, NULL, error);
    double seconds = bench_seconds() - begin;
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
    lope_floors_destroy(anew);
    return LOPE_OK;
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

lope_status level_bench_changes(bench_run *run, lope_error *error)
{
    static const char *const names[3] = {"added", "moved", "removed"};
    const double none = (double)NAN;
    const int total = bench_full(run) ? 10000 : 300;
    level_random made = {0};
    changing c = {.run = run, .state = SEED};
    double different = 0.0;
    lope_status status = open_level(4, -1, &made, &c.floors, error);
    c.level = made.level;
    for (int i = 0; i < total && !status && !bench_stopped(run); i++) {
        int way = (int)(3.0 * bench_random(&c.state));
        status = change(&c, c.count == 0 ? 0 : c.count == BOXES && way == 0 ? 2 : way, error);
    }
    if (!status)
        status = compare_anew(&c, &different, error);
    for (int i = 0; i < 3 && !status; i++) {
        bench_add(run, (bench_figure){bench_name(run, "a box %s, everything right again", names[i]),
                                      1e3 * c.seconds[i] / c.times[i], "ms", none, none, 1.0, false});
        bench_add(run, (bench_figure){bench_name(run, "a box %s, the slowest", names[i]), 1e3 * c.worst[i], "ms", none,
                                      none, none, false});
    }
    if (!status)
        bench_add(run, (bench_figure){bench_name(run, "answers that differ from floors made anew, after %d", total),
                                      different, "", none, none, 0.0, false});
    lope_floors_destroy(c.floors);
    level_random_destroy(&made);
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

lope_status level_bench_routes(bench_run *run, lope_error *error)
{
    enum { ROUTES = 2000 };
    const double none = (double)NAN;
    level_random made = {0};
    lope_floors *floors = NULL;
    lope_level_router *router = NULL;
    uint64_t state = SEED;
    lope_vec3 *places = malloc(2 * ROUTES * sizeof *places);
    int count = 0, found = 0, leg_count, legs_sum = 0;
    double seconds = HUGE_VAL, learning = 0.0;
    const lope_leg *legs;
    const lope_traveller who = lope_traveller_default();
    lope_status status = open_level(5, 0, &made, &floors, error);
    if (!status)
        status = lope_level_router_create(&router, error);
    if (!status)
        count = find_places(floors, &state, places, 2 * ROUTES) / 2;
    // Once to begin with, which learns the level; then the best of three rounds.
    for (int round = 0; round < 4 && !status; round++) {
        double sum = 0.0;
        found = legs_sum = 0;
        for (int i = 0; i < (round ? count : 1) && !status; i++) {
            double begin = bench_seconds();
            lope_status one =
                lope_level_route(router, floors, places[2 * i], places[2 * i + 1], &who, &legs, &leg_count, error);
            sum += bench_seconds() - begin;
            status = one == LOPE_NOT_FOUND ? LOPE_OK : one;
            found += one == LOPE_OK, legs_sum += leg_count;
        }
        if (round == 0)
            learning = sum;
        else
            seconds = fmin(seconds, sum);
    }
    if (!status && count) {
        bench_add(run, (bench_figure){"a route over five storeys and links, 96 x 96 m", 1e6 * seconds / count, "us",
                                      none, none, 50.0, false});
        bench_add(run, (bench_figure){"the first route after a change", 1e3 * learning, "ms", none, none, none, false});
        bench_note(run, "routes: %d of %d pairs of places have one, of %.1f legs", found, count,
                   (double)legs_sum / (found ? found : 1));
    }
    lope_level_router_destroy(router);
    lope_floors_destroy(floors);
    level_random_destroy(&made);
    free(places);
    return status;
}
