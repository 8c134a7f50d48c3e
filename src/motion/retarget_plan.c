// SPDX-License-Identifier: MIT
// Planning to retarget: which joint of the target follows which of the source, and by which turn. Turns come from how
// both bodies stand (stance.h): a joint that is turned away from the stance in the source is turned away as much in the
// target. Trunk and neck bend over as many joints as they have; joints without a role follow those of the same name;
// all others stay as they rest.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/ik.h"
#include "motion/joints.h"
#include "motion/retarget.h"

// Knees that stretch farther than the source's did by less than this (0.9 degrees) are no fault.
#define COSINE_SPARE 0.99988f
#define SINE_SPARE 0.0157f
// Legs that nothing is known of stretch to this share of their length on any ground, because straight knees snap.
#define NEARLY_STRAIGHT 0.997f
// Motion is on level ground where a sole comes this near to the floor, in parts of leg length, every so many seconds.
#define LEVEL_HEIGHT 0.04f
#define LEVEL_SECONDS 1.5

lope_retarget_def lope_retarget_def_default(void)
{
    return (lope_retarget_def){0};
}

// The turn from a joint of the source to one of the target.
static lope_quat turn_between(const stance *source, int from, const stance *target, int to)
{
    return lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(source->turns[from]), target->turns[to]));
}

static void plan_roles(const stance *s, const stance *t, lope_retarget *plan)
{
    for (int role = 0; role < LOPE_ROLE_COUNT; role++) {
        int from = s->skeleton->roles[role], to = t->skeleton->roles[role];
        if (from >= 0 && to >= 0)
            plan->rules[to] = (retarget_rule){
                .kind = RETARGET_FOLLOW, .from = from, .to = from, .turn = turn_between(s, from, t, to)};
    }
}

static bool lies_below(const lope_skeleton *skeleton, int above, int below)
{
    return above >= 0 && joint_is_above(skeleton, above, below);
}

// Joints from one role up to another: trunk or neck.
typedef struct spine_path {
    const lope_skeleton *skeleton;
    int bottom, top;
    int count;    // of joints, the bottom one counted, the top one not
    float length; // metres
} spine_path;

static float bone_length(const lope_skeleton *skeleton, int joint)
{
    return lope_v3_length(skeleton->rest[joint].translation);
}

static bool find_path(const lope_skeleton *skeleton, lope_role bottom, lope_role top, spine_path *out)
{
    *out = (spine_path){skeleton, skeleton->roles[bottom], skeleton->roles[top], 0, 0.0f};
    if (out->top < 0 || out->top == out->bottom || !lies_below(skeleton, out->bottom, out->top))
        return false;
    for (int j = out->top; j != out->bottom; j = skeleton->parents[j]) {
        out->count++;
        out->length += bone_length(skeleton, j);
    }
    return out->length > 0.0f;
}

// The joint at `index` from the bottom, and where the middle of its bone lies, as a share of the way.
static int path_joint(const spine_path *path, int index, float *middle)
{
    float above = 0.0f;
    int upper = path->top;
    for (int i = path->count - 1; i > index; i--) {
        above += bone_length(path->skeleton, upper);
        upper = path->skeleton->parents[upper];
    }
    *middle = 1.0f - (above + 0.5f * bone_length(path->skeleton, upper)) / path->length;
    return path->skeleton->parents[upper];
}

// What the joint at `index` of the target's path follows: the bones of the source's path below and above its middle.
static retarget_rule path_rule(const spine_path *source, const spine_path *target, int index)
{
    const float same = 1e-3f;
    float at, below = 0.0f, above = 0.0f;
    path_joint(target, index, &at);
    retarget_rule rule = {.kind = RETARGET_FOLLOW};
    if (index < source->count) {
        rule.from = rule.to = path_joint(source, index, &below);
        if (fabsf(below - at) < same)
            return rule;
    }
    rule.from = rule.to = path_joint(source, 0, &below);
    for (int i = 1; i < source->count && below < at - same; i++) {
        rule.to = path_joint(source, i, &above);
        if (above > at + same) {
            rule.kind = RETARGET_BLEND;
            rule.blend = (at - below) / (above - below);
            return rule;
        }
        rule.from = rule.to;
        below = above;
    }
    rule.to = rule.from;
    return rule;
}

