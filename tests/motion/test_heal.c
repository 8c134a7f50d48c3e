// SPDX-License-Identifier: MIT
// Tears in rotations are mended, and nothing else is touched.
#include "lope/edit.h"
#include "support/clips.h"
#include "support/human.h"

static void tear(lope_clip *clip, int joint, int first, int end, float angle)
{
    for (int f = first; f < end; f++) {
        lope_quat *q = test_rotation_at(clip, f, joint);
        *q = lope_quat_mul(*q, lope_quat_axis_angle(lope_v3(0, 0, 1), angle));
    }
}

static float farthest(const lope_clip *a, const lope_clip *b, int joint)
{
    float most = 0.0f;
    for (int f = 0; f < a->frame_count; f++)
        most = fmaxf(most, lope_quat_angle(*test_rotation_at(a, f, joint), *test_rotation_at(b, f, joint)));
    return most;
}

// Two frames, half a second, from the middle to the end, and from the beginning to the middle.
static void feet_that_turn_over_are_turned_back(void **state)
{
    (void)state;
    lope_error error;
    for (int kind = 0; kind < 8; kind++) {
        lope_clip *clip = test_performed("walk_normal", kind < 4 ? 60.0 : 120.0), *torn;
        assert_ok(lope_clip_copy(clip, NULL, 0, &torn, &error));
        int foot = clip->skeleton->roles[LOPE_LEFT_ANKLE], end = clip->frame_count, middle = end / 2;
        static const int lengths[] = {2, 30};
        if (kind % 4 < 2)
            tear(torn, foot, middle, middle + lengths[kind % 4], 3.0f);
        else
            tear(torn, foot, kind % 4 == 2 ? middle : 0, kind % 4 == 2 ? end : middle, 3.0f);
        assert_true(test_fastest_turn(torn, foot) > 100.0f);
        assert_true(lope_clip_heal(torn) > 0);
        assert_true(test_fastest_turn(torn, foot) < 1.5f * test_fastest_turn(clip, foot));
        assert_true(farthest(torn, clip, foot) < 0.3f);
        lope_clip_destroy(torn);
        lope_clip_destroy(clip);
    }
}

static void whole_clips_keep_their_bits(void **state)
{
    (void)state;
    for (int rate = 0; rate < 2; rate++)
        for (int i = 0; i < lope_synth_count(); i += 3)
            assert_keeps_its_bits(test_performed(lope_synth_name(i), rate ? 120.0 : 30.0), lope_clip_heal);
}

// A capture whose left foot turns over after 54 frames and stays so to the end.
static void a_captured_foot_is_turned_back(void **state)
{
    (void)state;
    lope_clip *clip = test_captured_clip("069/69_35.bvh");
    int foot = clip->skeleton->roles[LOPE_LEFT_ANKLE];
    assert_true(test_fastest_turn(clip, foot) > 150.0f);
    assert_true(lope_clip_heal(clip) > 0);
    assert_true(test_fastest_turn(clip, foot) < 20.0f);
    // The sole looks down throughout: the toes are never far above the line from heel to ball.
    lope_quat rest = clip->skeleton->rest[foot].rotation;
    for (int f = 0; f < clip->frame_count; f++)
        assert_true(lope_quat_angle(*test_rotation_at(clip, f, foot), rest) < 1.6f);
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
