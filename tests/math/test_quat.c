// SPDX-License-Identifier: MIT
#include "base/random.h"
#include "support/support.h"

static lope_quat random_quat(lope_random *random)
{
    lope_vec3 axis = test_random_direction(random);
    return lope_quat_axis_angle(axis, lope_random_range(random, -3.1f, 3.1f));
}

static void assert_same_point(lope_vec3 a, lope_vec3 b, float tolerance)
{
    assert_near(a.x, b.x, tolerance);
    assert_near(a.y, b.y, tolerance);
    assert_near(a.z, b.z, tolerance);
}

static void product_rotates_like_its_factors(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(1);
    for (int i = 0; i < 1000; i++) {
        lope_quat a = random_quat(&random), b = random_quat(&random);
        lope_vec3 v = test_random_direction(&random);
        assert_same_point(lope_quat_rotate(lope_quat_mul(a, b), v), lope_quat_rotate(a, lope_quat_rotate(b, v)), 2e-6f);
        assert_same_point(lope_quat_rotate(lope_quat_conjugate(a), lope_quat_rotate(a, v)), v, 2e-6f);
    }
    lope_vec3 forward = lope_quat_rotate(lope_quat_yaw(0.5f * (float)LOPE_PI), lope_v3(0, 0, 1));
    assert_same_point(forward, lope_v3(1, 0, 0), 1e-6f);
}

static void log_and_exp_undo_each_other(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(2);
    for (int i = 0; i < 2000; i++) {
        float angle = i < 1000 ? lope_random_range(&random, 0.0f, 3.14f) : lope_random_range(&random, 0.0f, 1e-3f);
        lope_vec3 axis = test_random_direction(&random), vector = lope_v3_scale(axis, angle);
        assert_same_point(lope_quat_log(lope_quat_exp(vector)), vector, 4e-7f * (1.0f + 2.0f * angle));
        lope_quat q = lope_quat_axis_angle(axis, angle);
        assert_near(lope_quat_angle(lope_quat_exp(vector), q), 0.0, 1e-6);
        // Either sign is the same rotation, and the log takes the short way.
        assert_same_point(lope_quat_log(lope_quat_negate(q)), lope_quat_log(q), 1e-6f);
        assert_true(lope_v3_length(lope_quat_log(lope_quat_negate(q))) < 3.1416f);
    }
    assert_same_point(lope_quat_log(lope_quat_identity()), lope_v3(0, 0, 0), 0.0f);
    assert_near(lope_quat_exp(lope_v3(0, 0, 0)).w, 1.0, 0.0);
    assert_same_point(lope_quat_log(lope_quat_exp(lope_v3(1e-12f, 0, 0))), lope_v3(1e-12f, 0, 0), 1e-18f);
}

static void slerp_turns_at_constant_speed_the_short_way(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(3);
    for (int i = 0; i < 500; i++) {
        lope_quat a = random_quat(&random), b = random_quat(&random);
        if (i % 3 == 0)
            b = lope_quat_mul(a, lope_quat_axis_angle(test_random_direction(&random), 0.01f)); // nearly equal
        float whole = lope_quat_angle(a, b), t = lope_random_range(&random, 0.0f, 1.0f);
        lope_quat q = lope_quat_slerp(a, i & 1 ? lope_quat_negate(b) : b, t);
        assert_near(lope_quat_angle(a, q), t * whole, 3e-6);
        assert_near(lope_quat_angle(q, b), (1.0f - t) * whole, 3e-6);
        assert_near(lope_quat_dot(q, q), 1.0, 1e-6);
        // Along the chord the ends and the middle agree.
        assert_near(lope_quat_angle(lope_quat_nlerp(a, b, 0.5f), lope_quat_slerp(a, b, 0.5f)), 0.0, 2e-6);
        assert_near(lope_quat_angle(lope_quat_nlerp(a, b, 1.0f), b), 0.0, 1e-6);
    }
}

static void between_takes_the_shortest_turn(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(4);
    for (int i = 0; i < 1000; i++) {
        lope_vec3 a = test_random_direction(&random), b = test_random_direction(&random);
        lope_quat q = lope_quat_between(a, b);
        assert_same_point(lope_quat_rotate(q, a), b, 3e-5f);
        double angle = lope_atan2((double)lope_v3_length(lope_v3_cross(a, b)), (double)lope_v3_dot(a, b));
        assert_near(lope_v3_length(lope_quat_log(q)), angle, 1e-4);
        assert_same_point(lope_quat_rotate(lope_quat_between(a, a), b), b, 1e-6f);
        lope_vec3 back = lope_v3_scale(a, -1.0f);
        assert_same_point(lope_quat_rotate(lope_quat_between(a, back), a), back, 1e-5f);
    }
    // Opposite along each axis, where the helper axis could coincide with the vector.
    static const lope_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        lope_vec3 back = lope_v3_scale(axes[i], -1.0f);
        assert_same_point(lope_quat_rotate(lope_quat_between(axes[i], back), axes[i]), back, 1e-6f);
    }
}

static void axes_come_back(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(5);
    for (int i = 0; i < 2000; i++) {
        // Half turns too, where the trace is negative and each of the other branches is taken.
        lope_quat q = i % 2 ? random_quat(&random)
                            : lope_quat_axis_angle(test_random_direction(&random),
                                                   (float)LOPE_PI - lope_random_range(&random, 0.0f, 0.01f));
        lope_quat back =
            lope_quat_from_axes(lope_quat_rotate(q, lope_v3(1, 0, 0)), lope_quat_rotate(q, lope_v3(0, 1, 0)),
                                lope_quat_rotate(q, lope_v3(0, 0, 1)));
        assert_near(lope_quat_angle(q, back), 0.0, 2e-6);
    }
}