// Trunk and neck bend over as many joints as they have, each bone as the source's do at the same height.
static void plan_path(const stance *source, const stance *target, lope_role bottom, lope_role top, lope_retarget *plan)
{
    spine_path s, t;
    if (!find_path(source->skeleton, bottom, top, &s) || !find_path(target->skeleton, bottom, top, &t))
        return;
    for (int i = 0; i < t.count; i++) {
        float at;
        int to = path_joint(&t, i, &at);
        retarget_rule rule = path_rule(&s, &t, i);
        rule.turn = turn_between(source, rule.from, target, to);
        rule.turn_to = turn_between(source, rule.to, target, to);
        plan->rules[to] = rule;
    }
}

static bool has_role(const lope_skeleton *skeleton, int joint)
{
    for (int i = 0; i < LOPE_ROLE_COUNT; i++)
        if (skeleton->roles[i] == joint)
            return true;
    return false;
}

// Joints without a role move as those of the same name do, relative to their parents.
static void plan_names(const stance *source, const stance *target, lope_retarget *plan)
{
    const lope_skeleton *s = source->skeleton, *t = target->skeleton;
    for (int j = 1; j < t->joint_count; j++) {
        if (plan->rules[j].kind != RETARGET_REST)
            continue;
        int same = lope_skeleton_find(s, t->names[j]);
        if (same <= 0 || has_role(s, same))
            continue;
        int above = s->parents[same], parent = t->parents[j];
        const retarget_rule *carrier = &plan->rules[parent];
        // Parents that are not moved by the legs and follow each other: then following is the same in the world.
        bool alike = carrier->kind == RETARGET_FOLLOW && carrier->from == above &&
                     !lies_below(t, t->roles[LOPE_LEFT_HIP], parent) &&
                     !lies_below(t, t->roles[LOPE_RIGHT_HIP], parent);
        plan->rules[j] = (retarget_rule){.kind = alike ? RETARGET_FOLLOW : RETARGET_LOCAL,
                                         .from = same,
                                         .to = above,
                                         .turn = turn_between(source, same, target, j),
                                         .turn_to = lope_quat_conjugate(turn_between(source, above, target, parent))};
    }
}

static void rest_rule(const lope_skeleton *target, int joint, lope_retarget *plan)
{
    plan->rules[joint] = (retarget_rule){.kind = RETARGET_REST,
                                         .from = -1,
                                         .to = -1,
                                         .turn = target->rest[joint].rotation,
                                         .turn_to = lope_quat_identity()};
}

// Joint `below` seen from `above`, with the joints between them at rest, where they are told to stay.
static lope_transform rigid_chain(const lope_skeleton *target, int above, int below, lope_retarget *plan)
{
    lope_transform result = lope_transform_identity();
    for (int j = below; j > above; j = target->parents[j]) {
        if (j != below)
            rest_rule(target, j, plan);
        lope_transform local = target->rest[j];
        if (j == below)
            local.rotation = lope_quat_identity();
        result = lope_transform_mul(local, result);
    }
    return result;
}

// Everything above the hips moves with them as one piece.
static void plan_root(const stance *s, const stance *t, lope_retarget *plan)
{
    const lope_skeleton *target = t->skeleton;
    plan->source_hips = s->skeleton->roles[LOPE_HIPS];
    plan->target_hips = target->roles[LOPE_HIPS];
    plan->hips_turn = turn_between(s, plan->source_hips, t, plan->target_hips);
    lope_transform hips = lope_transform_identity(); // as seen from joint 0
    for (int j = plan->target_hips; j > 0; j = target->parents[j]) {
        rest_rule(target, j, plan);
        hips = lope_transform_mul(target->rest[j], hips);
    }
    lope_transform root = lope_transform_inverse(hips);
    plan->root_in_hips = root.translation;
    plan->rules[0] = (retarget_rule){.kind = RETARGET_FOLLOW,
                                     .from = plan->source_hips,
                                     .turn = lope_quat_normalize(lope_quat_mul(plan->hips_turn, root.rotation))};
}

