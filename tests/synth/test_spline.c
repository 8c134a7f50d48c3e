// SPDX-License-Identifier: MIT
// Smooth functions of time: end conditions, interpolation, continuity up to the second derivative; and ground curves.
#include "synth/gait.h"

#include "base/random.h"
#include "support/support.h"

static double second_difference(double before, double at, double after, double step)
{
    return (after - 2.0 * at + before) / (step * step);
}

static void easing_begins_and_ends_at_rest(void **state)
{
    (void)state;
    const double h = 1e-4;
    assert_near(synth_ease(-1.0), 0.0, 0.0);
    assert_near(synth_ease(2.0), 1.0, 0.0);
    assert_near(synth_ease(0.5), 0.5, 1e-15);
    for (int i = 1; i < 5; i++) {
        double up = 0.1 * i, down = 0.5 - 0.1 * i + 0.05;
        assert_near(synth_cruise(0.0, up, down), 0.0, 0.0);
        assert_near(synth_cruise(1.0, up, down), 1.0, 0.0);
        assert_near(synth_cruise(up - h, up, down), synth_cruise(up, up, down), 3.0 * h);
        assert_near(synth_cruise(1.0 - down - h, up, down), synth_cruise(1.0 - down, up, down), 3.0 * h);
        double peak = (synth_cruise(up + h, up, down) - synth_cruise(up, up, down)) / h;
        assert_near(peak, 1.0 / (1.0 - 0.5 * (up + down)), 1e-6);
        assert_true(synth_cruise(h, up, down) < h * h);
        assert_true(1.0 - synth_cruise(1.0 - h, up, down) < h * h);
    }
}

static void bump_peaks_where_it_says(void **state)
{
    (void)state;
    assert_near(synth_bump(0.375, 3, 5), 1.0, 1e-12);
    assert_true(synth_bump(0.3, 3, 5) < 1.0 && synth_bump(0.45, 3, 5) < 1.0);
    assert_near(synth_bump(0.0, 3, 3), 0.0, 0.0);
    assert_near(synth_bump(1.0, 3, 3), 0.0, 0.0);
}

static void quintic_meets_both_states(void **state)
{
    (void)state;
    synth_state a = {1.0, -2.0, 3.0}, b = {-0.5, 4.0, -1.0};
    const double t = 0.7, h = 1e-4;
    double p[3], q[3];
    for (int i = 0; i < 3; i++) {
        p[i] = synth_quintic(a, b, t, h * (i + 1));
        q[i] = synth_quintic(a, b, t, t - h * (3 - i));
    }
    assert_near(synth_quintic(a, b, t, 0.0), a.value, 0.0);
    assert_near(synth_quintic(a, b, t, t), b.value, 0.0);
    assert_near((p[0] - a.value) / h, a.speed, 1e-3);
    assert_near((b.value - q[2]) / h, b.speed, 1e-3);
    assert_near(second_difference(p[0], p[1], p[2], h), a.acceleration, 0.1);
    assert_near(second_difference(q[0], q[1], q[2], h), b.acceleration, 0.1);
}

static synth_spline random_spline(uint64_t seed, int knots)
{
    lope_random random = lope_random_seed(seed);
    synth_spline spline = {.knots = knots, .channels = 1, .rest_first = 1};
    double time = -1.0;
    for (int i = 0; i < knots; i++) {
        spline.times[i] = time;
        spline.values[i][0] = (double)lope_random_range(&random, -1.0f, 1.0f);
        time += (double)lope_random_range(&random, 0.2f, 0.6f);
    }
    synth_spline_fit(&spline, 0);
    return spline;
}

static void spline_goes_smoothly_through_its_knots(void **state)
{
    (void)state;
    const double h = 1e-3;
    for (uint64_t seed = 0; seed < 20; seed++) {
        synth_spline spline = random_spline(seed, 9);
        for (int i = 0; i < spline.knots; i++)
            assert_near(synth_spline_at(&spline, 0, spline.times[i]), spline.values[i][0], 1e-12);
        for (int i = 1; i + 1 < spline.knots; i++) {
            double v[5];
            for (int k = 0; k < 5; k++)
                v[k] = synth_spline_at(&spline, 0, spline.times[i] + h * (k - 2));
            assert_near((v[2] - v[1]) / h, (v[3] - v[2]) / h, 0.5);
            assert_near(second_difference(v[0], v[1], v[2], h), second_difference(v[2], v[3], v[4], h), 3.0);
        }
        // At rest at the first end, free at the last.
        assert_near(spline.slopes[0][0], 0.0, 0.0);
        double end = spline.times[spline.knots - 1], v[3];
        for (int k = 0; k < 3; k++)
            v[k] = synth_spline_at(&spline, 0, end - h * (2 - k));
        assert_near(second_difference(v[0], v[1], v[2], h), 0.0, 1.0);
    }
}