static void twist_is_what_turns_about_the_axis(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(6);
    for (int i = 0; i < 1000; i++) {
        lope_vec3 axis = test_random_direction(&random);
        lope_quat twist = lope_quat_axis_angle(axis, lope_random_range(&random, -3.0f, 3.0f));
        lope_vec3 across = lope_v3_normalize(lope_v3_cross(axis, test_random_direction(&random)), lope_v3(0, 1, 0));
        lope_quat swing = lope_quat_axis_angle(across, lope_random_range(&random, -2.8f, 2.8f));
        lope_quat found = lope_quat_twist(lope_quat_mul(swing, twist), axis);
        assert_near(lope_quat_angle(found, twist), 0.0, 2e-5);
        assert_same_point(lope_quat_rotate(found, axis), axis, 2e-6f);
    }
}

static void angle_is_accurate_for_small_turns(void **state)
{
    (void)state;
    for (float angle = 1e-6f; angle < 3.0f; angle *= 3.0f) {
        lope_quat q = lope_quat_axis_angle(lope_v3(0, 1, 0), angle);
        assert_near(lope_quat_angle(lope_quat_identity(), q) / angle, 1.0, 1e-5);
        assert_near(lope_quat_angle(lope_quat_negate(q), lope_quat_identity()) / angle, 1.0, 1e-5);
    }
}

static lope_ground random_ground(lope_random *random)
{
    lope_ground g;
    g.x = lope_random_range(random, -5, 5);
    g.z = lope_random_range(random, -5, 5);
    g.yaw = lope_random_range(random, -3.1f, 3.1f);
    return g;
}

static void assert_same_ground(lope_ground a, lope_ground b, float tolerance)
{
    assert_near(a.x, b.x, tolerance);
    assert_near(a.z, b.z, tolerance);
    assert_near(lope_wrap_angle(a.yaw - b.yaw), 0.0, tolerance);
}

static void ground_frames_form_a_group(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(7);
    const lope_ground origin = {0, 0, 0};
    for (int i = 0; i < 1000; i++) {
        lope_ground a = random_ground(&random), b = random_ground(&random), c = random_ground(&random);
        assert_same_ground(lope_ground_mul(lope_ground_inverse(a), a), origin, 5e-6f);
        assert_same_ground(lope_ground_mul(a, lope_ground_inverse(a)), origin, 5e-6f);
        assert_same_ground(lope_ground_mul(a, lope_ground_relative(a, b)), b, 1e-5f);
        assert_same_ground(lope_ground_mul(lope_ground_mul(a, b), c), lope_ground_mul(a, lope_ground_mul(b, c)), 1e-5f);
        // The same as composing them in three dimensions.
        lope_transform both = lope_transform_mul(lope_ground_transform(a), lope_ground_transform(b));
        lope_transform direct = lope_ground_transform(lope_ground_mul(a, b));
        assert_same_point(both.translation, direct.translation, 1e-5f);
        assert_near(lope_quat_angle(both.rotation, direct.rotation), 0.0, 3e-6);
    }
    // One step ahead of a body that faces +X.
    assert_same_ground(lope_ground_mul((lope_ground){1, 2, 0.5f * (float)LOPE_PI}, (lope_ground){0, 1, 0}),
                       (lope_ground){2, 2, 0.5f * (float)LOPE_PI}, 1e-6f);
}

static void transforms_compose_and_invert(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(8);
    for (int i = 0; i < 1000; i++) {
        lope_transform a = {random_quat(&random), test_random_direction(&random)};
        lope_transform b = {random_quat(&random), test_random_direction(&random)};
        lope_vec3 p = test_random_direction(&random);
        assert_same_point(lope_transform_point(lope_transform_mul(a, b), p),
                          lope_transform_point(a, lope_transform_point(b, p)), 3e-6f);
        assert_same_point(lope_transform_point(lope_transform_inverse(a), lope_transform_point(a, p)), p, 3e-6f);
    }
}

static void degenerate_input_stays_finite(void **state)
{
    (void)state;
    lope_quat zero = {0, 0, 0, 0};
    assert_near(lope_quat_normalize(zero).w, 1.0, 0.0);
    lope_quat half_turn = {1, 0, 0, 0}; // no twist about y can be told from it
    lope_quat twist = lope_quat_twist(half_turn, lope_v3(0, 1, 0));
    assert_near(lope_quat_dot(twist, twist), 1.0, 1e-6);
    assert_same_point(lope_v3_normalize(lope_v3(0, 0, 0), lope_v3(0, 1, 0)), lope_v3(0, 1, 0), 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_rotates_like_its_factors),
        cmocka_unit_test(log_and_exp_undo_each_other),
        cmocka_unit_test(slerp_turns_at_constant_speed_the_short_way),
        cmocka_unit_test(between_takes_the_shortest_turn),
        cmocka_unit_test(axes_come_back),
        cmocka_unit_test(twist_is_what_turns_about_the_axis),
        cmocka_unit_test(angle_is_accurate_for_small_turns),
        cmocka_unit_test(ground_frames_form_a_group),
        cmocka_unit_test(transforms_compose_and_invert),
        cmocka_unit_test(degenerate_input_stays_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
