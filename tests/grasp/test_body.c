// SPDX-License-Identifier: MIT
// The ten-link body: kinematics, movable root, two-link inverse kinematics, and each heuristic by hand.
#include "support/support.h"

#define DEGREE (LOPE_PI / 180.0)

static lope_grasp_pose random_pose(const lope_grasp_body *body, lope_random *random)
{
    lope_grasp_pose pose = {.facing = lope_random_below(random, 2) ? 1 : -1};
    pose.hip.x = (double)lope_random_range(random, -2, 2);
    pose.hip.y = (double)lope_random_range(random, -2, 2);
    pose.spine = (double)lope_random_range(random, -1, 1.5f);
    pose.neck = (double)lope_random_range(random, -0.7f, 0.7f);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        for (int k = 0; k < 2; k++) {
            lope_angle_range range = body->range[i >= LOPE_LEFT_LEG][k];
            pose.limb[i][k] = (double)lope_random_range(random, (float)range.low + 0.05f, (float)range.high - 0.05f);
        }
    return pose;
}

static void upright_is_where_it_should_be(void **state)
{
    (void)state;
    lope_grasp_body body = lope_grasp_body_default();
    lope_grasp_pose pose = {.hip = {1, 0.9}, .facing = 1};
    lope_grasp_points points;
    lope_grasp_forward(&body, &pose, &points);
    assert_near(points.neck.y, 1.45, 1e-12);
    assert_near(points.head.y, 1.70, 1e-12);
    assert_near(points.end[LOPE_LEFT_ARM].y, 0.75, 1e-12);
    assert_near(points.end[LOPE_LEFT_LEG].y, 0.0, 1e-12);
    assert_near(points.mass.x, 1.0, 1e-12);
    assert_near(body.unit * 4.3, 2 * 0.35 + 0.55 + 2 * 0.45, 1e-12); // hand to foot, stretched (5.3.1)
    // By hand: every link's mass at its centre.
    double mass = 0.497 * 1.175 + 0.081 * 1.575 + 2 * (0.028 * (1.45 - 0.436 * 0.35) + 0.022 * (1.1 - 0.682 * 0.35)) +
                  2 * (0.1 * (0.9 - 0.433 * 0.45) + 0.061 * (0.45 - 0.606 * 0.45));
    assert_near(points.mass.y, mass, 1e-9);
    double total = 0.497 + 0.081 + 2 * (0.028 + 0.022 + 0.1 + 0.061);
    assert_near(total, 1.0, 1e-12);
    // Forward is forward: knee, elbow and lean of a body that faces left.
    pose =
        (lope_grasp_pose){.spine = 0.3, .limb = {[LOPE_LEFT_ARM] = {1, 0.5}, [LOPE_LEFT_LEG] = {1, 1}}, .facing = -1};
    lope_grasp_forward(&body, &pose, &points);
    assert_true(points.neck.x < -0.1 && points.middle[LOPE_LEFT_ARM].x < points.neck.x);
    assert_true(points.end[LOPE_LEFT_ARM].x < points.middle[LOPE_LEFT_ARM].x);
    assert_true(points.middle[LOPE_LEFT_LEG].x < -0.2 && points.end[LOPE_LEFT_LEG].x > points.middle[LOPE_LEFT_LEG].x);
}

static void any_root_tells_the_same_pose(void **state)
{
    (void)state;
    lope_grasp_body body = lope_grasp_body_default();
    lope_random random = lope_random_seed(11);
    for (int i = 0; i < 200; i++) {
        lope_grasp_pose pose = random_pose(&body, &random), back;
        lope_grasp_points points, again;
        double q[LOPE_GRASP_DOF];
        int root = lope_random_below(&random, LOPE_ROOT_LIMB + LOPE_LIMB_COUNT);
        lope_grasp_forward(&body, &pose, &points);
        lope_grasp_configuration(&body, &pose, root, q);
        lope_grasp_pose_from(&body, q, root, pose.facing, &back);
        lope_grasp_forward(&body, &back, &again);
        assert_near(again.head.x, points.head.x, 1e-12);
        assert_near(again.end[3].y, points.end[3].y, 1e-12);
        // Turning about the root leaves it in place.
        q[2] += 0.4;
        q[4] -= 0.3;
        lope_grasp_pose_from(&body, q, root, pose.facing, &back);
        lope_grasp_forward(&body, &back, &again);
        lope_xy at = root == LOPE_ROOT_HIP    ? again.hip
                     : root == LOPE_ROOT_NECK ? again.neck
                                              : again.end[root - LOPE_ROOT_LIMB];
        assert_near(at.x, q[0], 1e-12);
        assert_near(at.y, q[1], 1e-12);
    }
}

