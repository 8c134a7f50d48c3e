// SPDX-License-Identifier: MIT
// The performer: what is asked of pelvis, feet and hands is what the joints then do, with hinges that stay hinges.
#include "synth/body.h"

#include "base/random.h"
#include "support/performer.h"

static const lope_vec3 AXIS_X = {1.0f, 0.0f, 0.0f}, AXIS_Y = {0.0f, 1.0f, 0.0f};

typedef struct solved {
    lope_quat rotations[SYNTH_JOINT_COUNT];
    lope_transform model[SYNTH_JOINT_COUNT];
    lope_vec3 root;
    float missed;
} solved;

static solved solve(const synth_body *body, const synth_frame *frame)
{
    solved s;
    lope_pose pose = {.joint_count = SYNTH_JOINT_COUNT, .rotations = s.rotations};
    s.missed = synth_body_solve(body, frame, &pose);
    s.root = pose.root;
    lope_pose_to_model(body->skeleton, &pose, s.model);
    return s;
}

static synth_frame standing(const synth_body *body)
{
    synth_frame frame = {.pelvis = body->skeleton->rest[0], .head = lope_quat_identity()};
    for (int side = 0; side < 2; side++) {
        float x = side == LOPE_LEFT ? body->hip_half_width : -body->hip_half_width;
        frame.feet[side].ankle = synth_foot_flat(body, lope_v3(x, 0.0f, 0.0f), 0.0f, 0.0f);
        frame.arms[side].hand_rotation = lope_quat_identity();
    }
    return frame;
}

// A point of a box. As arguments of one call, the order of the numbers would be the compiler's choice.
static lope_vec3 random_in(lope_random *random, lope_vec3 low, lope_vec3 high)
{
    lope_vec3 v;
    v.x = lope_random_range(random, low.x, high.x);
    v.y = lope_random_range(random, low.y, high.y);
    v.z = lope_random_range(random, low.z, high.z);
    return v;
}

static lope_quat random_turn(lope_random *random, float most)
{
    return lope_quat_exp(random_in(random, lope_v3(-most, -most, -most), lope_v3(most, most, most)));
}

// A frame within reach: pelvis lowered and turned, feet and hands anywhere a person can put them.
static synth_frame random_frame(const synth_body *body, lope_random *random)
{
    synth_frame frame = standing(body);
    frame.pelvis.translation = random_in(random, lope_v3(-0.1f, 0.6f, -0.1f), lope_v3(0.1f, 0.8f, 0.1f));
    frame.pelvis.rotation = random_turn(random, 0.2f);
    frame.spine_pitch = lope_random_range(random, -0.1f, 0.6f);
    frame.spine_yaw = lope_random_range(random, -0.5f, 0.5f);
    frame.spine_roll = lope_random_range(random, -0.3f, 0.3f);
    frame.head = random_turn(random, 0.4f);
    for (int side = 0; side < 2; side++) {
        float out = side == LOPE_LEFT ? 1.0f : -1.0f;
        synth_foot *foot = &frame.feet[side];
        foot->ankle.translation = random_in(random, lope_v3(0.05f, 0.08f, -0.25f), lope_v3(0.2f, 0.2f, 0.25f));
        foot->ankle.translation.x *= out;
        foot->ankle.rotation = random_turn(random, 0.5f);
        foot->toe_bend = lope_random_range(random, 0.0f, 0.5f);
        synth_arm *arm = &frame.arms[side];
        arm->held = lope_random_below(random, 2) == 1;
        arm->wrist =
            lope_v3_add(frame.pelvis.translation, lope_v3(out * 0.2f, 0.2f, lope_random_range(random, 0.15f, 0.25f)));
        arm->hand_rotation = random_turn(random, 0.5f);
        arm->swing = lope_random_range(random, -0.5f, 0.8f);
        arm->abduction = lope_random_range(random, 0.0f, 0.5f);
        arm->elbow = lope_random_range(random, 0.0f, 1.5f);
        arm->twist = lope_random_range(random, -0.5f, 0.5f);
    }
    return frame;
}

