// SPDX-License-Identifier: MIT
// A body to look at: limbs as tapered capsules, trunk and feet as hulls of balls, sized after the skeleton's legs.
// A skeleton without roles gets one capsule per bone.
#include "draw/picture.h"
#include "lope/contacts.h"

// Radii in metres of a man of 1.75 m.
static const float thigh_radius = 0.075f, knee_radius = 0.052f, ankle_radius = 0.037f;
static const float shoulder_radius = 0.050f, elbow_radius = 0.038f, wrist_radius = 0.028f, finger_radius = 0.020f;
static const float heel_radius = 0.034f, ball_radius = 0.028f, toe_radius = 0.020f;
static const float pelvis_radius = 0.085f, waist_radius = 0.095f, chest_radius = 0.070f, neck_radius = 0.045f;
static const float head_radius = 0.088f, nose_radius = 0.022f;

int body_shape_limit(const lope_skeleton *skeleton)
{
    return skeleton->joint_count * 2 + 16;
}

static lope_vec3 joint_at(const picture *page, int joint)
{
    return page->model[joint].translation;
}

// A direction given in the rest pose's world, carried along by a joint.
static lope_vec3 carried(const picture *page, int joint, lope_vec3 in_rest)
{
    lope_quat turn = lope_quat_mul(page->model[joint].rotation, lope_quat_conjugate(page->rest[joint].rotation));
    return lope_quat_rotate(turn, in_rest);
}

static bool has_tip(const lope_skeleton *skeleton, int joint)
{
    return lope_v3_length(skeleton->tips[joint]) > 1e-4f;
}

// Where the bone of a leaf ends, or the joint's only useful continuation: its first child.
static bool bone_end(const picture *page, int joint, lope_vec3 *out)
{
    const lope_skeleton *skeleton = page->clip->skeleton;
    if (has_tip(skeleton, joint)) {
        *out = lope_transform_point(page->model[joint], skeleton->tips[joint]);
        return true;
    }
    for (int child = joint + 1; child < skeleton->joint_count; child++) {
        if (skeleton->parents[child] != joint || lope_v3_length(skeleton->rest[child].translation) < 1e-4f)
            continue;
        *out = joint_at(page, child);
        return true;
    }
    return false;
}

// The same for a hand: where it has fingers, the middle of where they begin; the first may be the thumb or the last.
static bool hand_end(const picture *page, int hand, lope_vec3 *out)
{
    const lope_skeleton *skeleton = page->clip->skeleton;
    lope_vec3 sum = lope_v3(0, 0, 0);
    int count = 0;
    for (int child = hand + 1; child < skeleton->joint_count; child++) {
        if (skeleton->parents[child] != hand || lope_v3_length(skeleton->rest[child].translation) < 1e-4f)
            continue;
        sum = lope_v3_add(sum, joint_at(page, child));
        count++;
    }
    *out = lope_v3_scale(sum, count ? 1.0f / (float)count : 0.0f);
    return count > 2 || bone_end(page, hand, out);
}

static body_shape capsule(const picture *page, lope_vec3 a, float radius_a, lope_vec3 b, float radius_b,
                          shape_side side)
{
    return (body_shape){2, {a, b}, {radius_a * page->size, radius_b * page->size}, side};
}

// Where the toes of a foot lead to, from its ball on.
static lope_vec3 toe_direction(const picture *page, int toe, lope_vec3 along_sole)
{
    const lope_skeleton *skeleton = page->clip->skeleton;
    if (toe < 0 || !has_tip(skeleton, toe))
        return along_sole;
    lope_vec3 end = lope_transform_point(page->model[toe], skeleton->tips[toe]);
    return lope_v3_normalize(lope_v3_sub(end, joint_at(page, toe)), along_sole);
}

// From the sole that was found in the motion: a rest pose may be a mere convention of axes, with feet that point down.
static void foot_on_sole(const picture *page, lope_side side, int toe, lope_vec3 ankle, body_foot *out)
{
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_contact_points(page->clip->skeleton, page->model, points);
    lope_vec3 heel = points[side == LOPE_LEFT ? 0 : 2], ball = points[side == LOPE_LEFT ? 1 : 3];
    lope_vec3 along = lope_v3_normalize(lope_v3_sub(ball, heel), lope_v3(0, 0, 1)), up = lope_v3_sub(ankle, heel);
    up = lope_v3_normalize(lope_v3_mad(up, along, -lope_v3_dot(up, along)), lope_v3(0, 1, 0));
    out->heel = lope_v3_mad(heel, up, heel_radius * page->size);
    out->ball = toe >= 0 ? joint_at(page, toe) : lope_v3_mad(ball, up, ball_radius * page->size);
    out->tip = lope_v3_mad(out->ball, toe_direction(page, toe, along), 0.06f * page->size);
}

