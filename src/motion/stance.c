// SPDX-License-Identifier: MIT
// Standing a skeleton up. The rest pose, or the most upright frame where the rest pose is no stance, is seen in the
// body's own axes; then bones whose direction is a matter of pose are turned by the shortest way to where they point in
// the stance, parents first, so that what hangs on them comes along. Feet are turned by their soles.
#include "motion/stance.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/contact_points.h"
#include "motion/joints.h"

// A typical foot on the ground. Where the ball lies from the ankle: ahead and below.
#define FOOT_SLOPE_DOWN 0.49f
#define FOOT_SLOPE_AHEAD 0.87f
#define STEEP_FOOT 0.75f // downward part of that direction, of a foot that cannot lie flat
#define STEEP_HIPS 0.8f  // vertical part of the line through the hip joints that no pelvis has
#define TRUNK_LEAN 0.3f  // how far bones of trunk and neck lean ahead or back by build, as a part of their direction
// How far toes may be turned from straight ahead, as parts of their direction.
#define TOES_DOWN 0.5f
#define TOES_UP 0.2f
#define TOES_ASIDE 0.25f
#define TOES_BELOW 0.1f    // below the sole
#define HEEL_BACK 0.423f   // behind the ankle, as a share of ankle to ball
#define ANKLE_HEIGHT 0.09f // shares of the leg
#define BALL_AHEAD 0.16f
#define SHORT_FOOT 0.2f // from ankle to its end, of a foot that ends at the ball

// The body before it is straightened.
typedef struct upright_body {
    const lope_skeleton *skeleton;
    lope_transform *model; // [joint_count]
    lope_quat axes;        // columns: left, up, forward of the body
    bool stands;           // the rest pose is a stance, so trunk and collars rest as they should
} upright_body;

static lope_vec3 joint_to_joint(const upright_body *body, int from, int to)
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

// Left is along the line through the hip joints, which is level in the stance; up is +Y where the trunk roughly agrees,
// else along the trunk (rest poses that are none).
static lope_quat body_axes(const upright_body *body)
{
    const int *roles = body->skeleton->roles;
    lope_vec3 up = {0.0f, 1.0f, 0.0f};
    int top = top_of(body->skeleton);
    lope_vec3 trunk = top >= 0 ? lope_v3_normalize(joint_to_joint(body, roles[LOPE_HIPS], top), up) : up;
    if (trunk.y < 0.7f)
        up = trunk;
    lope_vec3 left = joint_to_joint(body, roles[LOPE_RIGHT_HIP], roles[LOPE_LEFT_HIP]);
    left = lope_v3_normalize(left, lope_v3(1.0f, 0.0f, 0.0f));
    if (fabsf(lope_v3_dot(left, up)) > STEEP_HIPS) // one above the other: they do not tell
        left = lope_v3_normalize(lope_v3_mad(left, up, -lope_v3_dot(left, up)), lope_v3(1.0f, 0.0f, 0.0f));
    up = lope_v3_normalize(lope_v3_mad(up, left, -lope_v3_dot(up, left)), up);
    return lope_quat_from_axes(left, up, lope_v3_cross(left, up));
}

// True where the legs go down from a trunk that goes up.
static bool legs_go_down(const upright_body *body)
{
    const int *roles = body->skeleton->roles;
    lope_vec3 up = lope_quat_rotate(body->axes, lope_v3(0.0f, 1.0f, 0.0f));
    lope_vec3 leg = lope_v3_add(joint_to_joint(body, roles[LOPE_LEFT_HIP], roles[LOPE_LEFT_ANKLE]),
                                joint_to_joint(body, roles[LOPE_RIGHT_HIP], roles[LOPE_RIGHT_ANKLE]));
    return lope_v3_dot(lope_v3_normalize(leg, up), up) < -0.5f;
}

// How much a pose looks like standing upright: straight down legs, trunk up.
static float uprightness(const upright_body *body)
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

static void take_most_upright_frame(const lope_clip *clip, upright_body *body)
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
    body->axes = body_axes(body);
}

