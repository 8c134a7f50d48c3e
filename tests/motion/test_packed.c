// SPDX-License-Identifier: MIT
// Packed clips: no joint farther off than promised, the same bits however they are sampled, and bytes that nobody has
// to trust.
#include <math.h>
#include <string.h>

#include "support/support.h"

#define JOINTS 64

// How far joints, and points that turn with them, are from where the clip has them: metres. Computed from the poses
// alone.
static float worst_error(const lope_clip *clip, const lope_packed *packed, double time, float shell)
{
    int count = clip->skeleton->joint_count;
    lope_quat a_rotations[JOINTS], b_rotations[JOINTS];
    lope_pose a = {.rotations = a_rotations}, b = {.rotations = b_rotations};
    lope_transform a_model[JOINTS], b_model[JOINTS];
    lope_clip_sample(clip, time, &a);
    lope_packed_sample(packed, time, &b);
    lope_pose_to_model(clip->skeleton, &a, a_model);
    lope_pose_to_model(clip->skeleton, &b, b_model);
    float worst = 0.0f;
    for (int j = 0; j < count; j++)
        for (int p = 0; p < 4; p++) {
            lope_vec3 at = {p == 1 ? shell : 0.0f, p == 2 ? shell : 0.0f, p == 3 ? shell : 0.0f};
            worst = fmaxf(worst,
                          lope_v3_distance(lope_transform_point(a_model[j], at), lope_transform_point(b_model[j], at)));
        }
    return worst;
}

static void no_joint_is_farther_off_than_promised(void **state)
{
    (void)state;
    lope_error error;
    const float errors[] = {2e-5f, 1e-4f, 1e-3f, 0.02f};
    const char *const names[] = {"walk_normal", "run", "side_step_left", "turn_in_place_left_180"};
    size_t last = SIZE_MAX;
    for (int e = 0; e < 4; e++) {
        size_t size = 0;
        for (int n = 0; n < 4; n++) {
            lope_synth_def performer = lope_synth_def_default();
            lope_clip *clip;
            assert_ok(lope_synth_clip(names[n], &performer, 0, &clip, &error));
            lope_pack_def def = lope_pack_def_default();
            def.error = errors[e];
            lope_packed *packed;
            assert_ok(lope_pack(clip, &def, &packed, &error));
            for (int f = 0; f < clip->frame_count; f++)
                assert_true(worst_error(clip, packed, (double)f / clip->frame_rate, def.shell) <= def.error);
            size += packed->size;
            lope_packed_destroy(packed);
            lope_clip_destroy(clip);
        }
        assert_true(size < last); // what may be farther off takes fewer bytes
        last = size;
    }
}

static void any_number_of_frames_can_be_packed(void **state)
{
    (void)state;
    lope_error error;
    const int counts[] = {1, 2, 3, 4, 5, 6, 63, 64, 65, 66, 67, 68, 69, 128, 129, 130, 200};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        lope_clip *clip = test_clip(counts[i], 30.0, 5 + i), *again;
        lope_packed *packed;
        lope_pack_def def = lope_pack_def_default();
        assert_ok(lope_pack(clip, &def, &packed, &error));
        assert_ok(lope_packed_unpack(packed, &again, &error));
        assert_int_equal(again->frame_count, clip->frame_count);
        for (int f = 0; f < clip->frame_count; f++)
            assert_true(worst_error(clip, packed, (double)f / 30.0, def.shell) <= def.error);
        double end = lope_clip_duration(clip); // before the beginning and after the end
        assert_true(worst_error(clip, packed, -1.0, 0.0f) <= def.error);
        assert_true(worst_error(clip, packed, end + 1.0, 0.0f) <= def.error);
        assert_true(worst_error(clip, packed, (double)NAN, 0.0f) <= def.error);
        lope_clip_destroy(again);
        lope_packed_destroy(packed);
        lope_clip_destroy(clip);
    }
}

