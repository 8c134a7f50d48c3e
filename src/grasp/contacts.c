// SPDX-License-Identifier: MIT
// A leg of the contact-first planner: maps, searches that race from site to site, one motion over all of them.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grasp/plan.h"

#define PORTION 60 // stances that a racer looks at in one round

typedef struct contact_race {
    planner *p;
    search_task tasks[RACE_MOST];
    search *searches[RACE_MOST];
    double start; // metres to the goal
} contact_race;

static racer_state advance(void *user, int racer)
{
    contact_race *r = user;
    if (!r->searches[racer])
        r->searches[racer] = search_create(&r->tasks[racer]);
    return r->searches[racer] ? search_advance(r->searches[racer], PORTION) : RACER_FAILED;
}

static double left(const void *user, int racer)
{
    const contact_race *r = user;
    return r->searches[racer] ? search_left(r->searches[racer]) : (double)INFINITY;
}

static bool report(const void *user, double nearest)
{
    const contact_race *r = user;
    return plan_report(r->p, 1.0 - nearest / fmax(r->start, 1e-3));
}

typedef struct contact_steps {
    search_step *items;
    int count;
} contact_steps;

static lope_status append(planner *p, contact_steps *steps, const search_step *more, int count)
{
    size_t old = (size_t)steps->count;
    search_step *grown = lope_grow(steps->items, old * sizeof *grown, (old + (size_t)count + 1) * sizeof *grown);
    if (!grown)
        return lope_fail_memory(p->error);
    if (count)
        memcpy(grown + old, more, (size_t)count * sizeof *grown);
    steps->items = grown;
    steps->count += count;
    return LOPE_OK;
}

static void set_racers(contact_race *r, const search_task *task, int count)
{
    const lope_climb_def *def = r->p->def;
    for (int i = 0; i < count; i++) {
        r->tasks[i] = *task;
        r->tasks[i].seed = i == 0 && def->seed == 1 ? 0 : def->seed * 1000003u + (uint64_t)i;
        r->tasks[i].may_turn = i > 0; // feet first into a tunnel, only where head first fails
        r->tasks[i].weight = task->weight * (i % 3 == 1 ? 0.7 : i % 3 == 2 ? 1.5 : 1.0);
    }
}

static lope_status run_race(planner *p, const search_task *task, footing *end, contact_steps *steps)
{
    contact_race *r = lope_alloc_zero(sizeof *r);
    if (!r)
        return lope_fail_memory(p->error);
    r->p = p;
    r->start = lope_distance_at(task->map, task->start.mass);
    race run = {.count = p->def->racers < 1           ? 1
                         : p->def->racers > RACE_MOST ? RACE_MOST
                                                      : p->def->racers,
                .alone = 1 + task->budget / 8 / PORTION,
                .user = r,
                .advance = advance,
                .left = left,
                .report = report};
    set_racers(r, task, run.count);
    int winner = race_run(&run, p->jobs);
    search_result result = {.status = LOPE_NO_MEMORY};
    if (winner >= 0)
        search_get(r->searches[winner], &result);
    lope_status status =
        result.status == LOPE_NO_MEMORY ? lope_fail_memory(p->error) : append(p, steps, result.steps, result.count);
    plan_count(&p->plan->counts, &result.counts);
    p->plan->seed = r->tasks[winner < 0 ? 0 : winner].seed;
    if (!status && result.count > 0)
        *end = result.steps[result.count - 1].to;
    if (!status && result.status == LOPE_PARTIAL)
        status = plan_missing(p, task->map, end->mass, result.left);
    search_free(&result);
    for (int i = 0; i < run.count; i++)
        search_destroy(r->searches[i]);
    lope_free(r);
    return status;
}

// A sequence begins in a pose of its own: the same stance, perhaps with left and right exchanged.
static lope_status match_pose(planner *p, const footing *goal, footing *at, contact_steps *steps)
{
    search_step step = {.to = *at};
    step.to.pose = pose_exchanged(&goal->pose, pose_pairs_to_exchange(goal->s.hold, at->s.hold));
    const edge_end from = footing_end(at), to = footing_end(&step.to);
    step.motion = edge_make(p->world, p->body, &from, &to);
    if (!edge_validate(p->world, p->body, &step.motion, &p->plan->counts.evaluations))
        return lope_fail(p->error, LOPE_PARTIAL, "no motion into the pose at (%.2f, %.2f)", goal->pose.hip.x,
                         goal->pose.hip.y);
    *at = step.to;
    return append(p, steps, &step, 1);
}

// From a footing to a site; `at` moves along.
static lope_status go_to(planner *p, const lope_climb_site *site, bool last, footing *at, contact_steps *steps)
{
    lope_distance_map *map = NULL;
    lope_distance_def def = lope_distance_def_default();
    def.clearance_weight = PLAN_CLEARANCE;
    search_task task = {.world = p->world,
                        .body = p->body,
                        .start = *at,
                        .goal_facing = plan_site_facing(site),
                        .goal_exact = site->sequence != NULL,
                        .sits = p->def->sits || at->s.seat,
                        .slides = plan_slides(p),
                        .without = p->def->without,
                        .weight = p->def->weight,
                        .budget = p->def->budget};
    float *hold_distance = lope_alloc_array((size_t)p->world->hold_count + 1, sizeof *hold_distance);
    lope_status status = hold_distance ? LOPE_OK : lope_fail_memory(p->error);
    if (!status)
        status = plan_site(p, site, last ? "goal" : "milestone", &task.goal);
    if (!status)
        status = lope_distance_map_create(p->bitmap, task.goal.mass, &def, &map, p->error);
    if (!status) {
        for (int i = 0; i < p->world->hold_count; i++)
            hold_distance[i] = (float)lope_distance_at(map, p->world->holds[i].at);
        task.map = map;
        task.sits |= task.goal.s.seat != 0;
        task.hold_distance = hold_distance;
        status = run_race(p, &task, at, steps);
    }
    if (!status && site->sequence)
        status = match_pose(p, &task.goal, at, steps);
    lope_free(hold_distance);
    lope_distance_map_destroy(map);
    return status;
}

lope_status contacts_leg(planner *p, leg *l)
{
    const footing start = l->at;
    contact_steps steps = {0};
    int reached = 0, step_of[LOPE_CLIMB_MAX_VIA + 1];
    lope_status status = LOPE_OK;
    for (int i = 0; i < l->count && !status; i++) {
        p->site = l->first + i;
        status = go_to(p, l->sites[i], i == l->count - 1, &l->at, &steps);
        if (!status)
            step_of[reached++] = steps.count;
    }
    l->mode = (lope_grasp_mode)stance_mode(p->world, &l->at.s);
    if (status == LOPE_OK || status == LOPE_PARTIAL) {
        lope_climb_plan part = {0};
        motion_input input = {p->world,    p->body, start,      steps.count,
                              steps.items, p->def,  p->natural, p->plan->frame_rate};
        int before = p->plan->frame_count > 0 ? p->plan->frame_count - 1 : 0;
        lope_status built = motion_build(&input, &part, p->error);
        for (int i = 0; i < reached && !built; i++)
            plan_reach(p, before + (int)floor(part.steps[step_of[i]].time * part.frame_rate + 1e-6));
        p->natural += motion_natural(&input);
        built = built ? built : plan_add(p, &part);
        status = built ? built : status;
        lope_free(part.frames);
        lope_free(part.steps);
    }
    lope_free(steps.items);
    return status;
}
