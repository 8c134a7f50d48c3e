// SPDX-License-Identifier: MIT
// From a plan to frames: pelvis and feet as planned, the trunk turned against the pelvis, arms swinging in opposition
// to the legs, the head steady and looking where the way goes.
#include "synth/gait.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static void describe_arms(const synth_plan *plan, double time, synth_frame *out)
{
    const synth_spline *spline = &plan->pelvis;
    double swing = synth_spline_at(spline, SYNTH_ARMS, time);
    double elbow = synth_spline_at(spline, SYNTH_ELBOW, time);
    double follow = synth_spline_at(spline, SYNTH_ELBOW_SWING, time);
    double forward = synth_spline_at(spline, SYNTH_TILT, time) + synth_spline_at(spline, SYNTH_PITCH, time) -
                     (double)plan->take->lean;
    for (int side = LOPE_LEFT; side <= LOPE_RIGHT; side++) {
        double own = side == LOPE_LEFT ? swing : -swing;
        // Arms hang nearly straight down from a trunk that leans.
        out->arms[side].swing = (float)(0.02 + 0.5 * forward + own);
        out->arms[side].abduction = 0.12f;
        out->arms[side].elbow = (float)(elbow + follow * own);
    }
}

void synth_plan_describe(const void *user, double time, synth_frame *out)
{
    const synth_plan *plan = user;
    const synth_spline *spline = &plan->pelvis;
    time += plan->begin;
    *out = (synth_frame){.pelvis = synth_pelvis_at(plan, time)};
    for (int side = LOPE_LEFT; side <= LOPE_RIGHT; side++)
        synth_foot_at(plan, (lope_side)side, time, &out->feet[side], &out->contacts);
    double still = fmax(fmin(time, plan->rest_end), plan->rest_begin);
    double list = synth_spline_at(spline, SYNTH_LIST, still), lean = synth_spline_at(spline, SYNTH_LEAN, still);
    out->spine_pitch = (float)synth_spline_at(spline, SYNTH_PITCH, still);
    out->spine_yaw = (float)synth_spline_at(spline, SYNTH_SHOULDERS, still);
    out->spine_roll = (float)list; // the trunk stays upright over a pelvis that drops
    describe_arms(plan, still, out);
    lope_quat look = lope_quat_yaw((float)synth_spline_at(spline, SYNTH_LOOK, still));
    lope_quat nod = lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), plan->take->head_pitch);
    lope_quat roll = lope_quat_axis_angle(lope_v3(0.0f, 0.0f, 1.0f), (float)(-0.5 * lean));
    out->head = lope_quat_mul(look, lope_quat_mul(nod, roll));
}

void synth_plan_motion(synth_plan *plan, const synth_body *body, const synth_take *take, const synth_motion *motion)
{
    *plan = (synth_plan){.body = body, .take = take};
    if (motion->generate == synth_generate_steps)
        synth_plan_steps(plan, motion->script);
    else
        synth_plan_course(plan, motion->script);
    synth_plan_swings(plan);
    synth_plan_pelvis(plan);
}

static lope_status generate(const synth_body *body, const synth_take *take, const synth_motion *motion, lope_clip **out,
                            lope_error *error)
{
    synth_plan *plan = lope_alloc(sizeof *plan);
    if (!plan)
        return lope_fail(error, LOPE_NO_MEMORY, "no memory for the footsteps of %s", motion->name);
    synth_plan_motion(plan, body, take, motion);
    lope_status status = synth_record(body, take, plan->end - plan->begin, synth_plan_describe, plan, NULL, out, error);
    lope_free(plan);
    return status;
}

lope_status synth_generate_course(const synth_body *body, const synth_take *take, const synth_motion *motion,
                                  lope_clip **out, lope_error *error)
{
    return generate(body, take, motion, out, error);
}

lope_status synth_generate_steps(const synth_body *body, const synth_take *take, const synth_motion *motion,
                                 lope_clip **out, lope_error *error)
{
    return generate(body, take, motion, out, error);
}

lope_status synth_stairs_of(const char *name, uint64_t seed, int variation, synth_stairs *out, lope_error *error)
{
    int index;
    const synth_motion *motion = synth_motion_find(name, &index, error);
    if (!motion)
        return LOPE_NOT_FOUND;
    synth_body body;
    synth_plan *plan = lope_alloc(sizeof *plan);
    lope_status status = plan ? synth_body_create(&body, error) : lope_fail(error, LOPE_NO_MEMORY, "no memory");
    if (!status) {
        synth_take take = synth_take_of(name, seed, variation, index, 60.0);
        synth_plan_motion(plan, &body, &take, motion);
        *out = (synth_stairs){(float)plan->curve.terrain_begin, (float)plan->curve.riser, (float)plan->curve.tread,
                              plan->curve.risers};
        synth_body_release(&body);
    }
    lope_free(plan);
    return status;
}
