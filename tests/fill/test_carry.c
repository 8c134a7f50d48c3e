// SPDX-License-Identifier: MIT
// Built-in motions in a subject's manner: legs.
#include <math.h>

#include "fill/fill.h"
#include "support/support.h"

// A set of one built-in walk.
static lope_set *walk_create(void)
{
    lope_error error = {0};
    lope_synth_def def = lope_synth_def_default();
    lope_prepare_def prepare = lope_prepare_def_default();
    lope_clip *clip;
    lope_set *set;
    assert_ok(lope_synth_clip("walk_normal", &def, 1, &clip, &error));
    assert_ok(lope_set_prepare((const lope_clip *const *)&clip, 1, &prepare, NULL, NULL, &set, &error));
    lope_clip_destroy(clip);
    return set;
}

// Radians that a joint turns by from one frame to the next, at most.
static float fastest(const lope_clip *clip, int joint)
{
    int joints = clip->skeleton->joint_count;
    float most = 0.0f;
    for (int f = 1; f < clip->frame_count; f++) {
        const lope_quat *now = &clip->rotations[f * joints + joint];
        most = fmaxf(most, lope_quat_angle(now[-joints], *now));
    }
    return most;
}

// Some people stand with their knees pressed through. What the performer stretches a little more while it turns on the
// spot would bend backwards with theirs, and come back from there to either side.
static void test_knees_pressed_through(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_set *set = walk_create();
    fill_manner manner;
    lope_clip *plain, *pressed;
    assert_ok(fill_manner_find(set, &manner, &error));
    fill_part turn = {.motion = "turn_in_place_right_180"};
    assert_ok(fill_carry(&manner, turn, "turn", &plain, &error));
    for (int side = 0; side < 2; side++) {
        int knee = set->skeleton->roles[side ? LOPE_RIGHT_KNEE : LOPE_LEFT_KNEE];
        for (int k = -1; k <= 1; k++) {
            manner.borrowed_stand = false;
            manner.stand[knee] = lope_quat_mul(lope_quat_axis_angle(lope_v3(0.0f, 0.0f, 1.0f), 0.02f * (float)k),
                                               lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), -0.25f));
            assert_ok(fill_carry(&manner, turn, "turn", &pressed, &error));
            assert_true(fastest(pressed, knee) < 1.2f * fastest(plain, knee));
            lope_clip_destroy(pressed);
        }
    }
    lope_clip_destroy(plain);
    fill_manner_free(&manner);
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_knees_pressed_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
