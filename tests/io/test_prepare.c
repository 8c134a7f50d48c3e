// SPDX-License-Identifier: MIT
// Preparing motion sets: every step is done to every clip, in order, whatever the number of threads.
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

enum { CLIPS = 3 };

// Built-in walks on a floor 0.4 m too high, without their contacts, at 120 frames per second.
static void make_walks(lope_clip **clips)
{
    static const char *const names[CLIPS] = {"walk_normal", "turn_left_sharp", "walk_slow"};
    lope_error error;
    lope_synth_def def = lope_synth_def_default();
    def.frame_rate = 120.0;
    for (int i = 0; i < CLIPS; i++) {
        assert_ok(lope_synth_clip(names[i], &def, 0, &clips[i], &error));
        clips[i]->contacts = NULL; // lies in the clip's own block
        lope_clip_raise(clips[i], 0.4f);
    }
}

static void free_walks(lope_clip **clips)
{
    for (int i = 0; i < CLIPS; i++)
        lope_clip_destroy(clips[i]);
}

static lope_set *prepare(lope_clip *const *clips, const lope_prepare_def *def, lope_jobs *jobs)
{
    lope_error error;
    lope_set *set;
    assert_ok(lope_set_prepare((const lope_clip *const *)clips, CLIPS, def, jobs, NULL, &set, &error));
    return set;
}

static void steps_are_done_to_every_clip(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *clips[CLIPS];
    make_walks(clips);
    lope_prepare_def def = lope_prepare_def_default();
    lope_set *set = prepare(clips, &def, NULL);
    assert_int_equal(set->clip_count, CLIPS);
    for (int i = 0; i < CLIPS; i++) {
        const lope_clip *clip = set->clips[i];
        float height;
        assert_string_equal(clip->name, clips[i]->name);
        assert_near(clip->frame_rate, 30.0, 1e-9);
        assert_near(lope_clip_duration(clip), lope_clip_duration(clips[i]), 1.0 / 30.0);
        assert_ok(lope_clip_floor(clip, &height, NULL, &error));
        assert_near(height, 0.0, 0.01);
        assert_non_null(clip->contacts);
        int touching = 0;
        for (int f = 0; f < clip->frame_count; f++)
            touching += clip->contacts[f] != 0;
        assert_true(touching > clip->frame_count * 3 / 4);
        assert_null(clips[i]->contacts); // the clips that were given stay as they are
    }
    lope_set_destroy(set);
    free_walks(clips);
}

static void steps_can_be_left_out(void **state)
{
    (void)state;
    lope_clip *clips[CLIPS];
    make_walks(clips);
    lope_prepare_def def = {.frame_rate = 120.0};
    lope_set *set = prepare(clips, &def, NULL);
    for (int i = 0; i < CLIPS; i++) {
        size_t count = (size_t)clips[i]->frame_count;
        assert_null(set->clips[i]->contacts);
        assert_int_equal(set->clips[i]->frame_count, clips[i]->frame_count);
        assert_memory_equal(set->clips[i]->root, clips[i]->root, count * sizeof *clips[i]->root);
    }
    lope_set_destroy(set);
    free_walks(clips);
}

// Floors that are known are put at height 0, whatever feet say; those that are not are found, and told.
static void floors_can_be_given(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *clips[CLIPS];
    float floors[CLIPS], found;
    make_walks(clips);
    for (int i = 0; i < CLIPS; i++) {
        floors[i] = i == 1 ? 0.25f : NAN;
        lope_clip_raise(clips[i], 0.5f);
    }
    assert_ok(lope_clip_floor(clips[0], &found, NULL, &error));
    lope_prepare_def def = lope_prepare_def_default();
    def.floors = floors;
    lope_set *set = prepare(clips, &def, NULL);
    assert_near(floors[0], found, 0.002f);
    assert_true(floors[1] == 0.25f);
    assert_near(set->clips[0]->root[0].y, clips[0]->root[0].y - floors[0], 1e-4f);
    assert_near(set->clips[1]->root[0].y, clips[1]->root[0].y - 0.25f, 1e-4f);
    lope_set_destroy(set);
    floors[1] = INFINITY;
    assert_int_equal(lope_set_prepare((const lope_clip *const *)clips, CLIPS, &def, NULL, NULL, &set, &error),
                     LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "floors[1]"));
    free_walks(clips);
}

static void mirrored_copies_follow_behind(void **state)
{
    (void)state;
    lope_clip *clips[CLIPS];
    make_walks(clips);
    lope_prepare_def def = lope_prepare_def_default();
    def.mirror = true;
    lope_set *set = prepare(clips, &def, NULL);
    assert_int_equal(set->clip_count, 2 * CLIPS);
    for (int i = 0; i < CLIPS; i++) {
        const lope_clip *clip = set->clips[i], *mirrored = set->clips[CLIPS + i];
        size_t length = strlen(clip->name);
        assert_memory_equal(mirrored->name, clip->name, length);
        assert_string_equal(mirrored->name + length, "_mirrored");
        assert_int_equal(mirrored->frame_count, clip->frame_count);
        for (int f = 0; f < clip->frame_count; f++) {
            assert_near(mirrored->root[f].x, -clip->root[f].x, 0.02);
            bool left = clip->contacts[f] & LOPE_CONTACT_LEFT_TOE;
            assert_true(left == ((mirrored->contacts[f] & LOPE_CONTACT_RIGHT_TOE) != 0));
        }
    }
    lope_set_destroy(set);
    free_walks(clips);
}