// From the rest pose, in which the ball lies on the sole, as far below the ankle as the heel does.
static void foot_at_rest(const picture *page, int ankle, int toe, body_foot *out)
{
    lope_vec3 at = joint_at(page, ankle), ahead = lope_v3(0, 0, 1);
    float drop = 0.08f * page->size, reach = 0.13f * page->size;
    if (toe >= 0) {
        lope_vec3 to_ball = lope_v3_sub(page->rest[toe].translation, page->rest[ankle].translation);
        lope_vec3 level = lope_v3(to_ball.x, 0, to_ball.z);
        ahead = lope_v3_normalize(level, ahead);
        reach = lope_v3_length(level) > 0.01f ? lope_v3_length(level) : reach;
        drop = -to_ball.y > 0.02f * page->size ? -to_ball.y : 0.02f * page->size;
    }
    lope_vec3 heel = lope_v3_mad(lope_v3(0, -drop, 0), ahead, -0.045f * page->size);
    lope_vec3 ball = lope_v3_mad(lope_v3(0, -drop, 0), ahead, reach);
    out->heel = lope_v3_add(at, carried(page, ankle, heel));
    out->ball = toe >= 0 ? joint_at(page, toe) : lope_v3_add(at, carried(page, ankle, ball));
    int carrier = toe >= 0 ? toe : ankle;
    out->tip = lope_v3_add(out->ball, carried(page, carrier, lope_v3_scale(ahead, 0.06f * page->size)));
}

bool body_foot_points(const picture *page, lope_side side, body_foot *out)
{
    const lope_skeleton *skeleton = page->clip->skeleton;
    int ankle = skeleton->roles[side == LOPE_LEFT ? LOPE_LEFT_ANKLE : LOPE_RIGHT_ANKLE];
    int toe = skeleton->roles[side == LOPE_LEFT ? LOPE_LEFT_TOE : LOPE_RIGHT_TOE];
    if (ankle < 0)
        return false;
    if (skeleton->feet_known)
        foot_on_sole(page, side, toe, joint_at(page, ankle), out);
    else
        foot_at_rest(page, ankle, toe, out);
    return true;
}

static int leg_shapes(const picture *page, lope_side side, body_shape *out)
{
    const int *roles = page->clip->skeleton->roles;
    bool left = side == LOPE_LEFT;
    shape_side colour = left ? SHAPE_LEFT : SHAPE_RIGHT;
    lope_vec3 hip = joint_at(page, roles[left ? LOPE_LEFT_HIP : LOPE_RIGHT_HIP]);
    lope_vec3 knee = joint_at(page, roles[left ? LOPE_LEFT_KNEE : LOPE_RIGHT_KNEE]);
    lope_vec3 ankle = joint_at(page, roles[left ? LOPE_LEFT_ANKLE : LOPE_RIGHT_ANKLE]);
    out[0] = capsule(page, hip, thigh_radius, knee, knee_radius, colour);
    out[1] = capsule(page, knee, knee_radius, ankle, ankle_radius, colour);
    body_foot foot;
    body_foot_points(page, side, &foot);
    float s = page->size;
    out[2] =
        (body_shape){3, {ankle, foot.heel, foot.ball}, {ankle_radius * s, heel_radius * s, ball_radius * s}, colour};
    out[3] = capsule(page, foot.ball, ball_radius * 0.95f, foot.tip, toe_radius, colour);
    return 4;
}

static int arm_shapes(const picture *page, lope_side side, body_shape *out)
{
    const int *roles = page->clip->skeleton->roles;
    bool left = side == LOPE_LEFT;
    int shoulder = roles[left ? LOPE_LEFT_SHOULDER : LOPE_RIGHT_SHOULDER];
    int elbow = roles[left ? LOPE_LEFT_ELBOW : LOPE_RIGHT_ELBOW];
    int hand = roles[left ? LOPE_LEFT_HAND : LOPE_RIGHT_HAND];
    if (shoulder < 0 || elbow < 0 || hand < 0)
        return 0;
    shape_side colour = left ? SHAPE_LEFT : SHAPE_RIGHT;
    lope_vec3 wrist = joint_at(page, hand), fingers;
    out[0] = capsule(page, joint_at(page, shoulder), shoulder_radius, joint_at(page, elbow), elbow_radius, colour);
    out[1] = capsule(page, joint_at(page, elbow), elbow_radius, wrist, wrist_radius, colour);
    // Fingers without data make end points unreliable: the hand has a fixed length along the bone, else the forearm.
    lope_vec3 along = lope_v3_sub(wrist, joint_at(page, elbow));
    if (hand_end(page, hand, &fingers) && lope_v3_distance(fingers, wrist) > 0.02f * page->size)
        along = lope_v3_sub(fingers, wrist);
    along = lope_v3_normalize(along, lope_v3(0, -1, 0));
    out[2] = capsule(page, lope_v3_mad(wrist, along, 0.03f * page->size), wrist_radius * 1.15f,
                     lope_v3_mad(wrist, along, 0.13f * page->size), finger_radius, colour);
    return 3;
}

// The joint of the first known role, or -1.
static int first_known(const int *roles, const lope_role *wanted, int count)
{
    for (int i = 0; i < count; i++)
        if (roles[wanted[i]] >= 0)
            return roles[wanted[i]];
    return -1;
}

