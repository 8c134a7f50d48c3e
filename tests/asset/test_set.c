// SPDX-License-Identifier: MIT
// Motion sets: what fits together, and that a saved set is the set.
#include <stdio.h>
#include <string.h>

#include "asset/built.h"
#include "asset/chunks.h"
#include "motion/lock.h"
#include "support/support.h"
#include "support/walking.h"

static lope_set *make_set(void)
{
    lope_error error;
    lope_clip *clips[3] = {test_clip(40, 30.0, 1), test_clip(25, 30.0, 2), NULL};
    assert_ok(lope_clip_create(clips[0]->skeleton, "with everything", 7, 30.0,
                               LOPE_CLIP_CONTACTS | LOPE_CLIP_TRANSLATIONS, &clips[2], &error));
    clips[2]->contacts[3] = LOPE_CONTACT_LEFT_FOOT;
    lope_set *set;
    assert_ok(lope_set_create(clips, 3, &set, &error));
    return set;
}

static void assert_same_clip(const lope_clip *a, const lope_clip *b)
{
    size_t frames = (size_t)a->frame_count, joints = (size_t)a->skeleton->joint_count;
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->frame_count, b->frame_count);
    assert_true(a->frame_rate == b->frame_rate);
    assert_memory_equal(a->root, b->root, frames * sizeof *a->root);
    assert_memory_equal(a->rotations, b->rotations, frames * joints * sizeof *a->rotations);
    assert_int_equal(!a->contacts, !b->contacts);
    assert_int_equal(!a->translations, !b->translations);
    if (a->contacts)
        assert_memory_equal(a->contacts, b->contacts, frames * sizeof *a->contacts);
    if (a->translations)
        assert_memory_equal(a->translations, b->translations, frames * joints * sizeof *a->translations);
}

static void a_saved_set_is_the_set(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = make_set(), *opened;
    const char *path = test_path("set.lope");
    assert_ok(lope_set_save(set, path, &error));
    assert_ok(lope_set_open(path, &opened, &error));
    assert_int_equal(opened->clip_count, set->clip_count);
    assert_true(lope_skeleton_equal(opened->skeleton, set->skeleton, 0.0f));
    assert_memory_equal(opened->skeleton->roles, set->skeleton->roles, sizeof set->skeleton->roles);
    assert_int_equal(opened->skeleton->role_source, set->skeleton->role_source);
    for (int i = 0; i < set->clip_count; i++)
        assert_same_clip(set->clips[i], opened->clips[i]);
    lope_set_destroy(opened);
    lope_set_destroy(set);
}

static void clips_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set;
    lope_clip *a = test_clip(5, 30.0, 1), *b = test_clip(5, 60.0, 1);
    assert_int_equal(lope_set_create((lope_clip *[]){a, b}, 2, &set, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "rates"));
    lope_clip_destroy(b);
    lope_skeleton *skeleton = test_biped();
    ((lope_transform *)(uintptr_t)skeleton->rest)[2].translation.y -= 0.01f;
    assert_ok(lope_clip_create(skeleton, "longer legs", 5, 30.0, 0, &b, &error));
    assert_int_equal(lope_set_create((lope_clip *[]){a, b}, 2, &set, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "longer legs"));
    assert_int_equal(lope_set_create(NULL, 0, &set, &error), LOPE_BAD_DATA);
    lope_skeleton_release(skeleton);
    lope_clip_destroy(a);
    lope_clip_destroy(b);
}

// Saves a clip that was spoiled and expects the set to be refused.
static void expect_bad_clip(void (*spoil)(lope_clip *clip), const char *part)
{
    lope_error error;
    lope_clip *clip = test_clip(6, 30.0, 3);
    spoil(clip);
    lope_set set = {clip->skeleton, 1, &clip, NULL}, *opened;
    const char *path = test_path("spoiled.lope");
    assert_ok(lope_set_save(&set, path, &error));
    assert_int_equal(lope_set_open(path, &opened, &error), LOPE_BAD_DATA);
    if (!strstr(error.message, part))
        fail_msg("expected '%s' in '%s'", part, error.message);
    lope_clip_destroy(clip);
}

static void spoil_rotation(lope_clip *clip)
{
    clip->rotations[17].y = NAN;
}

static void shrink_rotation(lope_clip *clip)
{
    clip->rotations[17] = (lope_quat){0.0f, 0.0f, 0.0f, 0.5f};
}

static void spoil_root(lope_clip *clip)
{
    clip->root[5].x = 1e20f;
}

static void spoil_rate(lope_clip *clip)
{
    clip->frame_rate = -30.0;
}

static void raise_rate(lope_clip *clip)
{
    clip->frame_rate = 1e300;
}

// Clips of two rates are no set, whoever wrote them into one file.
static void a_file_with_two_rates_is_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *clips[2] = {test_clip(6, 30.0, 3), test_clip(6, 60.0, 3)};
    lope_set set = {clips[0]->skeleton, 2, clips, NULL}, *opened;
    const char *path = test_path("rates.lope");
    assert_ok(lope_set_save(&set, path, &error));
    assert_int_equal(lope_set_open(path, &opened, &error), LOPE_MISMATCH);
    assert_null(opened);
    lope_clip_destroy(clips[0]);
    lope_clip_destroy(clips[1]);
}

