// SPDX-License-Identifier: MIT
// Plans from site to site: maps, stances, searches that race, and what is said when none arrives.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/motion.h"

#define MAP_CLEARANCE 2.0 // weight of walls in the distance map
#define WITHIN_REACH 1.1  // metres from the mass centre that hands and feet get
#define MOST_RACERS 16

lope_climb_def lope_climb_def_default(void)
{
    return (lope_climb_def){.seed = 1, .racers = 4, .budget = 12000, .weight = 14.0, .speed = 1.0, .frame_rate = 60.0};
}

typedef struct planner {
    const lope_grasp_world *world;
    const lope_grasp_body *body;
    const lope_climb_def *def;
    lope_jobs *jobs;
    const lope_progress *progress;
    lope_grasp_bitmap *bitmap;
    float *hold_distance;
    search_step *steps;
    int step_count;
    lope_climb_plan *plan;
    lope_error *error;
} planner;

typedef struct race {
    search_task tasks[MOST_RACERS];
    search_result results[MOST_RACERS];
    atomic_bool stop[MOST_RACERS];
    int count;
} race;

// Whoever arrives stops all that come after it in order: what they find does not count any more.
static void run_racer(void *user, int index, int thread)
{
    race *r = user;
    (void)thread;
    search_run(&r->tasks[index], &r->results[index]);
    if (r->results[index].status == LOPE_OK)
        for (int i = index + 1; i < r->count; i++)
            atomic_store_explicit(&r->stop[i], true, memory_order_relaxed);
}

static void add_counts(lope_climb_counts *sum, const lope_climb_counts *more)
{
    sum->looked += more->looked;
    sum->expanded += more->expanded;
    sum->postures += more->postures;
    sum->evaluations += more->evaluations;
    sum->motions += more->motions;
    sum->motions_failed += more->motions_failed;
}

// The first in order that arrived; otherwise the one that came nearest.
static int winner_of(const race *r)
{
    int best = 0;
    for (int i = 0; i < r->count; i++) {
        if (r->results[i].status == LOPE_OK)
            return i;
        if (r->results[i].left < r->results[best].left)
            best = i;
    }
    return best;
}

static lope_status append_steps(planner *p, const search_result *result)
{
    size_t old = (size_t)p->step_count, more = (size_t)result->count;
    search_step *grown = lope_grow(p->steps, old * sizeof *grown, (old + more + 1) * sizeof *grown);
    if (!grown)
        return lope_fail_memory(p->error);
    if (more)
        memcpy(grown + old, result->steps, more * sizeof *grown);
    p->steps = grown;
    p->step_count += result->count;
    return LOPE_OK;
}

// Downhill on the map from where the plan ends, to the first place without a hold in reach.
static lope_status what_is_missing(const planner *p, const lope_distance_map *map, lope_xy from, double left)
{
    lope_xy at = from;
    for (int step = 0; step < 400; step++) {
        double nearest = (double)INFINITY, here = lope_distance_at(map, at), best = here;
        for (int i = 0; i < p->world->hold_count; i++)
            nearest = fmin(nearest, xy_distance(p->world->holds[i].at, at));
        if (nearest > WITHIN_REACH)
            return lope_fail(
                p->error, LOPE_PARTIAL,
                "the plan ends at (%.1f, %.1f), %.1f m before the goal: no grasp within %.1f m of (%.1f, %.1f)", from.x,
                from.y, left, WITHIN_REACH, at.x, at.y);
        lope_xy next = at;
        for (int k = 0; k < 8; k++) {
            lope_xy to = xy_mad(at, xy(lope_cos(k * LOPE_PI / 4), lope_sin(k * LOPE_PI / 4)), map->cell);
            double distance = lope_distance_at(map, to);
            if (distance < best) {
                best = distance;
                next = to;
            }
        }
        if (!(best < here))
            break;
        at = next;
    }
    return lope_fail(p->error, LOPE_PARTIAL,
                     "the plan ends at (%.1f, %.1f), %.1f m before the goal: no posture or motion was found beyond",
                     from.x, from.y, left);
}

static lope_status run_race(planner *p, const search_task *task, const lope_distance_map *map, footing *end)
{
    race *r = lope_alloc_zero(sizeof *r);
    if (!r)
        return lope_fail_memory(p->error);
    r->count = p->def->racers < 1 ? 1 : p->def->racers > MOST_RACERS ? MOST_RACERS : p->def->racers;
    for (int i = 0; i < r->count; i++) {
        r->tasks[i] = *task;
        r->tasks[i].seed = i == 0 && p->def->seed == 1 ? 0 : p->def->seed * 1000003u + (uint64_t)i;
        r->tasks[i].stop = &r->stop[i];
        r->tasks[i].may_turn = i > 0; // feet first into a tunnel, only where head first fails
        r->tasks[i].weight = task->weight * (i % 3 == 1 ? 0.7 : i % 3 == 2 ? 1.5 : 1.0);
    }
    // Most searches end soon: the others only start where the first one does not.
    r->tasks[0].budget = task->budget / 8;
    run_racer(r, 0, 0);
    if (r->results[0].status == LOPE_PARTIAL) {
        lope_climb_counts counts = r->results[0].counts;
        search_free(&r->results[0]);
        r->tasks[0].budget = task->budget;
        lope_jobs_run(p->jobs, r->count, run_racer, r);
        add_counts(&p->plan->counts, &counts);
    } else {
        r->count = 1;
    }
    int winner = winner_of(r);
    search_result *result = &r->results[winner];
    lope_status status = result->status == LOPE_NO_MEMORY ? lope_fail_memory(p->error) : append_steps(p, result);
    add_counts(&p->plan->counts, &result->counts);
    p->plan->seed = r->tasks[winner].seed;
    if (!status && result->count > 0)
        *end = result->steps[result->count - 1].to;
    if (!status && result->status == LOPE_PARTIAL) {
        p->plan->left = result->left;
        status = what_is_missing(p, map, end->mass, result->left);
    }
    for (int i = 0; i < r->count; i++)
        search_free(&r->results[i]);
    lope_free(r);
    return status;
}