static void skeleton_is_a_person(void **state)
{
    const synth_body *body = *state;
    const lope_skeleton *skeleton = body->skeleton;
    assert_int_equal(skeleton->role_source, LOPE_ROLES_NAMES);
    assert_near(lope_skeleton_height(skeleton), 1.75, 1e-5);
    assert_near(lope_skeleton_leg_length(skeleton), body->thigh + body->shin, 1e-6);
    assert_near(body->thigh + body->shin + body->ankle_height, body->hip_height, 1e-6);
    static const int joints[LOPE_ROLE_COUNT] = {
        [LOPE_HIPS] = SYNTH_HIPS,
        [LOPE_SPINE] = SYNTH_SPINE,
        [LOPE_CHEST] = SYNTH_CHEST,
        [LOPE_NECK] = SYNTH_NECK,
        [LOPE_HEAD] = SYNTH_HEAD,
        [LOPE_LEFT_COLLAR] = SYNTH_LEFT_COLLAR,
        [LOPE_LEFT_SHOULDER] = SYNTH_LEFT_SHOULDER,
        [LOPE_LEFT_ELBOW] = SYNTH_LEFT_ELBOW,
        [LOPE_LEFT_HAND] = SYNTH_LEFT_HAND,
        [LOPE_RIGHT_COLLAR] = SYNTH_RIGHT_COLLAR,
        [LOPE_RIGHT_SHOULDER] = SYNTH_RIGHT_SHOULDER,
        [LOPE_RIGHT_ELBOW] = SYNTH_RIGHT_ELBOW,
        [LOPE_RIGHT_HAND] = SYNTH_RIGHT_HAND,
        [LOPE_LEFT_HIP] = SYNTH_LEFT_HIP,
        [LOPE_LEFT_KNEE] = SYNTH_LEFT_KNEE,
        [LOPE_LEFT_ANKLE] = SYNTH_LEFT_ANKLE,
        [LOPE_LEFT_TOE] = SYNTH_LEFT_TOE,
        [LOPE_RIGHT_HIP] = SYNTH_RIGHT_HIP,
        [LOPE_RIGHT_KNEE] = SYNTH_RIGHT_KNEE,
        [LOPE_RIGHT_ANKLE] = SYNTH_RIGHT_ANKLE,
        [LOPE_RIGHT_TOE] = SYNTH_RIGHT_TOE,
    };
    for (int role = 0; role < LOPE_ROLE_COUNT; role++)
        assert_int_equal(skeleton->roles[role], joints[role]);
}

// The measures that contacts are exact for are those that the contact points of any skeleton are found with.
static void measures_agree_with_contact_points(void **state)
{
    const synth_body *body = *state;
    lope_transform rest[SYNTH_JOINT_COUNT];
    lope_vec3 found[LOPE_CONTACT_COUNT];
    lope_skeleton_rest_model(body->skeleton, rest);
    lope_contact_points(body->skeleton, rest, found);
    lope_vec3 heel = {0.0f, -body->ankle_height, -body->heel_back}, palm = {body->palm, 0.0f, 0.0f};
    lope_vec3 kneecap = {0.0f, 0.0f, body->kneecap}, seat = {0.0f, -body->seat_below, -body->seat_behind};
    assert_near(lope_v3_distance(found[0], lope_transform_point(rest[SYNTH_LEFT_ANKLE], heel)), 0.0, 1e-3);
    assert_near(lope_v3_distance(found[1], rest[SYNTH_LEFT_TOE].translation), 0.0, 1e-3);
    assert_near(lope_v3_distance(found[4], lope_transform_point(rest[SYNTH_LEFT_HAND], palm)), 0.0, 1e-3);
    assert_near(lope_v3_distance(found[6], lope_transform_point(rest[SYNTH_LEFT_KNEE], kneecap)), 0.0, 1e-3);
    assert_near(lope_v3_distance(found[8], lope_transform_point(rest[SYNTH_HIPS], seat)), 0.0, 1e-3);
}

static void feet_and_hands_are_exactly_where_asked(void **state)
{
    const synth_body *body = *state;
    lope_random random = lope_random_seed(7);
    for (int i = 0; i < 2000; i++) {
        synth_frame frame = random_frame(body, &random);
        solved s = solve(body, &frame);
        assert_near(s.missed, 0.0, 1e-5);
        assert_near(lope_quat_angle(s.model[SYNTH_HEAD].rotation, frame.head), 0.0, 1e-5);
        for (int side = 0; side < 2; side++) {
            lope_transform ankle = s.model[side == LOPE_LEFT ? SYNTH_LEFT_ANKLE : SYNTH_RIGHT_ANKLE];
            assert_near(lope_v3_distance(ankle.translation, frame.feet[side].ankle.translation), 0.0, 1e-5);
            assert_near(lope_quat_angle(ankle.rotation, frame.feet[side].ankle.rotation), 0.0, 1e-5);
            lope_transform hand = s.model[side == LOPE_LEFT ? SYNTH_LEFT_HAND : SYNTH_RIGHT_HAND];
            if (!frame.arms[side].held)
                continue;
            assert_near(lope_v3_distance(hand.translation, frame.arms[side].wrist), 0.0, 1e-5);
            assert_near(lope_quat_angle(hand.rotation, frame.arms[side].hand_rotation), 0.0, 1e-5);
        }
    }
}

