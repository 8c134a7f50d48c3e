// SPDX-License-Identifier: MIT
#include <string.h>

#include "support/bodies.h"

enum { MAX_JOINTS = 128 };

static void assert_ground(lope_ground a, lope_ground b, double tolerance)
{
    assert_near(a.x, b.x, tolerance);
    assert_near(a.z, b.z, tolerance);
    assert_near(lope_wrap_angle(a.yaw - b.yaw), 0, tolerance);
}

// One frame of the biped at rest, with the hips turned by `rotation`.
static lope_clip *standing(lope_quat rotation)
{
    lope_skeleton *skeleton = test_biped();
    lope_clip *clip;
    lope_error error;
    assert_ok(lope_clip_create(skeleton, "stand", 1, 30.0, 0, &clip, &error));
    clip->rotations[0] = rotation;
    clip->root[0] = lope_v3(2.0f, 0.95f, -3.0f);
    lope_skeleton_release(skeleton);
    return clip;
}

static void facing_at_rest_and_turned(void **state)
{
    (void)state;
    for (int i = -8; i <= 8; i++) {
        float yaw = (float)i * 0.38f;
        lope_clip *clip = standing(lope_quat_yaw(yaw));
        assert_ground(lope_clip_ground(clip, 0), (lope_ground){2.0f, -3.0f, lope_wrap_angle(yaw)}, 1e-5);
        // The direction agrees with what yaw means: 0 faces +Z, a quarter turn faces +X.
        lope_vec3 ahead = lope_quat_rotate(lope_quat_yaw(yaw), lope_v3(0, 0, 1));
        assert_near(ahead.x, lope_sin((double)yaw), 1e-6);
        lope_clip_destroy(clip);
    }
}

// Crawling, lying on the back, bowing: the pelvis pitches all the way round and the facing stays.
static void pitching_does_not_disturb_facing(void **state)
{
    (void)state;
    for (int i = -15; i <= 15; i++) {
        lope_quat pitch = lope_quat_axis_angle(lope_v3(1, 0, 0), (float)i * 0.2f);
        lope_clip *clip = standing(lope_quat_mul(lope_quat_yaw(0.7f), pitch));
        assert_near(lope_clip_ground(clip, 0).yaw, 0.7, 1e-5);
        lope_clip_destroy(clip);
    }
}

// A pelvis that sways sideways leans the hip line but keeps its heading.
static void rolling_does_not_disturb_facing(void **state)
{
    (void)state;
    for (int i = -7; i <= 7; i++) {
        lope_quat roll = lope_quat_axis_angle(lope_v3(0, 0, 1), (float)i * 0.2f);
        lope_clip *clip = standing(lope_quat_mul(lope_quat_yaw(-2.0f), roll));
        assert_near(lope_clip_ground(clip, 0).yaw, -2.0, 1e-5);
        lope_clip_destroy(clip);
    }
}

static void chain_and_whole_pose_agree(void **state)
{
    (void)state;
    for (int t = 0; t < body_table_count; t++)
        for (int moving = 0; moving < 2; moving++) {
            int roles[LOPE_ROLE_COUNT];
            lope_skeleton *skeleton = body_make(&body_tables[t], &(body_variant){.turned = true}, roles);
            lope_clip *clip = body_clip(skeleton, 10, moving ? LOPE_CLIP_TRANSLATIONS : 0, 8);
            lope_transform model[MAX_JOINTS];
            for (int f = 0; f < clip->frame_count; f++) {
                lope_clip_model(clip, f, model);
                assert_ground(lope_clip_ground(clip, f), lope_ground_of_model(skeleton, model), 1e-5);
            }
            lope_clip_destroy(clip);
            lope_skeleton_release(skeleton);
        }
}

