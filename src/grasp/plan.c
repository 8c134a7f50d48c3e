// SPDX-License-Identifier: MIT
// Plans from site to site: legs that planners find, sequences that were given, and going on from a frame of a plan.
#include "grasp/plan.h"

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define WITHIN_REACH 1.1 // metres from the mass centre that hands and feet get

lope_climb_def lope_climb_def_default(void)
{
    return (lope_climb_def){
        .seed = 1, .racers = 4, .budget = 12000, .samples = 1500000, .weight = 14.0, .speed = 1.0, .frame_rate = 60.0};
}

double plan_speed(const lope_climb_def *def, double natural)
{
    const lope_climb_speed *key = def->speeds;
    int k = 0;
    if (def->speed_count < 1)
        return def->speed;
    while (k < def->speed_count - 1 && key[k + 1].at <= natural)
        k++;
    if (k == def->speed_count - 1 || natural <= key[k].at)
        return def->speed * key[k].speed;
    double t = (natural - key[k].at) / (key[k + 1].at - key[k].at);
    return def->speed * (key[k].speed + (key[k + 1].speed - key[k].speed) * t);
}

const char *lope_climb_planner_name(lope_climb_planner which)
{
    static const char *const names[LOPE_PLANNER_COUNT] = {"contacts", "thesis", "flight"};
    return names[which];
}

void plan_count(lope_climb_counts *sum, const lope_climb_counts *more)
{
    sum->looked += more->looked;
    sum->expanded += more->expanded;
    sum->postures += more->postures;
    sum->evaluations += more->evaluations;
    sum->motions += more->motions;
    sum->motions_failed += more->motions_failed;
    sum->samples += more->samples;
    sum->walks += more->walks;
    sum->backtracks += more->backtracks;
}

bool plan_report(planner *p, double share)
{
    if (!p->progress || !p->progress->report)
        return true;
    double done = (p->site + clamp_to(share, 0.0, 1.0)) / p->site_count;
    p->told = clamp_to(done, p->told, 1.0); // what is begun again further back does not count down
    p->stopped |= !p->progress->report(p->progress->user, "plan", p->told);
    return !p->stopped;
}

void plan_reach(planner *p, int frame)
{
    p->plan->site_frame[p->plan->reached++] = frame;
    p->site = p->plan->reached;
}

lope_status plan_add(planner *p, const lope_climb_plan *part)
{
    lope_climb_plan *plan = p->plan;
    int skip = plan->frame_count > 0, skip_step = plan->step_count > 0;
    size_t frames = (size_t)(plan->frame_count + part->frame_count - skip),
           steps = (size_t)(plan->step_count + part->step_count - skip_step);
    double time = skip ? (plan->frame_count - 1) / plan->frame_rate : 0.0;
    lope_climb_frame *more =
        lope_grow(plan->frames, (size_t)plan->frame_count * sizeof *more, (frames + 1) * sizeof *more);
    if (more)
        plan->frames = more;
    lope_climb_step *change =
        lope_grow(plan->steps, (size_t)plan->step_count * sizeof *change, (steps + 1) * sizeof *change);
    if (change)
        plan->steps = change;
    if (!more || !change)
        return lope_fail_memory(p->error);
    for (int i = skip; i < part->frame_count; i++)
        plan->frames[plan->frame_count++] = part->frames[i];
    for (int i = skip_step; i < part->step_count; i++) {
        plan->steps[plan->step_count] = part->steps[i];
        plan->steps[plan->step_count++].time += time;
    }
    return LOPE_OK;
}

// Downhill on the map from where the plan ends, to the first place without a hold in reach.
lope_status plan_missing(planner *p, const lope_distance_map *map, lope_xy from, double left)
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

// --- Legs

lope_status plan_left(planner *p, const lope_climb_site *site, const lope_climb_frame *at, double *out)
{
    footing goal;
    lope_grasp_points points;
    lope_distance_map *map = NULL;
    lope_distance_def def = lope_distance_def_default();
    def.clearance_weight = PLAN_CLEARANCE;
    lope_status status = plan_site(p, site, "goal", &goal);
    if (!status)
        status = lope_distance_map_create(p->bitmap, goal.mass, &def, &map, p->error);
    if (!status) {
        lope_grasp_forward(p->body, &at->pose, &points);
        *out = lope_distance_at(map, points.mass);
    }
    lope_distance_map_destroy(map);
    return status;
}

static lope_status run_leg(planner *p, leg *l)
{
    static lope_status (*const planners[LOPE_PLANNER_COUNT])(planner *, leg *) = {contacts_leg, random_leg, random_leg};
    lope_status status = plan_report(p, 0.0) ? planners[p->def->planner](p, l) : LOPE_PARTIAL;
    if (status == LOPE_PARTIAL) {
        lope_error reason = p->error ? *p->error : (lope_error){0};
        const lope_climb_site *site = l->sites[p->plan->reached - l->first];
        lope_status measured = plan_left(p, site, &p->plan->frames[p->plan->frame_count - 1], &p->plan->left);
        status = measured ? measured : status;
        if (!measured && p->error)
            *p->error = reason;
    }
    if (p->stopped && !p->def->keep_stopped)
        return lope_fail(p->error, LOPE_INTERRUPTED, "interrupted");
    return p->stopped && status == LOPE_PARTIAL
               ? lope_fail(p->error, LOPE_PARTIAL, "stopped after %d of %d sites", p->plan->reached, p->site_count)
               : status;
}

