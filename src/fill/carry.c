// SPDX-License-Identifier: MIT
// Built-in motions carried over: performed with the subject's stride and tempo, retargeted, and then every joint turned
// by what the subject does differently at that phase of a walk, or in standing, by how fast the body goes. Feet that
// stand are held.
#include "base/error.h"
#include "base/memory.h"
#include "fill/fill.h"
#include "lope/blend.h"
#include "lope/edit.h"
#include "lope/ground.h"
#include "lope/ik.h"
#include "motion/joints.h"
#include "synth/motions.h"

#define PACE_WINDOW 0.25f      // seconds to either side over which speed is measured
#define STANDING_REACH 0.9976f // of a leg whose knee is bent by 8 degrees
#define FULL_PACE 0.85f        // of the walking speed, from which on the walk's manner shows entirely

static lope_status perform(const fill_manner *manner, fill_part part, lope_clip **out, lope_error *error)
{
    int index;
    synth_body body;
    const synth_motion *found = synth_motion_find(part.motion, &index, error);
    lope_status status = found ? synth_body_create(&body, error) : LOPE_NOT_FOUND;
    if (status)
        return status;
    synth_take take = synth_take_of(part.motion, 1, part.take, index, manner->frame_rate);
    take.stride *= manner->stride;
    take.tempo *= manner->tempo;
    status = found->generate(&body, &take, found, out, error);
    synth_body_release(&body);
    return status;
}

lope_status fill_carry_plain(const fill_manner *manner, fill_part part, lope_clip **out, lope_error *error)
{
    lope_clip *performed = NULL, *mirror = NULL;
    lope_status status = perform(manner, part, &performed, error);
    if (!status && part.mirrored)
        status = lope_clip_mirror(performed, NULL, &mirror, error);
    if (!status)
        status = lope_clip_retarget(part.mirrored ? mirror : performed, manner->skeleton, out, error);
    lope_clip_destroy(performed);
    lope_clip_destroy(mirror);
    return status;
}

// How much of a walk is in a frame, 0 .. 1.
static float pace(const fill_manner *manner, const lope_clip *clip, int frame)
{
    int reach = (int)((double)PACE_WINDOW * clip->frame_rate + 0.5), last = clip->frame_count - 1;
    int a = frame > reach ? frame - reach : 0, b = frame + reach < last ? frame + reach : last;
    lope_ground from = lope_clip_ground(clip, a), to = lope_clip_ground(clip, b);
    float way = sqrtf((to.x - from.x) * (to.x - from.x) + (to.z - from.z) * (to.z - from.z));
    float speed = b > a ? way * (float)clip->frame_rate / (float)(b - a) : 0.0f;
    return lope_ease(speed / (FULL_PACE * manner->speed));
}

// A frame of a walk: its phase, and how much of a walk is in it.
typedef struct walk_frame {
    float phase, share;
    bool legs;
} walk_frame;

static void turn_joints(const fill_manner *manner, walk_frame frame, lope_pose *pose)
{
    float phase = frame.phase, share = frame.share;
    float at = (phase - floorf(phase)) * FILL_PHASES;
    int p = (int)at % FILL_PHASES, q = (p + 1) % FILL_PHASES, joints = manner->offsets.joints;
    float t = at - floorf(at);
    const fill_cycle *walk = &manner->offsets;
    for (int j = 0; j < joints; j++) {
        if (!frame.legs && fill_carries(manner->skeleton, j))
            continue;
        lope_quat a = walk->rotations[(size_t)p * (size_t)joints + (size_t)j];
        lope_quat b = walk->rotations[(size_t)q * (size_t)joints + (size_t)j];
        lope_quat turn = lope_quat_nlerp(manner->stand[j], lope_quat_nlerp(a, b, t), share);
        pose->rotations[j] = lope_quat_normalize(lope_quat_mul(turn, pose->rotations[j]));
    }
    if (!frame.legs)
        return;
    float height = walk->height[p] + (walk->height[q] - walk->height[p]) * t;
    pose->root.y += manner->stand_height + (height - manner->stand_height) * share;
}

static float yaw_offset(const fill_manner *manner, float phase)
{
    float at = (phase - floorf(phase)) * FILL_PHASES;
    int p = (int)at % FILL_PHASES, q = (p + 1) % FILL_PHASES;
    return manner->offsets.yaw[p] + (manner->offsets.yaw[q] - manner->offsets.yaw[p]) * (at - floorf(at));
}

// Feet of a body that stands as the built-in performer does.
typedef struct kept_feet {
    lope_transform ankles[2];
} kept_feet;

static kept_feet keep_feet(const lope_skeleton *skeleton, const lope_pose *pose, lope_transform *model)
{
    kept_feet kept;
    lope_pose_to_model(skeleton, pose, model);
    kept.ankles[0] = model[skeleton->roles[LOPE_LEFT_ANKLE]];
    kept.ankles[1] = model[skeleton->roles[LOPE_RIGHT_ANKLE]];
    return kept;
}

