// SPDX-License-Identifier: MIT
// The performer of the built-in set. Rest pose: standing straight in a T, every joint's axes parallel to the world's.
// Then knees and elbows are hinges about one axis of their own frame (knees about +X, elbows about Y), which the solver
// keeps: it orients thigh and upper arm so that the limb's plane is the hinge's plane, and bends by one angle.
#include "synth/body.h"

#include <assert.h>

#include "lope/ik.h"

// Segment lengths of a person of 1.75 m, near the averages of anthropometric tables, rounded to centimetres.
static const float HIP_DROP = 0.06f; // hip joints below the pelvis joint
static const float COLLAR_OUT = 0.03f, SHOULDER_OUT = 0.15f;
static const float HEAD_TOP = 0.20f;

// How the spine's turn is spread over its three joints, from the pelvis up; the sum is 1.
static const float SPINE_SHARE[3] = {0.30f, 0.35f, 0.35f};

static const lope_vec3 AXIS_X = {1.0f, 0.0f, 0.0f}, AXIS_Y = {0.0f, 1.0f, 0.0f}, AXIS_Z = {0.0f, 0.0f, 1.0f};

static const char *const NAMES[SYNTH_JOINT_COUNT] = {
    "Hips",         "LeftUpLeg", "LeftLeg",       "LeftFoot", "LeftToeBase",  "RightUpLeg", "RightLeg",     "RightFoot",
    "RightToeBase", "Spine",     "Spine1",        "Spine2",   "Neck",         "Head",       "LeftShoulder", "LeftArm",
    "LeftForeArm",  "LeftHand",  "RightShoulder", "RightArm", "RightForeArm", "RightHand",
};

static const int PARENTS[SYNTH_JOINT_COUNT] = {
    -1,
    SYNTH_HIPS,
    SYNTH_LEFT_HIP,
    SYNTH_LEFT_KNEE,
    SYNTH_LEFT_ANKLE,
    SYNTH_HIPS,
    SYNTH_RIGHT_HIP,
    SYNTH_RIGHT_KNEE,
    SYNTH_RIGHT_ANKLE,
    SYNTH_HIPS,
    SYNTH_SPINE,
    SYNTH_SPINE1,
    SYNTH_CHEST,
    SYNTH_NECK,
    SYNTH_CHEST,
    SYNTH_LEFT_COLLAR,
    SYNTH_LEFT_SHOULDER,
    SYNTH_LEFT_ELBOW,
    SYNTH_CHEST,
    SYNTH_RIGHT_COLLAR,
    SYNTH_RIGHT_SHOULDER,
    SYNTH_RIGHT_ELBOW,
};

// Offsets of one side: `out` is +1 on the left and -1 on the right.
static void place_side(const synth_body *body, float out, lope_vec3 *leg, lope_vec3 *arm)
{
    leg[0] = lope_v3(out * body->hip_half_width, -HIP_DROP, 0.0f);
    leg[1] = lope_v3(0.0f, -body->thigh, 0.0f);
    leg[2] = lope_v3(0.0f, -body->shin, 0.0f);
    // The ball's joint lies on the sole: the heel can rise about it without moving the point that touches.
    leg[3] = lope_v3(0.0f, -body->ankle_height, body->ball_forward);
    arm[0] = lope_v3(out * COLLAR_OUT, 0.15f, 0.0f);
    arm[1] = lope_v3(out * SHOULDER_OUT, 0.0f, 0.0f);
    arm[2] = lope_v3(out * body->upper_arm, 0.0f, 0.0f);
    arm[3] = lope_v3(out * body->forearm, 0.0f, 0.0f);
}

lope_status synth_body_create(synth_body *out, lope_error *error)
{
    *out = (synth_body){.thigh = 0.42f,
                        .shin = 0.42f,
                        .hip_height = 0.92f,
                        .hip_half_width = 0.09f,
                        .ankle_height = 0.08f,
                        .heel_back = 0.055f,
                        .ball_forward = 0.13f,
                        .toe_length = 0.07f,
                        .upper_arm = 0.28f,
                        .forearm = 0.25f,
                        .hand_length = 0.17f,
                        .palm = 0.085f,
                        .kneecap = 0.0504f,
                        .seat_below = HIP_DROP + 0.1008f,
                        .seat_behind = 0.042f};
    lope_vec3 offsets[SYNTH_JOINT_COUNT] = {{0}}, tips[SYNTH_JOINT_COUNT] = {{0}};
    offsets[SYNTH_HIPS] = lope_v3(0.0f, out->hip_height + HIP_DROP, 0.0f);
    place_side(out, 1.0f, &offsets[SYNTH_LEFT_HIP], &offsets[SYNTH_LEFT_COLLAR]);
    place_side(out, -1.0f, &offsets[SYNTH_RIGHT_HIP], &offsets[SYNTH_RIGHT_COLLAR]);
    offsets[SYNTH_SPINE] = lope_v3(0.0f, 0.08f, 0.0f);
    offsets[SYNTH_SPINE1] = lope_v3(0.0f, 0.10f, 0.0f);
    offsets[SYNTH_CHEST] = lope_v3(0.0f, 0.12f, 0.0f);
    offsets[SYNTH_NECK] = lope_v3(0.0f, 0.19f, 0.0f);
    offsets[SYNTH_HEAD] = lope_v3(0.0f, 0.08f, 0.0f);
    tips[SYNTH_LEFT_TOE] = tips[SYNTH_RIGHT_TOE] = lope_v3(0.0f, 0.0f, out->toe_length);
    tips[SYNTH_HEAD] = lope_v3(0.0f, HEAD_TOP, 0.0f);
    tips[SYNTH_LEFT_HAND] = lope_v3(out->hand_length, 0.0f, 0.0f);
    tips[SYNTH_RIGHT_HAND] = lope_v3(-out->hand_length, 0.0f, 0.0f);
    lope_transform rest[SYNTH_JOINT_COUNT];
    for (int j = 0; j < SYNTH_JOINT_COUNT; j++)
        rest[j] = (lope_transform){lope_quat_identity(), offsets[j]};
    lope_skeleton_def def = {
        .joint_count = SYNTH_JOINT_COUNT, .names = NAMES, .parents = PARENTS, .rest = rest, .tips = tips};
    return lope_skeleton_create(&def, &out->skeleton, error);
}

