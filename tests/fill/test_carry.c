// SPDX-License-Identifier: MIT
// Built-in motions in a subject's manner: legs.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
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

// Somebody whose arm goes up and whose back bends more and more: strides end unlike they began, cycles do not.
static void test_cycles_close(void **state)
{
    (void)state;
    lope_error error;
    lope_synth_def def = lope_synth_def_default();
    lope_clip *walk;
    fill_stride *strides;
    fill_cycle cycle;
    int count;
    assert_ok(lope_synth_clip("walk_normal", &def, 0, &walk, &error));
    size_t joints = (size_t)walk->skeleton->joint_count;
    const int bent[2] = {walk->skeleton->roles[LOPE_LEFT_SHOULDER], walk->skeleton->roles[LOPE_SPINE]};
    for (int f = 0; f < walk->frame_count; f++) {
        lope_quat more = lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), 0.01f * (float)f);
        for (int i = 0; i < 2; i++)
            walk->rotations[(size_t)f * joints + (size_t)bent[i]] =
                lope_quat_mul(more, walk->rotations[(size_t)f * joints + (size_t)bent[i]]);
        walk->root[f].y += 0.002f * (float)f;
    }
    lope_set one = {.skeleton = walk->skeleton, .clip_count = 1, .clips = &walk};
    assert_ok(fill_strides_find(&one, 0.3f, &strides, &count, &error));
    assert_true(count > 0);
    assert_true(fill_cycle_create((int)joints, &cycle));
    lope_transform *model = calloc(joints, sizeof *model);
    for (int i = 0; i < count; i++) {
        fill_stride_sample(walk, &strides[i], model, &cycle);
        for (int p = 0; p < FILL_PHASES; p++) {
            size_t q = (size_t)(p + 1) % FILL_PHASES;
            for (int k = 0; k < 2; k++)
                assert_true(lope_quat_angle(cycle.rotations[(size_t)p * joints + (size_t)bent[k]],
                                            cycle.rotations[q * joints + (size_t)bent[k]]) < 0.15f);
            assert_true(fabsf(cycle.height[p] - cycle.height[q]) < 0.02f);
        }
    }
    free(model);
    lope_free(strides);
    fill_cycle_free(&cycle);
    lope_clip_destroy(walk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_knees_pressed_through),
        cmocka_unit_test(test_cycles_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