// Which way the bone of a role points in the stance. False where it rests as it does.
static bool bone_direction(lope_role role, bool stands, lope_vec3 *out)
{
    const float half = 0.70710678f;
    switch (role) {
    case LOPE_LEFT_HIP:
    case LOPE_LEFT_KNEE:
    case LOPE_RIGHT_HIP:
    case LOPE_RIGHT_KNEE:
        *out = lope_v3(0.0f, -1.0f, 0.0f);
        return true;
    case LOPE_LEFT_SHOULDER:
    case LOPE_LEFT_ELBOW:
        *out = lope_v3(half, -half, 0.0f);
        return true;
    case LOPE_RIGHT_SHOULDER:
    case LOPE_RIGHT_ELBOW:
        *out = lope_v3(-half, -half, 0.0f);
        return true;
    case LOPE_LEFT_COLLAR: // collars differ by build, not by pose, where the rest pose is a stance
        *out = lope_v3(1.0f, 0.0f, 0.0f);
        return !stands;
    case LOPE_RIGHT_COLLAR:
        *out = lope_v3(-1.0f, 0.0f, 0.0f);
        return !stands;
    default:
        return false;
    }
}

// Opposite bones turn about the lateral axis, as knees and hips do.
static lope_quat turn_bone(lope_vec3 from, lope_vec3 to)
{
    return lope_v3_dot(from, to) < -0.95f ? (lope_quat){1.0f, 0.0f, 0.0f, 0.0f} : lope_quat_between(from, to);
}

static void straighten_joint(const upright_body *body, int joint, lope_role role, lope_quat *turn)
{
    const int *roles = body->skeleton->roles;
    lope_vec3 wanted;
    int end = role + 1 < LOPE_ROLE_COUNT ? roles[role + 1] : -1;
    if (!bone_direction(role, body->stands, &wanted) || end < 0)
        return;
    lope_vec3 bone =
        lope_quat_rotate(lope_quat_conjugate(body->model[joint].rotation), joint_to_joint(body, joint, end));
    bone = lope_v3_normalize(lope_quat_rotate(*turn, bone), wanted);
    *turn = lope_quat_normalize(lope_quat_mul(turn_bone(bone, wanted), *turn));
}

// Turns an ankle so that the line from heel to ball points ahead on level ground, with the ankle above it.
static void set_foot(const stance_sole *sole, const upright_body *body, lope_quat *turn)
{
    lope_transform ankle = lope_transform_inverse(body->model[sole->ankle]);
    lope_vec3 heel = sole->points[SOLE_HEEL];
    lope_vec3 ball = lope_transform_point(body->model[sole->joints[SOLE_BALL]], sole->points[SOLE_BALL]);
    ball = lope_transform_point(ankle, ball);
    lope_vec3 ahead = lope_v3_normalize(lope_v3_sub(ball, heel), lope_v3(0.0f, 0.0f, 1.0f));
    lope_vec3 up = lope_v3_scale(heel, -1.0f);
    up = lope_v3_mad(up, ahead, -lope_v3_dot(up, ahead));
    if (!(lope_v3_distance(heel, ball) > 1e-3f && lope_v3_length(up) > 1e-3f))
        return; // no sole to go by
    up = lope_v3_normalize(up, lope_v3(0.0f, 1.0f, 0.0f));
    *turn = lope_quat_conjugate(lope_quat_from_axes(lope_v3_cross(up, ahead), up, ahead));
}

// Trunks and necks do not lean aside, and lean ahead or back no more than by build: a rest pose that has them so is
// bent.
static void set_trunk(const upright_body *body, int joint, int next, lope_quat *turn)
{
    lope_vec3 bone = joint_to_joint(body, joint, next);
    float length = lope_v3_length(bone);
    if (!(length > 1e-3f))
        return;
    bone = lope_quat_rotate(lope_quat_conjugate(body->model[joint].rotation), lope_v3_scale(bone, 1.0f / length));
    bone = lope_quat_rotate(*turn, bone);
    float lean = fmaxf(-TRUNK_LEAN, fminf(bone.z, TRUNK_LEAN));
    *turn = lope_quat_mul(turn_bone(bone, lope_v3(0.0f, sqrtf(1.0f - lean * lean), lean)), *turn);
}

// The joint above `joint` on the way from the hips to the head or what there is of it; -1: it is not on that way.
static int next_in_trunk(const lope_skeleton *skeleton, int joint)
{
    int head = skeleton->roles[LOPE_HEAD], hips = skeleton->roles[LOPE_HIPS];
    if (head < 0 || joint <= hips || joint >= head || !joint_is_above(skeleton, joint, head) ||
        !joint_is_above(skeleton, hips, joint))
        return -1;
    while (skeleton->parents[head] != joint)
        head = skeleton->parents[head];
    return head;
}

static lope_role role_of(const lope_skeleton *skeleton, int joint)
{
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        if (skeleton->roles[r] == joint)
            return (lope_role)r;
    return LOPE_ROLE_COUNT;
}

