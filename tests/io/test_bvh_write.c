// SPDX-License-Identifier: MIT
// What is written reads back as the same motion: any clip, any pose of the gimbal, any unit, joints that move.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/random.h"
#include "support/support.h"

#define DEGREE (LOPE_PI / 180.0)

static lope_clip *write_and_read(const lope_clip *clip, float units_per_metre)
{
    lope_error error;
    const char *path = test_path("round.bvh");
    assert_ok(lope_bvh_write(clip, path, units_per_metre, &error));
    lope_read_def def = {.scale = 1.0f / units_per_metre, .up = LOPE_AXIS_Y, .tpose = LOPE_TPOSE_KEEP};
    lope_clip *back;
    assert_ok(lope_bvh_read(path, &def, &back, NULL, &error));
    return back;
}

static void assert_same_motion(const lope_clip *a, const lope_clip *b, double degrees)
{
    assert_true(lope_skeleton_equal(a->skeleton, b->skeleton, 2e-6f));
    assert_int_equal(a->frame_count, b->frame_count);
    assert_near(a->frame_rate, b->frame_rate, 1e-9 * a->frame_rate);
    int joints = a->skeleton->joint_count;
    for (int f = 0; f < a->frame_count; f++) {
        assert_near(lope_v3_distance(a->root[f], b->root[f]), 0.0, 1e-5);
        for (int j = 0; j < joints; j++) {
            int at = f * joints + j;
            assert_near(lope_quat_angle(a->rotations[at], b->rotations[at]), 0.0, degrees * DEGREE);
            lope_vec3 p = a->translations ? a->translations[at] : a->skeleton->rest[j].translation;
            lope_vec3 q = b->translations ? b->translations[at] : b->skeleton->rest[j].translation;
            if (j > 0)
                assert_near(lope_v3_distance(p, q), 0.0, 1e-5);
        }
    }
}

static void clips_come_back(void **state)
{
    (void)state;
    static const float units[] = {100.0f, 1.0f, 1000.0f, 39.3700787f, 17.7165354f};
    static const double rates[] = {30.0, 60.0, 120.0, 23.976023976, 59.94005994};
    for (int i = 0; i < 5; i++) {
        lope_clip *clip = test_clip(40, rates[i], (uint64_t)i);
        lope_clip *back = write_and_read(clip, units[i]);
        assert_same_motion(clip, back, 1e-4);
        for (int j = 0; j < clip->skeleton->joint_count; j++)
            assert_near(lope_v3_distance(clip->skeleton->tips[j], back->skeleton->tips[j]), 0.0, 2e-6);
        lope_clip_destroy(clip);
        lope_clip_destroy(back);
    }
}

// Every joint in random rotations, then in those where two axes of the Euler angles coincide, exactly and nearly.
static void gimbal_lock_loses_nothing(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(200, 30.0, 9);
    lope_random random = lope_random_seed(4);
    int count = clip->frame_count * clip->skeleton->joint_count;
    for (int i = 0; i < count; i++) {
        lope_vec3 v = test_random_vector(&random);
        lope_quat q = {v.x, v.y, v.z, lope_random_normal(&random)};
        float x = i % 4 == 0 ? 1.0f : i % 4 == 1 ? -1.0f : 0.999999f;
        lope_quat z = lope_quat_axis_angle(lope_v3(0, 0, 1), lope_random_range(&random, -3.2f, 3.2f));
        lope_quat lock = lope_quat_axis_angle(lope_v3(1, 0, 0), x * (float)(LOPE_PI / 2.0));
        lope_quat y = lope_quat_yaw(lope_random_range(&random, -3.2f, 3.2f));
        if (i % 4 < 3)
            q = lope_quat_mul(lope_quat_mul(z, lock), y);
        clip->rotations[i] = lope_quat_normalize(q);
    }
    lope_clip_align_quaternions(clip);
    lope_clip *back = write_and_read(clip, 100.0f);
    assert_same_motion(clip, back, 1e-4);
    lope_clip_destroy(clip);
    lope_clip_destroy(back);
}

