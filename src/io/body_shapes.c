// SPDX-License-Identifier: MIT
// Which shapes make a body look human: a wide trunk, a pelvis across the hip joints, tapering limbs, a large head,
// flat feet and hands. Sizes are those of an adult with legs of 0.84 m and scale with the legs.
//
// Every joint gets a part: its role's, or its nearest ancestor's. What lies above the hips (a separate root), twist
// bones and the like carry no role below them and stay invisible. Without roles each bone is a stick.
#include "io/body_shapes.h"

#include <assert.h>

typedef enum part {
    PART_HIDDEN,
    PART_STICK,
    PART_PELVIS,
    PART_TRUNK,
    PART_CHEST,
    PART_NECK,
    PART_HEAD,
    PART_COLLAR,
    PART_UPPER_ARM,
    PART_FOREARM,
    PART_HAND,
    PART_FINGER,
    PART_THIGH,
    PART_SHIN,
    PART_FOOT,
    PART_TOE,
    PART_COUNT
} part;

// Flags in `parts`: the joint or something below it has a role; it has children.
#define CARRIES_ROLE 0x80
#define HAS_CHILDREN 0x40

static const uint8_t part_of_role[LOPE_ROLE_COUNT] = {
    [LOPE_HIPS] = PART_PELVIS,         [LOPE_SPINE] = PART_TRUNK,         [LOPE_CHEST] = PART_CHEST,
    [LOPE_NECK] = PART_NECK,           [LOPE_HEAD] = PART_HEAD,           [LOPE_LEFT_COLLAR] = PART_COLLAR,
    [LOPE_RIGHT_COLLAR] = PART_COLLAR, [LOPE_LEFT_HAND] = PART_HAND,      [LOPE_RIGHT_HAND] = PART_HAND,
    [LOPE_LEFT_ELBOW] = PART_FOREARM,  [LOPE_RIGHT_ELBOW] = PART_FOREARM, [LOPE_LEFT_SHOULDER] = PART_UPPER_ARM,
    [LOPE_LEFT_HIP] = PART_THIGH,      [LOPE_RIGHT_HIP] = PART_THIGH,     [LOPE_RIGHT_SHOULDER] = PART_UPPER_ARM,
    [LOPE_LEFT_KNEE] = PART_SHIN,      [LOPE_RIGHT_KNEE] = PART_SHIN,     [LOPE_LEFT_ANKLE] = PART_FOOT,
    [LOPE_RIGHT_ANKLE] = PART_FOOT,    [LOPE_LEFT_TOE] = PART_TOE,        [LOPE_RIGHT_TOE] = PART_TOE};

// Radii at the near and the far end of a part's bone, metres.
static const float radii[PART_COUNT][2] = {
    [PART_PELVIS] = {0.090f, 0.086f},  [PART_TRUNK] = {0.086f, 0.092f},  [PART_CHEST] = {0.098f, 0.070f},
    [PART_NECK] = {0.052f, 0.050f},    [PART_COLLAR] = {0.045f, 0.052f}, [PART_UPPER_ARM] = {0.050f, 0.040f},
    [PART_FOREARM] = {0.040f, 0.028f}, [PART_FINGER] = {0.011f, 0.009f}, [PART_THIGH] = {0.080f, 0.056f},
    [PART_SHIN] = {0.054f, 0.036f},    [PART_TOE] = {0.028f, 0.020f}};

typedef struct builder {
    const lope_skeleton *skeleton;
    const lope_transform *pose;
    uint8_t *parts;
    lope_body_shape *shapes;
    int count;
    float scale;     // metres of this body per metre of the adult above
    lope_vec3 left;  // unit
    lope_vec3 ahead; // unit
} builder;

static part part_of(const builder *build, int joint)
{
    return (part)(build->parts[joint] & ~(CARRIES_ROLE | HAS_CHILDREN));
}

static lope_vec3 place_of(const builder *build, int joint)
{
    return build->pose[joint].translation;
}

static void add(builder *build, lope_body_shape shape)
{
    assert((size_t)build->count < lope_body_shape_limit(build->skeleton));
    build->shapes[build->count++] = shape;
}

