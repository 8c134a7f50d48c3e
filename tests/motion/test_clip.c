// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/random.h"
#include "support/support.h"

static void impossible_clips_are_refused(void **state)
{
    (void)state;
    lope_skeleton *skeleton = test_biped();
    static const int frame_counts[] = {0, -1, INT32_MIN, INT32_MAX};
    static const double rates[] = {0.0, -30.0, (double)NAN, (double)INFINITY, 1e-9, 1e9};
    lope_clip *clip;
    lope_error error;
    for (int i = 0; i < 4; i++) {
        clip = (lope_clip *)(uintptr_t)16;
        assert_int_equal(lope_clip_create(skeleton, "x", frame_counts[i], 30.0, 0, &clip, &error), LOPE_BAD_DATA);
        assert_null(clip);
        assert_non_null(strstr(error.message, "frames"));
    }
    for (int i = 0; i < 6; i++) {
        clip = (lope_clip *)(uintptr_t)16;
        assert_int_equal(lope_clip_create(skeleton, "x", 10, rates[i], 0, &clip, &error), LOPE_BAD_DATA);
        assert_null(clip);
        assert_non_null(strstr(error.message, "frame rate"));
        assert_int_equal(lope_clip_create(skeleton, "x", 10, rates[i], 0, &clip, NULL), LOPE_BAD_DATA);
    }
    lope_clip_destroy(NULL);
    lope_skeleton_release(skeleton);
}

static void a_new_clip_is_at_rest(void **state)
{
    (void)state;
    lope_skeleton *skeleton = test_biped();
    lope_clip *clip;
    lope_error error;
    assert_ok(lope_clip_create(skeleton, "rest", 3, 25.0, LOPE_CLIP_TRANSLATIONS | LOPE_CLIP_CONTACTS, &clip, &error));
    assert_string_equal(clip->name, "rest");
    assert_near(lope_clip_duration(clip), 2.0 / 25.0, 1e-15);
    lope_transform rest[21], model[21];
    assert_int_equal(skeleton->joint_count, 21);
    lope_skeleton_rest_model(skeleton, rest);
    for (int f = 0; f < 3; f++) {
        lope_clip_model(clip, f, model);
        assert_memory_equal(model, rest, sizeof model);
        assert_int_equal(clip->contacts[f], 0);
    }
    lope_skeleton_release(skeleton); // the clip holds a reference of its own
    assert_int_equal(clip->skeleton->joint_count, 21);
    lope_clip_destroy(clip);
}

static lope_pose pose_in(lope_quat *rotations)
{
    return (lope_pose){.rotations = rotations};
}

static void sampling_clamps_and_meets_the_frames(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(30, 30.0, 1);
    lope_quat rotations[21], expected[21];
    lope_pose pose = pose_in(rotations), frame = pose_in(expected);
    const double times[] = {-1.0, 0.0, (double)NAN, -(double)INFINITY, 29.0 / 30.0, 5.0, (double)INFINITY};
    for (int i = 0; i < 7; i++) {
        lope_clip_sample(clip, times[i], &pose);
        lope_clip_frame(clip, i < 4 ? 0 : 29, &frame);
        assert_memory_equal(rotations, expected, sizeof rotations);
        assert_memory_equal(&pose.root, &frame.root, sizeof pose.root);
    }
    for (int f = 0; f < 30; f++) {
        lope_clip_sample(clip, (double)f / 30.0, &pose);
        lope_clip_frame(clip, f, &frame);
        for (int j = 0; j < 21; j++)
            assert_near(lope_quat_angle(rotations[j], expected[j]), 0.0, 1e-6);
        assert_near(lope_v3_distance(pose.root, frame.root), 0.0, 1e-6);
    }
    lope_clip_sample(clip, 10.5 / 30.0, &pose); // in the middle: half of each
    lope_quat half = lope_quat_slerp(clip->rotations[10 * 21 + 2], clip->rotations[11 * 21 + 2], 0.5f);
    assert_near(lope_quat_angle(rotations[2], half), 0.0, 1e-6);
    lope_clip_destroy(clip);
}