static void steps_add_up_to_the_end(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(200, 30.0, 9);
    lope_ground at = lope_clip_ground(clip, 0);
    for (int f = 0; f < clip->frame_count - 1; f++) {
        at = lope_ground_mul(at, lope_clip_ground_step(clip, f));
        assert_ground(at, lope_clip_ground(clip, f + 1), 1e-4);
    }
    assert_ground(lope_clip_ground_step(clip, 199), (lope_ground){0, 0, 0}, 0);
    lope_clip_destroy(clip);
}

// Steps are seen from the body: placing the clip elsewhere changes none of them, nor any joint's place in the body.
static void placing_moves_the_body_as_one_piece(void **state)
{
    (void)state;
    for (int moving = 0; moving < 2; moving++) {
        lope_skeleton *skeleton = test_biped();
        lope_clip *clip = body_clip(skeleton, 20, moving ? LOPE_CLIP_TRANSLATIONS : 0, 2), *placed;
        lope_ground at = {-4.0f, 7.0f, 2.5f};
        lope_error error;
        assert_ok(lope_clip_place(clip, 7, at, &placed, &error));
        assert_ground(lope_clip_ground(placed, 7), at, 1e-5);
        lope_transform before[MAX_JOINTS], after[MAX_JOINTS];
        lope_transform by = lope_transform_mul(
            lope_ground_transform(at), lope_transform_inverse(lope_ground_transform(lope_clip_ground(clip, 7))));
        for (int f = 0; f < clip->frame_count; f++) {
            assert_ground(lope_clip_ground_step(clip, f), lope_clip_ground_step(placed, f), 1e-5);
            lope_clip_model(clip, f, before);
            lope_clip_model(placed, f, after);
            for (int j = 0; j < skeleton->joint_count; j++) {
                lope_vec3 expected = lope_transform_point(by, before[j].translation);
                assert_near(lope_v3_distance(expected, after[j].translation), 0, 1e-5);
            }
        }
        lope_clip_destroy(clip);
        lope_clip_destroy(placed);
        lope_skeleton_release(skeleton);
    }
}

// Without roles the root joint serves, and its rest orientation is no heading.
static void skeletons_without_roles(void **state)
{
    (void)state;
    static const char *const names[] = {"box"};
    static const int parents[] = {-1};
    lope_transform rest[] = {{lope_quat_axis_angle(lope_v3(0, 0, 1), 1.2f), {0, 0.5f, 0}}};
    lope_skeleton *skeleton;
    lope_error error;
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){1, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    lope_clip *clip;
    assert_ok(lope_clip_create(skeleton, "box", 2, 30.0, 0, &clip, &error));
    assert_ground(lope_clip_ground(clip, 0), (lope_ground){0, 0, 0}, 1e-6);
    clip->rotations[1] = lope_quat_mul(lope_quat_yaw(1.1f), rest[0].rotation);
    clip->root[1] = lope_v3(1.0f, 0.5f, 2.0f);
    assert_ground(lope_clip_ground(clip, 1), (lope_ground){1.0f, 2.0f, 1.1f}, 1e-5);
    assert_ground(lope_clip_ground_step(clip, 0), (lope_ground){1.0f, 2.0f, 1.1f}, 1e-5);
    lope_clip_destroy(clip);
    lope_skeleton_release(skeleton);
}

static lope_status place(void *user, lope_error *error)
{
    lope_clip *out;
    lope_status status = lope_clip_place(user, 0, (lope_ground){1, 2, 3}, &out, error);
    lope_clip_destroy(out);
    return status;
}

static void allocation_failures(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(3, 30.0, 1);
    test_allocation_failures(place, clip);
    lope_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facing_at_rest_and_turned),       cmocka_unit_test(pitching_does_not_disturb_facing),
        cmocka_unit_test(rolling_does_not_disturb_facing), cmocka_unit_test(chain_and_whole_pose_agree),
        cmocka_unit_test(steps_add_up_to_the_end),         cmocka_unit_test(placing_moves_the_body_as_one_piece),
        cmocka_unit_test(skeletons_without_roles),         cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
