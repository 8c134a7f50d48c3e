// SPDX-License-Identifier: MIT
// Two-bone inverse kinematics with a soft reach limit. The limb is first swung as a whole, so that its end lies on the
// line to the target, then bent in the plane it bends in: a knee stays a hinge, and no target makes it flip.
//
// A limb that is nearly straight does not say where its plane is. There the rest pose speaks: knees bend forwards,
// elbows backwards, seen from the upper bone. The two hints are added, so that nothing jumps between them.
#include "lope/ik.h"

#include <assert.h>
#include <string.h>

#include "motion/joints.h"
#include "motion/limb.h"

static bool limb_of(const lope_skeleton *skeleton, lope_role upper, lope_role lower, lope_role end, lope_limb *out)
{
    *out = (lope_limb){skeleton->roles[upper], skeleton->roles[lower], skeleton->roles[end]};
    return out->upper >= 0 && out->lower > out->upper && out->end > out->lower &&
           joint_is_above(skeleton, out->upper, out->lower) && joint_is_above(skeleton, out->lower, out->end);
}

bool lope_skeleton_leg(const lope_skeleton *skeleton, lope_side side, lope_limb *out)
{
    return side == LOPE_LEFT ? limb_of(skeleton, LOPE_LEFT_HIP, LOPE_LEFT_KNEE, LOPE_LEFT_ANKLE, out)
                             : limb_of(skeleton, LOPE_RIGHT_HIP, LOPE_RIGHT_KNEE, LOPE_RIGHT_ANKLE, out);
}

bool lope_skeleton_arm(const lope_skeleton *skeleton, lope_side side, lope_limb *out)
{
    return side == LOPE_LEFT ? limb_of(skeleton, LOPE_LEFT_SHOULDER, LOPE_LEFT_ELBOW, LOPE_LEFT_HAND, out)
                             : limb_of(skeleton, LOPE_RIGHT_SHOULDER, LOPE_RIGHT_ELBOW, LOPE_RIGHT_HAND, out);
}

// Distances up to (full - softness) are kept; beyond, they approach `full` without reaching it. The slope is 1 where
// the two meet.
static float soften(float distance, float full, float softness)
{
    softness = fminf(softness, full);
    float knee = full - softness;
    if (!(softness > 0.0f) || distance <= knee)
        return fminf(distance, full);
    return knee + softness * (1.0f - (float)lope_exp(-(double)((distance - knee) / softness)));
}

// A unit vector across `along`, as near to `pole` as can be.
static lope_vec3 across(lope_vec3 along, lope_vec3 pole)
{
    lope_vec3 off = lope_v3_mad(pole, along, -lope_v3_dot(pole, along));
    if (lope_v3_length(off) <= 1e-6f * lope_v3_length(pole)) // pole along the limb: any side is as good as another
        off = lope_v3_cross(along, fabsf(along.x) < 0.9f ? lope_v3(1.0f, 0.0f, 0.0f) : lope_v3(0.0f, 0.0f, 1.0f));
    return lope_v3_normalize(off, lope_v3(0.0f, 0.0f, 1.0f));
}

lope_vec3 lope_ik_middle(lope_vec3 a, float upper_length, float lower_length, lope_vec3 target, lope_vec3 pole,
                         float softness, lope_vec3 *reached)
{
    lope_vec3 to_target = lope_v3_sub(target, a);
    lope_vec3 along = lope_v3_normalize(to_target, lope_v3(0.0f, -1.0f, 0.0f));
    float full = upper_length + lower_length, folded = fabsf(upper_length - lower_length);
    float distance = fmaxf(soften(lope_v3_length(to_target), full, softness), folded);
    *reached = lope_v3_mad(a, along, distance);
    // Law of cosines, as the middle joint's place along the line and its height above it.
    float foot = distance > 1e-6f ? (upper_length * upper_length - lower_length * lower_length + distance * distance) /
                                        (2.0f * distance)
                                  : 0.0f;
    float height = sqrtf(fmaxf((upper_length - foot) * (upper_length + foot), 0.0f));
    return lope_v3_mad(lope_v3_mad(a, along, foot), across(along, pole), height);
}

static lope_quat turn_towards(lope_vec3 from, lope_vec3 to)
{
    float shortest = 1e-6f; // a bone without length has no direction to turn
    if (!(lope_v3_length(from) > shortest && lope_v3_length(to) > shortest))
        return lope_quat_identity();
    lope_vec3 down = lope_v3(0.0f, -1.0f, 0.0f);
    return lope_quat_between(lope_v3_normalize(from, down), lope_v3_normalize(to, down));
}

// Where the body faces in its rest pose: +Z by convention, by the line through the hips where it says otherwise.
static lope_vec3 rest_facing(const lope_skeleton *skeleton)
{
    lope_vec3 forward = lope_v3(0.0f, 0.0f, 1.0f);
    int left = skeleton->roles[LOPE_LEFT_HIP], right = skeleton->roles[LOPE_RIGHT_HIP];
    if (left < 0 || right < 0)
        return forward;
    lope_vec3 lateral =
        lope_v3_sub(joint_at_rest(skeleton, left).translation, joint_at_rest(skeleton, right).translation);
    return lope_v3_normalize(lope_v3_cross(lateral, lope_v3(0.0f, 1.0f, 0.0f)), forward);
}

static bool is_elbow(const lope_skeleton *skeleton, int joint)
{
    return joint == skeleton->roles[LOPE_LEFT_ELBOW] || joint == skeleton->roles[LOPE_RIGHT_ELBOW];
}

