// SPDX-License-Identifier: MIT
// Limbs reach what they can, keep their bones and their end's orientation, and bend the way bodies do.
#include <string.h>

#include "base/random.h"
#include "support/support.h"

enum { JOINTS = 21 };

typedef struct body {
    lope_skeleton *skeleton;
    lope_quat rotations[JOINTS];
    lope_pose pose;
    lope_transform model[JOINTS];
} body;

static void stand(body *b)
{
    for (int j = 0; j < JOINTS; j++)
        b->rotations[j] = lope_quat_identity();
    b->pose = (lope_pose){JOINTS, b->skeleton->rest[0].translation, b->rotations, NULL};
    lope_pose_to_model(b->skeleton, &b->pose, b->model);
}

static void make_body(body *b)
{
    b->skeleton = test_biped();
    assert_int_equal(b->skeleton->joint_count, JOINTS);
    stand(b);
}

static void move_at_random(body *b, lope_random *random)
{
    for (int j = 0; j < JOINTS; j++)
        b->rotations[j] = lope_quat_axis_angle(test_random_direction(random), lope_random_range(random, 0.0f, 1.0f));
    lope_pose_to_model(b->skeleton, &b->pose, b->model);
}

static lope_limb limb_number(const lope_skeleton *skeleton, int number)
{
    lope_limb limb;
    bool found = number < 2 ? lope_skeleton_leg(skeleton, (lope_side)number, &limb)
                            : lope_skeleton_arm(skeleton, (lope_side)(number - 2), &limb);
    assert_true(found);
    return limb;
}

static float bone(const body *b, int from, int to)
{
    return lope_v3_distance(b->model[from].translation, b->model[to].translation);
}

// The model that was updated in place is the pose's.
static void assert_model_matches(const body *b)
{
    lope_transform model[JOINTS];
    lope_pose_to_model(b->skeleton, &b->pose, model);
    for (int j = 0; j < JOINTS; j++) {
        assert_near(lope_v3_distance(model[j].translation, b->model[j].translation), 0.0, 1e-6);
        assert_near(lope_quat_angle(model[j].rotation, b->model[j].rotation), 0.0, 2e-6);
    }
}

static void reachable_targets_are_reached(void **state)
{
    (void)state;
    body b;
    make_body(&b);
    lope_random random = lope_random_seed(1);
    for (int i = 0; i < 4000; i++) {
        lope_limb limb = limb_number(b.skeleton, i % 4);
        move_at_random(&b, &random);
        float upper = bone(&b, limb.upper, limb.lower), lower = bone(&b, limb.lower, limb.end);
        float reach = lope_random_range(&random, fabsf(upper - lower) + 0.001f, upper + lower - 1e-4f);
        lope_vec3 target = lope_v3_mad(b.model[limb.upper].translation, test_random_direction(&random), reach);
        lope_quat end = b.model[limb.end].rotation, shoulder = b.model[b.skeleton->parents[limb.upper]].rotation;
        float left = lope_ik_limb(b.skeleton, limb, target, 0.0f, &b.pose, b.model);
        assert_true(left < 1e-5f);
        assert_near(lope_v3_distance(b.model[limb.end].translation, target), left, 1e-6);
        assert_near(lope_quat_angle(b.model[limb.end].rotation, end), 0.0, 3e-6);
        assert_near(lope_quat_angle(b.model[b.skeleton->parents[limb.upper]].rotation, shoulder), 0.0, 1e-7);
        assert_near(bone(&b, limb.upper, limb.lower), upper, 1e-6);
        assert_near(bone(&b, limb.lower, limb.end), lower, 1e-6);
        assert_model_matches(&b);
    }
    lope_skeleton_release(b.skeleton);
}

// Bends knees and elbows the natural way by a random angle, hips and shoulders anyhow.
static void bend_naturally(body *b, lope_random *random, float least, float most)
{
    move_at_random(b, random);
    for (int number = 0; number < 4; number++) {
        float angle = lope_random_range(random, least, most);
        lope_vec3 hinge = number < 2 ? lope_v3(1, 0, 0) : number == 2 ? lope_v3(0, -1, 0) : lope_v3(0, 1, 0);
        b->rotations[limb_number(b->skeleton, number).lower] = lope_quat_axis_angle(hinge, angle);
    }
    lope_pose_to_model(b->skeleton, &b->pose, b->model);
}

