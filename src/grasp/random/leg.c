// SPDX-License-Identifier: MIT
// A leg of the published planner: maps, scribes that race from site to site, smoothing and timing of what the first one
// that arrives has written.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/plan.h"
#include "grasp/random/timing.h"

#define PORTION 15000     // neighbours that a racer tries in one round
#define ALONE 8           // rounds of the first one
#define MAP_CLEARANCE 3.0 // weight of walls in the map
#define STAGNANT 30000    // neighbours without getting nearer, after which a racer begins again with another seed

typedef struct scribe_race {
    planner *p;
    scribe_task tasks[RACE_MOST];
    scribe scribes[RACE_MOST];
    scribe best[RACE_MOST]; // of earlier beginnings, the one that came nearest
    lope_climb_counts counts[RACE_MOST];
    double start;
} scribe_race;

static void count(lope_climb_counts *sum, const scribe *s)
{
    lope_climb_counts counts = {
        .samples = s->samples, .walks = s->walks, .backtracks = s->backtracks, .postures = s->postures};
    plan_count(sum, &counts);
}

// What was written so far is kept if it came nearer than anything before, and forgotten if not.
static bool begin_again(scribe_race *r, int racer)
{
    scribe *s = &r->scribes[racer], *best = &r->best[racer];
    count(&r->counts[racer], s);
    if (!best->task || s->nearest < best->nearest) {
        scribe_end(best);
        *best = *s;
    } else {
        scribe_end(s);
    }
    r->tasks[racer].seed += RACE_MOST;
    return scribe_begin(s, &r->tasks[racer]);
}

static racer_state advance(void *user, int racer)
{
    scribe_race *r = user;
    scribe *s = &r->scribes[racer];
    if (!s->task && !scribe_begin(s, &r->tasks[racer]))
        return RACER_FAILED;
    scribe_run(s, PORTION);
    if (s->failed || s->arrived)
        return s->failed ? RACER_FAILED : RACER_ARRIVED;
    if (r->counts[racer].samples + s->samples >= r->p->def->samples)
        return RACER_ENDED;
    if (s->samples - s->nearest_at > STAGNANT && !begin_again(r, racer))
        return RACER_FAILED;
    return RACER_GOES_ON;
}

static double left(const void *user, int racer)
{
    const scribe_race *r = user;
    const scribe *s = &r->scribes[racer], *best = &r->best[racer];
    double now = s->task ? s->nearest : (double)INFINITY;
    return s->arrived ? 0.0 : best->task ? fmin(now, best->nearest) : now;
}

static bool report(const void *user, double nearest)
{
    const scribe_race *r = user;
    return plan_report(r->p, 1.0 - nearest / fmax(r->start, 1e-3));
}

static lope_status add_path(planner *p, const trail *path, leg *l)
{
    lope_climb_plan part = {0};
    timing_input input = {p->world, p->body, path, p->def, p->natural, p->plan->frame_rate};
    lope_status status = timing_build(&input, &part, p->error);
    p->natural = input.natural;
    if (!status)
        status = plan_add(p, &part);
    const figure *end = &path->items[path->count - 1];
    l->at = (footing){.pose = end->pose, .s = {.facing = end->pose.facing}};
    memcpy(l->at.s.hold, end->hold, sizeof end->hold);
    l->mode = end->mode;
    lope_free(part.frames);
    lope_free(part.steps);
    return status;
}

// The configuration nearest to the goal on a path.
static int nearest_item(const scribe *s)
{
    int best = 0;
    double lowest = (double)INFINITY;
    for (int i = 0; i < s->path.count; i++) {
        double value = scribe_value(s, &s->path.items[i], scribe_distance, NULL);
        if (value < lowest) {
            lowest = value;
            best = i;
        }
    }
    return best;
}

static lope_status finish(planner *p, scribe *s, leg *l)
{
    p->plan->seed = s->task->seed;
    if (!s->arrived)
        scribe_cut(s, nearest_item(s) + 1);
    scribe_smooth(s);
    if (!s->failed)
        scribe_smooth_limbs(s);
    lope_status status = s->failed ? lope_fail_memory(p->error) : add_path(p, &s->path, l);
    if (status || s->arrived)
        return status;
    lope_grasp_points points;
    lope_grasp_forward(p->body, &l->at.pose, &points);
    return plan_missing(p, s->task->map, points.mass, lope_distance_at(s->task->map, points.mass));
}

