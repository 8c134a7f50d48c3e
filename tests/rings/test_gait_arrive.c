// SPDX-License-Identifier: MIT
// Gaits that are aimed at a place and a facing come to a stand there.
#include <math.h>

#include "base/random.h"
#include "lope/controller.h"
#include "lope/rings.h"
#include "support/crossing.h"
#include "support/support.h"

static const float DT = 1.0f / 60.0f, PATIENCE = 12.0f, STILL = 0.3f;

typedef struct arrived {
    float along, aside, turn, seconds; // metres and radians off; PATIENCE: not
} arrived;

static arrived go(lope_ground goal)
{
    lope_error error;
    const lope_gait_def def = lope_gait_def_default();
    const lope_aim aim = {.place = {goal.x, 0.0f, goal.z}, .facing = goal.yaw, .stop = true};
    lope_gait_carrier carrier = {.like = {LOPE_GAIT_WALK, 0.0f, 0.6f}};
    assert_ok(lope_gait_create(test_rings, NULL, &def, &carrier.gait, &error));
    lope_gait_controller()->aim(&carrier, &aim);
    float stood = 0.0f, time = 0.0f;
    for (; time < PATIENCE && stood < STILL; time += DT) {
        lope_gait_controller()->advance(&carrier, DT);
        bool stands = lope_gait_state_of(carrier.gait).standing && lope_gait_state_of(carrier.gait).strikes > 0;
        stood = stands ? stood + DT : 0.0f;
    }
    lope_ground at = lope_gait_ground(carrier.gait);
    float x = at.x - goal.x, z = at.z - goal.z, sine = sinf(goal.yaw), cosine = cosf(goal.yaw);
    lope_gait_destroy(carrier.gait);
    return (arrived){fabsf(x * sine + z * cosine), fabsf(x * cosine - z * sine),
                     fabsf(lope_wrap_angle(at.yaw - goal.yaw)), stood >= STILL ? time - stood : PATIENCE};
}

static void straight_ahead_it_arrives_exactly(void **state)
{
    (void)state;
    for (float far = 0.4f; far < 3.0f; far += 0.1f) {
        arrived a = go((lope_ground){0.0f, far, 0.0f});
        assert_true(a.along < 0.03f && a.aside < 0.04f && a.turn < 0.05f);
        assert_true(a.seconds < far / 1.2f + 2.6f);
    }
}

// From any side, to a facing that differs by up to 60 degrees from the way there.
static void from_any_side_it_arrives(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(17);
    int there = 0;
    for (int i = 0; i < 60; i++) {
        float far = lope_random_range(&random, 1.5f, 3.0f), way = lope_random_range(&random, -3.1f, 3.1f);
        float facing = way + lope_random_range(&random, -1.0f, 1.0f);
        arrived a = go((lope_ground){far * sinf(way), far * cosf(way), facing});
        there += a.seconds < PATIENCE && a.along < 0.12f && a.aside < 0.32f && a.turn < 0.36f;
    }
    assert_true(there >= 57);
}

static void it_stays_where_it_stands_already(void **state)
{
    (void)state;
    lope_error error;
    const lope_gait_def def = lope_gait_def_default();
    lope_gait_carrier carrier = {.like = {LOPE_GAIT_WALK, 0.0f, 0.6f}};
    assert_ok(lope_gait_create(test_rings, NULL, &def, &carrier.gait, &error));
    lope_ground at = lope_gait_ground(carrier.gait);
    const lope_aim aim = {.place = {at.x, 0.0f, at.z + 0.03f}, .facing = at.yaw + 0.1f, .stop = true};
    lope_gait_controller()->aim(&carrier, &aim);
    for (int f = 0; f < 60; f++)
        lope_gait_controller()->advance(&carrier, DT);
    assert_int_equal(lope_gait_state_of(carrier.gait).strikes, 0);
    lope_gait_destroy(carrier.gait);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(straight_ahead_it_arrives_exactly),
                                       cmocka_unit_test(from_any_side_it_arrives),
                                       cmocka_unit_test(it_stays_where_it_stands_already)};
    return cmocka_run_group_tests(tests, test_rings_set_up, test_rings_tear_down);
}