void synth_body_release(synth_body *body)
{
    lope_skeleton_release(body->skeleton);
    body->skeleton = NULL;
}

lope_transform synth_foot_flat(const synth_body *body, lope_vec3 sole, float yaw, float pitch)
{
    lope_quat rotation = lope_quat_mul(lope_quat_yaw(yaw), lope_quat_axis_angle(AXIS_X, -pitch));
    lope_vec3 up = lope_quat_rotate(rotation, lope_v3(0.0f, body->ankle_height, 0.0f));
    lope_transform ankle = {rotation, lope_v3_add(sole, up)};
    return ankle;
}

// Working state of one solve: local rotations are written to the pose, world transforms kept for the children.
typedef struct solver {
    const synth_body *body;
    lope_pose *pose;
    lope_transform world[SYNTH_JOINT_COUNT];
} solver;

static void set_local(solver *s, int joint, lope_quat rotation)
{
    lope_transform local = {lope_quat_normalize(rotation), s->body->skeleton->rest[joint].translation};
    s->pose->rotations[joint] = local.rotation;
    s->world[joint] = lope_transform_mul(s->world[PARENTS[joint]], local);
}

static void set_world(solver *s, int joint, lope_quat rotation)
{
    set_local(s, joint, lope_quat_mul(lope_quat_conjugate(s->world[PARENTS[joint]].rotation), rotation));
}

// World position of a joint whose parent is solved and whose own rotation is not.
static lope_vec3 joint_place(const solver *s, int joint)
{
    return lope_transform_point(s->world[PARENTS[joint]], s->body->skeleton->rest[joint].translation);
}

// Angle by which `to` is turned away from `from`, in [0, pi], accurate also near the ends.
static float bend_between(lope_vec3 from, lope_vec3 to)
{
    double across = (double)lope_v3_length(lope_v3_cross(from, to));
    return (float)lope_atan2(across, (double)lope_v3_dot(from, to));
}

// Direction in which the knee leaves the line from hip to ankle.
static lope_vec3 knee_direction(const synth_foot *foot, lope_vec3 along)
{
    if (lope_v3_length(foot->knee_towards) > 1e-6f)
        return foot->knee_towards;
    // The foot's own forward may lie along the leg (toes down at toe-off); square to its side axis it never does.
    lope_vec3 side = lope_quat_rotate(foot->ankle.rotation, AXIS_X);
    return lope_v3_cross(along, side);
}

static float solve_leg(solver *s, int hip, const synth_foot *foot)
{
    const synth_body *body = s->body;
    lope_vec3 a = joint_place(s, hip), reached;
    lope_vec3 along = lope_v3_normalize(lope_v3_sub(foot->ankle.translation, a),
                                        lope_quat_rotate(s->world[0].rotation, lope_v3(0.0f, -1.0f, 0.0f)));
    lope_vec3 pole = knee_direction(foot, along);
    lope_vec3 knee = lope_ik_middle(a, body->thigh, body->shin, foot->ankle.translation, pole, 0.0f, &reached);
    lope_vec3 thigh = lope_v3_normalize(lope_v3_sub(knee, a), along);
    lope_vec3 shin = lope_v3_normalize(lope_v3_sub(reached, knee), along);
    lope_vec3 x = lope_v3_normalize(lope_v3_cross(pole, along), lope_quat_rotate(s->world[0].rotation, AXIS_X));
    lope_vec3 y = lope_v3_scale(thigh, -1.0f);
    set_world(s, hip, lope_quat_from_axes(x, y, lope_v3_cross(x, y)));
    set_local(s, hip + 1, lope_quat_axis_angle(AXIS_X, bend_between(thigh, shin)));
    set_world(s, hip + 2, foot->ankle.rotation);
    set_local(s, hip + 3, lope_quat_axis_angle(AXIS_X, -foot->toe_bend));
    return lope_v3_distance(s->world[hip + 2].translation, foot->ankle.translation);
}

