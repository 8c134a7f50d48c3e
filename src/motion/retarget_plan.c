// SPDX-License-Identifier: MIT
// Planning to retarget: how both bodies stand at rest, which joint follows which, how limbs that rest in different
// directions are turned onto each other, and how high feet are.
#include <string.h>

#include "motion/joints.h"
#include "motion/retarget.h"

static lope_vec3 joint_to_joint(const rest_body *body, int from, int to)
{
    return lope_v3_sub(body->model[to].translation, body->model[from].translation);
}

// Where the trunk's top is: the joint that tells which way is up.
static int top_of(const lope_skeleton *skeleton)
{
    static const lope_role tops[] = {LOPE_CHEST, LOPE_HEAD, LOPE_NECK, LOPE_SPINE};
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++)
        if (skeleton->roles[tops[i]] >= 0)
            return skeleton->roles[tops[i]];
    return -1;
}

// Left from the hip joints; up is +Y where the trunk roughly agrees, else along the trunk (rest poses that are none).
static lope_quat body_axes(const rest_body *body)
{
    const int *roles = body->skeleton->roles;
    lope_vec3 up = {0.0f, 1.0f, 0.0f};
    int top = top_of(body->skeleton);
    lope_vec3 trunk = top >= 0 ? lope_v3_normalize(joint_to_joint(body, roles[LOPE_HIPS], top), up) : up;
    if (trunk.y < 0.7f)
        up = trunk;
    lope_vec3 left = joint_to_joint(body, roles[LOPE_RIGHT_HIP], roles[LOPE_LEFT_HIP]);
    left = lope_v3_normalize(lope_v3_mad(left, up, -lope_v3_dot(left, up)), lope_v3(1.0f, 0.0f, 0.0f));
    return lope_quat_from_axes(left, up, lope_v3_cross(left, up));
}

static void measure_body(rest_body *body)
{
    body->axes = body_axes(body);
    body->leg_length = lope_skeleton_leg_length(body->skeleton);
}

// True where the legs go down from a trunk that goes up.
static bool stands(const rest_body *body)
{
    const int *roles = body->skeleton->roles;
    lope_vec3 up = lope_quat_rotate(body->axes, lope_v3(0.0f, 1.0f, 0.0f));
    lope_vec3 leg = lope_v3_add(joint_to_joint(body, roles[LOPE_LEFT_HIP], roles[LOPE_LEFT_ANKLE]),
                                joint_to_joint(body, roles[LOPE_RIGHT_HIP], roles[LOPE_RIGHT_ANKLE]));
    return lope_v3_dot(lope_v3_normalize(leg, up), up) < -0.5f;
}

// How much a pose looks like standing upright: straight down legs, trunk up.
static float uprightness(const rest_body *body)
{
    const int *roles = body->skeleton->roles;
    lope_vec3 up = {0.0f, 1.0f, 0.0f};
    float sum = 0.0f;
    static const lope_role bones[][2] = {{LOPE_LEFT_HIP, LOPE_LEFT_KNEE},
                                         {LOPE_LEFT_KNEE, LOPE_LEFT_ANKLE},
                                         {LOPE_RIGHT_HIP, LOPE_RIGHT_KNEE},
                                         {LOPE_RIGHT_KNEE, LOPE_RIGHT_ANKLE}};
    for (size_t i = 0; i < sizeof bones / sizeof *bones; i++)
        sum -= lope_v3_normalize(joint_to_joint(body, roles[bones[i][0]], roles[bones[i][1]]), up).y;
    int top = top_of(body->skeleton);
    return sum + (top >= 0 ? lope_v3_normalize(joint_to_joint(body, roles[LOPE_HIPS], top), up).y : 0.0f);
}

// Files whose rest pose is no stance (all bones along one axis) say how the body stands only by their motion: then the
// frame that stands most upright takes the rest pose's place.
static void stand_up(const lope_clip *clip, rest_body *body)
{
    int best = 0;
    float best_score = -INFINITY;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, body->model);
        float score = uprightness(body);
        if (score > best_score + 1e-4f) {
            best_score = score;
            best = f;
        }
    }
    lope_clip_model(clip, best, body->model);
    measure_body(body);
}

