// SPDX-License-Identifier: MIT
#include "lope/edit.h"

#include <string.h>

#include "lope/ground.h"
#include "support/bodies.h"

enum { MOST_JOINTS = 128, FRAMES = 12 };

static bool is_above(const lope_skeleton *skeleton, int joint, int hips)
{
    for (int j = skeleton->parents[hips]; j >= 0; j = skeleton->parents[j])
        if (j == joint)
            return true;
    return false;
}

// Whatever stands above the hips: bodies stay where they are, the bone goes along on the floor and turns with them.
static void bodies_stay_where_they_are(void **state)
{
    (void)state;
    static const char *const titles[] = {"biped", "joint_Root", "unreal"};
    static const char *const names[] = {NULL, "mover"};
    for (int i = 0; i < 3; i++)
        for (int n = 0; n < 2; n++) {
            int roles[LOPE_ROLE_COUNT];
            lope_skeleton *skeleton = body_make(body_find(titles[i]), &(body_variant){.turned = n == 1}, roles);
            lope_clip *clip = body_clip(skeleton, FRAMES, n ? LOPE_CLIP_TRANSLATIONS | LOPE_CLIP_CONTACTS : 0, 4), *out;
            lope_error error;
            assert_ok(lope_clip_root_bone(clip, names[n], &out, &error));
            assert_int_equal(out->skeleton->joint_count, skeleton->joint_count + (n == 1 || roles[LOPE_HIPS] == 0));
            assert_int_equal(out->skeleton->role_source, skeleton->role_source);
            if (clip->contacts)
                assert_memory_equal(out->contacts, clip->contacts, FRAMES * sizeof *clip->contacts);
            lope_transform before[MOST_JOINTS], after[MOST_JOINTS], rest[MOST_JOINTS];
            lope_skeleton_rest_model(out->skeleton, rest);
            lope_ground rest_ground = lope_ground_of_model(out->skeleton, rest);
            for (int f = 0; f < FRAMES; f++) {
                lope_clip_model(clip, f, before);
                lope_clip_model(out, f, after);
                for (int j = 0; j < skeleton->joint_count; j++) {
                    int same = lope_skeleton_find(out->skeleton, skeleton->names[j]);
                    if (is_above(skeleton, j, roles[LOPE_HIPS]))
                        continue;
                    assert_near(lope_v3_distance(before[j].translation, after[same].translation), 0, 1e-4);
                    assert_near(lope_quat_angle(before[j].rotation, after[same].rotation), 0, 1e-4);
                }
                lope_ground moved = lope_ground_mul(lope_clip_ground(clip, f), lope_ground_inverse(rest_ground));
                lope_transform wanted = lope_transform_mul(lope_ground_transform(moved), rest[0]);
                assert_near(lope_v3_distance(after[0].translation, wanted.translation), 0, 1e-4);
                assert_near(lope_quat_angle(after[0].rotation, wanted.rotation), 0, 1e-3);
            }
            lope_clip_destroy(clip);
            lope_clip_destroy(out);
            lope_skeleton_release(skeleton);
        }
}

static void only_joints_above_the_hips_can_be_root_bones(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(3, 30.0, 1), *out;
    lope_error error = {0};
    assert_int_equal(lope_clip_root_bone(clip, "Head", &out, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "'Head'"));
    assert_null(out);
    assert_int_equal(lope_clip_root_bone(clip, "Hips", &out, &error), LOPE_MISMATCH);
    lope_clip_destroy(clip);
}

static lope_status add(void *user, lope_error *error)
{
    lope_clip *out;
    lope_status status = lope_clip_root_bone(user, NULL, &out, error);
    lope_clip_destroy(out);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(3, 30.0, 1);
    test_allocation_failures(add, clip);
    lope_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_stay_where_they_are),
        cmocka_unit_test(only_joints_above_the_hips_can_be_root_bones),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
