// SPDX-License-Identifier: MIT
// Window blends: what lies outside the window is kept, what lies inside is smooth, feet stay down.
#include <string.h>

#include "support/stride.h"

enum { JOINTS = 21 };
#define RATE 60.0

static lope_clip *join(const lope_clip *from, int from_frame, const lope_clip *to, int to_frame, int window)
{
    lope_clip *out;
    lope_error error;
    assert_ok(lope_clip_join(&(lope_join){from, from_frame, to, to_frame, window}, &out, &error));
    assert_int_equal(out->frame_count, from_frame + to->frame_count - to_frame);
    return out;
}

static void impossible_joins_are_refused(void **state)
{
    (void)state;
    lope_clip *a = test_clip(30, 30.0, 1), *b = test_clip(30, 60.0, 2), *out;
    const lope_join wrong[] = {{a, -1, a, 0, 5}, {a, 26, a, 0, 5}, {a, 0, a, 26, 5},        {a, 0, a, -1, 5},
                               {a, 0, a, 0, 0},  {a, 0, a, 0, 31}, {a, 0, a, 0, INT32_MAX}, {a, INT32_MAX, a, 0, 5}};
    lope_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(lope_clip_join(&wrong[i], &out, &error), LOPE_BAD_DATA);
        assert_null(out);
    }
    assert_int_equal(lope_clip_join(&(lope_join){a, 0, b, 0, 5}, &out, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "frames per second"));
    static const char *const names[] = {"a"};
    static const int parents[] = {-1};
    lope_transform rest[1] = {{{0, 0, 0, 1}, {0, 1, 0}}};
    lope_skeleton *skeleton;
    lope_clip *other;
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){1, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    assert_ok(lope_clip_create(skeleton, "other", 30, 30.0, 0, &other, &error));
    assert_int_equal(lope_clip_join(&(lope_join){a, 0, other, 0, 5}, &out, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "skeleton"));
    lope_skeleton_release(skeleton);
    lope_clip_destroy(other);
    lope_clip_destroy(a);
    lope_clip_destroy(b);
}

static void a_clip_joined_to_itself_is_itself(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(60, 30.0, 3), *out = join(clip, 20, clip, 20, 11);
    for (int i = 0; i < 60 * JOINTS; i++)
        assert_near(lope_quat_angle(out->rotations[i], clip->rotations[i]), 0.0, 2e-6);
    for (int f = 0; f < 60; f++)
        assert_near(lope_v3_distance(out->root[f], clip->root[f]), 0.0, 1e-5);
    lope_clip_destroy(out);
    lope_clip_destroy(clip);
}

static void outside_the_window_both_clips_are_kept(void **state)
{
    (void)state;
    lope_clip *from = test_clip(50, 30.0, 4), *to = test_clip(40, 30.0, 5), *out;
    lope_error error;
    lope_clip *turned; // `to` lies elsewhere and faces elsewhere
    assert_ok(lope_clip_place(to, 0, (lope_ground){5, -3, 2.0f}, &turned, &error));
    out = join(from, 30, turned, 10, 9);
    assert_memory_equal(out->rotations, from->rotations, 30 * JOINTS * sizeof(lope_quat));
    assert_memory_equal(out->root, from->root, 30 * sizeof(lope_vec3));
    for (int f = 39; f < out->frame_count - 1; f++) {
        lope_ground moved = lope_clip_ground_step(out, f), own = lope_clip_ground_step(to, f - 20);
        assert_near(moved.x, own.x, 1e-5);
        assert_near(moved.z, own.z, 1e-5);
        assert_near(moved.yaw, own.yaw, 1e-5);
        for (int j = 1; j < JOINTS; j++)
            assert_near(lope_quat_angle(out->rotations[f * JOINTS + j], to->rotations[(f - 20) * JOINTS + j]), 0, 1e-6);
    }
    // In the middle of the window both stood on the same spot, facing the same way.
    lope_ground middle = lope_clip_ground(out, 34), expected = lope_clip_ground(from, 34);
    assert_near(middle.x, expected.x, 0.03);
    assert_near(middle.z, expected.z, 0.03);
    assert_near(lope_wrap_angle(middle.yaw - expected.yaw), 0.0, 0.1);
    lope_clip_destroy(out);
    lope_clip_destroy(turned);
    lope_clip_destroy(from);
    lope_clip_destroy(to);
}