// The turn that takes the target's bone onto the source's, both seen in their body's axes. Opposite bones turn about
// the lateral axis, as knees and hips do.
static lope_quat align_bones(const retarget *r, int source_from, int source_to, int target_from, int target_to)
{
    lope_vec3 down = {0.0f, -1.0f, 0.0f};
    lope_quat source_axes = lope_quat_conjugate(r->source.axes), target_axes = lope_quat_conjugate(r->target.axes);
    lope_vec3 source = joint_to_joint(&r->source, source_from, source_to);
    lope_vec3 target = joint_to_joint(&r->target, target_from, target_to);
    source = lope_v3_normalize(lope_quat_rotate(source_axes, source), down);
    target = lope_v3_normalize(lope_quat_rotate(target_axes, target), down);
    lope_quat turn =
        lope_v3_dot(source, target) < -0.95f ? (lope_quat){1.0f, 0.0f, 0.0f, 0.0f} : lope_quat_between(target, source);
    return lope_quat_mul(lope_quat_mul(r->source.axes, turn), source_axes);
}

// The role at the far end of a bone whose direction at rest is a matter of pose: thigh and shin, upper arm and forearm.
// Collars and feet differ by build, not by pose (a foot rests flat, however thick), unless a rest pose is no stance.
static bool bone_end(lope_role role, bool all, lope_role *end)
{
    *end = role + 1;
    switch (role) {
    case LOPE_LEFT_SHOULDER:
    case LOPE_LEFT_ELBOW:
    case LOPE_RIGHT_SHOULDER:
    case LOPE_RIGHT_ELBOW:
    case LOPE_LEFT_HIP:
    case LOPE_LEFT_KNEE:
    case LOPE_RIGHT_HIP:
    case LOPE_RIGHT_KNEE:
        return true;
    case LOPE_LEFT_COLLAR:
    case LOPE_RIGHT_COLLAR:
    case LOPE_LEFT_ANKLE:
    case LOPE_RIGHT_ANKLE:
        return all;
    default:
        return false;
    }
}

static void plan_roles(retarget *r)
{
    const int *source = r->source.skeleton->roles, *target = r->target.skeleton->roles;
    bool all = !stands(&r->source) || !stands(&r->target);
    for (int role = 0; role < LOPE_ROLE_COUNT; role++) {
        if (source[role] < 0 || target[role] < 0)
            continue;
        joint_source plan = {source[role], source[role], 0.0f, false, {0.0f, 0.0f, 0.0f, 1.0f}};
        lope_role end;
        if (bone_end((lope_role)role, all, &end) && source[end] >= 0 && target[end] >= 0)
            plan.alignment = align_bones(r, source[role], source[end], target[role], target[end]);
        r->joints[target[role]] = plan;
    }
    // Hands and toes go on as what carries them rests.
    static const lope_role ends[] = {LOPE_LEFT_HAND, LOPE_RIGHT_HAND, LOPE_LEFT_TOE, LOPE_RIGHT_TOE};
    for (int i = 0; i < 4; i++) {
        int end = target[ends[i]], carrier = target[ends[i] - 1];
        if (end >= 0 && carrier >= 0 && r->joints[end].from >= 0)
            r->joints[end].alignment = r->joints[carrier].alignment;
    }
}

// Joints strictly below `above` down to `below`: their number, or the one at `index` (counted from the top, from 0).
static int path_count(const lope_skeleton *skeleton, int above, int below)
{
    int count = 0;
    for (int j = below; j != above; j = skeleton->parents[j])
        count++;
    return count;
}

static int path_joint(const lope_skeleton *skeleton, int above, int below, int index)
{
    int j = below;
    for (int steps = path_count(skeleton, above, below) - 1 - index; steps > 0; steps--)
        j = skeleton->parents[j];
    return index < 0 ? above : j;
}

static bool lies_below(const lope_skeleton *skeleton, int above, int below)
{
    return above >= 0 && joint_is_above(skeleton, above, below);
}