static void plan_sole(const stance_sole *sole, retarget_leg *leg, lope_retarget *plan)
{
    lope_vec3 none = {0.0f, 0.0f, 0.0f};
    const lope_skeleton *target = plan->target;
    leg->target_toe = sole->toe >= 0 ? sole->toe : sole->ankle;
    lope_vec3 toe = rigid_chain(target, sole->ankle, leg->target_toe, plan).translation;
    for (int i = 0; i < SOLE_POINTS; i++) {
        bool on_toe = sole->toe >= 0 && sole->joints[i] == sole->toe;
        leg->from_ankle[i] = on_toe ? toe : sole->points[i];
        leg->from_toe[i] = on_toe ? sole->points[i] : none;
    }
    leg->toes = lope_v3_sub(sole->points[SOLE_TIP], sole->points[SOLE_BALL]);
    if (!sole->has_tip || !leg->sole.has_tip) { // what only one of them has is not compared
        leg->from_ankle[SOLE_TIP] = leg->from_ankle[SOLE_BALL];
        leg->from_toe[SOLE_TIP] = leg->from_toe[SOLE_BALL];
        leg->sole.points[SOLE_TIP] = leg->sole.points[SOLE_BALL];
    }
    leg->bends_toes = sole->toe >= 0 && sole->has_tip && leg->sole.toe < 0;
    if (sole->toe >= 0 && leg->sole.toe < 0)
        rest_rule(target, leg->target_toe, plan);
    plan->rules[leg->target_toe].kind = RETARGET_LEG;
}

static void plan_leg(const stance *s, const stance *t, int side, lope_retarget *plan)
{
    static const lope_role hips[2] = {LOPE_LEFT_HIP, LOPE_RIGHT_HIP};
    retarget_leg *leg = &plan->legs[side];
    for (int i = 0; i < 3; i++) {
        leg->source[i] = s->skeleton->roles[(int)hips[side] + i];
        leg->target[i] = t->skeleton->roles[(int)hips[side] + i];
        leg->turns[i] = turn_between(s, leg->source[i], t, leg->target[i]);
        plan->rules[leg->target[i]].kind = RETARGET_LEG;
    }
    leg->hip_in_hips = rigid_chain(t->skeleton, plan->target_hips, leg->target[0], plan).translation;
    leg->thigh = rigid_chain(t->skeleton, leg->target[0], leg->target[1], plan).translation;
    leg->shin = rigid_chain(t->skeleton, leg->target[1], leg->target[2], plan).translation;
    leg->thigh_length = lope_v3_length(leg->thigh);
    leg->shin_length = lope_v3_length(leg->shin);
    leg->squares = leg->thigh_length * leg->thigh_length + leg->shin_length * leg->shin_length;
    leg->thigh = lope_v3_normalize(leg->thigh, lope_v3(0.0f, -1.0f, 0.0f));
    leg->shin = lope_v3_normalize(leg->shin, lope_v3(0.0f, -1.0f, 0.0f));
    leg->reach = (plan->any_ground ? NEARLY_STRAIGHT : 1.0f) * (leg->thigh_length + leg->shin_length);
    leg->ahead = lope_quat_rotate(lope_quat_conjugate(s->turns[leg->source[0]]), lope_v3(0.0f, 0.0f, 1.0f));
    leg->sole = s->soles[side];
    plan_sole(&t->soles[side], leg, plan);
}

// How high an ankle is above the ground in the stance.
static float ankle_height(const stance *s, int side)
{
    const stance_sole *sole = &s->soles[side];
    return -lope_quat_rotate(s->turns[sole->ankle], sole->points[SOLE_HEEL]).y;
}

// What a knee did in a clip.
typedef struct knee_range {
    float straightest, most_bent; // cosines
    double forward;               // above 0 where it bends the way it is thought to
} knee_range;

static void watch_knee(const retarget_leg *leg, const lope_transform *model, knee_range *range)
{
    const int *joints = leg->source;
    lope_vec3 thigh = lope_v3_sub(model[joints[1]].translation, model[joints[0]].translation);
    lope_vec3 shin = lope_v3_sub(model[joints[2]].translation, model[joints[1]].translation);
    lope_vec3 ahead = lope_quat_rotate(model[joints[0]].rotation, leg->ahead);
    float cosine = lope_v3_dot(thigh, shin) / fmaxf(lope_v3_length(thigh) * lope_v3_length(shin), 1e-12f);
    range->straightest = fmaxf(range->straightest, cosine);
    range->most_bent = fminf(range->most_bent, cosine);
    range->forward += (double)lope_v3_dot(thigh, ahead) - (double)lope_v3_dot(shin, ahead);
}