static void solve_trunk(solver *s, const synth_frame *frame)
{
    for (int i = 0; i < 3; i++) {
        lope_quat yaw = lope_quat_axis_angle(AXIS_Y, frame->spine_yaw * SPINE_SHARE[i]);
        lope_quat pitch = lope_quat_axis_angle(AXIS_X, frame->spine_pitch * SPINE_SHARE[i]);
        lope_quat roll = lope_quat_axis_angle(AXIS_Z, -frame->spine_roll * SPINE_SHARE[i]);
        set_local(s, SYNTH_SPINE + i, lope_quat_mul(yaw, lope_quat_mul(pitch, roll)));
    }
    // Neck and head each take half of the way from the chest to where the head should look.
    set_world(s, SYNTH_NECK, lope_quat_nlerp(s->world[SYNTH_CHEST].rotation, frame->head, 0.5f));
    set_world(s, SYNTH_HEAD, frame->head);
}

// The hanging arm. `out` is +1 on the left, -1 on the right; the rest pose's arm points to `out` * X.
static void hang_arm(solver *s, int shoulder, const synth_arm *arm, float out)
{
    lope_quat down = lope_quat_axis_angle(AXIS_Z, out * (float)(arm->abduction - (float)(0.5 * LOPE_PI)));
    lope_quat swing = lope_quat_axis_angle(AXIS_X, -arm->swing);
    lope_quat twist = lope_quat_axis_angle(AXIS_X, arm->twist);
    set_local(s, shoulder, lope_quat_mul(swing, lope_quat_mul(down, twist)));
    set_local(s, shoulder + 1, lope_quat_axis_angle(AXIS_Y, -out * fmaxf(arm->elbow, 0.0f)));
    set_local(s, shoulder + 2, lope_quat_identity());
}

static float hold_arm(solver *s, int shoulder, const synth_arm *arm, float out)
{
    const synth_body *body = s->body;
    lope_vec3 a = joint_place(s, shoulder), reached, pole = arm->elbow_towards;
    if (lope_v3_length(pole) < 1e-6f)
        pole = lope_quat_rotate(s->world[SYNTH_CHEST].rotation, lope_v3(0.0f, -1.0f, -1.0f));
    lope_vec3 elbow = lope_ik_middle(a, body->upper_arm, body->forearm, arm->wrist, pole, 0.0f, &reached);
    lope_vec3 side = lope_quat_rotate(s->world[SYNTH_CHEST].rotation, lope_v3(out, 0.0f, 0.0f));
    lope_vec3 along = lope_v3_normalize(lope_v3_sub(arm->wrist, a), side);
    lope_vec3 upper = lope_v3_normalize(lope_v3_sub(elbow, a), along);
    lope_vec3 lower = lope_v3_normalize(lope_v3_sub(reached, elbow), along);
    // Forearms bend towards +Z of the upper arm, about its Y axis: the plane's normal.
    lope_vec3 y = lope_v3_normalize(lope_v3_scale(lope_v3_cross(along, pole), out), AXIS_Y);
    lope_vec3 x = lope_v3_scale(upper, out);
    set_world(s, shoulder, lope_quat_from_axes(x, y, lope_v3_cross(x, y)));
    set_local(s, shoulder + 1, lope_quat_axis_angle(AXIS_Y, -out * bend_between(upper, lower)));
    set_world(s, shoulder + 2, arm->hand_rotation);
    return lope_v3_distance(s->world[shoulder + 2].translation, arm->wrist);
}

static float solve_arm(solver *s, int collar, const synth_arm *arm, float out)
{
    set_local(s, collar, lope_quat_identity());
    if (arm->held)
        return hold_arm(s, collar + 1, arm, out);
    hang_arm(s, collar + 1, arm, out);
    return 0.0f;
}

float synth_body_solve(const synth_body *body, const synth_frame *frame, lope_pose *out)
{
    assert(out->joint_count == SYNTH_JOINT_COUNT);
    solver s = {.body = body, .pose = out};
    s.world[0] = (lope_transform){lope_quat_normalize(frame->pelvis.rotation), frame->pelvis.translation};
    out->root = frame->pelvis.translation;
    out->rotations[0] = s.world[0].rotation;
    for (int j = 0; out->translations && j < SYNTH_JOINT_COUNT; j++)
        out->translations[j] = j == 0 ? out->root : body->skeleton->rest[j].translation;
    float missed = fmaxf(solve_leg(&s, SYNTH_LEFT_HIP, &frame->feet[LOPE_LEFT]),
                         solve_leg(&s, SYNTH_RIGHT_HIP, &frame->feet[LOPE_RIGHT]));
    solve_trunk(&s, frame);
    missed = fmaxf(missed, solve_arm(&s, SYNTH_LEFT_COLLAR, &frame->arms[LOPE_LEFT], 1.0f));
    return fmaxf(missed, solve_arm(&s, SYNTH_RIGHT_COLLAR, &frame->arms[LOPE_RIGHT], -1.0f));
}
