// SPDX-License-Identifier: MIT
// The joints of a stranger: those of the clip, fewer and more, each with a frame of its own.
//
// A joint of the file has, in the world, the rotation of a joint of the clip times a constant C. Then the body looks
// the same for any C as long as offsets are turned back by it, while the rest pose, in which no joint is rotated, looks
// different. C is chosen so that the bones of the rest pose point where the recipe wants them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/strangers_parts.h"

// What is carried along while the tree is built.
typedef struct builder {
    const lope_skeleton *skeleton;
    const stranger_recipe *recipe;
    stranger_body *body;
    lope_role *roles; // [joint_count] of the clip's joints, or LOPE_ROLE_COUNT
    lope_role *near;  // [joint_count] the role of the joint or of the first one above that has one
    bool *above;      // [joint_count] whether a joint with a role hangs below
    int numbers[STRANGER_EXTRA_COUNT];
} builder;

static int side_of(lope_role role)
{
    if (role >= LOPE_ROLE_COUNT || role <= LOPE_HEAD)
        return -1;
    bool left =
        (role >= LOPE_LEFT_COLLAR && role <= LOPE_LEFT_HAND) || (role >= LOPE_LEFT_HIP && role <= LOPE_LEFT_TOE);
    return left ? LOPE_LEFT : LOPE_RIGHT;
}

static int append(builder *b, stranger_joint joint)
{
    stranger_body *body = b->body;
    if (body->count == body->capacity) {
        body->capacity = 2 * body->capacity + 64;
        body->joints = realloc(body->joints, (size_t)body->capacity * sizeof *body->joints);
        if (!body->joints)
            abort();
    }
    joint.leaf = true;
    if (joint.parent >= 0)
        body->joints[joint.parent].leaf = false;
    body->joints[body->count] = joint;
    return body->count++;
}

// An extra joint that turns with its parent, `offset` away from it.
static int append_extra(builder *b, int parent, stranger_extra extra, lope_vec3 offset, lope_vec3 bone)
{
    stranger_joint joint = {.parent = parent, .source = 0, .role = LOPE_ROLE_COUNT, .offset = offset, .main = bone};
    joint.tip = bone;
    int side = -1;
    if (parent >= 0) {
        joint.source = b->body->joints[parent].source;
        side = joint.source >= 0 ? side_of(b->near[joint.source]) : -1;
    }
    stranger_name(b->recipe->names == STRANGER_NAMES_NUMBERED ? STRANGER_NAMES_PLAIN : b->recipe->names,
                  (stranger_label){LOPE_ROLE_COUNT, extra, side, ++b->numbers[extra]}, joint.name);
    return append(b, joint);
}

// Whether a joint of the clip is left out; what hangs below it then hangs on its parent.
static bool left_out(const builder *b, int j)
{
    const stranger_recipe *recipe = b->recipe;
    lope_role role = b->roles[j], near = b->near[j];
    if (role == LOPE_LEFT_TOE || role == LOPE_RIGHT_TOE)
        return recipe->no_toes;
    if (role == LOPE_LEFT_COLLAR || role == LOPE_RIGHT_COLLAR)
        return recipe->no_collars;
    if (role != LOPE_ROLE_COUNT || j == 0)
        return false;
    if (near == LOPE_SPINE && b->above[j])
        return recipe->spine < 0;
    bool trunk = near == LOPE_CHEST || near == LOPE_NECK;
    bool neck = trunk && b->above[j] && (near == LOPE_NECK || b->skeleton->roles[LOPE_NECK] < 0);
    return recipe->names != STRANGER_NAMES_KEPT && !neck;
}

