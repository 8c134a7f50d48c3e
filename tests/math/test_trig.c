// SPDX-License-Identifier: MIT
#include "base/random.h"
#include "support/support.h"

static void own_trigonometry_agrees_with_libm(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(1);
    for (int i = 0; i < 200000; i++) {
        double x = (double)lope_random_range(&random, -1000.0f, 1000.0f);
        double y = (double)lope_random_range(&random, -1000.0f, 1000.0f);
        assert_near(lope_sin(x), sin(x), 4e-16);
        assert_near(lope_cos(x), cos(x), 4e-16);
        assert_near(lope_atan2(y, x), atan2(y, x), 1e-15);
        assert_near(lope_acos(x / 1000.0), acos(x / 1000.0), 1e-15);
        assert_near(lope_asin(x / 1000.0), asin(x / 1000.0), 1e-15);
        assert_near(lope_exp(x / 10.0) / exp(x / 10.0), 1.0, 1e-15);
    }
}

static void sine_and_cosine_at_once_have_the_same_bits(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(2);
    for (int i = 0; i < 200000; i++) {
        double x = (double)lope_random_range(&random, -1.0f, 1.0f) * (i % 2 ? 7.0 : 1e6), sine, cosine;
        lope_sincos(x, &sine, &cosine);
        double each[2] = {lope_sin(x), lope_cos(x)}, both[2] = {sine, cosine};
        assert_memory_equal(each, both, sizeof both);
    }
    double sine, cosine;
    lope_sincos(2e9, &sine, &cosine);
    assert_near(sine, lope_sin(2e9), 0.0);
    assert_near(cosine, lope_cos(2e9), 0.0);
}

static void special_angles(void **state)
{
    (void)state;
    assert_near(lope_atan2(0.0, 1.0), 0.0, 0.0);
    assert_near(lope_atan2(0.0, 0.0), 0.0, 0.0);
    assert_near(lope_atan2(1.0, 0.0), LOPE_PI / 2, 0.0);
    assert_near(lope_atan2(0.0, -1.0), LOPE_PI, 0.0);
    assert_near(lope_acos(2.0), 0.0, 0.0);
    assert_near(lope_wrap_angle(-(float)LOPE_PI), LOPE_PI, 1e-6);
    assert_near(lope_wrap_angle(7.0f), 7.0 - 2.0 * LOPE_PI, 1e-6);
    assert_true(isinf(lope_exp(1000.0)));
    assert_near(lope_exp(-1000.0), 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_trigonometry_agrees_with_libm),
        cmocka_unit_test(sine_and_cosine_at_once_have_the_same_bits),
        cmocka_unit_test(special_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
