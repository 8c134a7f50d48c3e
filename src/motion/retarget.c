// SPDX-License-Identifier: MIT
// Retargeting. A role's orientation relative to its rest pose is carried over from the one skeleton to the other in the
// body's own axes; limbs that rest in different directions (T-pose and A-pose) are first turned onto each other. The
// world is scaled by the ratio of leg lengths, the hip joints keep their scaled place, and each leg then reaches by IK
// for the scaled place of its foot, corrected for feet of another height.
#include "motion/retarget.h"

#include "base/error.h"
#include "base/memory.h"
#include "lope/edit.h"
#include "lope/ik.h"
#include "motion/joints.h"

// Feet closer than this to where they belong are left alone, so that a perfect fit stays exact.
#define FOOT_TOLERANCE 1e-4f
// In parts of leg length: how gently a leg that is too short for its step straightens.
#define REACH_SOFTNESS 0.01f

// How far a source joint has turned from rest, in the world.
static lope_quat turned_from_rest(const retarget *r, int joint)
{
    return lope_quat_mul(r->moving[joint].rotation, lope_quat_conjugate(r->source.model[joint].rotation));
}

// World orientation of a target joint in this frame.
static lope_quat target_rotation(const retarget *r, int joint, const lope_quat *source_rotations, lope_quat parent)
{
    const joint_source *plan = &r->joints[joint];
    const lope_skeleton *target = r->target.skeleton, *source = r->source.skeleton;
    lope_quat rest = target->rest[joint].rotation;
    if (plan->from < 0)
        return lope_quat_mul(parent, rest);
    if (plan->local) { // turn from rest in the joint's own frame, taken from the one frame to the other by way of the
                       // body
        lope_quat frame = lope_quat_mul(lope_quat_conjugate(r->source.model[plan->from].rotation),
                                        lope_quat_mul(r->turn, r->target.model[joint].rotation));
        lope_quat turn =
            lope_quat_mul(lope_quat_conjugate(source->rest[plan->from].rotation), source_rotations[plan->from]);
        turn = lope_quat_mul(lope_quat_mul(lope_quat_conjugate(frame), turn), frame);
        return lope_quat_mul(parent, lope_quat_mul(rest, turn));
    }
    lope_quat turned = turned_from_rest(r, plan->from);
    if (plan->blend > 0.0f)
        turned = lope_quat_slerp(turned, turned_from_rest(r, plan->to), plan->blend);
    lope_quat at_rest = lope_quat_mul(plan->alignment, lope_quat_mul(r->turn, r->target.model[joint].rotation));
    return lope_quat_mul(turned, at_rest);
}

// Everything above the hips moves with them as one piece; where to is decided when the hip joints are known.
static void turn_root(const retarget *r, lope_pose *pose)
{
    const lope_skeleton *target = r->target.skeleton;
    int hips = target->roles[LOPE_HIPS];
    lope_quat below_root = lope_quat_identity();
    for (int j = hips; j > 0; j = target->parents[j])
        below_root = lope_quat_mul(target->rest[j].rotation, below_root);
    lope_quat in_world = target_rotation(r, hips, NULL, lope_quat_identity());
    pose->rotations[0] = lope_quat_normalize(lope_quat_mul(in_world, lope_quat_conjugate(below_root)));
    pose->root = lope_v3(0.0f, 0.0f, 0.0f);
}

static lope_vec3 hip_middle(const lope_skeleton *skeleton, const lope_transform *model)
{
    return lope_v3_lerp(model[skeleton->roles[LOPE_LEFT_HIP]].translation,
                        model[skeleton->roles[LOPE_RIGHT_HIP]].translation, 0.5f);
}

// Brings the hip joints to their scaled place, higher where the soles are thicker.
static void place_hips(const retarget *r, lope_pose *pose)
{
    lope_vec3 place = lope_v3_scale(hip_middle(r->source.skeleton, r->moving), r->scale);
    place.y += 0.5f * (r->ankle_rise[0] + r->ankle_rise[1]);
    pose->root = lope_v3_sub(place, hip_middle(r->target.skeleton, r->working));
    for (int j = 0; j < r->target.skeleton->joint_count; j++)
        r->working[j].translation = lope_v3_add(r->working[j].translation, pose->root);
}

static void turn_joints(const retarget *r, const lope_quat *source_rotations, lope_pose *pose)
{
    const lope_skeleton *target = r->target.skeleton;
    r->working[0] = (lope_transform){pose->rotations[0], pose->root};
    for (int j = 1; j < target->joint_count; j++) {
        lope_quat parent = r->working[target->parents[j]].rotation;
        bool above_hips = joint_is_above(target, j, target->roles[LOPE_HIPS]);
        lope_quat world = above_hips ? lope_quat_mul(parent, target->rest[j].rotation)
                                     : target_rotation(r, j, source_rotations, parent);
        pose->rotations[j] = lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(parent), world));
        lope_transform local = {pose->rotations[j], target->rest[j].translation};
        r->working[j] = lope_transform_mul(r->working[target->parents[j]], local);
    }
}