static void name_joint(builder *b, int j, char out[64])
{
    stranger_label label = {b->roles[j], STRANGER_EXTRA_NONE, -1, 0};
    if (b->recipe->names == STRANGER_NAMES_KEPT) {
        snprintf(out, 64, "%.63s", b->skeleton->names[j]);
        return;
    }
    if (label.role == LOPE_ROLE_COUNT) {
        label.extra = b->near[j] == LOPE_SPINE ? STRANGER_EXTRA_SPINE
                      : b->above[j]            ? STRANGER_EXTRA_NECK
                                               : STRANGER_EXTRA_HELPER;
        label.side = side_of(b->near[j]);
        label.number = ++b->numbers[label.extra];
    }
    stranger_name(b->recipe->names == STRANGER_NAMES_NUMBERED ? STRANGER_NAMES_PLAIN : b->recipe->names, label, out);
}

static void add_fingers(builder *b, int hand, lope_vec3 palm)
{
    float length = lope_v3_length(palm);
    lope_vec3 along = lope_v3_normalize(palm, lope_v3(1.0f, 0.0f, 0.0f));
    lope_vec3 aside = lope_v3_cross(along, lope_v3(0.0f, 1.0f, 0.0f));
    for (int f = 0; f < 5; f++) {
        int joint = append_extra(b, hand, STRANGER_EXTRA_FINGER,
                                 lope_v3_mad(lope_v3_scale(along, 0.6f * length), aside, 0.02f * (float)(f - 2)),
                                 lope_v3_scale(along, 0.03f));
        for (int k = 0; k < 2; k++)
            joint =
                append_extra(b, joint, STRANGER_EXTRA_FINGER, lope_v3_scale(along, 0.03f), lope_v3_scale(along, 0.02f));
    }
}

// Extra joints that hang on joint `at` of the file beside its own children.
static void add_extras(builder *b, int at, lope_role role)
{
    const stranger_recipe *recipe = b->recipe;
    lope_vec3 bone = b->body->joints[at].main;
    bool limb =
        role == LOPE_LEFT_SHOULDER || role == LOPE_RIGHT_SHOULDER || role == LOPE_LEFT_HIP || role == LOPE_RIGHT_HIP;
    if (recipe->twist_leaves && limb)
        append_extra(b, at, STRANGER_EXTRA_TWIST, lope_v3_scale(bone, 0.5f), lope_v3_scale(bone, 0.2f));
    if (recipe->fingers && (role == LOPE_LEFT_HAND || role == LOPE_RIGHT_HAND))
        add_fingers(b, at, bone);
    if (recipe->prop && role == LOPE_RIGHT_HAND)
        append_extra(b, at, STRANGER_EXTRA_PROP, lope_v3_scale(bone, 0.5f), lope_v3(0.0f, 0.1f, 0.4f));
    if (recipe->helpers && role == LOPE_HIPS)
        append_extra(b, at, STRANGER_EXTRA_HELPER, lope_v3(0.0f, 0.02f, -0.1f), lope_v3(0.0f, 0.0f, -0.05f));
    if (recipe->helpers && (role == LOPE_HEAD || role == LOPE_LEFT_TOE || role == LOPE_RIGHT_TOE))
        append_extra(b, at, STRANGER_EXTRA_END, bone, lope_v3_scale(bone, 0.05f));
}

// Where the bone of a joint of the clip goes: to the child that carries on the body, or to its tip.
static lope_vec3 main_bone(const builder *b, int j)
{
    const lope_skeleton *skeleton = b->skeleton;
    lope_vec3 best = skeleton->tips[j];
    int found = -1;
    for (int c = j + 1; c < skeleton->joint_count; c++) {
        if (skeleton->parents[c] != j)
            continue;
        bool trunk = b->roles[c] <= LOPE_HEAD, wanted = b->above[c] || b->roles[c] != LOPE_ROLE_COUNT;
        int worth = trunk ? 3 : wanted ? 2 : 1;
        if (worth <= found || lope_v3_length(skeleton->rest[c].translation) < 1e-4f)
            continue;
        found = worth;
        best = skeleton->rest[c].translation;
    }
    return best;
}

