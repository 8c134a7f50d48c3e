// SPDX-License-Identifier: MIT
// Two-bone inverse kinematics with a soft reach limit: law of cosines in the plane the limb bends in.
#include "lope/ik.h"

#include <assert.h>

static bool limb_of(const lope_skeleton *skeleton, lope_role upper, lope_role lower, lope_role end, lope_limb *out)
{
    *out = (lope_limb){skeleton->roles[upper], skeleton->roles[lower], skeleton->roles[end]};
    return out->upper >= 0 && out->lower >= 0 && out->end >= 0;
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

// Distances up to (full - softness) are kept; beyond, they approach `full` without reaching it.
static float soften(float distance, float full, float softness)
{
    float knee = full - softness;
    if (softness <= 0.0f || distance <= knee)
        return fminf(distance, full);
    return knee + softness * (1.0f - (float)lope_exp(-(double)((distance - knee) / softness)));
}

lope_vec3 lope_ik_middle(lope_vec3 a, float upper_length, float lower_length, lope_vec3 target, lope_vec3 pole,
                         float softness, lope_vec3 *reached)
{
    lope_vec3 to_target = lope_v3_sub(target, a);
    float wanted = lope_v3_length(to_target);
    lope_vec3 along = lope_v3_normalize(to_target, lope_v3(0.0f, -1.0f, 0.0f));
    float full = upper_length + lower_length, folded = fabsf(upper_length - lower_length);
    float distance = fmaxf(soften(wanted, full, softness), folded);
    *reached = lope_v3_mad(a, along, distance);
    lope_vec3 across = lope_v3_mad(pole, along, -lope_v3_dot(pole, along));
    if (lope_v3_length(across) < 1e-6f) // pole along the limb: any side is as good as another
        across = lope_v3_cross(along, fabsf(along.x) < 0.9f ? lope_v3(1.0f, 0.0f, 0.0f) : lope_v3(0.0f, 0.0f, 1.0f));
    across = lope_v3_normalize(across, lope_v3(0.0f, 0.0f, 1.0f));
    float foot = distance > 1e-6f ? (upper_length * upper_length - lower_length * lower_length + distance * distance) /
                                        (2.0f * distance)
                                  : 0.0f;
    float height = sqrtf(fmaxf(upper_length * upper_length - foot * foot, 0.0f));
    return lope_v3_mad(lope_v3_mad(a, along, foot), across, height);
}

// Recomputes model transforms of `from` (whose parent is up to date) and all joints below it.
static void update_below(const lope_skeleton *skeleton, const lope_pose *pose, int from, lope_transform *model)
{
    // Descendants of `from` form a run right behind it only in depth-first order, which is not guaranteed: every
    // later joint whose parent lies in the subtree is updated, others keep their transform.
    for (int j = from; j < skeleton->joint_count; j++) {
        int ancestor = j;
        while (ancestor > from)
            ancestor = skeleton->parents[ancestor];
        if (ancestor != from)
            continue;
        lope_vec3 translation = j == 0               ? pose->root
                                : pose->translations ? pose->translations[j]
                                                     : skeleton->rest[j].translation;
        lope_transform local = {pose->rotations[j], translation};
        model[j] = j == 0 ? local : lope_transform_mul(model[skeleton->parents[j]], local);
    }
}

// Turns `joint` in the world by `turn` and brings its subtree up to date.
static void turn_joint(const lope_skeleton *skeleton, int joint, lope_quat turn, lope_pose *pose, lope_transform *model)
{
    lope_quat parent = joint > 0 ? model[skeleton->parents[joint]].rotation : lope_quat_identity();
    lope_quat world = lope_quat_mul(turn, model[joint].rotation);
    pose->rotations[joint] = lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(parent), world));
    update_below(skeleton, pose, joint, model);
}

static lope_quat turn_towards(lope_vec3 from, lope_vec3 to)
{
    lope_vec3 down = lope_v3(0.0f, -1.0f, 0.0f);
    return lope_quat_between(lope_v3_normalize(from, down), lope_v3_normalize(to, down));
}

// The direction the middle joint bends to: away from the line between the ends. A straight limb gives no hint; then the
// thigh's forward axis is used by way of the rest pose's bend, which for skeletons at rest is +Z of the upper joint.
static lope_vec3 bend_direction(lope_vec3 a, lope_vec3 middle, lope_vec3 end, lope_quat upper_rotation)
{
    lope_vec3 along = lope_v3_normalize(lope_v3_sub(end, a), lope_v3(0.0f, -1.0f, 0.0f));
    lope_vec3 out = lope_v3_sub(middle, a);
    out = lope_v3_mad(out, along, -lope_v3_dot(out, along));
    if (lope_v3_length(out) > 1e-3f)
        return out;
    return lope_quat_rotate(upper_rotation, lope_v3(0.0f, 0.0f, 1.0f));
}

float lope_ik_limb(const lope_skeleton *skeleton, lope_limb limb, lope_vec3 target, float softness, lope_pose *pose,
                   lope_transform *model)
{
    assert(limb.upper >= 0 && limb.lower > limb.upper && limb.end > limb.lower);
    lope_vec3 a = model[limb.upper].translation, b = model[limb.lower].translation, c = model[limb.end].translation;
    lope_quat end_rotation = model[limb.end].rotation;
    lope_vec3 pole = bend_direction(a, b, c, model[limb.upper].rotation);
    lope_vec3 reached;
    lope_vec3 middle =
        lope_ik_middle(a, lope_v3_distance(a, b), lope_v3_distance(b, c), target, pole, softness, &reached);
    turn_joint(skeleton, limb.upper, turn_towards(lope_v3_sub(b, a), lope_v3_sub(middle, a)), pose, model);
    b = model[limb.lower].translation;
    c = model[limb.end].translation;
    turn_joint(skeleton, limb.lower, turn_towards(lope_v3_sub(c, b), lope_v3_sub(reached, b)), pose, model);
    lope_quat keep = lope_quat_mul(end_rotation, lope_quat_conjugate(model[limb.end].rotation));
    turn_joint(skeleton, limb.end, keep, pose, model);
    return lope_v3_distance(model[limb.end].translation, target);
}