// A round shape with a part's radii.
static void add_limb(builder *build, int joint, part kind, lope_vec3 to)
{
    add(build, (lope_body_shape){joint, place_of(build, joint), to, radii[kind][0] * build->scale,
                                 radii[kind][1] * build->scale, build->left, 1.0f});
}

static part inherited(part parent)
{
    return parent == PART_HAND ? PART_FINGER : parent;
}

static void assign_parts(builder *build)
{
    const lope_skeleton *skeleton = build->skeleton;
    bool biped = lope_skeleton_is_biped(skeleton);
    for (int j = 0; j < skeleton->joint_count; j++) {
        part kind = biped ? PART_HIDDEN : PART_STICK;
        build->parts[j] = (uint8_t)(j > 0 ? inherited(part_of(build, skeleton->parents[j])) : kind);
        for (int r = 0; biped && r < LOPE_ROLE_COUNT; r++)
            if (skeleton->roles[r] == j)
                build->parts[j] = part_of_role[r] | CARRIES_ROLE;
    }
    for (int j = skeleton->joint_count - 1; j > 0; j--)
        build->parts[skeleton->parents[j]] |= (build->parts[j] & CARRIES_ROLE) | HAS_CHILDREN;
}

// The child that carries the body on, or any child, or -1.
static int main_child(const builder *build, int joint)
{
    int found = -1;
    for (int j = joint + 1; j < build->skeleton->joint_count; j++)
        if (build->skeleton->parents[j] == joint && (found < 0 || build->parts[j] & CARRIES_ROLE)) {
            found = j;
            if (build->parts[j] & CARRIES_ROLE)
                break;
        }
    return found;
}

// Where a bone ends: the tip of a leaf, else the main child; else `length` further along the parent's bone.
static lope_vec3 end_of(const builder *build, int joint, float length)
{
    const lope_skeleton *skeleton = build->skeleton;
    int child = main_child(build, joint);
    lope_vec3 offset = child >= 0 ? skeleton->rest[child].translation : skeleton->tips[joint];
    if (lope_v3_length(offset) > 1e-3f * build->scale)
        return lope_transform_point(build->pose[joint], offset);
    lope_vec3 along = build->ahead, at = place_of(build, joint);
    if (skeleton->parents[joint] >= 0)
        along = lope_v3_normalize(lope_v3_sub(at, place_of(build, skeleton->parents[joint])), along);
    return lope_v3_mad(at, along, length * build->scale);
}

static void add_head(builder *build, int joint)
{
    lope_vec3 at = place_of(build, joint);
    lope_vec3 up = lope_v3_normalize(lope_v3_sub(end_of(build, joint, 0.2f), at), lope_v3(0.0f, 1.0f, 0.0f));
    float s = build->scale;
    add(build, (lope_body_shape){joint, lope_v3_mad(at, up, 0.055f * s), lope_v3_mad(at, up, 0.12f * s), 0.084f * s,
                                 0.094f * s, build->left, 0.84f});
}

static void add_hand(builder *build, int joint)
{
    lope_vec3 at = place_of(build, joint);
    lope_vec3 along = lope_v3_sub(end_of(build, joint, 0.16f), at);
    float s = build->scale, length = lope_v3_length(along);
    along = lope_v3_scale(along, 1.0f / length);
    // Fingers of their own begin where the palm ends.
    bool leaf = !(build->parts[joint] & HAS_CHILDREN);
    float reach = fmaxf(fminf(length, leaf ? 0.15f * s : 0.10f * s), 0.06f * s);
    lope_vec3 thickness = lope_v3_cross(build->ahead, along);
    add(build, (lope_body_shape){joint, lope_v3_mad(at, along, 0.02f * s), lope_v3_mad(at, along, reach), 0.020f * s,
                                 0.016f * s, lope_v3_cross(along, thickness), 2.0f});
}