// How many joints go between a joint of the clip and its parent.
static int joints_before(const builder *b, lope_role role, stranger_extra *extra)
{
    bool limb =
        role == LOPE_LEFT_ELBOW || role == LOPE_RIGHT_ELBOW || role == LOPE_LEFT_KNEE || role == LOPE_RIGHT_KNEE;
    *extra = limb ? STRANGER_EXTRA_TWIST : STRANGER_EXTRA_SPINE;
    if (limb)
        return b->recipe->twist_chain;
    return role == LOPE_CHEST && b->recipe->spine > 0 ? b->recipe->spine : 0;
}

// Joint j of the clip below joint `parent` of the file. `rest` is its place in the frame of the parent's source.
static void add_joint(builder *b, int j, int parent, lope_transform rest)
{
    int at = parent;
    if (!left_out(b, j)) {
        stranger_extra extra;
        int between = joints_before(b, b->roles[j], &extra);
        lope_vec3 part = lope_v3_scale(rest.translation, 1.0f / (float)(between + 1));
        for (int i = 0; i < between; i++)
            parent = append_extra(b, parent, extra, part, part);
        stranger_joint joint = {.parent = parent, .source = j, .same = true, .role = b->roles[j], .offset = part};
        joint.tip = b->skeleton->tips[j];
        joint.main = main_bone(b, j);
        name_joint(b, j, joint.name);
        at = append(b, joint);
        rest = lope_transform_identity();
        add_extras(b, at, b->roles[j]);
        if (j == 0)
            b->body->hips = at;
    } else if (lope_v3_length(rest.translation) > lope_v3_length(b->body->joints[at].tip)) {
        b->body->joints[at].tip = rest.translation; // the bone ends where the joint that is missing was
        if (b->recipe->toe_tips)
            b->body->joints[at].tip = lope_transform_point(rest, b->skeleton->tips[j]);
    }
    for (int c = j + 1; c < b->skeleton->joint_count; c++)
        if (b->skeleton->parents[c] == j)
            add_joint(b, c, at, lope_transform_mul(rest, b->skeleton->rest[c]));
}

static void number_names(stranger_body *body)
{
    for (int j = 0; j < body->count; j++)
        snprintf(body->joints[j].name, sizeof body->joints[j].name, "joint_%02d", j);
}

void stranger_body_make(const lope_skeleton *skeleton, const stranger_recipe *recipe, stranger_body *out)
{
    *out = (stranger_body){0};
    size_t n = (size_t)skeleton->joint_count;
    builder b = {.skeleton = skeleton, .recipe = recipe, .body = out};
    b.roles = malloc(n * sizeof *b.roles);
    b.near = malloc(n * sizeof *b.near);
    b.above = calloc(n, sizeof *b.above);
    if (!b.roles || !b.near || !b.above)
        abort();
    for (size_t j = 0; j < n; j++)
        b.roles[j] = LOPE_ROLE_COUNT;
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        if (skeleton->roles[r] >= 0)
            b.roles[skeleton->roles[r]] = (lope_role)r;
    for (int j = 0; j < skeleton->joint_count; j++)
        b.near[j] = b.roles[j] != LOPE_ROLE_COUNT || j == 0 ? b.roles[j] : b.near[skeleton->parents[j]];
    for (int j = skeleton->joint_count - 1; j > 0; j--)
        b.above[skeleton->parents[j]] |= b.above[j] || b.roles[j] != LOPE_ROLE_COUNT;
    int root = -1;
    if (recipe->root != STRANGER_ROOT_HIPS) {
        root = append_extra(&b, -1, STRANGER_EXTRA_ROOT, lope_v3(0.0f, 0.0f, 0.0f), lope_v3(0.0f, 0.1f, 0.0f));
        out->joints[root].source = -1;
    }
    add_joint(&b, 0, root, lope_transform_identity());
    if (recipe->names == STRANGER_NAMES_NUMBERED)
        number_names(out);
    free(b.roles);
    free(b.near);
    free(b.above);
}

void stranger_body_free(stranger_body *body)
{
    free(body->joints);
    *body = (stranger_body){0};
}