static void knees_and_elbows_are_hinges(void **state)
{
    const synth_body *body = *state;
    lope_random random = lope_random_seed(8);
    for (int i = 0; i < 2000; i++) {
        synth_frame frame = random_frame(body, &random);
        solved s = solve(body, &frame);
        for (int side = 0; side < 2; side++) {
            lope_quat knee = s.rotations[side == LOPE_LEFT ? SYNTH_LEFT_KNEE : SYNTH_RIGHT_KNEE];
            assert_true(knee.y == 0.0f && knee.z == 0.0f && knee.x >= 0.0f && knee.w >= 0.0f);
            lope_quat elbow = s.rotations[side == LOPE_LEFT ? SYNTH_LEFT_ELBOW : SYNTH_RIGHT_ELBOW];
            float forward = side == LOPE_LEFT ? -elbow.y : elbow.y;
            assert_true(elbow.x == 0.0f && elbow.z == 0.0f && forward >= 0.0f && elbow.w >= 0.0f);
        }
    }
}

static void knees_point_where_the_foot_does_or_as_told(void **state)
{
    const synth_body *body = *state;
    synth_frame frame = standing(body);
    frame.pelvis.translation.y = 0.7f;
    // On tiptoe the foot's forward axis runs down along the shin; the knee must still go forward.
    frame.feet[LOPE_LEFT].ankle.rotation = lope_quat_axis_angle(AXIS_X, 1.4f);
    frame.feet[LOPE_RIGHT].knee_towards = lope_v3(-1.0f, 0.0f, 1.0f);
    solved s = solve(body, &frame);
    assert_true(s.model[SYNTH_LEFT_KNEE].translation.z > 0.1f);
    assert_near(s.model[SYNTH_LEFT_KNEE].translation.x, body->hip_half_width, 1e-5);
    lope_vec3 out = lope_v3_sub(s.model[SYNTH_RIGHT_KNEE].translation, s.model[SYNTH_RIGHT_HIP].translation);
    assert_near(out.x, -out.z, 1e-5);
    assert_true(out.z > 0.1f);
}

static void out_of_reach_stretches_and_tells(void **state)
{
    const synth_body *body = *state;
    synth_frame frame = standing(body);
    frame.pelvis.translation.y += 0.05f;
    solved s = solve(body, &frame);
    assert_near(s.missed, 0.05, 1e-5);
    assert_near(s.rotations[SYNTH_LEFT_KNEE].x, 0.0, 1e-3);
    frame = standing(body);
    frame.arms[LOPE_RIGHT].held = true;
    frame.arms[LOPE_RIGHT].wrist = lope_v3(-0.18f - body->upper_arm - body->forearm - 0.1f, 1.43f, 0.0f);
    assert_near(solve(body, &frame).missed, 0.1, 1e-5);
}

static void mirrored_frames_give_mirrored_poses(void **state)
{
    const synth_body *body = *state;
    lope_random random = lope_random_seed(9);
    static const int other[SYNTH_JOINT_COUNT] = {0,  5,  6,  7,  8,  1,  2,  3,  4,  9,  10,
                                                 11, 12, 13, 18, 19, 20, 21, 14, 15, 16, 17};
    for (int i = 0; i < 500; i++) {
        synth_frame frame = random_frame(body, &random), mirror = frame;
        mirror.pelvis.translation.x = -frame.pelvis.translation.x;
        mirror.pelvis.rotation.y = -frame.pelvis.rotation.y, mirror.pelvis.rotation.z = -frame.pelvis.rotation.z;
        mirror.head.y = -frame.head.y, mirror.head.z = -frame.head.z;
        mirror.spine_yaw = -frame.spine_yaw, mirror.spine_roll = -frame.spine_roll;
        for (int side = 0; side < 2; side++) {
            synth_foot *foot = &mirror.feet[side];
            *foot = frame.feet[1 - side];
            foot->ankle.translation.x *= -1.0f, foot->ankle.rotation.y *= -1.0f, foot->ankle.rotation.z *= -1.0f;
            synth_arm *arm = &mirror.arms[side];
            *arm = frame.arms[1 - side];
            arm->wrist.x *= -1.0f, arm->hand_rotation.y *= -1.0f, arm->hand_rotation.z *= -1.0f;
        }
        solved a = solve(body, &frame), b = solve(body, &mirror);
        for (int j = 0; j < SYNTH_JOINT_COUNT; j++) {
            lope_quat q = a.rotations[other[j]];
            q.y = -q.y, q.z = -q.z;
            assert_near(lope_quat_angle(q, b.rotations[j]), 0.0, 2e-5);
        }
    }
}