static void where_it_is_it_stays(void **state)
{
    (void)state;
    body b;
    make_body(&b);
    lope_random random = lope_random_seed(2);
    for (int i = 0; i < 400; i++) {
        lope_limb limb = limb_number(b.skeleton, i % 4);
        bend_naturally(&b, &random, i < 200 ? 0.0f : 0.05f, i < 200 ? 0.0f : 2.0f);
        lope_transform before[JOINTS];
        memcpy(before, b.model, sizeof before);
        lope_ik_limb(b.skeleton, limb, before[limb.end].translation, 0.05f, &b.pose, b.model);
        for (int j = 0; j < JOINTS; j++) {
            assert_near(lope_v3_distance(before[j].translation, b.model[j].translation), 0.0, i < 200 ? 5e-4 : 1e-5);
            assert_near(lope_quat_angle(before[j].rotation, b.model[j].rotation), 0.0, i < 200 ? 2e-3 : 1e-4);
        }
    }
    lope_skeleton_release(b.skeleton);
}

// How far in front of the line between its ends a limb's middle joint lies, seen from a body that faces `yaw`.
static float in_front(const body *b, lope_limb limb, float yaw)
{
    lope_vec3 forward = lope_quat_rotate(lope_quat_yaw(yaw), lope_v3(0, 0, 1));
    lope_vec3 middle = lope_v3_lerp(b->model[limb.upper].translation, b->model[limb.end].translation, 0.5f);
    return lope_v3_dot(lope_v3_sub(b->model[limb.lower].translation, middle), forward);
}

static void straight_limbs_bend_like_a_body(void **state)
{
    (void)state;
    body b;
    make_body(&b);
    lope_random random = lope_random_seed(3);
    for (int i = 0; i < 400; i++) {
        lope_limb limb = limb_number(b.skeleton, i % 4);
        stand(&b);
        float yaw = lope_random_range(&random, -3.1f, 3.1f);
        b.rotations[0] = lope_quat_yaw(yaw);
        // Stretched too far by up to three degrees, as noise does.
        if (i % 4 < 2)
            b.rotations[limb.lower] = lope_quat_axis_angle(lope_v3(1, 0, 0), -lope_random_range(&random, 0.0f, 0.05f));
        lope_pose_to_model(b.skeleton, &b.pose, b.model);
        lope_vec3 near = lope_v3_lerp(b.model[limb.end].translation, b.model[limb.upper].translation,
                                      lope_random_range(&random, 0.02f, 0.5f));
        assert_true(lope_ik_limb(b.skeleton, limb, near, 0.0f, &b.pose, b.model) < 1e-5f);
        float front = in_front(&b, limb, yaw);
        assert_true(i % 4 < 2 ? front > 0.05f : front < -0.05f);
    }
    lope_skeleton_release(b.skeleton);
}

static void a_bent_limb_keeps_its_plane(void **state)
{
    (void)state;
    body b;
    make_body(&b);
    lope_random random = lope_random_seed(4);
    for (int i = 0; i < 400; i++) {
        lope_limb limb = limb_number(b.skeleton, i % 4);
        bend_naturally(&b, &random, 0.6f, 1.5f);
        lope_quat local = b.rotations[limb.lower];
        lope_vec3 hinge = lope_v3_normalize(lope_quat_log(local), lope_v3(1, 0, 0));
        lope_vec3 target = lope_v3_mad(b.model[limb.upper].translation, test_random_direction(&random), 0.45f);
        assert_true(lope_ik_limb(b.skeleton, limb, target, 0.0f, &b.pose, b.model) < 1e-5f);
        lope_vec3 after = lope_quat_log(b.rotations[limb.lower]); // it turned about its hinge only
        assert_near(lope_v3_length(lope_v3_cross(after, hinge)), 0.0, 1e-3);
        assert_true(lope_v3_dot(after, hinge) > 0.0f);
    }
    lope_skeleton_release(b.skeleton);
}

