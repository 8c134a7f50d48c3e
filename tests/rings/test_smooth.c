// SPDX-License-Identifier: MIT
// Noise of captures: what is smoothed depends on the gait, not on how many frames a ring has.
#include <stdlib.h>

#include "rings/build/build.h"
#include "support/support.h"

enum { CYCLES = 4 };
static const double ODD = 0.03;

static float swing(int frame, int cycle, int harmonic)
{
    return 0.001f * (float)lope_sin(2.0 * LOPE_PI * (double)harmonic * (double)frame / (double)cycle);
}

// What is left of a harmonic in the two cycles in the middle, as a share of its size.
static double left_of(int harmonic, int cycle)
{
    lope_error error;
    int count = CYCLES * cycle;
    lope_vec3 *curve = malloc((size_t)count * sizeof *curve);
    assert_non_null(curve);
    for (int i = 0; i < count; i++)
        curve[i] = lope_v3(swing(i, cycle, harmonic), 0.0f, 0.3f);
    assert_ok(ring_smooth(curve, count, cycle, ODD, &error));
    double product = 0.0, square = 0.0;
    for (int i = cycle; i < count - cycle; i++) {
        double was = (double)swing(i, cycle, harmonic);
        product += was * (double)curve[i].x;
        square += was * was;
        assert_near(curve[i].z, 0.3, 1e-6);
    }
    free(curve);
    return product / square;
}

static void harmonics_are_those_of_the_cycle(void **state)
{
    (void)state;
    static const int cycles[] = {30, 60, 120, 480};
    for (int i = 0; i < 4; i++) {
        assert_true(left_of(4, cycles[i]) > 0.98);
        assert_near(left_of(10, cycles[i]), 0.5, cycles[i] == 60 ? 0.01 : 0.25);
    }
    for (int i = 1; i < 4; i++)
        assert_true(left_of(20, cycles[i]) < 0.05);
    assert_true(left_of(3, 16) > 0.98); // few frames: there is nothing to be smoothed
}

static void pops_are_taken_out(void **state)
{
    (void)state;
    enum { CYCLE = 60, COUNT = CYCLES * CYCLE, AT = COUNT / 2 };
    lope_error error;
    lope_vec3 curve[COUNT];
    for (int i = 0; i < COUNT; i++)
        curve[i] = lope_v3(300.0f * swing(i, CYCLE, 1) + (i == AT || i == AT + 1 ? 0.2f : 0.0f), 0.0f, 0.0f);
    assert_ok(ring_smooth(curve, COUNT, CYCLE, ODD, &error));
    for (int i = AT - 5; i < AT + 6; i++)
        assert_near(curve[i].x, 300.0f * swing(i, CYCLE, 1), 0.02);
}

static lope_status smooth_once(void *user, lope_error *error)
{
    lope_vec3 curve[8] = {{0.0f, 0.0f, 0.0f}};
    (void)user;
    return ring_smooth(curve, 8, 8, ODD, error);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    test_allocation_failures(smooth_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(harmonics_are_those_of_the_cycle),
                                       cmocka_unit_test(pops_are_taken_out), cmocka_unit_test(memory_may_run_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
