// SPDX-License-Identifier: MIT
// Two-bone inverse kinematics with a soft reach limit. The limb is first swung as a whole, so that its end lies on the
// line to the target, then bent in the plane it bends in: a knee stays a hinge, and no target makes it flip.
//
// A limb that is nearly straight does not say where its plane is. There the rest of the body does: knees bend ahead of
// the pelvis and to where the foot points, elbows to the back of the chest. The two hints are added, so that nothing
// jumps between them. Rest poses have no say: those of many skeletons are only a convention about axes.
#include "lope/ik.h"

#include <assert.h>
#include <string.h>

#include "motion/joints.h"
#include "motion/limb.h"

// Of how straight elbows bend: so much down for as much as they bend to the back.
#define ELBOWS_DOWN 0.25f

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

// The middle joint of a chain whose ends are `distance` apart, by the law of cosines: how far it is along the line
// between them; returns how far off that line.
static float height_for(float upper_length, float lower_length, float distance, float *along)
{
    *along = distance > 1e-6f
                 ? (upper_length * upper_length - lower_length * lower_length + distance * distance) / (2.0f * distance)
                 : 0.0f;
    return sqrtf(fmaxf((upper_length - *along) * (upper_length + *along), 0.0f));
}

static float reach_of(float upper_length, float lower_length, float distance, float softness)
{
    return fmaxf(soften(distance, upper_length + lower_length, softness), fabsf(upper_length - lower_length));
}

lope_vec3 lope_ik_middle(lope_vec3 a, float upper_length, float lower_length, lope_vec3 target, lope_vec3 pole,
                         float softness, lope_vec3 *reached)
{
    lope_vec3 to_target = lope_v3_sub(target, a);
    lope_vec3 along = lope_v3_normalize(to_target, lope_v3(0.0f, -1.0f, 0.0f));
    float distance = reach_of(upper_length, lower_length, lope_v3_length(to_target), softness), foot;
    *reached = lope_v3_mad(a, along, distance);
    float height = height_for(upper_length, lower_length, distance, &foot);
    return lope_v3_mad(lope_v3_mad(a, along, foot), across(along, pole), height);
}

static bool is_elbow(const lope_skeleton *skeleton, int joint)
{
    return joint == skeleton->roles[LOPE_LEFT_ELBOW] || joint == skeleton->roles[LOPE_RIGHT_ELBOW];
}

// From one joint to another; zero where the skeleton lacks one.
static lope_vec3 between_roles(const lope_skeleton *skeleton, const lope_transform *model, lope_role from, lope_role to)
{
    int a = skeleton->roles[from], b = skeleton->roles[to];
    return a < 0 || b < 0 ? lope_v3(0.0f, 0.0f, 0.0f) : lope_v3_sub(model[b].translation, model[a].translation);
}

// Where a straight limb bends to: knees forwards, elbows backwards and down, as seen from the body.
static lope_vec3 limb_hint(const lope_skeleton *skeleton, lope_limb limb, const lope_transform *model, lope_vec3 along)
{
    if (is_elbow(skeleton, limb.lower)) {
        lope_vec3 none = {0.0f, 0.0f, 0.0f};
        lope_vec3 left = between_roles(skeleton, model, LOPE_RIGHT_SHOULDER, LOPE_LEFT_SHOULDER);
        lope_vec3 down = lope_v3_normalize(between_roles(skeleton, model, LOPE_CHEST, LOPE_HIPS), none);
        return lope_v3_mad(lope_v3_cross(lope_v3_normalize(left, none), down), down, ELBOWS_DOWN);
    }
    bool right = limb.lower == skeleton->roles[LOPE_RIGHT_KNEE];
    lope_vec3 foot = right ? between_roles(skeleton, model, LOPE_RIGHT_ANKLE, LOPE_RIGHT_TOE)
                           : between_roles(skeleton, model, LOPE_LEFT_ANKLE, LOPE_LEFT_TOE);
    return knee_ahead(along, between_roles(skeleton, model, LOPE_RIGHT_HIP, LOPE_LEFT_HIP), foot);
}

// The direction the middle joint bends to, across the line between the ends, if it is to lie `height` off that line;
// its length means nothing. As it is bent, and what it has to bend more than that, to where such a limb bends.
static lope_vec3 bend_direction(const lope_skeleton *skeleton, lope_limb limb, const lope_transform *model,
                                float height)
{
    lope_vec3 a = model[limb.upper].translation;
    lope_vec3 out = lope_v3_sub(model[limb.lower].translation, a);
    lope_vec3 line = lope_v3_sub(model[limb.end].translation, a);
    lope_vec3 along = lope_v3_normalize(line, lope_v3_normalize(out, lope_v3(0.0f, -1.0f, 0.0f)));
    out = lope_v3_mad(out, along, -lope_v3_dot(out, along));
    lope_vec3 hint = across(along, limb_hint(skeleton, limb, model, along));
    float size = lope_v3_length(out), ahead = lope_v3_dot(out, hint), more = fmaxf(height - size, 0.0f);
    float unsure = limb_unsure(size, ahead);
    if (ahead < 0.0f && !is_elbow(skeleton, limb.lower))
        out = lope_v3_mad(out, hint, -ahead * unsure);
    return lope_v3_mad(out, hint, more * unsure);
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

// Sets a joint's rotation in the pose so that it is `world` below a parent that is turned to `above`.
static void set_rotation(int joint, lope_quat above, lope_quat world, lope_pose *pose)
{
    pose->rotations[joint] = lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(above), world));
}

// How the parent of a joint is turned.
static lope_quat rotation_above(const lope_skeleton *skeleton, const lope_transform *model, int joint)
{
    int parent = skeleton->parents[joint];
    return parent < 0 ? lope_quat_identity() : model[parent].rotation;
}

limb_turns limb_turns_to(const lope_skeleton *skeleton, lope_limb limb, lope_vec3 target, float softness,
                         const lope_transform *model)
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

    lope_quat swing = limb_turn(line, lope_v3_sub(goal, a));
    float distance = reach_of(upper_length, lower_length, lope_v3_distance(goal, a), softness), along;
    float height = height_for(upper_length, lower_length, distance, &along);
    lope_vec3 pole = lope_quat_rotate(swing, bend_direction(skeleton, limb, model, height)), reached;
    lope_vec3 middle = lope_ik_middle(a, upper_length, lower_length, goal, pole, softness, &reached);
    lope_quat turn = lope_quat_mul(limb_turn(lope_quat_rotate(swing, upper), lope_v3_sub(middle, a)), swing);
    lope_quat bend = limb_turn(lope_quat_rotate(turn, lower), lope_v3_sub(reached, middle));
    return (limb_turns){turn, lope_quat_mul(bend, turn), middle, reached};
}

float lope_ik_limb(const lope_skeleton *skeleton, lope_limb limb, lope_vec3 target, float softness, lope_pose *pose,
                   lope_transform *model)
{
    const limb_turns turns = limb_turns_to(skeleton, limb, target, softness, model);
    set_rotation(limb.upper, rotation_above(skeleton, model, limb.upper),
                 lope_quat_mul(turns.upper, model[limb.upper].rotation), pose);
    set_rotation(limb.lower, lope_quat_mul(turns.upper, rotation_above(skeleton, model, limb.lower)),
                 lope_quat_mul(turns.lower, model[limb.lower].rotation), pose);
    set_rotation(limb.end, lope_quat_mul(turns.lower, rotation_above(skeleton, model, limb.end)),
                 model[limb.end].rotation, pose);
    update_below(skeleton, pose, limb.upper, model);
    return lope_v3_distance(model[limb.end].translation, target);
}