// From hip to ankle of a knee with that cosine, bent by a little less (spare < 0) or more.
static float distance_at(const retarget_leg *leg, float cosine, float spare)
{
    float a = leg->thigh_length, b = leg->shin_length, c = fmaxf(-1.0f, fminf(cosine, 1.0f));
    if (-spare * c > COSINE_SPARE) // straight, or folded up all the way
        return c > 0.0f ? a + b : fabsf(a - b);
    c = c * COSINE_SPARE - spare * sqrtf(1.0f - c * c) * SINE_SPARE;
    return sqrtf(a * a + b * b + 2.0f * a * b * c);
}

// Whether a point of a sole is on the floor, or nearly.
static bool is_down(const lope_retarget *plan, const lope_transform *model)
{
    float low = plan->floor + LEVEL_HEIGHT * plan->leg_length / plan->scale;
    for (int i = 0; i < 2 * SOLE_POINTS; i++) {
        const stance_sole *sole = &plan->legs[i / SOLE_POINTS].sole;
        int point = i % SOLE_POINTS;
        if (lope_transform_point(model[sole->joints[point]], sole->points[point]).y < low)
            return true;
    }
    return false;
}

// How far the source's knees stretch and fold, which way they bend, and whether it stays on its floor, as its motion
// shows.
static void watch_motion(const lope_clip *clip, lope_transform *model, lope_retarget *plan)
{
    knee_range ranges[2] = {{-1.0f, 1.0f, 0.0}, {-1.0f, 1.0f, 0.0}};
    int away = 0, longest = (int)(LEVEL_SECONDS * clip->frame_rate);
    plan->level = true;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, model);
        for (int side = 0; side < 2; side++)
            watch_knee(&plan->legs[side], model, &ranges[side]);
        away = is_down(plan, model) ? 0 : away + 1;
        plan->level &= away <= longest;
    }
    for (int side = 0; side < 2; side++) {
        retarget_leg *leg = &plan->legs[side];
        leg->reach = distance_at(leg, ranges[side].straightest, -1.0f);
        leg->fold = distance_at(leg, ranges[side].most_bent, 1.0f);
        if (ranges[side].forward < 0.0)
            leg->ahead = lope_v3_scale(leg->ahead, -1.0f);
    }
}

// Which part of an arm a joint moves with: its own, or that of its parent.
static int limb_of(const lope_retarget *plan, int joint)
{
    for (int i = 0; i < 6; i++)
        if (plan->arms[i / 3].joints[0] >= 0 && plan->arms[i / 3].joints[i % 3] == joint)
            return LIMB_UPPER + i;
    int parent = plan->target->parents[joint];
    return parent >= 0 ? plan->rules[parent].limb : LIMB_NONE;
}

// Hands and seat, which may hold.
static void plan_holds(const stance *s, const stance *t, lope_retarget *plan)
{
    lope_contact_anatomy from, to;
    lope_contact_anatomy_find(s->skeleton, &from);
    lope_contact_anatomy_find(t->skeleton, &to);
    plan->source_seat = from.parts[PART_SEAT];
    plan->target_seat = to.parts[PART_SEAT];
    plan->back = lope_quat_rotate(lope_quat_conjugate(s->turns[plan->source_hips]), lope_v3(0.0f, 0.0f, -1.0f));
    for (int side = 0; side < 2; side++) {
        lope_limb arm, other;
        bool both = lope_skeleton_arm(t->skeleton, (lope_side)side, &arm) &&
                    lope_skeleton_arm(s->skeleton, (lope_side)side, &other);
        plan->arms[side] = (retarget_arm){{both ? arm.upper : -1, arm.lower, arm.end},
                                          from.parts[PART_LEFT_HAND + side],
                                          to.parts[PART_LEFT_HAND + side]};
    }
    for (int j = 0; j < t->skeleton->joint_count; j++)
        plan->rules[j].limb = (int8_t)limb_of(plan, j);
}