static void straight_knots_give_a_straight_line(void **state)
{
    (void)state;
    synth_spline spline = {.knots = 5, .channels = 1};
    const double times[] = {0.0, 0.3, 1.0, 1.1, 2.0};
    for (int i = 0; i < 5; i++) {
        spline.times[i] = times[i];
        spline.values[i][0] = 2.0 - 3.0 * times[i];
    }
    synth_spline_fit(&spline, 0);
    for (int i = -5; i < 30; i++)
        assert_near(synth_spline_at(&spline, 0, 0.1 * i), 2.0 - 0.3 * i, 1e-12);
}

static void curves_turn_by_what_was_asked(void **state)
{
    (void)state;
    synth_curve curve = {.bend_begin = 1.0, .bend_ramp = 0.4, .curvature = 0.5};
    curve.bend_length = LOPE_PI + curve.bend_ramp; // 90 degrees on a radius of 2 m
    synth_curve_integrate(&curve);
    assert_near(synth_curve_heading(&curve, 0.9), 0.0, 0.0);
    assert_near(synth_curve_heading(&curve, 9.0), 0.5 * LOPE_PI, 1e-12);
    assert_near(synth_curve_bend(&curve, 2.0), 0.5, 1e-12);
    double x, z, before_x, before_z;
    synth_curve_place(&curve, 0.5, &x, &z);
    assert_near(x, 0.0, 1e-12);
    assert_near(z, 0.5, 1e-12);
    for (double s = 0.0; s < 8.0; s += 0.137) {
        synth_curve_place(&curve, s, &before_x, &before_z);
        synth_curve_place(&curve, s + 0.001, &x, &z);
        assert_near((x - before_x) / 0.001, lope_sin(synth_curve_heading(&curve, s + 0.0005)), 1e-6);
        assert_near((z - before_z) / 0.001, lope_cos(synth_curve_heading(&curve, s + 0.0005)), 1e-6);
    }
}

// The ground beside the curve is as high as the curve where it is nearest.
static void ground_follows_the_curve(void **state)
{
    (void)state;
    synth_curve curve = {.bend_begin = 0.5, .bend_ramp = 0.5, .bend_length = 4.0, .curvature = -0.5};
    curve.terrain = SYNTH_SLOPE;
    curve.terrain_begin = 1.0;
    curve.terrain_length = 2.0;
    curve.slope = 0.25;
    synth_curve_integrate(&curve);
    for (double s = 0.2; s < 5.0; s += 0.173) {
        double x, z, heading = synth_curve_heading(&curve, s);
        synth_curve_place(&curve, s, &x, &z);
        for (double aside = -0.2; aside < 0.25; aside += 0.1) {
            double height = synth_ground_height(&curve, x + aside * lope_cos(heading), z - aside * lope_sin(heading));
            assert_near(height, synth_curve_height(&curve, s), 1e-5);
        }
    }
    curve.terrain = SYNTH_STAIRS;
    curve.riser = -0.2;
    curve.tread = 0.3;
    curve.risers = 3;
    assert_near(synth_curve_height(&curve, 0.99), 0.0, 0.0);
    assert_near(synth_curve_height(&curve, 1.01), -0.2, 1e-12);
    assert_near(synth_curve_height(&curve, 1.31), -0.4, 1e-12);
    assert_near(synth_curve_height(&curve, 9.0), -0.6, 1e-12);
    assert_near(synth_curve_slope(&curve, 1.1), 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(easing_begins_and_ends_at_rest),
        cmocka_unit_test(bump_peaks_where_it_says),
        cmocka_unit_test(quintic_meets_both_states),
        cmocka_unit_test(spline_goes_smoothly_through_its_knots),
        cmocka_unit_test(straight_knots_give_a_straight_line),
        cmocka_unit_test(curves_turn_by_what_was_asked),
        cmocka_unit_test(ground_follows_the_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