// From a footing to a site; `at` moves along.
static lope_status go_to(planner *p, const lope_climb_site *site, const char *what, footing *at)
{
    lope_distance_map *map = NULL;
    lope_distance_def def = lope_distance_def_default();
    def.clearance_weight = MAP_CLEARANCE;
    search_task task = {.world = p->world,
                        .body = p->body,
                        .start = *at,
                        .goal_facing = site->facing != 0,
                        .weight = p->def->weight,
                        .budget = p->def->budget};
    lope_status status = footing_at(p->world, p->body, site, what, &task.goal, &p->plan->counts, p->error);
    if (!status)
        status = lope_distance_map_create(p->bitmap, task.goal.mass, &def, &map, p->error);
    if (!status) {
        for (int i = 0; i < p->world->hold_count; i++)
            p->hold_distance[i] = (float)lope_distance_at(map, p->world->holds[i].at);
        task.map = map;
        task.hold_distance = p->hold_distance;
        status = run_race(p, &task, map, at);
    }
    lope_distance_map_destroy(map);
    return status;
}

static lope_status go_all(planner *p, const lope_climb_problem *problem, footing *start)
{
    footing at;
    lope_status status = footing_at(p->world, p->body, &problem->start, "start", &at, &p->plan->counts, p->error);
    if (status)
        return status;
    *start = at;
    for (int i = 0; i <= problem->via_count && !status; i++) {
        if (p->progress && p->progress->report &&
            !p->progress->report(p->progress->user, "plan", (double)i / (problem->via_count + 1)))
            return lope_fail(p->error, LOPE_INTERRUPTED, "interrupted");
        bool last = i == problem->via_count;
        status = go_to(p, last ? &problem->goal : &problem->via[i], last ? "goal" : "milestone", &at);
        p->plan->reached += status == LOPE_OK;
    }
    p->plan->complete = status == LOPE_OK;
    return status;
}

lope_status lope_climb_plan_create(const lope_grasp_world *world, const lope_climb_problem *problem,
                                   const lope_climb_def *def, lope_jobs *jobs, const lope_progress *progress,
                                   lope_climb_plan **out, lope_error *error)
{
    lope_grasp_body standard = lope_grasp_body_default();
    *out = NULL;
    planner p = {.world = world,
                 .body = def->body ? def->body : &standard,
                 .def = def,
                 .jobs = jobs,
                 .progress = progress,
                 .error = error};
    p.plan = lope_alloc_zero(sizeof *p.plan);
    p.hold_distance = lope_alloc_array((size_t)world->hold_count + 1, sizeof *p.hold_distance);
    footing start;
    lope_status status = p.plan && p.hold_distance ? LOPE_OK : lope_fail_memory(error);
    if (!status)
        status = lope_grasp_bitmap_create(world, LOPE_OCCUPIED_HALF, &p.bitmap, error);
    if (!status)
        status = go_all(&p, problem, &start);
    if (status == LOPE_OK || status == LOPE_PARTIAL) {
        motion_input input = {world, p.body, start, p.step_count, p.steps, def->speed, def->frame_rate};
        lope_status built = motion_build(&input, p.plan, error);
        status = built ? built : status;
    }
    lope_grasp_bitmap_destroy(p.bitmap);
    lope_free(p.hold_distance);
    lope_free(p.steps);
    if (status == LOPE_OK || status == LOPE_PARTIAL)
        *out = p.plan;
    else
        lope_climb_plan_destroy(p.plan);
    return status;
}

void lope_climb_plan_destroy(lope_climb_plan *plan)
{
    if (!plan)
        return;
    lope_free(plan->frames);
    lope_free(plan->steps);
    lope_free(plan);
}

lope_vec3 lope_climb_extremity(const lope_grasp_body *body, const lope_climb_frame *frame, lope_grasp_limb limb)
{
    lope_grasp_pose ahead = frame->pose;
    lope_grasp_points points;
    ahead.facing = 1;
    ahead.hip = xy(0, 0);
    lope_grasp_forward(body, &ahead, &points);
    double forward = points.end[limb].x, up = points.end[limb].y, spread = frame->spread[limb];
    double sideways = -up * lope_sin(spread), cosine = lope_cos(frame->yaw), sine = lope_sin(frame->yaw);
    return lope_v3((float)(frame->pose.hip.x + forward * cosine + sideways * sine),
                   (float)(frame->pose.hip.y + up * lope_cos(spread)), (float)(-forward * sine + sideways * cosine));
}