lope_vec3 limb_hint(const lope_skeleton *skeleton, lope_limb limb)
{
    lope_vec3 at_rest = lope_v3_scale(rest_facing(skeleton), is_elbow(skeleton, limb.lower) ? -1.0f : 1.0f);
    return lope_quat_rotate(lope_quat_conjugate(joint_at_rest(skeleton, limb.upper).rotation), at_rest);
}

// The direction the middle joint bends to, across the line between the ends; its length means nothing.
static lope_vec3 bend_direction(const lope_skeleton *skeleton, lope_limb limb, const lope_transform *model)
{
    lope_vec3 a = model[limb.upper].translation;
    lope_vec3 out = lope_v3_sub(model[limb.lower].translation, a);
    lope_vec3 line = lope_v3_sub(model[limb.end].translation, a);
    lope_vec3 along = lope_v3_normalize(line, lope_v3_normalize(out, lope_v3(0.0f, -1.0f, 0.0f)));
    out = lope_v3_mad(out, along, -lope_v3_dot(out, along));
    lope_vec3 hint = across(along, lope_quat_rotate(model[limb.upper].rotation, limb_hint(skeleton, limb)));
    float behind = lope_v3_dot(out, hint);
    if (behind < 0.0f && !is_elbow(skeleton, limb.lower)) {
        float cured = (OVERSTRETCH_KEPT + behind) / (OVERSTRETCH_KEPT - OVERSTRETCH_CURED);
        out = lope_v3_mad(out, hint, -behind * fmaxf(0.0f, fminf(cured, 1.0f)));
    }
    return lope_v3_mad(out, hint, KNEE_HINT);
}

static lope_transform local_of(const lope_skeleton *skeleton, const lope_pose *pose, int joint)
{
    lope_vec3 translation = pose->translations ? pose->translations[joint] : skeleton->rest[joint].translation;
    return (lope_transform){pose->rotations[joint], joint == 0 ? pose->root : translation};
}

// Recomputes model transforms of `from` and of all joints below it, in one pass: a joint has moved if its parent has.
static void update_below(const lope_skeleton *skeleton, const lope_pose *pose, int from, lope_transform *model)
{
    uint64_t moved[LOPE_MAX_JOINTS / 64];
    size_t first = (size_t)from / 64, words = ((size_t)skeleton->joint_count + 63) / 64 - first;
    memset(moved + first, 0, words * sizeof *moved);
    for (int j = from; j < skeleton->joint_count; j++) {
        int parent = skeleton->parents[j];
        if (j != from && (parent < from || !(moved[parent / 64] >> (parent % 64) & 1)))
            continue;
        moved[j / 64] |= (uint64_t)1 << (j % 64);
        lope_transform local = local_of(skeleton, pose, j);
        model[j] = parent < 0 ? local : lope_transform_mul(model[parent], local);
    }
}

// Sets a joint's rotation in the pose so that it is `world` once its parent, as it stands in `model`, was turned.
static void set_rotation(const lope_skeleton *skeleton, int joint, lope_quat parent_turn, lope_quat world,
                         const lope_transform *model, lope_pose *pose)
{
    int parent = skeleton->parents[joint];
    lope_quat above = parent < 0 ? lope_quat_identity() : lope_quat_mul(parent_turn, model[parent].rotation);
    pose->rotations[joint] = lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(above), world));
}

float lope_ik_limb(const lope_skeleton *skeleton, lope_limb limb, lope_vec3 target, float softness, lope_pose *pose,
                   lope_transform *model)
{
    assert(limb.upper >= 0 && limb.lower > limb.upper && limb.end > limb.lower);
    lope_vec3 a = model[limb.upper].translation;
    lope_vec3 upper = lope_v3_sub(model[limb.lower].translation, a), line = lope_v3_sub(model[limb.end].translation, a);
    lope_vec3 lower = lope_v3_sub(line, upper);
    float upper_length = lope_v3_length(upper), lower_length = lope_v3_length(lower), stretch = lope_v3_length(line);
    lope_vec3 goal = target;
    if (lope_v3_distance(target, a) < 1e-6f) // on the shoulder itself: fold up where the limb points
        goal = lope_v3_mad(a, lope_v3_normalize(line, lope_v3(0.0f, -1.0f, 0.0f)), 1e-5f);
    // The pose's own stretch is always allowed: a leg that is straight in the motion keeps reaching what it reached.
    softness = fminf(softness, fmaxf(upper_length + lower_length - stretch, 0.0f));

    lope_quat swing = turn_towards(line, lope_v3_sub(goal, a));
    lope_vec3 pole = lope_quat_rotate(swing, bend_direction(skeleton, limb, model)), reached;
    lope_vec3 middle = lope_ik_middle(a, upper_length, lower_length, goal, pole, softness, &reached);
    lope_quat turn = lope_quat_mul(turn_towards(lope_quat_rotate(swing, upper), lope_v3_sub(middle, a)), swing);
    lope_quat bend = turn_towards(lope_quat_rotate(turn, lower), lope_v3_sub(reached, middle));
    lope_quat both = lope_quat_mul(bend, turn);

    set_rotation(skeleton, limb.upper, lope_quat_identity(), lope_quat_mul(turn, model[limb.upper].rotation), model,
                 pose);
    set_rotation(skeleton, limb.lower, turn, lope_quat_mul(both, model[limb.lower].rotation), model, pose);
    set_rotation(skeleton, limb.end, both, model[limb.end].rotation, model, pose);
    update_below(skeleton, pose, limb.upper, model);
    return lope_v3_distance(model[limb.end].translation, target);
}