static void the_reach_limit_is_soft(void **state)
{
    (void)state;
    const lope_vec3 a = {0.3f, 1.0f, -0.2f}, pole = {0, 0, 1}, down = {0, -1, 0};
    const float full = 0.8f, softness = 0.1f, step = 0.001f;
    float last = 0.0f, last_slope = 1.0f;
    for (float wanted = 0.2f; wanted < 1.6f; wanted += step) {
        lope_vec3 reached,
            middle = lope_ik_middle(a, 0.45f, 0.35f, lope_v3_mad(a, down, wanted), pole, softness, &reached);
        float distance = lope_v3_distance(a, reached);
        assert_near(lope_v3_distance(a, middle), 0.45, 1e-5);
        assert_near(lope_v3_distance(middle, reached), 0.35, 1e-5);
        assert_true(middle.z > a.z);
        assert_true(distance < full);
        if (wanted <= full - softness)
            assert_near(distance, wanted, 1e-6);
        if (last > 0.0f) { // no jump in the reach, none in its slope
            float slope = (distance - last) / step;
            assert_true(slope >= -1e-3f && slope <= 1.002f);
            assert_true(fabsf(slope - last_slope) < 0.015f);
            last_slope = slope;
        }
        last = distance;
    }
    lope_vec3 hard;
    lope_ik_middle(a, 0.45f, 0.35f, lope_v3_mad(a, down, 2.0f), pole, 0.0f, &hard);
    assert_near(lope_v3_distance(a, hard), full, 1e-6);
    lope_ik_middle(a, 0.45f, 0.35f, lope_v3_mad(a, down, 0.02f), pole, softness, &hard);
    assert_near(lope_v3_distance(a, hard), 0.1, 1e-6); // folded up as far as it goes
    lope_ik_middle(a, 0.45f, 0.35f, lope_v3_mad(a, down, 0.3f), pole, 5.0f, &hard);
    assert_true(lope_v3_distance(a, hard) >= 0.1f && lope_v3_distance(a, hard) < 0.3f);
}

// The whole way from folded to out of reach and around, in small steps: nothing jumps.
static void moving_targets_move_limbs_smoothly(void **state)
{
    (void)state;
    body b;
    make_body(&b);
    for (int number = 0; number < 4; number++) {
        lope_limb limb = limb_number(b.skeleton, number);
        lope_vec3 knee = {0, 0, 0}, foot = {0, 0, 0};
        for (int i = 0; i <= 4000; i++) {
            double t = (double)i / 4000.0;
            stand(&b); // each frame starts from the animated pose, as on a stream
            b.rotations[limb.lower] = lope_quat_axis_angle(
                number < 2 ? lope_v3(1, 0, 0) : lope_v3(0, number == 2 ? -1 : 1, 0), (float)(0.2 - 0.25 * t));
            lope_pose_to_model(b.skeleton, &b.pose, b.model);
            lope_vec3 sway = {(float)(0.1 * lope_sin(9.0 * t)), (float)(0.2 + 0.25 * lope_cos(7.0 * t)),
                              (float)(0.2 * lope_sin(11.0 * t))};
            lope_vec3 target = lope_v3_add(b.model[limb.end].translation, sway);
            if (number >= 2)
                target.x += number == 2 ? -0.1f : 0.1f;
            lope_ik_limb(b.skeleton, limb, target, 0.03f, &b.pose, b.model);
            if (i > 0) {
                assert_true(lope_v3_distance(knee, b.model[limb.lower].translation) < 0.01f);
                assert_true(lope_v3_distance(foot, b.model[limb.end].translation) < 0.003f);
            }
            knee = b.model[limb.lower].translation;
            foot = b.model[limb.end].translation;
        }
    }
    lope_skeleton_release(b.skeleton);
}