static void files_of_an_insane_writer_are_refused(void **state)
{
    (void)state;
    expect_bad_clip(spoil_rotation, "not finite");
    expect_bad_clip(shrink_rotation, "no rotations");
    expect_bad_clip(spoil_root, "too far");
    expect_bad_clip(spoil_rate, "frame rate");
    expect_bad_clip(raise_rate, "frame rate");
    lope_error error;
    lope_container_writer *writer;
    assert_ok(lope_container_writer_create(&writer, &error));
    assert_ok(lope_container_writer_add(writer, LOPE_CHUNK_SKELETON, 1, "short", 5, &error));
    assert_ok(lope_container_writer_add(writer, LOPE_CHUNK_CLIP, 1, "short", 5, &error));
    const char *path = test_path("short.lope");
    assert_ok(lope_container_writer_save(writer, path, &error));
    lope_container_writer_destroy(writer);
    lope_set *set;
    assert_int_equal(lope_set_open(path, &set, &error), LOPE_BAD_DATA);
}

static lope_status make_one_clip_set(lope_set **set, lope_error *error)
{
    static const char *const names[] = {"root"};
    static const int parents[] = {-1};
    lope_transform rest = lope_transform_identity();
    lope_skeleton *skeleton = NULL;
    lope_clip *clip = NULL;
    lope_skeleton_def def = {1, names, parents, &rest, NULL, NULL, NULL};
    lope_status status = lope_skeleton_create(&def, &skeleton, error);
    if (!status)
        status = lope_clip_create(skeleton, "c", 3, 30.0, 0, &clip, error);
    if (!status)
        status = lope_set_create(&clip, 1, set, error);
    if (status)
        lope_clip_destroy(clip);
    lope_skeleton_release(skeleton);
    return status;
}

static lope_status save_and_open(void *user, lope_error *error)
{
    lope_set *set = NULL, *opened = NULL;
    lope_status status = make_one_clip_set(&set, error);
    if (!status)
        status = lope_set_save(set, user, error);
    if (!status)
        status = lope_set_open(user, &opened, error);
    lope_set_destroy(opened);
    lope_set_destroy(set);
    return status;
}

// The skeleton, a clip, and legs as they are told.
static lope_status add_with_legs(lope_container_writer *writer, const void *built, lope_error *out)
{
    const lock_learnt *legs = built;
    lope_error error = {0};
    lope_clip *clip = NULL;
    (void)out;
    lope_synth_def def = lope_synth_def_default();
    assert_ok(lope_synth_clip("walk_normal", &def, 1, &clip, &error));
    assert_ok(lope_chunk_add_skeleton(writer, clip->skeleton, &error));
    assert_ok(lope_chunk_add_clip(writer, clip, &error));
    assert_ok(lope_container_writer_add(writer, LOPE_CHUNK_LEGS, 1, legs, sizeof *legs, &error));
    lope_clip_destroy(clip);
    return LOPE_OK;
}

static void open_rigs(const char *path, lope_lock_rig *told, lope_lock_rig *learnt)
{
    lope_error error = {0};
    lope_set *set;
    assert_ok(lope_set_open(path, &set, &error));
    lope_chunk_lock_rig(set, told);
    lope_lock_rig_learn(set->skeleton, set->clips, set->clip_count, learnt);
    lope_set_destroy(set);
}

// What foot locking learnt is read from files: of large sets, looking at all frames takes a while.
static void files_tell_what_was_learnt_of_legs(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_normal"};
    lope_error error = {0};
    lope_set *set = test_make_set(names, 1, 1);
    lope_lock_rig told, learnt;
    lock_learnt legs;
    assert_ok(lope_set_save(set, test_path("legs.lope"), &error));
    lope_set_destroy(set);
    open_rigs(test_path("legs.lope"), &told, &learnt);
    assert_true(told.legs[0].longest > 0.5f && told.hinges[2].joint > 0);
    assert_memory_equal(&told, &learnt, sizeof told);

    lope_lock_rig_note(&learnt, &legs);
    legs.legs[1][0] = 0.5f;
    legs.hinges[0].joint = 1000000;
    assert_ok(lope_chunk_save(test_path("legs.lope"), add_with_legs, &legs, &error));
    open_rigs(test_path("legs.lope"), &told, &learnt);
    assert_near(told.legs[1].longest, 0.5, 0.0);
    assert_int_equal(told.hinges[0].joint, 0);

    legs.legs[1][0] = NAN; // not to be believed
    assert_ok(lope_chunk_save(test_path("legs.lope"), add_with_legs, &legs, &error));
    open_rigs(test_path("legs.lope"), &told, &learnt);
    assert_memory_equal(&told, &learnt, sizeof told);
}

static void running_out_of_memory_is_survived(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("m.lope"));
    test_allocation_failures(save_and_open, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_set_is_the_set),
        cmocka_unit_test(files_tell_what_was_learnt_of_legs),
        cmocka_unit_test(clips_that_do_not_fit_are_refused),
        cmocka_unit_test(files_of_an_insane_writer_are_refused),
        cmocka_unit_test(a_file_with_two_rates_is_refused),
        cmocka_unit_test(running_out_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