static uint64_t hash_of(const lope_set *set)
{
    uint64_t hash = 0;
    for (int i = 0; i < set->clip_count; i++) {
        const lope_clip *clip = set->clips[i];
        size_t frames = (size_t)clip->frame_count, joints = (size_t)clip->skeleton->joint_count;
        hash = lope_hash(clip->root, frames * sizeof *clip->root, hash);
        hash = lope_hash(clip->rotations, frames * joints * sizeof *clip->rotations, hash);
        hash = lope_hash(clip->contacts, frames * sizeof *clip->contacts, hash);
    }
    return hash;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *clips[CLIPS];
    make_walks(clips);
    lope_prepare_def def = lope_prepare_def_default();
    def.mirror = true;
    uint64_t first = 0;
    for (int threads = 1; threads <= 4; threads++) {
        lope_jobs *jobs;
        assert_ok(lope_jobs_create(threads, &jobs, &error));
        lope_set *set = prepare(clips, &def, jobs);
        first = first ? first : hash_of(set);
        assert_true(hash_of(set) == first);
        lope_set_destroy(set);
        lope_jobs_destroy(jobs);
    }
    free_walks(clips);
}

static void other_skeletons_are_refused_or_retargeted(void **state)
{
    (void)state;
    lope_error error;
    lope_synth_def synth = lope_synth_def_default();
    lope_clip *clips[2];
    assert_ok(lope_synth_clip("walk_normal", &synth, 0, &clips[0], &error));
    clips[1] = test_clip(60, 60.0, 5);
    lope_prepare_def def = lope_prepare_def_default();
    lope_set *set;
    assert_int_equal(lope_set_prepare((const lope_clip *const *)clips, 2, &def, NULL, NULL, &set, &error),
                     LOPE_MISMATCH);
    assert_null(set);
    assert_non_null(strstr(error.message, "walk_normal"));
    assert_non_null(strstr(error.message, clips[1]->name));
    assert_non_null(strstr(error.message, "retarget"));
    def.retarget = true;
    assert_ok(lope_set_prepare((const lope_clip *const *)clips, 2, &def, NULL, NULL, &set, &error));
    assert_true(lope_skeleton_equal(set->skeleton, clips[0]->skeleton, 1e-3f));
    lope_set_destroy(set);
    lope_clip_destroy(clips[0]);
    lope_clip_destroy(clips[1]);
}

static void bad_input_is_told(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *one = test_clip(1, 30.0, 1);
    const lope_clip *clips[1] = {one};
    lope_prepare_def def = lope_prepare_def_default();
    lope_set *set;
    assert_int_equal(lope_set_prepare(clips, 0, &def, NULL, NULL, &set, &error), LOPE_NOT_FOUND);
    def.frame_rate = 0.0;
    assert_int_equal(lope_set_prepare(clips, 1, &def, NULL, NULL, &set, &error), LOPE_BAD_DATA);
    // One frame is a set, if a small one.
    def = lope_prepare_def_default();
    def.mirror = true;
    assert_ok(lope_set_prepare(clips, 1, &def, NULL, NULL, &set, &error));
    assert_int_equal(set->clip_count, 2);
    assert_int_equal(set->clips[0]->frame_count, 1);
    lope_set_destroy(set);
    lope_clip_destroy(one);
}

static bool stop_at_once(void *user, const char *stage, double done)
{
    (void)stage;
    (void)done;
    (*(int *)user)++;
    return false;
}

static void preparing_can_be_interrupted(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *clips[CLIPS];
    make_walks(clips);
    int calls = 0;
    lope_progress progress = {stop_at_once, &calls};
    lope_prepare_def def = lope_prepare_def_default();
    lope_set *set;
    assert_int_equal(lope_set_prepare((const lope_clip *const *)clips, CLIPS, &def, NULL, &progress, &set, &error),
                     LOPE_INTERRUPTED);
    assert_int_equal(calls, 1);
    assert_null(set);
    free_walks(clips);
}

static lope_status prepare_once(void *user, lope_error *error)
{
    lope_prepare_def def = lope_prepare_def_default();
    def.mirror = true;
    lope_set *set;
    lope_status status = lope_set_prepare(user, 2, &def, NULL, NULL, &set, error);
    lope_set_destroy(set);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    lope_clip *clips[2] = {test_clip(12, 60.0, 1), test_clip(9, 60.0, 2)};
    test_allocation_failures(prepare_once, clips);
    lope_clip_destroy(clips[0]);
    lope_clip_destroy(clips[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_done_to_every_clip),
        cmocka_unit_test(steps_can_be_left_out),
        cmocka_unit_test(floors_can_be_given),
        cmocka_unit_test(mirrored_copies_follow_behind),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(other_skeletons_are_refused_or_retargeted),
        cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(preparing_can_be_interrupted),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
