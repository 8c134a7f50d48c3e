// SPDX-License-Identifier: MIT
// What every performance shares: a take's variation drawn from its seed, the neutral stance, and the recorder.
// Motions are described as functions of time, so that one description serves every frame rate.
#include "synth/motions.h"

#include <assert.h>
#include <stdio.h>

#include "base/random.h"

static const float STANCE_KNEE = 0.14f; // radians the knees are bent in the stance: a locked knee looks like a doll's

synth_take synth_take_of(const char *motion_name, uint64_t seed, int variation, int motion_index, double frame_rate)
{
    uint64_t key[3] = {seed, (uint64_t)variation, (uint64_t)motion_index};
    synth_take take = {.seed = lope_hash(key, sizeof key, 0),
                       .variation = variation,
                       .frame_rate = frame_rate,
                       .stride = 1.0f,
                       .width = 1.0f,
                       .tempo = 1.0f,
                       .arm_swing = 1.0f};
    if (variation == 0)
        snprintf(take.name, sizeof take.name, "%s", motion_name);
    else
        snprintf(take.name, sizeof take.name, "%s_%d", motion_name, variation + 1);
    // A performer's manner belongs to seed and variation, not to the motion: takes of one variation fit together.
    uint64_t manner[2] = {seed, (uint64_t)variation};
    lope_random random = lope_random_seed(lope_hash(manner, sizeof manner, 1));
    float amount = variation == 0 ? 0.0f : 1.0f;
    take.stride += amount * lope_random_range(&random, -0.07f, 0.07f);
    take.width += amount * lope_random_range(&random, -0.2f, 0.2f);
    take.tempo += amount * lope_random_range(&random, -0.07f, 0.07f);
    take.arm_swing += amount * lope_random_range(&random, -0.3f, 0.3f);
    take.lean = amount * lope_random_range(&random, -0.05f, 0.05f);
    take.head_pitch = amount * lope_random_range(&random, -0.08f, 0.08f);
    take.toe_out = amount * lope_random_range(&random, -0.06f, 0.06f);
    return take;
}

float synth_stance_half_width(const synth_body *body, const synth_take *take)
{
    return body->hip_half_width * (0.4f + 0.6f * take->width);
}

float synth_stance_back(void)
{
    return 0.03f; // the weight rests on the middle of the feet, ahead of the ankles
}

float synth_stance_toe_out(const synth_take *take)
{
    return 0.12f + take->toe_out;
}

float synth_stance_height(const synth_body *body, const synth_take *take)
{
    double straight = (double)(body->thigh + body->shin) * lope_cos(0.5 * (double)STANCE_KNEE);
    double across = (double)(synth_stance_half_width(body, take) - body->hip_half_width);
    double back = (double)synth_stance_back();
    float hip_drop = -body->skeleton->rest[SYNTH_LEFT_HIP].translation.y;
    return body->ankle_height + hip_drop + (float)sqrt(straight * straight - across * across - back * back);
}

void synth_stance(const synth_body *body, const synth_take *take, lope_ground at, float floor, synth_frame *out)
{
    *out = (synth_frame){.contacts = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT};
    lope_transform place = lope_ground_transform(at);
    place.translation.y = floor;
    lope_vec3 pelvis = lope_v3(0.0f, synth_stance_height(body, take), 0.0f);
    out->pelvis = (lope_transform){place.rotation, lope_transform_point(place, pelvis)};
    out->spine_pitch = take->lean;
    lope_quat nod = lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), take->head_pitch);
    out->head = lope_quat_mul(place.rotation, nod);
    for (int side = LOPE_LEFT; side <= LOPE_RIGHT; side++) {
        float outwards = side == LOPE_LEFT ? 1.0f : -1.0f;
        lope_vec3 sole = lope_v3(outwards * synth_stance_half_width(body, take), 0.0f, -synth_stance_back());
        float yaw = at.yaw + outwards * synth_stance_toe_out(take);
        out->feet[side].ankle = synth_foot_flat(body, lope_transform_point(place, sole), yaw, 0.0f);
        out->feet[side].knee_towards = lope_quat_rotate(lope_quat_yaw(yaw), lope_v3(0.0f, 0.0f, 1.0f));
        out->arms[side] = (synth_arm){.swing = 0.02f, .abduction = 0.12f, .elbow = 0.25f};
    }
}

lope_status synth_record(const synth_body *body, const synth_take *take, double duration, synth_describe describe,
                         const void *user, float *worst_miss, lope_clip **out, lope_error *error)
{
    assert(duration >= 0.0);
    // A duration of a whole number of frames must not lose its last one to rounding.
    int frame_count = (int)floor(duration * take->frame_rate + 1e-6) + 1;
    lope_status status =
        lope_clip_create(body->skeleton, take->name, frame_count, take->frame_rate, LOPE_CLIP_CONTACTS, out, error);
    if (status)
        return status;
    float worst = 0.0f;
    for (int f = 0; f < frame_count; f++) {
        synth_frame frame = {0};
        describe(user, f / take->frame_rate, &frame);
        lope_pose pose = {.joint_count = SYNTH_JOINT_COUNT,
                          .rotations = (*out)->rotations + (size_t)f * SYNTH_JOINT_COUNT};
        worst = fmaxf(worst, synth_body_solve(body, &frame, &pose));
        (*out)->root[f] = pose.root;
        (*out)->contacts[f] = frame.contacts;
    }
    lope_clip_align_quaternions(*out);
    if (worst_miss)
        *worst_miss = worst;
    return LOPE_OK;
}