// Where the ankle must be so that the foot touches where the source's did: by the ball of the foot where both have one.
static lope_vec3 ankle_target(const retarget *r, int side)
{
    lope_role ankle_role = side == LOPE_LEFT ? LOPE_LEFT_ANKLE : LOPE_RIGHT_ANKLE;
    int ankle = r->target.skeleton->roles[ankle_role], source = r->source.skeleton->roles[ankle_role];
    lope_vec3 rise = {0.0f, r->ankle_rise[side], 0.0f};
    if (!r->balls[side])
        return lope_v3_add(lope_v3_scale(r->moving[source].translation, r->scale), rise);
    int ball = r->target.skeleton->roles[ankle_role + 1];
    lope_vec3 place = lope_v3_scale(r->moving[r->source.skeleton->roles[ankle_role + 1]].translation, r->scale);
    place.y += r->ball_rise[side];
    lope_vec3 from_ankle = lope_v3_sub(r->working[ball].translation, r->working[ankle].translation);
    return lope_v3_sub(place, from_ankle);
}

static void put_feet_back(const retarget *r, lope_pose *pose)
{
    for (int side = 0; side < 2; side++) {
        lope_limb leg;
        if (!lope_skeleton_leg(r->target.skeleton, (lope_side)side, &leg))
            continue;
        lope_vec3 place = ankle_target(r, side);
        if (lope_v3_distance(place, r->working[leg.end].translation) > FOOT_TOLERANCE)
            lope_ik_limb(r->target.skeleton, leg, place, REACH_SOFTNESS * r->target.leg_length, pose, r->working);
    }
}

static void retarget_frames(const retarget *r, const lope_clip *clip, lope_clip *out)
{
    size_t source_joints = (size_t)clip->skeleton->joint_count;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, r->moving);
        lope_pose pose = frame_pose(out, f);
        turn_root(r, &pose);
        turn_joints(r, clip->rotations + (size_t)f * source_joints, &pose);
        place_hips(r, &pose);
        put_feet_back(r, &pose);
        out->root[f] = pose.root;
        if (clip->contacts)
            out->contacts[f] = clip->contacts[f];
    }
    lope_clip_align_quaternions(out);
}

static bool allocate(retarget *r)
{
    size_t source = (size_t)r->source.skeleton->joint_count, target = (size_t)r->target.skeleton->joint_count;
    r->source.model = lope_alloc_array(source, sizeof *r->source.model);
    r->moving = lope_alloc_array(source, sizeof *r->moving);
    r->target.model = lope_alloc_array(target, sizeof *r->target.model);
    r->working = lope_alloc_array(target, sizeof *r->working);
    r->joints = lope_alloc_array(target, sizeof *r->joints);
    return r->source.model && r->moving && r->target.model && r->working && r->joints;
}

static void release(retarget *r)
{
    lope_free(r->source.model);
    lope_free(r->moving);
    lope_free(r->target.model);
    lope_free(r->working);
    lope_free(r->joints);
}

static lope_status check_bodies(const lope_clip *clip, const lope_skeleton *target, lope_error *error)
{
    if (!lope_skeleton_is_biped(clip->skeleton))
        return lope_fail(error, LOPE_MISMATCH, "clip '%s' cannot be retargeted: its skeleton has no known legs",
                         clip->name);
    if (!lope_skeleton_is_biped(target))
        return lope_fail(error, LOPE_MISMATCH, "cannot retarget to a skeleton without known legs");
    if (!(lope_skeleton_leg_length(clip->skeleton) > 0.0f) || !(lope_skeleton_leg_length(target) > 0.0f))
        return lope_fail(error, LOPE_MISMATCH, "cannot retarget legs that have no length");
    return LOPE_OK;
}

static bool same_rest(const lope_skeleton *a, const lope_skeleton *b)
{
    if (!lope_skeleton_equal(a, b, 1e-6f))
        return false;
    for (int j = 0; j < a->joint_count; j++)
        if (lope_quat_angle(a->rest[j].rotation, b->rest[j].rotation) > 1e-5f)
            return false;
    return true;
}

// Skeletons that differ in nothing but identity: the clip as it is.
static lope_status copy_onto(const lope_clip *clip, const lope_skeleton *target, lope_clip **out, lope_error *error)
{
    lope_status status = lope_clip_copy(clip, NULL, 0, out, error);
    if (status)
        return status;
    lope_skeleton_release((*out)->skeleton);
    (*out)->skeleton = lope_skeleton_retain(target);
    return LOPE_OK;
}

lope_status lope_clip_retarget(const lope_clip *clip, const lope_skeleton *target, lope_clip **out, lope_error *error)
{
    *out = NULL;
    lope_status status = check_bodies(clip, target, error);
    if (status)
        return status;
    if (same_rest(clip->skeleton, target))
        return copy_onto(clip, target, out, error);
    unsigned flags = lope_clip_flags_of(clip) & LOPE_CLIP_CONTACTS;
    status = lope_clip_create(target, clip->name, clip->frame_count, clip->frame_rate, flags, out, error);
    if (status)
        return status;
    retarget r = {.source.skeleton = clip->skeleton, .target.skeleton = target};
    if (allocate(&r)) {
        retarget_plan(clip, &r);
        retarget_frames(&r, clip, *out);
    } else {
        status = lope_fail_memory(error);
        lope_clip_destroy(*out);
        *out = NULL;
    }
    release(&r);
    return status;
}
