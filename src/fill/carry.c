// SPDX-License-Identifier: MIT
// Built-in motions carried over: performed with the subject's stride and tempo, retargeted, and then every joint turned
// by what the subject does differently at that phase of a walk, or in standing, by how fast the body goes. Feet that
// stand are held.
#include <string.h>

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
#define LOWERING 0.01f         // metres that hips may sink for a foot to be held: more would show as a limp
#define WALKS 0.7f             // of a walk that is in a frame, from which on feet touch as the subject's do
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
    return lope_ease(speed * manner->stretch / (FULL_PACE * manner->speed));
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

// Feet as they would be if the body stood.
typedef struct kept_feet {
    lope_transform ankles[2];
} kept_feet;

// Joints are turned in the body's own frame.
static void adapt_frame(const fill_manner *manner, walk_frame frame, lope_ground body, lope_pose *pose)
{
    lope_pose_place(pose, lope_ground_inverse(body));
    turn_joints(manner, frame, pose);
    if (frame.legs)
        body.yaw += frame.share * yaw_offset(manner, frame.phase);
    lope_pose_place(pose, body);
}

// A clip that is being adapted.
typedef struct adapt_work {
    const fill_manner *manner;
    lope_clip *clip;
    float *phases, *paces; // [frame_count]
    lope_ground *body;     // [frame_count] where the body will be
    lope_vec2 *way;        // [frame_count] how far it is moved to get there
    lope_transform *model; // [joint_count]
    lope_quat *spare;      // [joint_count]
} adapt_work;

// As the subject stands, or where it never does, as the built-in performer does.
static kept_feet keep_feet(const adapt_work *w, int frame, const lope_pose *pose)
{
    const lope_skeleton *skeleton = w->clip->skeleton;
    lope_pose standing = *pose;
    if (!w->manner->borrowed_stand) {
        memcpy(w->spare, pose->rotations, (size_t)pose->joint_count * sizeof *w->spare);
        standing.rotations = w->spare;
        adapt_frame(w->manner, (walk_frame){w->phases[frame], 0.0f, true}, w->body[frame], &standing);
    }
    lope_pose_to_model(skeleton, &standing, w->model);
    return (kept_feet){{w->model[skeleton->roles[LOPE_LEFT_ANKLE]], w->model[skeleton->roles[LOPE_RIGHT_ANKLE]]}};
}

// By how much a hip is too high for a knee that is a little bent.
static float stretched(const lope_transform *model, lope_limb leg, lope_vec3 ankle)
{
    lope_vec3 hip = model[leg.upper].translation, knee = model[leg.lower].translation;
    float reach = STANDING_REACH * (lope_v3_distance(hip, knee) + lope_v3_distance(knee, model[leg.end].translation));
    float dx = hip.x - ankle.x, dz = hip.z - ankle.z, height = reach * reach - dx * dx - dz * dz;
    return hip.y - ankle.y - sqrtf(fmaxf(height, 0.0f));
}

// Brings feet towards where they were kept. What a straight knee is turned by may bend it backwards: there is no
// telling to which side it comes back from there, so it is bent as the set bends it first. Where the set never stands,
// the hips sink until both legs reach.
static void restore_feet(const adapt_work *w, int frame, const kept_feet *kept, lope_pose *pose)
{
    const float share = 1.0f - w->paces[frame];
    const lope_skeleton *skeleton = w->clip->skeleton;
    lope_transform *model = w->model, feet[2];
    lope_limb legs[2];
    float sink = 0.0f;
    lope_pose_to_model(skeleton, pose, model);
    for (int side = 0; side < 2; side++) {
        if (!lope_skeleton_leg(skeleton, (lope_side)side, &legs[side]))
            return;
        const lope_transform *foot = &model[legs[side].end];
        feet[side].translation = lope_v3_lerp(foot->translation, kept->ankles[side].translation, share);
        feet[side].rotation = lope_quat_nlerp(foot->rotation, kept->ankles[side].rotation, share);
        if (w->manner->borrowed_stand)
            sink = fmaxf(sink, stretched(model, legs[side], feet[side].translation));
    }
    pose->root.y -= share * sink;
    fill_limit_knees(w->manner, w->clip, frame);
    lope_pose_to_model(skeleton, pose, model);
    for (int side = 0; side < 2; side++) {
        lope_ik_limb(skeleton, legs[side], feet[side].translation, 0.0f, pose, model);
        int end = legs[side].end;
        lope_quat parent = model[skeleton->parents[end]].rotation;
        pose->rotations[end] = lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(parent), feet[side].rotation));
    }
}

