// SPDX-License-Identifier: MIT
#define STUDIO_INSIDE
#include "climb.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

struct studio_climb {
    lope_climb_plan *plan;
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

static studio_watch *watching;

void studio_watch_with(studio_watch *watch)
{
    watching = watch;
}

static bool tell(void *user, const char *stage, double done)
{
    (void)user;
    (void)stage;
    return !watching || watching(done) != 0;
}

// Plans, from the beginning or from a frame of `before`, and performs it.
static lope_status solve(const lope_climb_scene *scene, const lope_skeleton *skeleton, const lope_climb_def *like,
                         const studio_climb *before, int frame, studio_climb *out, lope_error *error)
{
    lope_grasp_body body;
    lope_error performing = {0};
    lope_status status = lope_climb_body_of(skeleton, &body, error);
    lope_climb_def def = *like;
    lope_progress progress = {tell, NULL};
    def.body = &body;
    if (!status && before)
        status = lope_climb_plan_resume(scene->world, &scene->problem, &def, before->plan, frame, NULL, &progress,
                                        &out->plan, error);
    else if (!status)
        status = lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, &progress, &out->plan, error);
    if (status && status != LOPE_PARTIAL)
        return status;
    // The error of a partial plan says what is missing: it stays.
    const lope_climb_performance performance = {out->plan, &body, skeleton, NULL, scene->name};
    status = lope_climb_clip(&performance, &out->clip, &performing);
    if (status)
        *error = performing;
    return status;
}

studio_climb *studio_climb_solve(const lope_climb_scene *scene, const lope_skeleton *skeleton,
                                 const studio_climb *before, int frame, int planner, uint32_t seed, int budget,
                                 double rate)
{
    lope_error *error = studio_failure();
    studio_climb *made = lope_alloc_zero(sizeof *made);
    lope_climb_def def = lope_climb_def_default();
    def.planner = (lope_climb_planner)planner;
    def.seed = seed;
    def.budget = budget > 0 ? budget : def.budget;
    def.frame_rate = rate;
    def.keep_stopped = true;
    if (!made)
        lope_fail_memory(error);
    else if (solve(scene, skeleton, &def, before, frame, made, error) != LOPE_OK) {
        studio_climb_destroy(made);
        made = NULL;
    }
    return made;
}

void studio_climb_destroy(studio_climb *plan)
{
    if (!plan)
        return;
    lope_clip_destroy(plan->clip);
    lope_climb_plan_destroy(plan->plan);
    lope_free(plan);
}

void studio_climb_numbers(const studio_climb *self, double *out)
{
    const lope_climb_plan *plan = self->plan;
    const double all[STUDIO_CLIMB_NUMBERS] = {
        plan->complete,        self->clip->frame_count, plan->step_count - 1,        plan->left, plan->counts.looked,
        plan->counts.postures, plan->counts.motions,    plan->counts.motions_failed, plan->kept, plan->went_back};
    memcpy(out, all, sizeof all);
}

int studio_climb_pose(const studio_climb *plan, int frame, float *pose)
{
    lope_clip_model(plan->clip, frame, (lope_transform *)(void *)pose);
    return plan->clip->contacts ? plan->clip->contacts[frame] : 0;
}

int studio_climb_held(const studio_climb *plan, int frame, int *out)
{
    int last = plan->plan->frame_count - 1;
    const lope_climb_frame *at = &plan->plan->frames[frame < last ? frame : last];
    for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++)
        out[limb] = at->held >> limb & 1u ? at->hold[limb] : -1;
    return (int)at->mode;
}

int studio_climb_step_frame(const studio_climb *plan, int step)
{
    double frame = plan->plan->steps[step].time * plan->plan->frame_rate + 0.5;
    int last = plan->clip->frame_count - 1;
    return frame < last ? (int)frame : last;
}
