// SPDX-License-Identifier: MIT
#define STUDIO_INSIDE
#include "climb.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

// Frames over which a plan that goes on from another one is reached.
enum { SEAM = 24 };

// Frames and steps of the plan are ours: parts of several plans may be joined.
struct studio_climb {
    lope_climb_plan plan;
    lope_clip *clip;
};

lope_climb_scene *studio_climb_read(const char *text, size_t size, const char *name)
{
    lope_climb_scene *scene;
    lope_climb_scene_read_memory(text, size, name, &scene, studio_failure());
    return scene;
}

void studio_climb_scene_destroy(lope_climb_scene *scene)
{
    lope_climb_scene_destroy(scene);
}

int studio_climb_holds(const lope_climb_scene *scene, float *out, int capacity)
{
    const lope_grasp_world *world = scene->world;
    for (int i = 0; i < world->hold_count && i < capacity; i++) {
        out[3 * i] = (float)world->holds[i].at.x;
        out[3 * i + 1] = (float)world->holds[i].at.y;
        out[3 * i + 2] = (float)world->holds[i].kind;
    }
    return world->hold_count;
}

int studio_climb_obstacle(const lope_climb_scene *scene, int obstacle, float *out, int capacity)
{
    if (obstacle >= scene->world->obstacle_count)
        return -1;
    const lope_grasp_polygon *polygon = &scene->world->obstacles[obstacle];
    for (int i = 0; i < polygon->count && i < capacity; i++) {
        out[2 * i] = (float)polygon->corners[i].x;
        out[2 * i + 1] = (float)polygon->corners[i].y;
    }
    return polygon->count;
}

// What is kept of an earlier plan: frames and steps, the first of which may be none.
typedef struct kept {
    const lope_climb_plan *plan;
    int frames, steps;
} kept;

// The new frames come closer to what they say within the seam, from the pose that the kept ones end in. Hands and feet
// are put on their holds again when the plan is performed.
static void soften_seam(lope_climb_frame *frames, int count, const lope_grasp_pose *from)
{
    for (int i = 0; i < count && i < SEAM && frames[i].pose.facing == from->facing; i++) {
        double t = (i + 1.0) / (SEAM + 1.0), left = 1.0 - t * t * (3.0 - 2.0 * t);
        lope_grasp_pose *pose = &frames[i].pose;
        pose->hip.x += left * (from->hip.x - pose->hip.x);
        pose->hip.y += left * (from->hip.y - pose->hip.y);
        pose->spine += left * (from->spine - pose->spine);
        pose->neck += left * (from->neck - pose->neck);
        for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++)
            for (int link = 0; link < 2; link++)
                pose->limb[limb][link] += left * (from->limb[limb][link] - pose->limb[limb][link]);
    }
}

// Copies a plan behind what is kept.
static lope_status join(const kept *before, const lope_climb_plan *plan, lope_climb_plan *out, lope_error *error)
{
    int skip = before->steps > 0; // the new start is the last step that is kept
    *out = *plan;
    out->frame_count = before->frames + plan->frame_count;
    out->step_count = before->steps + plan->step_count - skip;
    out->frames = lope_alloc_array((size_t)out->frame_count, sizeof *out->frames);
    out->steps = lope_alloc_array((size_t)out->step_count, sizeof *out->steps);
    if (!out->frames || !out->steps)
        return lope_fail_memory(error);
    if (before->plan) {
        memcpy(out->frames, before->plan->frames, (size_t)before->frames * sizeof *out->frames);
        memcpy(out->steps, before->plan->steps, (size_t)before->steps * sizeof *out->steps);
    }
    memcpy(out->frames + before->frames, plan->frames, (size_t)plan->frame_count * sizeof *out->frames);
    for (int i = skip; i < plan->step_count; i++) {
        lope_climb_step *step = &out->steps[before->steps + i - skip];
        *step = plan->steps[i];
        step->time += before->frames / plan->frame_rate;
    }
    if (before->frames > 0)
        soften_seam(out->frames + before->frames, plan->frame_count, &out->frames[before->frames - 1].pose);
    return LOPE_OK;
}

static lope_status solve(const lope_climb_scene *scene, const lope_climb_problem *problem,
                         const lope_skeleton *skeleton, const lope_climb_def *like, const kept *before,
                         studio_climb *out, lope_error *error)
{
    lope_grasp_body body;
    lope_climb_plan *plan = NULL;
    lope_error later = {0};
    lope_status status = lope_climb_body_of(skeleton, &body, error);
    lope_climb_def def = *like;
    def.body = &body;
    if (!status)
        status = lope_climb_plan_create(scene->world, problem, &def, NULL, NULL, &plan, error);
    if (status && status != LOPE_PARTIAL)
        return status;
    // The error of a partial plan says what is missing: it stays unless there is something worse.
    status = join(before, plan, &out->plan, &later);
    lope_climb_plan_destroy(plan);
    if (!status)
        status = lope_climb_clip(&out->plan, &body, skeleton, scene->name, &out->clip, &later);
    if (status)
        *error = later;
    return status;
}