static void translations_are_sampled_or_filled_from_rest(void **state)
{
    (void)state;
    lope_clip *still = test_clip(4, 30.0, 2), *moving;
    lope_error error;
    assert_ok(lope_clip_create(still->skeleton, "moving", 4, 30.0, LOPE_CLIP_TRANSLATIONS, &moving, &error));
    for (int f = 0; f < 4; f++)
        moving->translations[f * 21 + 7].y = (float)f;
    lope_quat rotations[21];
    lope_vec3 translations[21];
    lope_pose pose = {.rotations = rotations, .translations = translations};
    lope_clip_sample(moving, 1.5 / 30.0, &pose);
    assert_near(translations[7].y, 1.5, 1e-5);
    lope_clip_sample(still, 1.5 / 30.0, &pose);
    assert_memory_equal(&translations[0], &pose.root, sizeof pose.root);
    for (int j = 1; j < 21; j++)
        assert_memory_equal(&translations[j], &still->skeleton->rest[j].translation, sizeof(lope_vec3));
    lope_clip_frame(moving, 2, &pose);
    assert_near(translations[7].y, 2.0, 0.0);
    lope_clip_destroy(still);
    lope_clip_destroy(moving);
}

static lope_clip *clip_with_everything(int frames)
{
    lope_clip *plain = test_clip(frames, 30.0, 3), *clip;
    lope_error error;
    assert_ok(lope_clip_create(plain->skeleton, "everything", frames, 30.0, LOPE_CLIP_TRANSLATIONS | LOPE_CLIP_CONTACTS,
                               &clip, &error));
    memcpy(clip->rotations, plain->rotations, (size_t)frames * 21 * sizeof(lope_quat));
    for (int f = 0; f < frames; f++) {
        clip->root[f] = clip->translations[f * 21] = plain->root[f];
        clip->translations[f * 21 + 3].x = (float)f;
        clip->contacts[f] = (uint16_t)(f + 1);
    }
    lope_clip_destroy(plain);
    return clip;
}

static void trimming_copies_the_frames(void **state)
{
    (void)state;
    lope_clip *clip = clip_with_everything(20), *part;
    lope_error error;
    assert_ok(lope_clip_trim(clip, 5, 10, &part, &error));
    assert_int_equal(part->frame_count, 10);
    assert_string_equal(part->name, clip->name);
    assert_memory_equal(part->rotations, clip->rotations + 5 * 21, 10 * 21 * sizeof(lope_quat));
    assert_memory_equal(part->translations, clip->translations + 5 * 21, 10 * 21 * sizeof(lope_vec3));
    assert_memory_equal(part->root, clip->root + 5, 10 * sizeof(lope_vec3));
    assert_memory_equal(part->contacts, clip->contacts + 5, 10 * sizeof(uint16_t));
    lope_clip_destroy(part);
    lope_clip_destroy(clip);
}

static void resampling_at_the_same_rate_changes_nothing(void **state)
{
    (void)state;
    lope_clip *clip = clip_with_everything(40), *same;
    lope_error error;
    assert_ok(lope_clip_resample(clip, 30.0, &same, &error));
    assert_int_equal(same->frame_count, 40);
    assert_memory_equal(same->contacts, clip->contacts, 40 * sizeof(uint16_t));
    for (int i = 0; i < 40 * 21; i++) {
        assert_near(lope_quat_angle(same->rotations[i], clip->rotations[i]), 0.0, 1e-6);
        assert_near(lope_v3_distance(same->translations[i], clip->translations[i]), 0.0, 1e-5);
    }
    lope_clip_destroy(same);
    lope_clip_destroy(clip);
}

static void resampling_up_and_down_comes_back(void **state)
{
    (void)state;
    lope_clip *clip = clip_with_everything(61), *fine, *back;
    lope_error error;
    assert_ok(lope_clip_resample(clip, 120.0, &fine, &error));
    assert_int_equal(fine->frame_count, 241); // 2 s: the last frame still falls on the end
    assert_near(lope_clip_duration(fine), lope_clip_duration(clip), 1e-12);
    assert_ok(lope_clip_resample(fine, 30.0, &back, &error));
    assert_int_equal(back->frame_count, 61);
    for (int i = 0; i < 61 * 21; i++)
        assert_near(lope_quat_angle(back->rotations[i], clip->rotations[i]), 0.0, 1e-5);
    for (int f = 0; f < 61; f++)
        assert_near(lope_v3_distance(back->root[f], clip->root[f]), 0.0, 1e-5);
    lope_clip *slow;
    assert_ok(lope_clip_resample(clip, 7.0, &slow, &error));
    assert_int_equal(slow->frame_count, 15); // the last one falls before the end
    assert_true(lope_clip_duration(slow) <= lope_clip_duration(clip));
    lope_clip_destroy(slow);
    lope_clip_destroy(back);
    lope_clip_destroy(fine);
    lope_clip_destroy(clip);
}