static void add_foot(builder *build, int joint)
{
    float s = build->scale;
    lope_vec3 ankle = place_of(build, joint), toe = end_of(build, joint, 0.0f);
    lope_vec3 shin = lope_v3_sub(place_of(build, build->skeleton->parents[joint]), ankle);
    lope_vec3 up = lope_v3_normalize(shin, lope_v3(0.0f, 1.0f, 0.0f));
    if (lope_v3_distance(toe, ankle) < 0.02f * s)
        toe = lope_v3_mad(lope_v3_mad(ankle, build->ahead, 0.14f * s), up, -0.05f * s);
    lope_vec3 reach = lope_v3_sub(toe, ankle);
    float drop = fmaxf(-lope_v3_dot(reach, up), 0.0f);
    lope_vec3 ahead = lope_v3_normalize(lope_v3_mad(reach, up, -lope_v3_dot(reach, up)), build->ahead);
    lope_vec3 heel = lope_v3_mad(lope_v3_mad(ankle, up, -0.95f * drop), ahead, -0.035f * s);
    lope_vec3 side = lope_v3_cross(up, ahead);
    add(build, (lope_body_shape){joint, heel, toe, 0.034f * s, 0.029f * s, side, 1.3f});
    add(build, (lope_body_shape){joint, ankle, lope_v3_lerp(heel, toe, 0.45f), 0.036f * s, 0.032f * s, side, 1.0f});
}

static void add_toe(builder *build, int joint)
{
    lope_vec3 at = place_of(build, joint), end = end_of(build, joint, 0.06f);
    lope_vec3 along = lope_v3_normalize(lope_v3_sub(end, at), build->ahead);
    // The ball at the end rounds the shoe: its centre stays inside the bone.
    end = lope_v3_mad(end, along, -fminf(0.018f * build->scale, 0.5f * lope_v3_distance(at, end)));
    add(build, (lope_body_shape){joint, at, end, radii[PART_TOE][0] * build->scale, radii[PART_TOE][1] * build->scale,
                                 lope_v3_cross(lope_v3(0.0f, 1.0f, 0.0f), along), 1.5f});
}

static void add_pelvis(builder *build, int joint)
{
    lope_vec3 left = place_of(build, build->skeleton->roles[LOPE_LEFT_HIP]);
    lope_vec3 right = place_of(build, build->skeleton->roles[LOPE_RIGHT_HIP]);
    float radius = 0.088f * build->scale;
    add(build, (lope_body_shape){joint, left, right, radius, radius, build->ahead, 1.05f});
    // Where the hips lie apart from the line between the legs, the trunk would float.
    add(build, (lope_body_shape){joint, place_of(build, joint), lope_v3_lerp(left, right, 0.5f), radius, radius,
                                 build->left, 1.35f});
}

// The upper chest from armpit to armpit, which a cone towards the neck leaves out.
static void add_shoulders(builder *build, int joint)
{
    const int *roles = build->skeleton->roles;
    if (roles[LOPE_LEFT_SHOULDER] < 0 || roles[LOPE_RIGHT_SHOULDER] < 0)
        return;
    float s = build->scale;
    lope_vec3 left = place_of(build, roles[LOPE_LEFT_SHOULDER]), right = place_of(build, roles[LOPE_RIGHT_SHOULDER]);
    lope_vec3 chest = place_of(build, joint), middle = lope_v3_lerp(left, right, 0.5f);
    lope_vec3 down = lope_v3_normalize(lope_v3_sub(chest, middle), lope_v3(0.0f, -1.0f, 0.0f));
    lope_vec3 sunk = lope_v3_scale(down, 0.035f * s);
    add(build, (lope_body_shape){joint, lope_v3_add(lope_v3_lerp(middle, left, 0.62f), sunk),
                                 lope_v3_add(lope_v3_lerp(middle, right, 0.62f), sunk), 0.074f * s, 0.074f * s,
                                 build->ahead, 1.15f});
}

static void add_stick(builder *build, int joint, lope_vec3 to)
{
    float length = lope_v3_distance(place_of(build, joint), to);
    add(build, (lope_body_shape){joint, place_of(build, joint), to, 0.12f * length, 0.08f * length, build->left, 1.0f});
}