lope_status plan_go_on(planner *p, const lope_climb_problem *problem, leg *l)
{
    lope_status status = LOPE_OK;
    while (!status && p->plan->reached <= problem->via_count) {
        l->first = p->plan->reached;
        l->count = 0;
        for (int i = l->first; i <= problem->via_count; i++) {
            l->sites[l->count++] = i < problem->via_count ? &problem->via[i] : &problem->goal;
            if (l->sites[l->count - 1]->sequence)
                break;
        }
        status = run_leg(p, l);
        if (!status && l->sites[l->count - 1]->sequence)
            status = plan_perform(p, l->sites[l->count - 1]->sequence, l);
    }
    p->plan->complete = status == LOPE_OK;
    return status;
}

// The first frame and step: the start.
static lope_status hold_still(planner *p, const leg *l)
{
    lope_climb_frame frame = {.pose = l->at.pose,
                              .mode = l->mode,
                              .seat = l->at.s.seat,
                              .held = stance_mask(&l->at.s),
                              .yaw = l->at.s.facing > 0 ? 0.0 : LOPE_PI};
    lope_climb_step step = {.mode = l->mode, .facing = l->at.s.facing, .seat = l->at.s.seat};
    memcpy(frame.hold, l->at.s.hold, sizeof frame.hold);
    memcpy(step.hold, l->at.s.hold, sizeof step.hold);
    lope_climb_plan part = {.frame_count = 1, .step_count = 1, .frames = &frame, .steps = &step};
    return plan_add(p, &part);
}

static lope_status check_numbers(const planner *p, const lope_climb_problem *problem)
{
    const lope_climb_def *def = p->def;
    return LOPE_CHECK(p->error, LOPE_RANGE(problem, via_count, 0, LOPE_CLIMB_MAX_VIA), LOPE_RANGE(def, speed, 0.05, 20),
                      LOPE_RANGE(def, frame_rate, 1, 1000), LOPE_RANGE(def, weight, 0, 1e6),
                      LOPE_RANGE(def, speed_count, 0, 10000), LOPE_RANGE(def, budget, 0, INT_MAX),
                      LOPE_RANGE(def, samples, 0, INT_MAX));
}

static lope_status check_speeds(const planner *p)
{
    for (int i = 0; i < p->def->speed_count; i++) {
        const lope_climb_speed *key = &p->def->speeds[i];
        if (!(key->at >= 0.0 && key->at <= 1e6) || !(key->speed >= 0.05 && key->speed <= 20.0) ||
            (i > 0 && !(key->at > key[-1].at)))
            return lope_fail(p->error, LOPE_BAD_DATA,
                             "speeds[%d]: expected a later time than the one before and a speed of 0.05 to 20, found "
                             "%g s and %g",
                             i, key->at, key->speed);
    }
    return LOPE_OK;
}

lope_status plan_begin(planner *p, const lope_climb_problem *problem)
{
    lope_status status = check_numbers(p, problem);
    if (!status)
        status = check_speeds(p);
    if (status)
        return status;
    p->plan = lope_alloc_zero(sizeof *p->plan);
    if (!p->plan)
        return lope_fail_memory(p->error);
    p->plan->frame_rate = p->def->frame_rate;
    p->plan->body = *p->body;
    p->site_count = problem->via_count + 1;
    status = plan_check(p, problem);
    for (int i = -1; i <= problem->via_count && !status; i++) {
        const lope_climb_site *site = i < 0                    ? &problem->start
                                      : i < problem->via_count ? &problem->via[i]
                                                               : &problem->goal;
        if (!site->sequence && modes[site->mode]->sits && p->def->planner != LOPE_PLANNER_CONTACTS)
            status = lope_fail(p->error, LOPE_BAD_DATA, "only the planner of contacts sits");
    }
    return status ? status : lope_grasp_bitmap_create(p->world, LOPE_OCCUPIED_HALF, &p->bitmap, p->error);
}

lope_status plan_end(planner *p, lope_status status, lope_climb_plan **out)
{
    lope_grasp_bitmap_destroy(p->bitmap);
    if (status == LOPE_OK || status == LOPE_PARTIAL)
        *out = p->plan;
    else
        lope_climb_plan_destroy(p->plan);
    return status;
}

lope_status lope_climb_plan_create(const lope_grasp_world *world, const lope_climb_problem *problem,
                                   const lope_climb_def *def, lope_jobs *jobs, const lope_progress *progress,
                                   lope_climb_plan **out, lope_error *error)
{
    lope_grasp_body standard = lope_grasp_body_default();
    planner p = {world, def->body ? def->body : &standard, def, jobs, progress, .error = error};
    leg l = {0};
    *out = NULL;
    lope_status status = plan_begin(&p, problem);
    if (!status)
        status = plan_site(&p, &problem->start, "start", &l.at);
    if (!status) {
        int mode = stance_mode(world, &l.at.s);
        l.mode = mode == STANCE_NONE ? LOPE_MODE_WALK : (lope_grasp_mode)mode; // it flies
        status = hold_still(&p, &l);
    }
    if (!status && problem->start.sequence)
        status = plan_perform(&p, problem->start.sequence, &l);
    if (!status)
        status = plan_go_on(&p, problem, &l);
    return plan_end(&p, status, out);
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