// The farthest point that hangs on a joint, in its frame.
static lope_vec3 farthest_point(const lope_skeleton *skeleton, int joint)
{
    lope_vec3 farthest = skeleton->tips[joint];
    for (int j = joint; j < skeleton->joint_count; j++) {
        if (!joint_is_above(skeleton, joint, j))
            continue;
        lope_vec3 end = skeleton->tips[j];
        for (int k = j; k > joint; k = skeleton->parents[k])
            end = lope_transform_point(skeleton->rest[k], end);
        if (lope_v3_dot(end, end) > lope_v3_dot(farthest, farthest))
            farthest = end;
    }
    return farthest;
}

// Puts a foot on the ground by its sole. Where that was only read off a rest pose in which the foot cannot lie flat, it
// stands as a typical foot does.
static void stand_on(const upright_body *body, stance_sole *sole, lope_quat *turn)
{
    int end = sole->toe >= 0 ? sole->toe : sole->ankle;
    lope_vec3 typical = {0.0f, -FOOT_SLOPE_DOWN, FOOT_SLOPE_AHEAD};
    lope_vec3 toe = sole->toe >= 0 ? body->model[end].translation
                                   : lope_transform_point(body->model[end], farthest_point(body->skeleton, end));
    toe = lope_transform_point(lope_transform_inverse(body->model[sole->ankle]), toe);
    toe = lope_v3_normalize(toe, typical);
    lope_quat flat = *turn;
    set_foot(sole, body, &flat);
    sole->assumed = !body->skeleton->feet_known && (!body->stands || -lope_quat_rotate(flat, toe).y > STEEP_FOOT);
    *turn = sole->assumed ? lope_quat_mul(turn_bone(lope_quat_rotate(*turn, toe), typical), *turn) : flat;
}

// Toes lie ahead of the foot, more or less level, and do not end below the sole: how the rest pose has them turned is a
// matter of convention.
static void set_toe(const lope_skeleton *skeleton, const stance_sole *sole, lope_quat *turn)
{
    lope_vec3 tip = farthest_point(skeleton, sole->toe);
    float length = lope_v3_length(tip);
    if (!(length > 1e-3f))
        return;
    float depth = sole->joints[SOLE_BALL] == sole->toe ? lope_v3_length(sole->points[SOLE_BALL]) : length;
    lope_vec3 along = lope_quat_rotate(*turn, lope_v3_scale(tip, 1.0f / length));
    float aside = fmaxf(-TOES_ASIDE, fminf(along.x, TOES_ASIDE));
    float up = fmaxf(-fminf(TOES_DOWN, depth / length + TOES_BELOW), fminf(along.y, TOES_UP));
    lope_vec3 wanted = lope_v3(aside, up, sqrtf(1.0f - aside * aside - up * up));
    *turn = lope_quat_mul(turn_bone(along, wanted), *turn);
}

static void straighten(const upright_body *body, stance *out)
{
    const lope_skeleton *skeleton = body->skeleton;
    lope_quat to_body = lope_quat_conjugate(body->axes);
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parents[j];
        lope_quat world = body->model[j].rotation, *turn = &out->turns[j];
        if (parent < 0)
            *turn = lope_quat_mul(to_body, world);
        else
            *turn = lope_quat_mul(out->turns[parent],
                                  lope_quat_mul(lope_quat_conjugate(body->model[parent].rotation), world));
        straighten_joint(body, j, role_of(skeleton, j), turn);
        int next = next_in_trunk(skeleton, j);
        if (next >= 0)
            set_trunk(body, j, next, turn);
        for (int side = 0; side < 2; side++) {
            stance_sole *sole = &out->soles[side];
            if (sole->ankle == j)
                stand_on(body, sole, turn);
            if (sole->toe == j)
                set_toe(skeleton, sole, turn);
        }
        *turn = lope_quat_normalize(*turn);
    }
}

static void find_soles(const lope_skeleton *skeleton, stance *out)
{
    lope_contact_anatomy anatomy;
    lope_contact_anatomy_find(skeleton, &anatomy);
    for (int side = 0; side < 2; side++) {
        stance_sole *sole = &out->soles[side];
        const lope_contact_place *heel = &anatomy.parts[side == LOPE_LEFT ? PART_LEFT_HEEL : PART_RIGHT_HEEL];
        sole->ankle = skeleton->roles[side == LOPE_LEFT ? LOPE_LEFT_ANKLE : LOPE_RIGHT_ANKLE];
        sole->toe = skeleton->roles[side == LOPE_LEFT ? LOPE_LEFT_TOE : LOPE_RIGHT_TOE];
        for (int i = 0; i < 2; i++) {
            sole->joints[i] = heel[i].joint;
            sole->points[i] = heel[i].offset;
        }
        sole->joints[SOLE_TIP] = sole->toe >= 0 ? sole->toe : sole->ankle;
    }
}