static void moving_joints_get_channels(void **state)
{
    (void)state;
    lope_clip *still = test_clip(30, 60.0, 2), *clip;
    lope_error error;
    assert_ok(lope_clip_create(still->skeleton, "stretch", 30, 60.0, LOPE_CLIP_TRANSLATIONS, &clip, &error));
    int joints = clip->skeleton->joint_count;
    for (int f = 0; f < 30; f++) {
        clip->root[f] = still->root[f];
        clip->translations[f * joints] = still->root[f];
        clip->translations[f * joints + 3].y -= 0.003f * (float)f;
        clip->translations[f * joints + 12].x += 0.01f; // elsewhere than at rest, but there it stays
    }
    assert_ok(lope_bvh_write(clip, test_path("stretch.bvh"), 100.0f, &error));
    lope_read_def def = {.scale = 0.01f};
    lope_read_report report;
    lope_clip *back;
    assert_ok(lope_bvh_read(test_path("stretch.bvh"), &def, &back, &report, &error));
    assert_int_equal(report.moving_joints, 1);
    assert_non_null(back->translations);
    assert_near(back->skeleton->rest[12].translation.x, clip->skeleton->rest[12].translation.x + 0.01f, 1e-6);
    for (int f = 0; f < 30; f++)
        for (int j = 0; j < joints; j++)
            assert_near(lope_v3_distance(clip->translations[f * joints + j], back->translations[f * joints + j]), 0.0,
                        1e-5);
    lope_clip_destroy(still);
    lope_clip_destroy(clip);
    lope_clip_destroy(back);
}

// What is added to channels by some readers and left out by others is zero; files from before state a place there, and
// are read as ever.
static void channels_stand_alone(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(5, 60.0, 3), *back, *old;
    lope_error error;
    const char *path = test_path("offset.bvh");
    assert_true(clip->skeleton->rest[0].translation.y > 0.5f);
    assert_ok(lope_bvh_write(clip, path, 100.0f, &error));
    lope_file_data text;
    assert_ok(lope_file_read(path, 1 << 24, &text, &error));
    char *offset = strstr(text.bytes, "OFFSET ");
    assert_memory_equal(offset, "OFFSET 0 0 0\n", 13);
    assert_ok(lope_bvh_read(path, NULL, &back, NULL, &error));
    memcpy(offset, "OFFSET 0 9 0\n", 13);
    assert_ok(lope_bvh_read_memory(text.bytes, text.size, "old", NULL, &old, NULL, &error));
    assert_near(old->skeleton->rest[0].translation.y, 0.09, 1e-6);
    assert_same_motion(clip, back, 1e-4);
    assert_same_motion(clip, old, 1e-4);
    lope_file_free(&text);
    lope_clip_destroy(clip);
    lope_clip_destroy(back);
    lope_clip_destroy(old);
}

static void rest_rotations_change_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"hip", "knee", "ankle"};
    static const int parents[] = {-1, 0, 1};
    lope_transform rest[3] = {{{0, 0, 0, 1}, {0, 0.9f, 0}},
                              {lope_quat_axis_angle(lope_v3(1, 0, 0), 0.4f), {0, -0.45f, 0}},
                              {lope_quat_axis_angle(lope_v3(0, 0, 1), -0.7f), {0, -0.45f, 0}}};
    lope_error error;
    lope_skeleton *skeleton;
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){3, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    lope_clip *clip;
    assert_ok(lope_clip_create(skeleton, "leg", 5, 30.0, 0, &clip, &error));
    lope_clip *back = write_and_read(clip, 100.0f);
    lope_transform a[3], b[3];
    lope_clip_model(clip, 4, a);
    lope_clip_model(back, 4, b);
    for (int j = 0; j < 3; j++)
        assert_near(lope_v3_distance(a[j].translation, b[j].translation), 0.0, 1e-5);
    lope_clip_destroy(clip);
    lope_clip_destroy(back);
    lope_skeleton_release(skeleton);
}

// Joints whose order is not depth first are written so; names lead to the same motion.
static void any_joint_order(void **state)
{
    (void)state;
    static const char *const names[] = {"root", "left", "right", "left end", "right end"};
    static const int parents[] = {-1, 0, 0, 1, 2};
    lope_transform rest[5];
    for (int j = 0; j < 5; j++)
        rest[j] = (lope_transform){{0, 0, 0, 1}, {0.1f * (float)j, 0.2f, 0}};
    lope_error error;
    lope_skeleton *skeleton;
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){5, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    lope_clip *clip;
    assert_ok(lope_clip_create(skeleton, "order", 2, 30.0, 0, &clip, &error));
    for (int i = 0; i < 10; i++)
        clip->rotations[i] = lope_quat_yaw(0.1f * (float)i);
    lope_clip *back = write_and_read(clip, 100.0f);
    for (int j = 0; j < 5; j++) {
        int other = lope_skeleton_find(back->skeleton, names[j]);
        assert_true(other >= 0);
        assert_near(lope_quat_angle(clip->rotations[5 + j], back->rotations[5 + other]), 0.0, 1e-4 * DEGREE);
    }
    assert_int_equal(lope_skeleton_find(back->skeleton, "left end"), 2);
    lope_clip_destroy(clip);
    lope_clip_destroy(back);
    lope_skeleton_release(skeleton);
}