static void plan_all(const stance *s, const stance *t, lope_retarget *plan)
{
    for (int j = 0; j < t->skeleton->joint_count; j++)
        rest_rule(t->skeleton, j, plan);
    plan_roles(s, t, plan);
    bool necks = s->skeleton->roles[LOPE_NECK] >= 0 && t->skeleton->roles[LOPE_NECK] >= 0;
    plan_path(s, t, LOPE_HIPS, necks ? LOPE_NECK : LOPE_HEAD, plan);
    if (necks)
        plan_path(s, t, LOPE_NECK, LOPE_HEAD, plan);
    plan_names(s, t, plan);
    plan_root(s, t, plan);
    for (int side = 0; side < 2; side++) {
        plan_leg(s, t, side, plan);
        plan->rise += 0.5f * (ankle_height(t, side) - plan->scale * ankle_height(s, side));
    }
    plan_holds(s, t, plan);
}

static lope_status check(const lope_retarget_def *def, lope_error *error)
{
    if (!lope_skeleton_is_biped(def->source))
        return lope_fail(error, LOPE_MISMATCH, "cannot retarget from a skeleton without known legs");
    if (!lope_skeleton_is_biped(def->target))
        return lope_fail(error, LOPE_MISMATCH, "cannot retarget to a skeleton without known legs");
    if (!(lope_skeleton_leg_length(def->source) > 0.0f) || !(lope_skeleton_leg_length(def->target) > 0.0f))
        return lope_fail(error, LOPE_MISMATCH, "cannot retarget legs that have no length");
    if ((def->source_motion && !lope_skeleton_equal(def->source_motion->skeleton, def->source, 1e-3f)) ||
        (def->target_motion && !lope_skeleton_equal(def->target_motion->skeleton, def->target, 1e-3f)))
        return lope_fail(error, LOPE_MISMATCH, "clips that show how bodies stand are of other skeletons");
    return LOPE_CHECK(error, LOPE_RANGE(def, floor, -LOPE_MAX_DISTANCE, LOPE_MAX_DISTANCE),
                      LOPE_RANGE(def, travel, 0, 1000));
}

static lope_status fill(const lope_retarget_def *def, const stance *s, const stance *t, lope_retarget *plan,
                        lope_error *error)
{
    plan->scale = t->leg_length / s->leg_length;
    plan->any_ground = def->any_ground;
    plan->travel = def->any_ground ? 1.0f : def->travel > 0.0f ? def->travel : plan->scale;
    plan->floor = def->floor;
    plan->leg_length = t->leg_length;
    plan_all(s, t, plan);
    if (!def->source_motion)
        return LOPE_OK;
    lope_transform *model = lope_alloc_array((size_t)def->source->joint_count, sizeof *model);
    if (!model)
        return lope_fail_memory(error);
    watch_motion(def->source_motion, model, plan);
    plan->level &= !plan->any_ground;
    lope_free(model);
    return LOPE_OK;
}

lope_status lope_retarget_create(const lope_retarget_def *def, lope_retarget **out, lope_error *error)
{
    *out = NULL;
    lope_status status = check(def, error);
    if (status)
        return status;
    lope_retarget *plan = lope_alloc_zero(sizeof *plan + (size_t)def->target->joint_count * sizeof *plan->rules);
    if (!plan)
        return lope_fail_memory(error);
    plan->source = lope_skeleton_retain(def->source);
    plan->target = lope_skeleton_retain(def->target);
    stance source = {0}, target = {0};
    status = stance_find(def->target, def->target_motion, &target, error);
    // Two rest poses that are none are taken alike: their conventions have more in common than a guess and a frame.
    if (!status)
        status = stance_find(def->source, target.known ? def->source_motion : NULL, &source, error);
    if (!status)
        status = fill(def, &source, &target, plan, error);
    stance_free(&source);
    stance_free(&target);
    if (status)
        lope_retarget_destroy(plan);
    else
        *out = plan;
    return status;
}

void lope_retarget_destroy(lope_retarget *plan)
{
    if (!plan)
        return;
    lope_skeleton_release(plan->source);
    lope_skeleton_release(plan->target);
    lope_free(plan);
}