// The tip of the toes on the sole: below the end of the toes where there is one, else the ball. A foot without toes
// that is no longer than to its ball ends there.
static void find_tip(const stance *s, stance_sole *sole)
{
    lope_vec3 tip = farthest_point(s->skeleton, sole->joints[SOLE_TIP]), ball = sole->points[SOLE_BALL];
    sole->has_tip = sole->joints[SOLE_BALL] == sole->joints[SOLE_TIP] && lope_v3_dot(tip, tip) > 0.0f;
    sole->joints[SOLE_TIP] = sole->joints[SOLE_BALL];
    sole->points[SOLE_TIP] = ball;
    if (!sole->has_tip)
        return;
    lope_vec3 up = lope_quat_rotate(lope_quat_conjugate(s->turns[sole->joints[SOLE_TIP]]), lope_v3(0.0f, 1.0f, 0.0f));
    sole->points[SOLE_TIP] = lope_v3_mad(tip, up, lope_v3_dot(lope_v3_sub(ball, tip), up));
    if (sole->toe >= 0 || lope_v3_distance(tip, lope_v3_scale(up, lope_v3_dot(tip, up))) > SHORT_FOOT * s->leg_length)
        return;
    sole->points[SOLE_BALL] = sole->points[SOLE_TIP];
    sole->has_tip = false;
}

static lope_vec3 in_frame(const stance *s, int joint, lope_vec3 from_joint)
{
    return lope_quat_rotate(lope_quat_conjugate(s->turns[joint]), from_joint);
}

// A foot that does not lie flat at rest tells nothing about its sole: a typical one is put under it as it stands.
static void assume_sole(const stance *s, stance_sole *sole)
{
    lope_vec3 ball = {0.0f, -ANKLE_HEIGHT * s->leg_length, BALL_AHEAD * s->leg_length}, toe = {0.0f, 0.0f, 0.0f};
    for (int j = sole->toe; j > sole->ankle; j = s->skeleton->parents[j])
        toe = lope_v3_add(toe, lope_quat_rotate(s->turns[s->skeleton->parents[j]], s->skeleton->rest[j].translation));
    if (sole->toe >= 0)
        ball = lope_v3(toe.x, fminf(toe.y, ball.y), toe.z);
    lope_vec3 heel = {-HEEL_BACK * ball.x, ball.y, -HEEL_BACK * ball.z};
    sole->joints[SOLE_HEEL] = sole->ankle;
    sole->joints[SOLE_BALL] = sole->joints[SOLE_TIP];
    sole->points[SOLE_HEEL] = in_frame(s, sole->ankle, heel);
    sole->points[SOLE_BALL] = in_frame(s, sole->joints[SOLE_TIP], lope_v3_sub(ball, toe));
}

lope_status stance_find(const lope_skeleton *skeleton, const lope_clip *motion, stance *out, lope_error *error)
{
    memset(out, 0, sizeof *out);
    out->skeleton = skeleton;
    out->leg_length = lope_skeleton_leg_length(skeleton);
    upright_body body = {.skeleton = skeleton};
    body.model = lope_alloc_array((size_t)skeleton->joint_count, sizeof *body.model);
    out->turns = lope_alloc_array((size_t)skeleton->joint_count, sizeof *out->turns);
    if (!body.model || !out->turns) {
        lope_free(body.model);
        stance_free(out);
        return lope_fail_memory(error);
    }
    lope_skeleton_rest_model(skeleton, body.model);
    body.axes = body_axes(&body);
    body.stands = legs_go_down(&body);
    out->known = body.stands || motion;
    if (!body.stands && motion)
        take_most_upright_frame(motion, &body);
    find_soles(skeleton, out);
    straighten(&body, out);
    for (int side = 0; side < 2; side++) {
        if (out->soles[side].assumed)
            assume_sole(out, &out->soles[side]);
        find_tip(out, &out->soles[side]);
    }
    lope_free(body.model);
    return LOPE_OK;
}

void stance_free(stance *s)
{
    lope_free(s->turns);
    s->turns = NULL;
}