// Trunk and neck bend over as many joints as they have: each joint of the target's path takes the orientation found at
// the same fraction of the source's.
static void plan_path(retarget *r, lope_role top, lope_role bottom)
{
    const lope_skeleton *s = r->source.skeleton, *t = r->target.skeleton;
    int s_above = s->roles[top], s_below = s->roles[bottom], t_above = t->roles[top], t_below = t->roles[bottom];
    if (s_below < 0 || t_below < 0 || !lies_below(s, s_above, s_below) || !lies_below(t, t_above, t_below))
        return;
    int s_count = path_count(s, s_above, s_below), t_count = path_count(t, t_above, t_below);
    for (int i = 0; i + 1 < t_count; i++) {
        float at = (float)((i + 1) * s_count) / (float)t_count;
        int whole = (i + 1) * s_count / t_count;
        joint_source plan = {path_joint(s, s_above, s_below, whole - 1),
                             path_joint(s, s_above, s_below, whole),
                             at - (float)whole,
                             false,
                             {0.0f, 0.0f, 0.0f, 1.0f}};
        r->joints[path_joint(t, t_above, t_below, i)] = plan;
    }
}

// Joints without a role move as those of the same name do.
static void plan_names(retarget *r)
{
    const lope_skeleton *s = r->source.skeleton, *t = r->target.skeleton;
    for (int j = 0; j < t->joint_count; j++) {
        if (r->joints[j].from >= 0 || lies_below(t, j, t->roles[LOPE_HIPS]))
            continue;
        int same = lope_skeleton_find(s, t->names[j]);
        bool role = false;
        for (int i = 0; i < LOPE_ROLE_COUNT; i++)
            role = role || (same >= 0 && s->roles[i] == same);
        if (same > 0 && !role)
            r->joints[j] = (joint_source){same, same, 0.0f, true, {0.0f, 0.0f, 0.0f, 1.0f}};
    }
}

// Height of a foot's joint above the sole it rests on: the lowest of ankle, toe and their tips.
static float height_above_sole(const rest_body *body, int joint, lope_role ankle)
{
    const lope_skeleton *skeleton = body->skeleton;
    lope_vec3 up = lope_quat_rotate(body->axes, lope_v3(0.0f, 1.0f, 0.0f));
    float lowest = lope_v3_dot(body->model[joint].translation, up);
    for (int role = (int)ankle; role <= (int)ankle + 1; role++) {
        int j = skeleton->roles[role];
        if (j < 0)
            continue;
        lowest = fminf(lowest, lope_v3_dot(body->model[j].translation, up));
        lowest = fminf(lowest, lope_v3_dot(lope_transform_point(body->model[j], skeleton->tips[j]), up));
    }
    return lope_v3_dot(body->model[joint].translation, up) - lowest;
}

static void plan_feet(retarget *r)
{
    static const lope_role ankles[] = {LOPE_LEFT_ANKLE, LOPE_RIGHT_ANKLE};
    const int *source = r->source.skeleton->roles, *target = r->target.skeleton->roles;
    for (int side = 0; side < 2; side++) {
        lope_role ankle = ankles[side];
        float source_sole = height_above_sole(&r->source, source[ankle], ankle);
        float target_sole = height_above_sole(&r->target, target[ankle], ankle);
        bool stand = stands(&r->source) && stands(&r->target); // otherwise feet at rest tell nothing about soles
        bool known = stand && source_sole > 0.0f && target_sole > 0.0f;
        r->ankle_rise[side] = known ? target_sole - r->scale * source_sole : 0.0f;
        r->balls[side] = source[ankle + 1] >= 0 && target[ankle + 1] >= 0;
        if (r->balls[side] && stand)
            r->ball_rise[side] = height_above_sole(&r->target, target[ankle + 1], ankle) -
                                 r->scale * height_above_sole(&r->source, source[ankle + 1], ankle);
    }
}

void retarget_plan(const lope_clip *clip, retarget *r)
{
    lope_skeleton_rest_model(r->source.skeleton, r->source.model);
    lope_skeleton_rest_model(r->target.skeleton, r->target.model);
    measure_body(&r->source);
    measure_body(&r->target);
    if (!stands(&r->source) && stands(&r->target))
        stand_up(clip, &r->source);
    r->scale = r->target.leg_length / r->source.leg_length;
    r->turn = lope_quat_mul(r->source.axes, lope_quat_conjugate(r->target.axes));
    for (int j = 0; j < r->target.skeleton->joint_count; j++)
        r->joints[j] = (joint_source){-1, -1, 0.0f, false, {0.0f, 0.0f, 0.0f, 1.0f}};
    plan_roles(r); // before the paths, whose inner joints take their place between the ends
    plan_path(r, LOPE_HIPS, LOPE_CHEST);
    plan_path(r, LOPE_CHEST, LOPE_HEAD);
    plan_names(r);
    plan_feet(r);
}