// By how much a hip is too high for a knee that is a little bent.
static float stretched(const lope_transform *model, lope_limb leg, lope_vec3 ankle)
{
    lope_vec3 hip = model[leg.upper].translation, knee = model[leg.lower].translation;
    float reach = STANDING_REACH * (lope_v3_distance(hip, knee) + lope_v3_distance(knee, model[leg.end].translation));
    float dx = hip.x - ankle.x, dz = hip.z - ankle.z, height = reach * reach - dx * dx - dz * dz;
    return hip.y - ankle.y - sqrtf(fmaxf(height, 0.0f));
}

// Brings feet back to where they were kept by `share`, with the hips low enough for both legs.
static void restore_feet(const lope_skeleton *skeleton, const kept_feet *kept, float share, lope_transform *model,
                         lope_pose *pose)
{
    lope_limb legs[2];
    lope_transform feet[2];
    float sink = 0.0f;
    lope_pose_to_model(skeleton, pose, model);
    for (int side = 0; side < 2; side++) {
        if (!lope_skeleton_leg(skeleton, (lope_side)side, &legs[side]))
            return;
        const lope_transform *foot = &model[legs[side].end];
        feet[side].translation = lope_v3_lerp(foot->translation, kept->ankles[side].translation, share);
        feet[side].rotation = lope_quat_nlerp(foot->rotation, kept->ankles[side].rotation, share);
        sink = fmaxf(sink, stretched(model, legs[side], feet[side].translation));
    }
    pose->root.y -= share * sink;
    lope_pose_to_model(skeleton, pose, model);
    for (int side = 0; side < 2; side++) {
        lope_ik_limb(skeleton, legs[side], feet[side].translation, 0.0f, pose, model);
        int end = legs[side].end;
        lope_quat parent = model[skeleton->parents[end]].rotation;
        pose->rotations[end] = lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(parent), feet[side].rotation));
    }
}

// Joints are turned in the body's own frame.
static void adapt_frame(const fill_manner *manner, walk_frame frame, lope_ground body, lope_pose *pose)
{
    lope_pose_place(pose, lope_ground_inverse(body));
    turn_joints(manner, frame, pose);
    if (frame.legs)
        body.yaw += frame.share * yaw_offset(manner, frame.phase);
    lope_pose_place(pose, body);
}

static void hold_feet(lope_clip *clip, lope_transform *model)
{
    lope_lock_def def = lope_lock_def_default();
    lope_lock_state state;
    lope_lock_reset(&state);
    for (int f = 0; f < clip->frame_count; f++) {
        lope_pose pose = frame_pose(clip, f);
        lope_lock_apply(clip->skeleton, &def, &state, clip->contacts[f], (float)(1.0 / clip->frame_rate), &pose, model);
        clip->root[f] = pose.root;
    }
}

lope_status fill_adapt(const fill_manner *manner, bool legs, lope_clip *clip, lope_error *error)
{
    fill_steps steps;
    lope_status status = fill_steps_find(clip, &steps, error);
    if (status)
        return status;
    size_t frames = (size_t)clip->frame_count;
    float *phases = lope_alloc_array(frames, sizeof *phases), *paces = lope_alloc_array(frames, sizeof *paces);
    lope_ground *body = lope_alloc_array(frames, sizeof *body);
    lope_transform *model = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *model);
    if (phases && paces && body && model) {
        fill_phases(&steps, clip->frame_count, phases);
        for (int f = 0; f < clip->frame_count; f++) {
            paces[f] = pace(manner, clip, f);
            body[f] = lope_clip_ground(clip, f);
        }
        for (int f = 0; f < clip->frame_count; f++) {
            lope_pose pose = frame_pose(clip, f);
            kept_feet kept = keep_feet(clip->skeleton, &pose, model);
            adapt_frame(manner, (walk_frame){phases[f], paces[f], legs}, body[f], &pose);
            if (legs && manner->borrowed_stand && paces[f] < 1.0f)
                restore_feet(clip->skeleton, &kept, 1.0f - paces[f], model, &pose);
            clip->root[f] = pose.root;
        }
        lope_clip_align_quaternions(clip);
        if (legs)
            hold_feet(clip, model);
    } else {
        status = lope_fail_memory(error);
    }
    lope_free(phases);
    lope_free(paces);
    lope_free(body);
    lope_free(model);
    fill_steps_free(&steps);
    return status;
}

lope_status fill_carry(const fill_manner *manner, fill_part part, const char *name, lope_clip **out, lope_error *error)
{
    lope_clip *carried = NULL;
    *out = NULL;
    lope_status status = fill_carry_plain(manner, part, &carried, error);
    if (!status && manner->walks)
        status = fill_adapt(manner, true, carried, error);
    if (!status)
        status = lope_clip_copy(carried, name, 0, out, error);
    lope_clip_destroy(carried);
    return status;
}