// Legs are stretched no farther than in the set.
static void hold_feet(const fill_manner *manner, lope_clip *clip, lope_transform *model)
{
    lope_lock_def def = lope_lock_def_default();
    def.lowering = LOWERING;
    lope_lock_state state = manner->lock;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_pose pose = frame_pose(clip, f);
        lope_lock_apply(clip->skeleton, &def, &state, clip->contacts[f], (float)(1.0 / clip->frame_rate), &pose, model);
        clip->root[f] = pose.root;
    }
}

// Where the body is in each frame, with steps as long as the subject's where it walks.
static void lengthen_way(const adapt_work *w, bool legs)
{
    lope_ground before = lope_clip_ground(w->clip, 0);
    lope_vec2 way = {0.0f, 0.0f};
    for (int f = 0; f < w->clip->frame_count; f++) {
        lope_ground at = lope_clip_ground(w->clip, f);
        float more = legs ? w->paces[f] * (w->manner->stretch - 1.0f) : 0.0f;
        way.x += more * (at.x - before.x);
        way.z += more * (at.z - before.z);
        w->way[f] = way;
        w->body[f] = (lope_ground){at.x + way.x, at.z + way.z, at.yaw};
        before = at;
    }
}

// Where it walks, feet touch when the subject's do: they move as its feet do.
static void adapt_contacts(const adapt_work *w)
{
    const unsigned feet = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT;
    for (int f = 0; f < w->clip->frame_count; f++) {
        float phase = w->phases[f] - floorf(w->phases[f]);
        const float *touch = w->manner->offsets.touch[(int)(phase * FILL_PHASES + 0.5f) % FILL_PHASES];
        unsigned mask = 0;
        for (int part = 0; part < 4; part++)
            mask |= touch[part] > 0.5f ? 1u << part : 0u;
        if (mask && w->paces[f] > WALKS)
            w->clip->contacts[f] = (uint16_t)((w->clip->contacts[f] & ~feet) | mask);
    }
}

static void adapt_frames(const adapt_work *w, bool legs)
{
    for (int f = 0; f < w->clip->frame_count; f++) {
        lope_pose pose = frame_pose(w->clip, f);
        pose.root.x += w->way[f].x;
        pose.root.z += w->way[f].z;
        kept_feet kept = keep_feet(w, f, &pose);
        adapt_frame(w->manner, (walk_frame){w->phases[f], w->paces[f], legs}, w->body[f], &pose);
        if (legs && w->paces[f] < 1.0f)
            restore_feet(w, f, &kept, &pose);
        w->clip->root[f] = pose.root;
    }
    lope_clip_align_quaternions(w->clip);
    fill_limit(w->manner, legs, w->clip);
    if (legs) {
        adapt_contacts(w);
        hold_feet(w->manner, w->clip, w->model);
    }
}

lope_status fill_adapt(const fill_manner *manner, bool legs, lope_clip *clip, lope_error *error)
{
    fill_steps steps;
    lope_status status = fill_steps_find(clip, &steps, error);
    if (status)
        return status;
    size_t frames = (size_t)clip->frame_count, joints = (size_t)clip->skeleton->joint_count;
    adapt_work w = {.manner = manner, .clip = clip};
    w.phases = lope_alloc_array(frames, sizeof *w.phases);
    w.paces = lope_alloc_array(frames, sizeof *w.paces);
    w.body = lope_alloc_array(frames, sizeof *w.body);
    w.way = lope_alloc_array(frames, sizeof *w.way);
    w.model = lope_alloc_array(joints, sizeof *w.model);
    w.spare = lope_alloc_array(joints, sizeof *w.spare);
    if (w.phases && w.paces && w.body && w.way && w.model && w.spare) {
        fill_phases(&steps, clip->frame_count, w.phases);
        for (int f = 0; f < clip->frame_count; f++)
            w.paces[f] = pace(manner, clip, f);
        lengthen_way(&w, legs);
        adapt_frames(&w, legs);
    } else {
        status = lope_fail_memory(error);
    }
    lope_free(w.phases);
    lope_free(w.paces);
    lope_free(w.body);
    lope_free(w.way);
    lope_free(w.model);
    lope_free(w.spare);
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
