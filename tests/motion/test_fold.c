// SPDX-License-Identifier: MIT
#include <string.h>

#include "support/bodies.h"

enum { MAX_JOINTS = 128 };

// Every joint that is left stands where it stood, and joint 0 is the pelvis.
static void joints_above_the_hips_go(void **state)
{
    (void)state;
    static const char *const titles[] = {"joint_Root", "unreal", "biped"};
    for (int i = 0; i < 3; i++)
        for (int moving = 0; moving < 2; moving++) {
            int roles[LOPE_ROLE_COUNT];
            lope_skeleton *skeleton =
                body_make(body_find(titles[i]), &(body_variant){.turned = true, .tips = true}, roles);
            lope_clip *clip = body_clip(skeleton, 10, LOPE_CLIP_CONTACTS | (moving ? LOPE_CLIP_TRANSLATIONS : 0), 6);
            lope_clip *out;
            lope_error error;
            assert_ok(lope_clip_fold_root(clip, &out, &error));
            assert_int_equal(out->skeleton->roles[LOPE_HIPS], 0);
            assert_int_equal(out->skeleton->role_source, skeleton->role_source);
            assert_true(lope_skeleton_is_biped(out->skeleton));
            assert_int_equal(lope_skeleton_find(out->skeleton, "ik_foot_root"), -1);
            assert_true((out->translations != NULL) == (moving == 1));
            assert_memory_equal(out->contacts, clip->contacts, 10 * sizeof *clip->contacts);
            lope_transform before[MAX_JOINTS], after[MAX_JOINTS];
            for (int f = 0; f < clip->frame_count; f++) {
                lope_clip_model(clip, f, before);
                lope_clip_model(out, f, after);
                for (int j = 0; j < out->skeleton->joint_count; j++) {
                    int old = lope_skeleton_find(skeleton, out->skeleton->names[j]);
                    assert_near(lope_v3_distance(before[old].translation, after[j].translation), 0, 1e-5);
                    assert_near(lope_quat_angle(before[old].rotation, after[j].rotation), 0, 1e-5);
                }
            }
            for (int r = 0; r < LOPE_ROLE_COUNT; r++)
                if (roles[r] >= 0)
                    assert_string_equal(skeleton->names[roles[r]], out->skeleton->names[out->skeleton->roles[r]]);
            lope_skeleton_rest_model(skeleton, before);
            lope_skeleton_rest_model(out->skeleton, after);
            assert_near(lope_v3_distance(before[roles[LOPE_HEAD]].translation,
                                         after[out->skeleton->roles[LOPE_HEAD]].translation),
                        0, 1e-5);
            lope_clip_destroy(clip);
            lope_clip_destroy(out);
            lope_skeleton_release(skeleton);
        }
}

// Where only the joints above and the hips themselves moved, the folded clip needs no translations any more.
static void translations_that_became_needless_go(void **state)
{
    (void)state;
    int roles[LOPE_ROLE_COUNT];
    lope_skeleton *skeleton = body_make(body_find("joint_Root"), &(body_variant){0}, roles);
    lope_clip *clip, *out;
    lope_error error;
    assert_ok(lope_clip_create(skeleton, "walk", 4, 30.0, LOPE_CLIP_TRANSLATIONS, &clip, &error));
    for (int f = 0; f < 4; f++)
        clip->translations[f * skeleton->joint_count + roles[LOPE_HIPS]].z = 0.1f * (float)f;
    assert_ok(lope_clip_fold_root(clip, &out, &error));
    assert_null(out->translations);
    assert_near(out->root[3].z, 0.3, 1e-6);
    lope_clip_destroy(clip);
    lope_clip_destroy(out);
    lope_skeleton_release(skeleton);
}

static void hips_at_the_root_are_left_alone(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(5, 30.0, 3), *out;
    lope_error error;
    assert_ok(lope_clip_fold_root(clip, &out, &error));
    assert_ptr_equal(out->skeleton, clip->skeleton);
    size_t values = 5 * (size_t)clip->skeleton->joint_count;
    assert_memory_equal(out->rotations, clip->rotations, values * sizeof *out->rotations);
    lope_clip_destroy(clip);
    lope_clip_destroy(out);
}

static void raising_lifts_every_joint(void **state)
{
    (void)state;
    lope_skeleton *skeleton = test_biped();
    for (int moving = 0; moving < 2; moving++) {
        lope_clip *clip = body_clip(skeleton, 3, moving ? LOPE_CLIP_TRANSLATIONS : 0, 3);
        lope_transform before[MAX_JOINTS], after[MAX_JOINTS];
        lope_clip_model(clip, 2, before);
        lope_clip_raise(clip, 0.25f);
        lope_clip_model(clip, 2, after);
        for (int j = 0; j < skeleton->joint_count; j++)
            assert_near(after[j].translation.y - before[j].translation.y, 0.25, 1e-6);
        if (moving)
            assert_memory_equal(&clip->translations[2 * skeleton->joint_count], &clip->root[2], sizeof *clip->root);
        lope_clip_destroy(clip);
    }
    lope_skeleton_release(skeleton);
}

static lope_status fold(void *user, lope_error *error)
{
    lope_clip *out;
    lope_status status = lope_clip_fold_root(user, &out, error);
    lope_clip_destroy(out);
    return status;
}

static void allocation_failures(void **state)
{
    (void)state;
    int roles[LOPE_ROLE_COUNT];
    lope_skeleton *skeleton = body_make(body_find("joint_Root"), &(body_variant){0}, roles);
    lope_clip *clip = body_clip(skeleton, 3, 0, 1);
    lope_skeleton_release(skeleton);
    test_allocation_failures(fold, clip);
    lope_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_above_the_hips_go),
        cmocka_unit_test(translations_that_became_needless_go),
        cmocka_unit_test(hips_at_the_root_are_left_alone),
        cmocka_unit_test(raising_lifts_every_joint),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