// Where the bone of a role points in a T-pose or an A-pose, or zero where it may stay.
static lope_vec3 bone_target(lope_role role, const stranger_recipe *recipe)
{
    float side = side_of(role) == LOPE_LEFT ? 1.0f : -1.0f;
    switch ((int)role) {
    case LOPE_LEFT_SHOULDER:
    case LOPE_LEFT_ELBOW:
    case LOPE_LEFT_HAND:
    case LOPE_RIGHT_SHOULDER:
    case LOPE_RIGHT_ELBOW:
    case LOPE_RIGHT_HAND:
        return recipe->rest == STRANGER_REST_A ? lope_v3(side * 0.70710678f, -0.70710678f, 0.0f)
                                               : lope_v3(side, 0.0f, 0.0f);
    case LOPE_LEFT_HIP:
    case LOPE_LEFT_KNEE:
    case LOPE_RIGHT_HIP:
    case LOPE_RIGHT_KNEE:
        return lope_v3(0.0f, -1.0f, 0.0f);
    case LOPE_LEFT_ANKLE:
    case LOPE_LEFT_TOE:
    case LOPE_RIGHT_ANKLE:
    case LOPE_RIGHT_TOE:
        return recipe->rest == STRANGER_REST_FEET ? lope_v3(0.0f, -1.0f, 0.0f) : lope_v3(0.0f, 0.0f, 0.0f);
    default:
        return lope_v3(0.0f, 0.0f, 0.0f);
    }
}

// How the rest pose of a joint differs from the clip's; `bone` is where the clip's points, a unit vector or zero.
static lope_quat rest_change(const stranger_recipe *recipe, lope_role role, int source, lope_vec3 bone)
{
    uint64_t state = recipe->seed * 7919 + (uint64_t)source + 1;
    bool known = lope_v3_length(bone) > 0.5f;
    lope_vec3 target = bone_target(role, recipe);
    switch (recipe->rest) {
    case STRANGER_REST_BENT: {
        double parts[3];
        for (int i = 0; i < 3; i++)
            parts[i] = (stranger_random(&state) - 0.5) * 0.8;
        return lope_quat_exp(lope_v3((float)parts[0], (float)parts[1], (float)parts[2]));
    }
    case STRANGER_REST_ALONG_X: {
        float quarter = (float)(int)(4.0 * stranger_random(&state)) * (float)(0.5 * LOPE_PI);
        lope_quat along = known ? lope_quat_between(bone, lope_v3(1.0f, 0.0f, 0.0f)) : lope_quat_identity();
        return lope_quat_mul(lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), quarter), along);
    }
    case STRANGER_REST_T:
    case STRANGER_REST_A:
    case STRANGER_REST_FEET:
        return known && lope_v3_length(target) > 0.5f ? lope_quat_between(bone, target) : lope_quat_identity();
    default:
        return lope_quat_identity();
    }
}

void stranger_body_turn(stranger_body *body, const lope_skeleton *skeleton, const stranger_recipe *recipe)
{
    lope_transform *rest = malloc((size_t)skeleton->joint_count * sizeof *rest);
    if (!rest)
        abort();
    lope_skeleton_rest_model(skeleton, rest);
    lope_quat stands = recipe->rest_stands ? stranger_up_turn(recipe->up) : lope_quat_identity();
    for (int i = 0; i < body->count; i++) {
        stranger_joint *joint = &body->joints[i];
        if (joint->source < 0) {
            joint->turn = lope_quat_identity();
            continue;
        }
        int owner = i; // extra joints stand as the one they hang on
        while (!body->joints[owner].same)
            owner = body->joints[owner].parent;
        lope_quat clip = rest[joint->source].rotation;
        lope_vec3 bone = lope_v3_normalize(lope_quat_rotate(clip, body->joints[owner].main), lope_v3(0, 0, 0));
        lope_quat change = rest_change(recipe, body->joints[owner].role, joint->source, bone);
        joint->turn = lope_quat_conjugate(lope_quat_mul(stands, lope_quat_mul(change, clip)));
    }
    free(rest);
}