static void degenerate_limbs_stay_finite(void **state)
{
    (void)state;
    // Breadth-first, so that a leg's joints are not neighbours; the left thigh and the right shin have no length.
    static const char *const names[] = {"Hips",     "LeftUpLeg", "RightUpLeg",  "LeftLeg",     "RightLeg",
                                        "LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase"};
    static const int parents[] = {-1, 0, 0, 1, 2, 3, 4, 5, 6};
    static const float offsets[][3] = {{0, 1, 0},     {0.1f, 0, 0}, {-0.1f, 0, 0}, {0, 0, 0},        {0, -0.4f, 0},
                                       {0, -0.4f, 0}, {0, 0, 0},    {0, 0, 0.1f},  {0, -0.05f, 0.1f}};
    lope_transform rest[9], model[9], check[9];
    for (int j = 0; j < 9; j++)
        rest[j] = (lope_transform){{0, 0, 0, 1}, {offsets[j][0], offsets[j][1], offsets[j][2]}};
    lope_skeleton *skeleton;
    lope_error error;
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){9, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    lope_quat rotations[9];
    for (int side = 0; side < 2; side++)
        for (int where = 0; where < 4; where++) {
            for (int j = 0; j < 9; j++)
                rotations[j] = lope_quat_identity();
            lope_pose pose = {9, rest[0].translation, rotations, NULL};
            lope_pose_to_model(skeleton, &pose, model);
            lope_limb limb;
            assert_true(lope_skeleton_leg(skeleton, (lope_side)side, &limb));
            lope_vec3 a = model[limb.upper].translation;
            const lope_vec3 targets[4] = {a, lope_v3_add(a, lope_v3(0, 0.4f, 0)), lope_v3_add(a, lope_v3(0, 5, 0)),
                                          lope_v3_add(a, lope_v3(1e-9f, 0, 0))};
            float left = lope_ik_limb(skeleton, limb, targets[where], where & 1 ? 0.05f : 0.0f, &pose, model);
            assert_true(isfinite(left));
            lope_pose_to_model(skeleton, &pose, check);
            for (int j = 0; j < 9; j++) {
                assert_near(lope_quat_dot(rotations[j], rotations[j]), 1.0, 1e-5);
                assert_near(lope_v3_distance(check[j].translation, model[j].translation), 0.0, 1e-6);
            }
            if (where == 1) // the bone that is left can point there
                assert_true(left < 1e-5f);
        }
    lope_skeleton_release(skeleton);
}

static void limbs_are_found_by_role_only_where_they_hang_together(void **state)
{
    (void)state;
    lope_skeleton *skeleton = test_biped(), *other;
    lope_limb limb;
    assert_true(lope_skeleton_leg(skeleton, LOPE_RIGHT, &limb));
    assert_string_equal(skeleton->names[limb.lower], "RightLeg");
    assert_true(lope_skeleton_arm(skeleton, LOPE_LEFT, &limb));
    assert_string_equal(skeleton->names[limb.end], "LeftHand");
    int roles[LOPE_ROLE_COUNT];
    memcpy(roles, skeleton->roles, sizeof roles);
    roles[LOPE_LEFT_KNEE] = roles[LOPE_RIGHT_KNEE]; // a mistake in a role file
    roles[LOPE_LEFT_HAND] = -1;
    lope_error error;
    assert_ok(lope_skeleton_create(
        &(lope_skeleton_def){JOINTS, skeleton->names, skeleton->parents, skeleton->rest, skeleton->tips, roles, NULL},
        &other, &error));
    assert_false(lope_skeleton_leg(other, LOPE_LEFT, &limb));
    assert_true(lope_skeleton_leg(other, LOPE_RIGHT, &limb));
    assert_false(lope_skeleton_arm(other, LOPE_LEFT, &limb));
    lope_skeleton_release(skeleton);
    lope_skeleton_release(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reachable_targets_are_reached),
        cmocka_unit_test(where_it_is_it_stays),
        cmocka_unit_test(straight_limbs_bend_like_a_body),
        cmocka_unit_test(a_bent_limb_keeps_its_plane),
        cmocka_unit_test(the_reach_limit_is_soft),
        cmocka_unit_test(moving_targets_move_limbs_smoothly),
        cmocka_unit_test(degenerate_limbs_stay_finite),
        cmocka_unit_test(limbs_are_found_by_role_only_where_they_hang_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