// Rotations may differ in sign: clips keep to one hemisphere.
static void assert_same_rotations(const lope_quat *a, const lope_quat *b, int count)
{
    for (int j = 0; j < count; j++) {
        lope_quat q = lope_quat_dot(a[j], b[j]) < 0.0f ? lope_quat_negate(b[j]) : b[j];
        assert_memory_equal(&a[j], &q, sizeof q);
    }
}

static void all_ways_to_sample_give_the_same_bits(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *clip = test_clip(333, 60.0, 17), *again;
    lope_packed *packed;
    lope_pack_def def = lope_pack_def_default();
    assert_ok(lope_pack(clip, &def, &packed, &error));
    assert_ok(lope_packed_unpack(packed, &again, &error));
    int joints = clip->skeleton->joint_count;
    lope_quat rotations[JOINTS];
    lope_vec3 translations[JOINTS];
    lope_pose pose = {.rotations = rotations, .translations = translations};
    lope_packed_request requests[400];
    static lope_transform models[400 * JOINTS];
    for (int i = 0; i < 400; i++)
        requests[i] = (lope_packed_request){packed, i < 333 ? (double)i / 60.0 : 0.0071 * (double)(i - 300)};
    lope_packed_sample_many(clip->skeleton, requests, 400, models);
    for (int i = 0; i < 400; i++) {
        lope_transform model[JOINTS];
        lope_packed_sample(packed, requests[i].time, &pose);
        lope_pose_to_model(clip->skeleton, &pose, model);
        assert_memory_equal(model, models + (size_t)i * (size_t)joints, (size_t)joints * sizeof *model);
        if (i < 333) {
            assert_same_rotations(again->rotations + (size_t)i * (size_t)joints, rotations, joints);
            assert_memory_equal(&again->root[i], &pose.root, sizeof pose.root);
        } else {
            assert_true(worst_error(clip, packed, requests[i].time, def.shell) <= 2.0f * def.error);
        }
    }
    lope_clip_destroy(again);
    lope_packed_destroy(packed);
    lope_clip_destroy(clip);
}

static void what_cannot_be_packed_is_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_packed *packed;
    lope_pack_def def = lope_pack_def_default();
    lope_clip *clip = test_clip(40, 30.0, 3), *moving;
    assert_ok(lope_clip_copy(clip, NULL, LOPE_CLIP_TRANSLATIONS, &moving, &error));
    assert_int_equal(lope_pack(moving, &def, &packed, &error), LOPE_UNSUPPORTED);
    assert_non_null(strstr(error.message, "relative to their parents"));
    lope_clip_destroy(moving);
    for (int f = 0; f < 40; f++) { // spins twice: somewhere it faces away from any middle
        float half = 0.15707963f * (float)f;
        clip->rotations[(size_t)f * (size_t)clip->skeleton->joint_count] = (lope_quat){0, sinf(half), 0, cosf(half)};
    }
    assert_int_equal(lope_pack(clip, &def, &packed, &error), LOPE_UNSUPPORTED);
    assert_non_null(strstr(error.message, "turns too far"));
    for (int i = 0; i < 4; i++) {
        lope_pack_def wrong = def;
        *(i < 2 ? &wrong.error : &wrong.shell) = i % 2 ? NAN : -1.0f;
        assert_int_equal(lope_pack(clip, &wrong, &packed, &error), LOPE_BAD_DATA);
    }
    lope_clip_destroy(clip);
}

