// SPDX-License-Identifier: MIT
#include <math.h>

#include "support/support.h"

enum { MAX_JOINTS = 64 };

static lope_clip *gait(float stride, float turn, float rise, bool run)
{
    lope_synth_gait_def def = lope_synth_gait_def_default();
    lope_synth_def synth = lope_synth_def_default();
    lope_clip *clip;
    lope_error error;
    def.stride = stride;
    def.turn = turn;
    def.rise = rise;
    def.run = run;
    assert_ok(lope_synth_gait(&def, &synth, &clip, &error));
    return clip;
}

// After two steps the same pose again, moved on by as much as two steps go, turn and rise.
static void check_cycle(float stride, float turn, float rise, bool run)
{
    lope_clip *clip = gait(stride, turn, rise, run);
    int period = (clip->frame_count - 1) / 3;
    // On steep stairs the pelvis comes down for legs at their reach, a little more in one step than in another.
    double tolerance = fabsf(rise) > 0.2f ? 0.02 : 0.003;
    // Near the ends of the recording the pelvis still knows where it came from.
    for (int f = period / 2; f < 3 * period / 2; f += 3) {
        lope_transform a[MAX_JOINTS], b[MAX_JOINTS];
        lope_clip_model(clip, f, a);
        lope_clip_model(clip, f + period, b);
        lope_ground first = lope_clip_ground(clip, f), second = lope_clip_ground(clip, f + period);
        assert_near(lope_wrap_angle(second.yaw - first.yaw - 2.0f * turn), 0, 6e-3);
        assert_near(b[0].translation.y - a[0].translation.y, 2.0f * rise, tolerance);
        lope_transform by = lope_ground_transform(lope_ground_mul(second, lope_ground_inverse(first)));
        by.translation.y = b[0].translation.y - a[0].translation.y;
        for (int j = 0; j < clip->skeleton->joint_count; j++)
            assert_near(lope_v3_distance(lope_transform_point(by, a[j].translation), b[j].translation), 0,
                        3.0 * tolerance);
    }
    lope_grade_def def = lope_grade_def_default();
    lope_grade grade;
    lope_error error;
    assert_ok(lope_clip_grade(clip, &def, &grade, &error));
    assert_near(grade.contact_drift, 0, 0.05);
    lope_clip_destroy(clip);
}

static void steady_gaits_repeat(void **state)
{
    (void)state;
    check_cycle(0.65f, 0.0f, 0.0f, false);
    check_cycle(0.04f, 0.65f, 0.0f, false);
    check_cycle(0.92f, -0.45f, 0.0f, false);
    check_cycle(0.3f, 0.3f, 0.25f, false);
    check_cycle(0.3f, 0.0f, -0.25f, false);
    check_cycle(1.2f, 0.0f, 0.0f, true);
    check_cycle(0.85f, -0.3f, 0.1f, true);
}

static void impossible_gaits_are_refused(void **state)
{
    (void)state;
    const float bad[][4] = {{1.5f, 0, 0, 1}, {0.6f, 2.0f, 0, 1}, {0.6f, 0, 0.5f, 1}, {0.6f, 0, 0, 9},
                            {NAN, 0, 0, 1},  {0.6f, NAN, 0, 1},  {0.6f, 0, NAN, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        lope_synth_gait_def def = {bad[i][0], bad[i][1], bad[i][2], bad[i][3], false};
        lope_synth_def synth = lope_synth_def_default();
        lope_clip *clip;
        lope_error error;
        assert_int_equal(lope_synth_gait(&def, &synth, &clip, &error), LOPE_BAD_DATA);
        assert_null(clip);
    }
    lope_synth_stand_def stand = {.ahead = 2.0f};
    lope_synth_def synth = lope_synth_def_default();
    lope_clip *clip;
    lope_error error;
    assert_int_equal(lope_synth_stand(&stand, &synth, &clip, &error), LOPE_BAD_DATA);
}

static void stances_stand(void **state)
{
    (void)state;
    lope_synth_stand_def stand = {.ahead = 0.3f, .aside = 0.02f, .rise = 0.15f};
    lope_synth_def synth = lope_synth_def_default();
    lope_clip *clip;
    lope_error error;
    assert_ok(lope_synth_stand(&stand, &synth, &clip, &error));
    lope_vec3 first[LOPE_CONTACT_COUNT], now[LOPE_CONTACT_COUNT];
    lope_transform model[MAX_JOINTS];
    lope_clip_model(clip, 0, model);
    lope_contact_points(clip->skeleton, model, first);
    assert_near(first[3].y - first[1].y, 0.15, 2e-3);
    for (int f = 0; f < clip->frame_count; f += 10) {
        lope_clip_model(clip, f, model);
        lope_contact_points(clip->skeleton, model, now);
        for (int i = 0; i < 4; i++)
            assert_near(lope_v3_distance(first[i], now[i]), 0, 1e-3);
    }
    lope_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_gaits_repeat),
        cmocka_unit_test(impossible_gaits_are_refused),
        cmocka_unit_test(stances_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