static studio_climb *make(const lope_climb_scene *scene, const lope_climb_problem *problem,
                          const lope_skeleton *skeleton, uint32_t seed, int budget, double rate, const kept *before)
{
    lope_error *error = studio_failure();
    studio_climb *made = lope_alloc_zero(sizeof *made);
    lope_climb_def def = lope_climb_def_default();
    def.seed = seed;
    def.budget = budget > 0 ? budget : def.budget;
    def.frame_rate = rate;
    if (!made)
        lope_fail_memory(error);
    else if (solve(scene, problem, skeleton, &def, before, made, error) != LOPE_OK) {
        studio_climb_destroy(made);
        made = NULL;
    }
    return made;
}

studio_climb *studio_climb_solve(const lope_climb_scene *scene, const lope_skeleton *skeleton, uint32_t seed,
                                 int budget, double rate)
{
    return make(scene, &scene->problem, skeleton, seed, budget, rate, &(kept){0});
}

// Whether a plan can begin with what is held after a step: two feet and nothing else, or two hands.
static bool is_site(const lope_hold *holds, const lope_climb_step *step, lope_climb_site *out)
{
    bool swings = step->mode == LOPE_MODE_SWING;
    int first = swings ? LOPE_LEFT_ARM : LOPE_LEFT_LEG, other = swings ? LOPE_LEFT_LEG : LOPE_LEFT_ARM;
    if ((step->mode != LOPE_MODE_WALK && !swings) || step->hold[first] < 0 || step->hold[first + 1] < 0 ||
        step->hold[other] >= 0 || step->hold[other + 1] >= 0)
        return false;
    lope_xy a = holds[step->hold[first]].at, b = holds[step->hold[first + 1]].at;
    *out = (lope_climb_site){.at = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)}, .mode = step->mode, .facing = step->facing};
    return true;
}

static int frame_of(const lope_climb_plan *plan, int step)
{
    double frame = plan->steps[step].time * plan->frame_rate + 0.5;
    return frame < plan->frame_count - 1 ? (int)frame : plan->frame_count - 1;
}

// Milestones that the kept steps have passed are not passed again.
static void drop_milestones(const lope_climb_scene *scene, const lope_climb_plan *plan, int steps,
                            lope_climb_problem *problem)
{
    int passed = 0;
    for (int i = 0; i < steps && passed < problem->via_count; i++) {
        lope_climb_site at;
        lope_xy goal = scene->problem.via[passed].at;
        if (is_site(scene->world->holds, &plan->steps[i], &at) &&
            (at.at.x - goal.x) * (at.at.x - goal.x) + (at.at.y - goal.y) * (at.at.y - goal.y) < 0.25 * 0.25)
            passed++;
    }
    problem->via_count -= passed;
    memmove(problem->via, problem->via + passed, (size_t)problem->via_count * sizeof *problem->via);
}

studio_climb *studio_climb_resume(const lope_climb_scene *scene, const lope_skeleton *skeleton,
                                  const studio_climb *before, int frame, uint32_t seed, int budget, double rate)
{
    lope_climb_problem problem = scene->problem;
    kept keep = {.plan = &before->plan};
    for (int i = 1; i < before->plan.step_count && frame_of(&before->plan, i) <= frame; i++)
        if (is_site(scene->world->holds, &before->plan.steps[i], &problem.start)) {
            keep.steps = i + 1;
            keep.frames = frame_of(&before->plan, i) + 1;
        }
    drop_milestones(scene, &before->plan, keep.steps, &problem);
    return make(scene, &problem, skeleton, seed, budget, rate, &keep);
}

void studio_climb_destroy(studio_climb *plan)
{
    if (!plan)
        return;
    lope_clip_destroy(plan->clip);
    lope_free(plan->plan.frames);
    lope_free(plan->plan.steps);
    lope_free(plan);
}

void studio_climb_numbers(const studio_climb *self, double *out)
{
    const lope_climb_plan *plan = &self->plan;
    const double all[STUDIO_CLIMB_NUMBERS] = {plan->complete,       self->clip->frame_count,    plan->step_count - 1,
                                              plan->left,           plan->counts.looked,        plan->counts.postures,
                                              plan->counts.motions, plan->counts.motions_failed};
    memcpy(out, all, sizeof all);
}

int studio_climb_pose(const studio_climb *plan, int frame, float *pose)
{
    lope_clip_model(plan->clip, frame, (lope_transform *)(void *)pose);
    return plan->clip->contacts ? plan->clip->contacts[frame] : 0;
}

int studio_climb_held(const studio_climb *plan, int frame, int *out)
{
    int last = plan->plan.frame_count - 1;
    const lope_climb_frame *at = &plan->plan.frames[frame < last ? frame : last];
    for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++)
        out[limb] = at->held >> limb & 1u ? at->hold[limb] : -1;
    return (int)at->mode;
}

int studio_climb_step_frame(const studio_climb *plan, int step)
{
    return frame_of(&plan->plan, step);
}