static void limbs_reach_what_they_can(void **state)
{
    (void)state;
    lope_grasp_body body = lope_grasp_body_default();
    lope_random random = lope_random_seed(5);
    for (int i = 0; i < 1000; i++) {
        lope_grasp_pose pose = random_pose(&body, &random), found;
        lope_grasp_points points;
        int limb = lope_random_below(&random, LOPE_LIMB_COUNT);
        lope_grasp_forward(&body, &pose, &points);
        found = pose;
        found.limb[limb][0] = found.limb[limb][1] = 0.1;
        assert_true(lope_grasp_reach(&body, &found, (lope_grasp_limb)limb, points.end[limb]));
        assert_near(found.limb[limb][0], pose.limb[limb][0], 1e-6); // bends one way only: the solution is unique
        assert_near(found.limb[limb][1], pose.limb[limb][1], 1e-6);
        assert_near(lope_grasp_excess(&body, &found), 0, 1e-9);
    }
    lope_grasp_pose pose = {.hip = {0, 1}, .facing = 1}, before = pose;
    assert_false(lope_grasp_reach(&body, &pose, LOPE_LEFT_LEG, (lope_xy){0.5, 0.1}));  // too far
    assert_false(lope_grasp_reach(&body, &pose, LOPE_LEFT_LEG, (lope_xy){-0.7, 1.2})); // hips do not bend back that far
    assert_memory_equal(&pose, &before, sizeof pose);
    assert_true(lope_grasp_reach(&body, &pose, LOPE_LEFT_LEG, (lope_xy){0.3, 0.2}));
    pose.neck = 50 * DEGREE;
    assert_near(lope_grasp_excess(&body, &pose), 5 * DEGREE, 1e-9);
}

// Heuristics of a pose that makes each worth a round number.
static void heuristics_are_as_printed(void **state)
{
    (void)state;
    lope_grasp_body body = lope_grasp_body_default();
    lope_grasp_pose pose = {.hip = {0, 0.9}, .facing = 1};
    lope_grasp_contacts feet = {LOPE_LEG_MASK, {{0, 0}, {0, 0}, {0, 0}, {0, 0}}};
#define VALUE(h) lope_grasp_heuristic_value(&body, &pose, &feet, h)
    assert_near(VALUE(LOPE_HEAD_UP), 1, 1e-12);
    assert_near(VALUE(LOPE_COMFY_LIMBS), 1 + 4 * 20.0 / 720, 1e-9); // straight limbs are 20 degrees off
    assert_near(VALUE(LOPE_BALANCE), 1, 1e-12);
    assert_near(VALUE(LOPE_UPRIGHT_SPINE), 1, 1e-12);
    assert_near(VALUE(LOPE_LIMB_COUNTER_BALANCE), 1, 1e-12);
    assert_near(VALUE(LOPE_HANG_DOWN), 1, 1e-12);             // no hand holds, legs hang straight
    assert_near(VALUE(LOPE_KNEES_DOWN), 1 + 1.8 * 1.8, 1e-9); // each knee 0.9 units above its foot
    pose.neck = -36 * DEGREE;
    assert_near(VALUE(LOPE_HEAD_UP), 1.2, 1e-9);
    feet.at[2].x = 0.5;
    feet.at[3].x = 1.5; // two units off balance on the mean, in units of half a metre
    pose.neck = 0;
    assert_near(VALUE(LOPE_BALANCE), 1 + 4, 1e-9);
    pose.spine = 45 * DEGREE;
    assert_near(VALUE(LOPE_UPRIGHT_SPINE), 1.5, 1e-9);
    pose.spine = 0;
    pose.limb[LOPE_LEFT_LEG][0] = 18 * DEGREE;
    pose.limb[LOPE_LEFT_ARM][0] = 9 * DEGREE; // left arm against left leg: 27 degrees are left
    assert_near(VALUE(LOPE_LIMB_COUNTER_BALANCE), 1.3, 1e-9);
    pose.limb[LOPE_LEFT_ARM][0] = -18 * DEGREE;
    assert_near(VALUE(LOPE_LIMB_COUNTER_BALANCE), 1, 1e-9);
    // Hanging by one hand half a metre above the neck, an arm of 0.7 m: 0.2 m of slack; legs straight down.
    pose.limb[LOPE_LEFT_LEG][0] = 0;
    lope_grasp_contacts hand = {1u, {{0, 1.95}, {0, 0}, {0, 0}, {0, 0}}};
    assert_near(lope_grasp_heuristic_value(&body, &pose, &hand, LOPE_HANG_DOWN), 1 + 0.4 / 4, 1e-9);
    // Kneeling: shins level.
    for (int i = 2; i < 4; i++) {
        pose.limb[i][0] = 0;
        pose.limb[i][1] = 90 * DEGREE;
    }
    assert_near(VALUE(LOPE_KNEES_DOWN), 1, 1e-9);
}

static void discomfort_is_the_product_of_table_5_1(void **state)
{
    (void)state;
    lope_grasp_body body = lope_grasp_body_default();
    lope_random random = lope_random_seed(8);
    static const int used[] = {5, 2, 4, 2}; // of the published modes
    for (int mode = 0; mode < LOPE_MODE_COUNT; mode++) {
        lope_grasp_pose pose = random_pose(&body, &random);
        lope_grasp_contacts contacts = {5u, {{1, 2}, {0, 0}, {1, 0}, {0, 0}}};
        double product = 1;
        int count = 0;
        for (int h = 0; h < LOPE_HEURISTIC_COUNT; h++)
            if (lope_grasp_heuristics((lope_grasp_mode)mode) >> h & 1u) {
                product *= lope_grasp_heuristic_value(&body, &pose, &contacts, (lope_grasp_heuristic)h);
                count++;
            }
        if (mode <= LOPE_MODE_CRAWL)
            assert_int_equal(count, used[mode]);
        assert_near(lope_grasp_discomfort(&body, &pose, &contacts, (lope_grasp_mode)mode), product, 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upright_is_where_it_should_be),
        cmocka_unit_test(any_root_tells_the_same_pose),
        cmocka_unit_test(limbs_reach_what_they_can),
        cmocka_unit_test(heuristics_are_as_printed),
        cmocka_unit_test(discomfort_is_the_product_of_table_5_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