static void the_shortest_window_is_one_frame(void **state)
{
    (void)state;
    lope_clip *from = test_clip(10, 30.0, 6), *to = test_clip(10, 30.0, 7), *out = join(from, 9, to, 0, 1);
    lope_quat half = lope_quat_nlerp(from->rotations[9 * JOINTS + 4], to->rotations[4], 0.5f);
    assert_near(lope_quat_angle(out->rotations[9 * JOINTS + 4], half), 0.0, 1e-6);
    lope_clip_destroy(out);
    lope_clip_destroy(from);
    lope_clip_destroy(to);
}

static void moving_joints_are_mixed_too(void **state)
{
    (void)state;
    lope_clip *from = test_clip(10, 30.0, 8), *to;
    lope_error error;
    assert_ok(lope_clip_create(from->skeleton, "moving", 10, 30.0, LOPE_CLIP_TRANSLATIONS, &to, &error));
    for (int f = 0; f < 10; f++)
        to->translations[f * JOINTS + 3].x += 1.0f;
    lope_clip *out = join(from, 4, to, 4, 3);
    assert_non_null(out->translations);
    float rest = from->skeleton->rest[3].translation.x;
    assert_near(out->translations[2 * JOINTS + 3].x, rest, 1e-6);
    assert_near(out->translations[5 * JOINTS + 3].x, rest + 0.5f, 1e-6); // the middle of the window
    assert_near(out->translations[9 * JOINTS + 3].x, rest + 1.0f, 1e-6);
    for (int f = 0; f < 10; f++)
        assert_memory_equal(&out->translations[f * JOINTS], &out->root[f], sizeof(lope_vec3));
    lope_clip_destroy(out);
    lope_clip_destroy(from);
    lope_clip_destroy(to);
}

// The largest way over the ground of a touching heel or ball between frames [first, end), metres.
static float drift(const lope_clip *clip, const uint16_t *contacts, int first, int end)
{
    lope_transform model[JOINTS];
    lope_vec3 points[2][LOPE_CONTACT_COUNT];
    float largest = 0.0f;
    for (int f = first; f < end; f++) {
        lope_clip_model(clip, f, model);
        lope_contact_points(clip->skeleton, model, points[f & 1]);
        for (int part = 0; f > first && part < 4; part++)
            if (contacts[f] & contacts[f - 1] & 1 << part)
                largest = fmaxf(largest,
                                hypotf(points[0][part].x - points[1][part].x, points[0][part].z - points[1][part].z));
    }
    return largest;
}

static void feet_stay_down_through_the_window(void **state)
{
    (void)state;
    lope_clip *from = test_walk(120, RATE, 0.0f), *to = test_walk(240, RATE, 0.0f);
    // Not quite the same phase, so that a plain blend slides.
    lope_clip *out = join(from, 50, to, 56, 12);
    assert_non_null(out->contacts);
    assert_memory_equal(out->rotations, from->rotations, 50 * JOINTS * sizeof(lope_quat));
    uint16_t *known = from->contacts;
    from->contacts = NULL; // the same join, without the knowledge that restores plants
    lope_clip *plain = join(from, 50, to, 56, 12);
    from->contacts = known;
    assert_null(plain->contacts);
    float slides = drift(plain, out->contacts, 49, 80), stays = drift(out, out->contacts, 49, 80);
    assert_true(slides > 1e-2f);
    assert_true(stays < 0.1f * slides);
    // Long after, only the motion of `to` is left.
    int last = out->frame_count - 1;
    for (int j = 1; j < JOINTS; j++)
        assert_near(lope_quat_angle(out->rotations[last * JOINTS + j], to->rotations[239 * JOINTS + j]), 0.0, 1e-3);
    lope_clip_destroy(plain);
    lope_clip_destroy(out);
    lope_clip_destroy(from);
    lope_clip_destroy(to);
}

static lope_status join_walks(void *user, lope_error *error)
{
    lope_clip *const *clips = user, *out;
    lope_status status = lope_clip_join(&(lope_join){clips[0], 5, clips[1], 5, 8}, &out, error);
    lope_clip_destroy(out);
    return status;
}

static void running_out_of_memory_is_reported(void **state)
{
    (void)state;
    lope_clip *clips[2] = {test_walk(20, RATE, 0.0f), test_walk(30, RATE, 0.0f)};
    test_allocation_failures(join_walks, clips);
    lope_clip_destroy(clips[0]);
    lope_clip_destroy(clips[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_joins_are_refused),
        cmocka_unit_test(a_clip_joined_to_itself_is_itself),
        cmocka_unit_test(outside_the_window_both_clips_are_kept),
        cmocka_unit_test(the_shortest_window_is_one_frame),
        cmocka_unit_test(moving_joints_are_mixed_too),
        cmocka_unit_test(feet_stay_down_through_the_window),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