static void what_cannot_be_written(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(3, 30.0, 1);
    const char *path = test_path("never.bvh");
    lope_error error;
    assert_int_equal(lope_bvh_write(clip, path, 0.0f, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_bvh_write(clip, path, -1.0f, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_bvh_write(clip, path, NAN, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_bvh_write(clip, test_path("no/such/folder.bvh"), 100.0f, &error), LOPE_NOT_FOUND);
    clip->root[1].y = NAN;
    assert_int_equal(lope_bvh_write(clip, path, 100.0f, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "frame 1"));
    clip->root[1].y = 0.0f;
    clip->rotations[2 * clip->skeleton->joint_count + 4].w = INFINITY;
    assert_int_equal(lope_bvh_write(clip, path, 100.0f, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "LeftToeBase"));
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(access(test_path("never.bvh.part"), F_OK), -1);
    lope_clip_destroy(clip);
}

// Names that a reader would refuse, or change so that two joints become one.
static void names_that_cannot_be_written(void **state)
{
    (void)state;
    static const char *const bad[] = {"", " hip", "hip\t", "h{ip", "h}ip", "hi\np", "hi\rp", "h\x01ip"};
    static const char *const good[] = {"h i\tp", "h\xC3\xBC"
                                                 "fte"};
    const int parents[] = {-1};
    const lope_transform rest[] = {lope_transform_identity()};
    const char *path = test_path("name.bvh");
    lope_error error;
    for (size_t i = 0; i < 10; i++) {
        const char *name = i < 8 ? bad[i] : good[i - 8];
        lope_skeleton *skeleton;
        lope_clip *clip, *back = NULL;
        assert_ok(
            lope_skeleton_create(&(lope_skeleton_def){1, &name, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
        assert_ok(lope_clip_create(skeleton, "x", 2, 30.0, 0, &clip, &error));
        assert_int_equal(lope_bvh_write(clip, path, 100.0f, &error), i < 8 ? LOPE_BAD_DATA : LOPE_OK);
        if (i >= 8) {
            assert_ok(lope_bvh_read(path, NULL, &back, NULL, &error));
            assert_string_equal(back->skeleton->names[0], name);
        }
        lope_clip_destroy(back);
        lope_clip_destroy(clip);
        lope_skeleton_release(skeleton);
    }
}

static void a_failed_write_keeps_the_old_file(void **state)
{
    (void)state;
    const char *path = test_path("kept.bvh");
    test_write_file(path, "old", 3);
    lope_clip *clip = test_clip(3, 30.0, 1);
    clip->root[2].x = INFINITY;
    lope_error error;
    assert_int_equal(lope_bvh_write(clip, path, 100.0f, &error), LOPE_BAD_DATA);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 3);
    lope_clip_destroy(clip);
}

static lope_status write_once(void *user, lope_error *error)
{
    return lope_bvh_write(user, test_path("memory.bvh"), 100.0f, error);
}

static void allocation_failures(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(3, 30.0, 1);
    test_allocation_failures(write_once, clip);
    lope_clip_destroy(clip);
}

// The text and what is read from it are the same everywhere; a new hash means that they change for everyone.
static void golden_file(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(50, 30.0, 77);
    lope_error error;
    const char *path = test_path("golden.bvh");
    assert_ok(lope_bvh_write(clip, path, 100.0f, &error));
    lope_file_data data;
    assert_ok(lope_file_read(path, 1 << 24, &data, &error));
    assert_int_equal(lope_hash(data.bytes, data.size, 0), 0x4034fce7d95abe0ull);
    lope_file_free(&data);
    lope_clip *back;
    assert_ok(lope_bvh_read(path, &(lope_read_def){.scale = 0.01f}, &back, NULL, &error));
    size_t size = (size_t)(back->frame_count * back->skeleton->joint_count) * sizeof *back->rotations;
    assert_int_equal(lope_hash(back->rotations, size, 0), 0xc5a536085abbd80cull);
    lope_clip_destroy(back);
    lope_clip_destroy(clip);
}

static void captured_clip_comes_back(void **state)
{
    (void)state;
    const char *path = test_data("069/69_01.bvh");
    if (!path)
        skip();
    lope_clip *clip;
    lope_error error;
    assert_ok(lope_bvh_read(path, NULL, &clip, NULL, &error));
    lope_clip *back = write_and_read(clip, 100.0f);
    assert_same_motion(clip, back, 1e-4);
    lope_clip_destroy(clip);
    lope_clip_destroy(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clips_come_back),
        cmocka_unit_test(gimbal_lock_loses_nothing),
        cmocka_unit_test(moving_joints_get_channels),
        cmocka_unit_test(channels_stand_alone),
        cmocka_unit_test(rest_rotations_change_nothing),
        cmocka_unit_test(any_joint_order),
        cmocka_unit_test(what_cannot_be_written),
        cmocka_unit_test(names_that_cannot_be_written),
        cmocka_unit_test(a_failed_write_keeps_the_old_file),
        cmocka_unit_test(allocation_failures),
        cmocka_unit_test(golden_file),
        cmocka_unit_test(captured_clip_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
