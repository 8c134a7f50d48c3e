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

// --- Postures

static lope_grasp_pose pose_of(const double *numbers)
{
    lope_grasp_pose pose = {
        .hip = {numbers[0], numbers[1]}, .spine = numbers[2], .neck = numbers[3], .facing = numbers[12] < 0.0 ? -1 : 1};
    memcpy(pose.limb, numbers + 4, sizeof pose.limb);
    return pose;
}

static void write_pose(const lope_grasp_pose *pose, double *out)
{
    out[0] = pose->hip.x;
    out[1] = pose->hip.y;
    out[2] = pose->spine;
    out[3] = pose->neck;
    memcpy(out + 4, pose->limb, sizeof pose->limb);
    out[12] = pose->facing;
}

void studio_pose_points(const double *numbers, double *out)
{
    const lope_grasp_body body = lope_grasp_body_default();
    lope_grasp_pose pose = pose_of(numbers);
    lope_grasp_points points;
    lope_grasp_forward(&body, &pose, &points);
    const lope_xy trunk[] = {points.hip, points.neck, points.head};
    memcpy(out, trunk, sizeof trunk);
    memcpy(out + 6, points.middle, sizeof points.middle);
    memcpy(out + 14, points.end, sizeof points.end);
}

void studio_pose_look(const lope_climb_scene *scene, const double *numbers, double *out)
{
    const lope_grasp_body body = lope_grasp_body_default();
    lope_grasp_pose pose = pose_of(numbers);
    lope_grasp_view view;
    lope_grasp_look(scene->world, &body, &pose, &view);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        out[i] = view.hold[i];
    out[4] = view.mode;
    out[5] = view.discomfort;
    out[6] = view.excess;
    out[7] = view.clearance;
    memcpy(out + 8, view.heuristic, sizeof view.heuristic);
}

void studio_pose_reach(double *numbers, int limb, double x, double y)
{
    const lope_grasp_body body = lope_grasp_body_default();
    lope_grasp_pose pose = pose_of(numbers);
    lope_grasp_points points;
    lope_grasp_forward(&body, &pose, &points);
    lope_xy base = limb >= LOPE_LEFT_LEG ? points.hip : points.neck;
    for (int k = 0; k < 40; k++) { // towards its base, until it is in reach
        double t = 1.0 - k / 40.0;
        lope_xy at = {base.x + (x - base.x) * t, base.y + (y - base.y) * t};
        if (lope_grasp_reach(&body, &pose, (lope_grasp_limb)limb, at))
            break;
    }
    write_pose(&pose, numbers);
}

int studio_pose_settle(const lope_climb_scene *scene, double *numbers)
{
    const lope_grasp_body body = lope_grasp_body_default();
    lope_grasp_pose pose = pose_of(numbers);
    bool settled = lope_grasp_settle(scene->world, &body, &pose);
    write_pose(&pose, numbers);
    return settled;
}

int studio_pose_at(const lope_climb_scene *scene, int mode, int facing, double x, double y, double *out)
{
    const lope_grasp_body body = lope_grasp_body_default();
    const lope_climb_site site = {.at = {x, y}, .mode = (lope_grasp_mode)mode, .facing = facing};
    lope_grasp_pose pose;
    if (lope_grasp_pose_at(scene->world, &body, &site, &pose, studio_failure()) != LOPE_OK)
        return 0;
    write_pose(&pose, out);
    return 1;
}

const char *studio_heuristic_name(int heuristic)
{
    return lope_grasp_heuristic_name((lope_grasp_heuristic)heuristic);
}

int studio_heuristics(int mode)
{
    return (int)lope_grasp_heuristics((lope_grasp_mode)mode);
}

// --- Plans

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

static lope_status perform(const lope_climb_scene *scene, const lope_skeleton *skeleton, studio_climb *of,
                           lope_error *error)
{
    const lope_climb_performance performance = {of->plan, &of->plan->body, skeleton, NULL, scene->name};
    return lope_climb_clip(&performance, &of->clip, error);
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
    status = perform(scene, skeleton, out, &performing);
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

int studio_climb_save(const studio_climb *plan)
{
    return lope_climb_plan_save(plan->plan, "plan.lope", studio_failure()) == LOPE_OK;
}

// A plan of this scene, made for this character.
static lope_status open_plan(const lope_climb_scene *scene, const lope_skeleton *skeleton, studio_climb *out,
                             lope_error *error)
{
    lope_grasp_body body;
    lope_status status = lope_climb_plan_check(scene->world, out->plan, error);
    if (!status)
        status = lope_climb_body_of(skeleton, &body, error);
    if (!status && memcmp(&body, &out->plan->body, sizeof body) != 0)
        status = lope_fail(error, LOPE_MISMATCH, "the plan was made for another body");
    return status ? status : perform(scene, skeleton, out, error);
}

studio_climb *studio_climb_open(const lope_climb_scene *scene, const lope_skeleton *skeleton, const void *data,
                                size_t size, const char *name)
{
    lope_error *error = studio_failure();
    studio_climb *made = lope_alloc_zero(sizeof *made);
    lope_status status =
        made ? lope_climb_plan_open_memory(data, size, name, &made->plan, error) : lope_fail_memory(error);
    if (!status)
        status = open_plan(scene, skeleton, made, error);
    if (!status)
        return made;
    studio_climb_destroy(made);
    return NULL;
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
