// SPDX-License-Identifier: MIT
// Tears in rotations are mended, and nothing else is touched.
#include <string.h>

#include "lope/edit.h"
#include "support/human.h"

static lope_clip *walk(double rate)
{
    lope_error error;
    lope_synth_def synth = lope_synth_def_default();
    lope_clip *clip;
    synth.frame_rate = rate;
    assert_ok(lope_synth_clip("walk_normal", &synth, 0, &clip, &error));
    return clip;
}

static void tear(lope_clip *clip, int joint, int first, int end, float angle)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    for (int f = first; f < end; f++) {
        lope_quat *q = &clip->rotations[(size_t)f * joints + (size_t)joint];
        *q = lope_quat_mul(*q, lope_quat_axis_angle(lope_v3(0, 0, 1), angle));
    }
}

static float fastest(const lope_clip *clip, int joint)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    float most = 0.0f;
    for (size_t f = 1; f < (size_t)clip->frame_count; f++)
        most = fmaxf(most, lope_quat_angle(clip->rotations[f * joints + (size_t)joint],
                                           clip->rotations[(f - 1) * joints + (size_t)joint]));
    return most * (float)clip->frame_rate;
}

static float farthest(const lope_clip *a, const lope_clip *b, int joint)
{
    size_t joints = (size_t)a->skeleton->joint_count;
    float most = 0.0f;
    for (size_t f = 0; f < (size_t)a->frame_count; f++)
        most = fmaxf(
            most, lope_quat_angle(a->rotations[f * joints + (size_t)joint], b->rotations[f * joints + (size_t)joint]));
    return most;
}

// Two frames, half a second, from the middle to the end, and from the beginning to the middle.
static void feet_that_turn_over_are_turned_back(void **state)
{
    (void)state;
    lope_error error;
    for (int kind = 0; kind < 8; kind++) {
        lope_clip *clip = walk(kind < 4 ? 60.0 : 120.0), *torn;
        assert_ok(lope_clip_copy(clip, NULL, 0, &torn, &error));
        int foot = clip->skeleton->roles[LOPE_LEFT_ANKLE], end = clip->frame_count, middle = end / 2;
        static const int lengths[] = {2, 30};
        if (kind % 4 < 2)
            tear(torn, foot, middle, middle + lengths[kind % 4], 3.0f);
        else
            tear(torn, foot, kind % 4 == 2 ? middle : 0, kind % 4 == 2 ? end : middle, 3.0f);
        assert_true(fastest(torn, foot) > 100.0f);
        assert_true(lope_clip_heal(torn) > 0);
        assert_true(fastest(torn, foot) < 1.5f * fastest(clip, foot));
        assert_true(farthest(torn, clip, foot) < 0.3f);
        lope_clip_destroy(torn);
        lope_clip_destroy(clip);
    }
}

static void whole_clips_keep_their_bits(void **state)
{
    (void)state;
    lope_error error;
    lope_synth_def synth = lope_synth_def_default();
    for (int rate = 0; rate < 2; rate++)
        for (int i = 0; i < lope_synth_count(); i += 3) {
            lope_clip *clip, *copy;
            synth.frame_rate = rate ? 120.0 : 30.0;
            assert_ok(lope_synth_clip(lope_synth_name(i), &synth, 0, &clip, &error));
            assert_ok(lope_clip_copy(clip, NULL, 0, &copy, &error));
            assert_int_equal(lope_clip_heal(copy), 0);
            assert_memory_equal(clip->rotations, copy->rotations,
                                (size_t)clip->frame_count * (size_t)clip->skeleton->joint_count * sizeof(lope_quat));
            lope_clip_destroy(clip);
            lope_clip_destroy(copy);
        }
}

// A capture whose left foot turns over after 54 frames and stays so to the end.
static void a_captured_foot_is_turned_back(void **state)
{
    (void)state;
    const char *path = test_data("069/69_35.bvh");
    if (!path) {
        print_message("skipped: no captured clips\n");
        skip();
    }
    lope_clip *clip;
    lope_error error;
    assert_ok(lope_bvh_read(path, NULL, &clip, NULL, &error));
    int foot = clip->skeleton->roles[LOPE_LEFT_ANKLE];
    assert_true(fastest(clip, foot) > 150.0f);
    assert_true(lope_clip_heal(clip) > 0);
    assert_true(fastest(clip, foot) < 20.0f);
    // The sole looks down throughout: the toes are never far above the line from heel to ball.
    lope_quat rest = clip->skeleton->rest[foot].rotation;
    size_t joints = (size_t)clip->skeleton->joint_count;
    for (size_t f = 0; f < (size_t)clip->frame_count; f++)
        assert_true(lope_quat_angle(clip->rotations[f * joints + (size_t)foot], rest) < 1.6f);
    lope_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_that_turn_over_are_turned_back),
        cmocka_unit_test(whole_clips_keep_their_bits),
        cmocka_unit_test(a_captured_foot_is_turned_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