static bool is_trunk(part kind)
{
    return kind == PART_PELVIS || kind == PART_TRUNK || kind == PART_CHEST;
}

// The bone from a joint to one of its children.
static void add_bone(builder *build, int joint, int child)
{
    part kind = part_of(build, joint), next = part_of(build, child);
    lope_vec3 to = place_of(build, child);
    bool drawn = kind == PART_STICK || kind == PART_FINGER || build->parts[child] & CARRIES_ROLE;
    if (!drawn || lope_v3_distance(to, place_of(build, joint)) < 1e-3f * build->scale)
        return;
    if (kind == PART_STICK) {
        add_stick(build, joint, to);
    } else if (is_trunk(kind) && (is_trunk(next) || next == PART_NECK || next == PART_HEAD)) {
        if (kind == PART_PELVIS && next == PART_PELVIS) // a hip bone below the hips: the pelvis covers it
            return;
        add_limb(build, joint, kind, to);
        build->shapes[build->count - 1].widen = 1.4f;
    } else if (is_trunk(kind) && next != PART_THIGH) {
        add_limb(build, joint, PART_COLLAR, to);
    } else if (!is_trunk(kind) && kind != PART_HEAD && kind != PART_HAND && kind != PART_FOOT && kind != PART_TOE &&
               kind != PART_HIDDEN) {
        add_limb(build, joint, kind, to);
    }
}

// What belongs to a joint itself, whatever hangs below it.
static void add_own(builder *build, int joint)
{
    const int *roles = build->skeleton->roles;
    if (joint == roles[LOPE_HEAD])
        add_head(build, joint);
    else if (joint == roles[LOPE_LEFT_HAND] || joint == roles[LOPE_RIGHT_HAND])
        add_hand(build, joint);
    else if (joint == roles[LOPE_LEFT_ANKLE] || joint == roles[LOPE_RIGHT_ANKLE])
        add_foot(build, joint);
    else if (joint == roles[LOPE_LEFT_TOE] || joint == roles[LOPE_RIGHT_TOE])
        add_toe(build, joint);
    else if (joint == roles[LOPE_HIPS])
        add_pelvis(build, joint);
    else if (joint == roles[LOPE_CHEST])
        add_shoulders(build, joint);
}

static void add_leaf(builder *build, int joint)
{
    part kind = part_of(build, joint);
    lope_vec3 tip = lope_transform_point(build->pose[joint], build->skeleton->tips[joint]);
    if (kind != PART_STICK && kind != PART_FINGER)
        return;
    if (lope_v3_length(build->skeleton->tips[joint]) < 1e-3f * build->scale)
        return;
    if (kind == PART_STICK)
        add_stick(build, joint, tip);
    else
        add_limb(build, joint, kind, tip);
}

int lope_body_shapes(const lope_skeleton *skeleton, const lope_transform *pose, uint8_t *parts, lope_body_shape *shapes)
{
    builder build = {skeleton, pose, parts, shapes, 0, 1.0f, {1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    assign_parts(&build);
    bool biped = lope_skeleton_is_biped(skeleton);
    if (biped) {
        const int *roles = skeleton->roles;
        build.scale = fmaxf(lope_skeleton_leg_length(skeleton) / 0.84f, 1e-6f);
        lope_vec3 across = lope_v3_sub(place_of(&build, roles[LOPE_LEFT_HIP]), place_of(&build, roles[LOPE_RIGHT_HIP]));
        across.y = 0.0f;
        build.left = lope_v3_normalize(across, build.left);
        build.ahead = lope_v3_cross(build.left, lope_v3(0.0f, 1.0f, 0.0f));
    }
    for (int j = 0; j < skeleton->joint_count; j++) {
        if (j > 0)
            add_bone(&build, skeleton->parents[j], j);
        if (biped)
            add_own(&build, j);
        if (!(build.parts[j] & HAS_CHILDREN))
            add_leaf(&build, j);
    }
    if (build.count == 0) // a body without bones is still a thing one can see
        add(&build, (lope_body_shape){0, place_of(&build, 0), place_of(&build, 0), 0.05f, 0.05f, build.left, 1.0f});
    return build.count;
}