static void a_packed_set_is_opened_as_it_was(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *clips[2] = {test_clip(300, 30.0, 1), test_clip(80, 30.0, 2)}, *with_contacts;
    assert_ok(lope_clip_copy(clips[1], "contacts", LOPE_CLIP_CONTACTS, &with_contacts, &error));
    for (int f = 0; f < 80; f++)
        with_contacts->contacts[f] = f / 7 % 2 ? LOPE_CONTACT_LEFT_FOOT : LOPE_CONTACT_RIGHT_TOE;
    lope_clip_destroy(clips[1]);
    clips[1] = with_contacts;
    lope_set *set, *opened;
    assert_ok(lope_set_create(clips, 2, &set, &error));
    lope_pack_def def = lope_pack_def_default();
    int packed;
    assert_ok(lope_set_pack(set, &def, NULL, &packed, &error));
    assert_int_equal(packed, 2);
    const char *path = test_path("packed.lope");
    assert_ok(lope_set_save(set, path, &error));
    assert_ok(lope_set_open(path, &opened, &error));
    for (int i = 0; i < 2; i++) {
        const lope_clip *a = set->clips[i], *b = opened->clips[i];
        size_t frames = (size_t)a->frame_count, joints = (size_t)a->skeleton->joint_count;
        assert_string_equal(a->name, b->name);
        assert_memory_equal(a->rotations, b->rotations, frames * joints * sizeof *a->rotations);
        assert_memory_equal(a->root, b->root, frames * sizeof *a->root);
        assert_int_equal(!a->contacts, !b->contacts);
        if (a->contacts)
            assert_memory_equal(a->contacts, b->contacts, frames * sizeof *a->contacts);
        assert_int_equal(a->packed->size, b->packed->size);
    }
    lope_set_destroy(opened);
    lope_set_destroy(set);
}

// Whatever the bytes say, they are refused, or poses of them are poses.
static void no_bytes_do_harm(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *clip = test_clip(70, 30.0, 8);
    lope_packed *packed, *broken;
    lope_pack_def def = lope_pack_def_default();
    assert_ok(lope_pack(clip, &def, &packed, &error));
    lope_random random = lope_random_seed(77);
    unsigned char *bytes = test_malloc(packed->size);
    lope_quat rotations[JOINTS];
    lope_pose pose = {.rotations = rotations};
    int opened = 0, refused = 0;
    for (int i = 0; i < 3000; i++) {
        memcpy(bytes, packed->bytes, packed->size);
        size_t head = i % 2 ? 1500 : packed->size; // offsets, widths and steps lie in front
        size_t at = (size_t)lope_random_below(&random, (int)(head < packed->size ? head : packed->size));
        bytes[at] ^= (unsigned char)(1u << lope_random_below(&random, 8));
        size_t size = i % 7 ? packed->size : (size_t)lope_random_below(&random, (int)packed->size);
        if (lope_packed_create(clip->skeleton, bytes, size, "broken", &broken, &error)) {
            refused++;
            continue;
        }
        opened++;
        for (int f = 0; f < broken->frame_count && f < 200; f += 3) {
            lope_packed_sample(broken, (double)f / broken->frame_rate, &pose);
            for (int j = 0; j < pose.joint_count; j++)
                assert_near(lope_quat_dot(rotations[j], rotations[j]), 1.0, 1e-3);
        }
        lope_packed_destroy(broken);
    }
    assert_true(opened > 100 && refused > 100);
    test_free(bytes);
    lope_packed_destroy(packed);
    lope_clip_destroy(clip);
}

static lope_status pack_and_unpack(void *user, lope_error *error)
{
    lope_packed *packed;
    lope_pack_def def = lope_pack_def_default();
    lope_status status = lope_pack(user, &def, &packed, error);
    if (status)
        return status;
    lope_clip *again;
    status = lope_packed_unpack(packed, &again, error);
    if (!status)
        lope_clip_destroy(again);
    lope_packed_destroy(packed);
    return status;
}

static void failed_allocations_leave_nothing_behind(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(70, 30.0, 8);
    test_allocation_failures(pack_and_unpack, clip);
    lope_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_joint_is_farther_off_than_promised),   cmocka_unit_test(any_number_of_frames_can_be_packed),
        cmocka_unit_test(all_ways_to_sample_give_the_same_bits),   cmocka_unit_test(what_cannot_be_packed_is_refused),
        cmocka_unit_test(a_packed_set_is_opened_as_it_was),        cmocka_unit_test(no_bytes_do_harm),
        cmocka_unit_test(failed_allocations_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