static int head_shapes(const picture *page, lope_vec3 neck_base, body_shape *out)
{
    const int *roles = page->clip->skeleton->roles;
    int head = first_known(roles, (const lope_role[]){LOPE_HEAD, LOPE_NECK, LOPE_CHEST}, 3);
    if (head < 0)
        return 0;
    lope_vec3 base = joint_at(page, head);
    lope_vec3 up = carried(page, head, lope_v3(0, 1, 0)), ahead = carried(page, head, lope_v3(0, 0, 1));
    lope_vec3 low = lope_v3_mad(lope_v3_mad(base, up, 0.06f * page->size), ahead, 0.015f * page->size);
    lope_vec3 high = lope_v3_mad(low, up, 0.06f * page->size);
    lope_vec3 nose = lope_v3_mad(lope_v3_mad(low, up, 0.015f * page->size), ahead, 0.088f * page->size);
    float scale = page->size;
    out[0] = capsule(page, lope_v3_lerp(neck_base, base, 0.45f), neck_radius, lope_v3_lerp(neck_base, base, 0.8f),
                     neck_radius, SHAPE_HEAD);
    out[1] = (body_shape){
        3, {low, high, nose}, {head_radius * 0.88f * scale, head_radius * scale, nose_radius * scale}, SHAPE_HEAD};
    return 2;
}

static int trunk_shapes(const picture *page, body_shape *out)
{
    const int *roles = page->clip->skeleton->roles;
    int chest = first_known(roles, (const lope_role[]){LOPE_CHEST, LOPE_SPINE, LOPE_HIPS}, 3);
    int neck = first_known(roles, (const lope_role[]){LOPE_NECK, LOPE_HEAD, LOPE_CHEST, LOPE_SPINE}, 4);
    lope_vec3 left_hip = joint_at(page, roles[LOPE_LEFT_HIP]), right_hip = joint_at(page, roles[LOPE_RIGHT_HIP]);
    lope_vec3 middle = lope_v3_lerp(left_hip, right_hip, 0.5f);
    lope_vec3 top = neck >= 0 ? joint_at(page, neck) : lope_v3_mad(middle, lope_v3(0, 1, 0), 0.5f * page->size);
    lope_vec3 waist = lope_v3_lerp(middle, chest >= 0 ? joint_at(page, chest) : top, 0.62f);
    float s = page->size;
    lope_vec3 inner_left = lope_v3_lerp(middle, left_hip, 0.75f), inner_right = lope_v3_lerp(middle, right_hip, 0.75f);
    out[0] = (body_shape){
        3, {inner_left, inner_right, waist}, {pelvis_radius * s, pelvis_radius * s, waist_radius * s}, SHAPE_TRUNK};
    int left = roles[LOPE_LEFT_SHOULDER], right = roles[LOPE_RIGHT_SHOULDER];
    out[1] = (body_shape){2, {waist, top}, {waist_radius * s, chest_radius * s}, SHAPE_TRUNK};
    if (left >= 0 && right >= 0) {
        lope_vec3 centre = lope_v3_lerp(joint_at(page, left), joint_at(page, right), 0.5f);
        out[1] = (body_shape){4,
                              {waist, lope_v3_lerp(centre, joint_at(page, left), 0.8f),
                               lope_v3_lerp(centre, joint_at(page, right), 0.8f), lope_v3_lerp(centre, top, 0.6f)},
                              {waist_radius * s, chest_radius * s, chest_radius * s, neck_radius * s},
                              SHAPE_TRUNK};
    }
    return 2 + head_shapes(page, top, out + 2);
}

// One capsule per bone, for anything that is not a biped.
static int bone_shapes(const picture *page, body_shape *out)
{
    const lope_skeleton *skeleton = page->clip->skeleton;
    int count = 0;
    float thickest = 0.05f * page->size;
    for (int j = 0; j < skeleton->joint_count; j++) {
        lope_vec3 at = joint_at(page, j);
        lope_vec3 ends[2] = {at, at};
        if (j > 0)
            ends[0] = joint_at(page, skeleton->parents[j]);
        if (has_tip(skeleton, j))
            ends[1] = lope_transform_point(page->model[j], skeleton->tips[j]);
        for (int e = 0; e < 2; e++) {
            float length = lope_v3_distance(at, ends[e]), radius = length * 0.16f;
            if (length < 1e-4f && !(skeleton->joint_count == 1 && e == 0))
                continue;
            radius = radius > thickest ? thickest : radius;
            radius = radius < thickest * 0.3f ? thickest * 0.3f : radius;
            float wide = radius, narrow = radius * 0.6f;
            out[count++] = (body_shape){2, {at, ends[e]}, {e ? wide : narrow, e ? narrow : wide}, SHAPE_TRUNK};
        }
    }
    return count;
}

int body_shapes(const picture *page, body_shape *out)
{
    if (!lope_skeleton_is_biped(page->clip->skeleton))
        return bone_shapes(page, out);
    int count = trunk_shapes(page, out);
    for (int side = 0; side < 2; side++) {
        count += leg_shapes(page, (lope_side)side, out + count);
        count += arm_shapes(page, (lope_side)side, out + count);
    }
    return count;
}