static lope_status run_race(planner *p, const scribe_task *task, leg *l)
{
    scribe_race *r = lope_alloc_zero(sizeof *r);
    if (!r)
        return lope_fail_memory(p->error);
    r->p = p;
    r->start = lope_distance_at(task->map, l->at.mass);
    race run = {.count = p->def->racers < 1           ? 1
                         : p->def->racers > RACE_MOST ? RACE_MOST
                                                      : p->def->racers,
                .alone = ALONE,
                .user = r,
                .advance = advance,
                .left = left,
                .report = report};
    for (int i = 0; i < run.count; i++) {
        r->tasks[i] = *task;
        r->tasks[i].seed = p->def->seed * 1000003u + (uint64_t)i;
    }
    int winner = race_run(&run, p->jobs);
    lope_status status = winner < 0 ? lope_fail_memory(p->error) : LOPE_OK;
    if (!status) {
        scribe *s = &r->scribes[winner], *best = &r->best[winner];
        count(&r->counts[winner], s);
        plan_count(&p->plan->counts, &r->counts[winner]);
        status = finish(p, !s->arrived && best->task && best->nearest < s->nearest ? best : s, l);
    }
    for (int i = 0; i < run.count; i++) {
        scribe_end(&r->scribes[i]);
        scribe_end(&r->best[i]);
    }
    lope_free(r);
    return status;
}

// The distance of every hold to where the hands or the feet of the goal are: each kind of limb has its own potential.
static lope_status measure_holds(planner *p, const footing *goal, int kind, float *out)
{
    lope_grasp_points points;
    lope_distance_map *map;
    lope_distance_def def = lope_distance_def_default();
    def.clearance_weight = 0.0; // holds are on walls: all the same distance from them
    lope_grasp_forward(p->body, &goal->pose, &points);
    const lope_xy middle = xy_lerp(points.end[2 * kind], points.end[2 * kind + 1], 0.5);
    lope_xy to = middle;
    for (int k = 0; k < 20 && lope_grasp_bitmap_occupied(p->bitmap, to); k++) // on a surface: just off it
        to.y += (goal->mass.y > to.y ? 0.5 : -0.5) * p->bitmap->cell;
    for (int k = 0; k < 20 && lope_grasp_bitmap_occupied(p->bitmap, to); k++) // on a wall
        to = xy_lerp(middle, goal->mass, 0.05 * (k + 1));
    lope_status status = lope_distance_map_create(p->bitmap, to, &def, &map, p->error);
    for (int i = 0; i < p->world->hold_count && !status; i++)
        out[i] = (float)lope_distance_at(map, p->world->holds[i].at);
    lope_distance_map_destroy(map);
    return status;
}

static lope_status go_to(planner *p, const lope_climb_site *site, bool last, leg *l)
{
    lope_distance_map *map = NULL;
    lope_distance_def def = lope_distance_def_default();
    def.clearance_weight = MAP_CLEARANCE;
    size_t count = (size_t)p->world->hold_count;
    float *limb_map = lope_alloc_array(2 * count + 1, sizeof *limb_map);
    touch_map *touch = touch_map_create(p->world, SCRIBE_DIP);
    scribe_task task = {.world = p->world,
                        .body = p->body,
                        .touch = touch,
                        .limb_map = {limb_map, limb_map ? limb_map + count : NULL},
                        .start = {.pose = l->at.pose, .mode = l->mode, .entered_foot = -1},
                        .goal_facing = plan_site_facing(site),
                        .flies = p->def->planner == LOPE_PLANNER_FLIGHT,
                        .without = p->def->without};
    memcpy(task.start.hold, l->at.s.hold, sizeof task.start.hold);
    lope_status status =
        limb_map && touch ? plan_site(p, site, last ? "goal" : "milestone", &task.goal) : lope_fail_memory(p->error);
    if (!status)
        status = lope_distance_map_create(p->bitmap, task.goal.mass, &def, &map, p->error);
    for (int kind = 0; kind < 2 && !status; kind++)
        status = measure_holds(p, &task.goal, kind, limb_map + (size_t)kind * count);
    task.map = map;
    if (!status)
        status = run_race(p, &task, l);
    lope_distance_map_destroy(map);
    touch_map_destroy(touch);
    lope_free(limb_map);
    return status;
}

lope_status random_leg(planner *p, leg *l)
{
    lope_status status = LOPE_OK;
    if (p->def->planner == LOPE_PLANNER_FLIGHT) // up, up and away
        for (int i = 0; i < LOPE_LIMB_COUNT; i++)
            l->at.s.hold[i] = -1;
    for (int i = 0; i < l->count && !status; i++) {
        p->site = l->first + i;
        status = go_to(p, l->sites[i], i == l->count - 1, l);
        if (!status)
            plan_reach(p, p->plan->frame_count - 1);
    }
    return status;
}