static void angles_mean_what_they_say(void **state)
{
    const synth_body *body = *state;
    synth_frame frame = standing(body);
    frame.spine_pitch = 0.4f;
    assert_true(solve(body, &frame).model[SYNTH_NECK].translation.z > 0.05f);
    frame = standing(body);
    frame.spine_roll = 0.4f;
    assert_true(solve(body, &frame).model[SYNTH_NECK].translation.x > 0.05f);
    frame = standing(body);
    frame.spine_yaw = 0.4f; // shoulders turn left: the right one comes forward
    assert_true(solve(body, &frame).model[SYNTH_RIGHT_SHOULDER].translation.z > 0.05f);
    frame = standing(body);
    for (int side = 0; side < 2; side++)
        frame.arms[side] = (synth_arm){.swing = 0.3f, .abduction = 0.2f, .elbow = 0.5f, .twist = 0.3f};
    solved s = solve(body, &frame);
    float shoulder_x = s.model[SYNTH_LEFT_SHOULDER].translation.x;
    assert_true(s.model[SYNTH_LEFT_ELBOW].translation.z > 0.05f);
    assert_true(s.model[SYNTH_LEFT_ELBOW].translation.x > shoulder_x + 0.04f);
    assert_true(s.model[SYNTH_LEFT_HAND].translation.z > s.model[SYNTH_LEFT_ELBOW].translation.z + 0.1f);
    frame.arms[LOPE_LEFT].twist = 0.0f; // twisting inwards had brought the hand nearer to the middle
    float untwisted = solve(body, &frame).model[SYNTH_LEFT_HAND].translation.x;
    assert_true(s.model[SYNTH_LEFT_HAND].translation.x < untwisted - 0.02f);
}

static void flat_foot_has_its_sole_on_the_slope(void **state)
{
    const synth_body *body = *state;
    lope_vec3 sole = {0.3f, 0.5f, -0.2f};
    float yaw = 0.7f, pitch = 0.25f;
    lope_transform ankle = synth_foot_flat(body, sole, yaw, pitch);
    lope_vec3 ball = lope_transform_point(ankle, lope_v3(0.0f, -body->ankle_height, body->ball_forward));
    lope_vec3 along = lope_v3_scale(lope_v3_sub(ball, sole), 1.0f / body->ball_forward);
    assert_near(along.y, sin(0.25), 1e-5);
    assert_near(lope_atan2((double)along.x, (double)along.z), yaw, 1e-5);
    lope_vec3 up = lope_quat_rotate(ankle.rotation, AXIS_Y);
    assert_near(lope_v3_dot(up, along), 0.0, 1e-5);
}

static lope_status create_and_release(void *user, lope_error *error)
{
    (void)user;
    synth_body body;
    lope_status status = synth_body_create(&body, error);
    synth_body_release(&body);
    return status;
}

static void survives_lack_of_memory(void **state)
{
    (void)state;
    test_allocation_failures(create_and_release, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skeleton_is_a_person),
        cmocka_unit_test(measures_agree_with_contact_points),
        cmocka_unit_test(feet_and_hands_are_exactly_where_asked),
        cmocka_unit_test(knees_and_elbows_are_hinges),
        cmocka_unit_test(knees_point_where_the_foot_does_or_as_told),
        cmocka_unit_test(out_of_reach_stretches_and_tells),
        cmocka_unit_test(mirrored_frames_give_mirrored_poses),
        cmocka_unit_test(angles_mean_what_they_say),
        cmocka_unit_test(flat_foot_has_its_sole_on_the_slope),
        cmocka_unit_test(survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, test_performer_create, test_performer_release);
}