// An arm that is swung: 9 radians per second.
static lope_transform swung(double time)
{
    float x = (float)lope_cos(9.0 * time), z = (float)lope_sin(9.0 * time);
    return (lope_transform){lope_quat_axis_angle(lope_v3(0.0f, 0.0f, 1.0f), z), lope_v3(x, 1.0f, z)};
}

// Between frames motion is smooth: nearer to what was there than straight lines are, which cut every corner.
static void resampling_follows_the_curve(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(49, 24.0, 6), *even;
    lope_error error;
    size_t joints = (size_t)clip->skeleton->joint_count;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_transform at = swung((double)f / 24.0);
        clip->root[f] = at.translation;
        clip->rotations[(size_t)f * joints] = at.rotation;
    }
    lope_clip_align_quaternions(clip);
    assert_ok(lope_clip_resample(clip, 30.0, &even, &error));
    lope_quat rotations[64];
    assert_in_range(joints, 1, 64);
    lope_pose straight = {.joint_count = (int)joints, .rotations = rotations};
    float off[2] = {0.0f, 0.0f}, turned[2] = {0.0f, 0.0f};
    for (int f = 2; f + 3 < even->frame_count; f++) {
        lope_transform at = swung((double)f / 30.0);
        lope_clip_sample(clip, (double)f / 30.0, &straight);
        off[0] += lope_v3_distance(straight.root, at.translation);
        off[1] += lope_v3_distance(even->root[f], at.translation);
        turned[0] += lope_quat_angle(rotations[0], at.rotation);
        turned[1] += lope_quat_angle(even->rotations[(size_t)f * joints], at.rotation);
    }
    assert_true(off[1] < 0.2f * off[0] && turned[1] < 0.3f * turned[0]);
    lope_clip_destroy(even);
    lope_clip_destroy(clip);
}

static void impossible_rates_are_refused(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(10, 30.0, 4), *out;
    static const double rates[] = {0.0, -1.0, (double)NAN, (double)INFINITY, 1e12};
    lope_error error;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(lope_clip_resample(clip, rates[i], &out, &error), LOPE_BAD_DATA);
        assert_null(out);
    }
    lope_clip_destroy(clip);
}

static void aligned_quaternions_keep_their_rotations(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(50, 30.0, 5);
    lope_random random = lope_random_seed(6);
    lope_quat before[50 * 21];
    for (int i = 0; i < 50 * 21; i++)
        if (lope_random_below(&random, 2))
            clip->rotations[i] = lope_quat_negate(clip->rotations[i]);
    memcpy(before, clip->rotations, sizeof before);
    lope_clip_align_quaternions(clip);
    assert_memory_equal(clip->rotations, before, 21 * sizeof *before); // the first frame leads
    for (int i = 0; i < 50 * 21; i++) {
        assert_near(fabsf(lope_quat_dot(clip->rotations[i], before[i])), 1.0, 1e-6);
        if (i >= 21)
            assert_true(lope_quat_dot(clip->rotations[i], clip->rotations[i - 21]) >= 0.0f);
    }
    lope_clip_destroy(clip);
}

static lope_status make_and_change(void *user, lope_error *error)
{
    const lope_skeleton *skeleton = user;
    lope_clip *clip, *part = NULL, *slow = NULL;
    lope_status status = lope_clip_create(skeleton, "x", 20, 30.0, LOPE_CLIP_CONTACTS, &clip, error);
    if (!status)
        status = lope_clip_trim(clip, 2, 10, &part, error);
    if (!status)
        status = lope_clip_resample(clip, 12.0, &slow, error);
    lope_clip_destroy(clip);
    lope_clip_destroy(part);
    lope_clip_destroy(slow);
    return status;
}

static void running_out_of_memory_is_reported(void **state)
{
    (void)state;
    lope_skeleton *skeleton = test_biped();
    test_allocation_failures(make_and_change, skeleton);
    lope_skeleton_release(skeleton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_clips_are_refused),
        cmocka_unit_test(a_new_clip_is_at_rest),
        cmocka_unit_test(sampling_clamps_and_meets_the_frames),
        cmocka_unit_test(translations_are_sampled_or_filled_from_rest),
        cmocka_unit_test(trimming_copies_the_frames),
        cmocka_unit_test(resampling_at_the_same_rate_changes_nothing),
        cmocka_unit_test(resampling_up_and_down_comes_back),
        cmocka_unit_test(resampling_follows_the_curve),
        cmocka_unit_test(impossible_rates_are_refused),
        cmocka_unit_test(aligned_quaternions_keep_their_rotations),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
