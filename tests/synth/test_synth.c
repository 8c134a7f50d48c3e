// SPDX-License-Identifier: MIT
// The registry of the built-in set: names, errors, determinism, rates, variations, memory.
#include "lope/synth.h"

#include <string.h>

#include "lope/ground.h"
#include "support/support.h"

static const uint64_t GOLDEN_WALK = 0x73eca6c89b0c1d30ull, GOLDEN_VARIED = 0x3fbef9a688e6fc42ull;

static uint64_t hash_of(const lope_clip *clip)
{
    size_t frames = (size_t)clip->frame_count, joints = (size_t)clip->skeleton->joint_count;
    uint64_t hash = lope_hash(clip->root, frames * sizeof *clip->root, 0);
    hash = lope_hash(clip->rotations, frames * joints * sizeof *clip->rotations, hash);
    return lope_hash(clip->contacts, frames * sizeof *clip->contacts, hash);
}

static uint64_t hash_of_take(const char *name, uint64_t seed, int variation)
{
    lope_error error;
    lope_clip *clip;
    lope_synth_def def = lope_synth_def_default();
    def.seed = seed;
    assert_ok(lope_synth_clip(name, &def, variation, &clip, &error));
    uint64_t hash = hash_of(clip);
    lope_clip_destroy(clip);
    return hash;
}

static void names_are_unique_and_described(void **state)
{
    (void)state;
    assert_true(lope_synth_count() >= 40);
    for (int i = 0; i < lope_synth_count(); i++) {
        assert_true(strlen(lope_synth_name(i)) > 2 && strlen(lope_synth_name(i)) < 48);
        assert_true(strlen(lope_synth_description(i)) > 8);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(lope_synth_name(i), lope_synth_name(j));
    }
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *clip;
    lope_set *set;
    lope_synth_def def = lope_synth_def_default();
    assert_int_equal(lope_synth_clip("moonwalk", &def, 0, &clip, &error), LOPE_NOT_FOUND);
    assert_non_null(strstr(error.message, "moonwalk"));
    const double rates[] = {0.0, -30.0, 1e9, (double)NAN};
    for (int i = 0; i < 4; i++) {
        def.frame_rate = rates[i];
        assert_int_equal(lope_synth_clip("walk_normal", &def, 0, &clip, &error), LOPE_BAD_DATA);
        assert_int_equal(lope_synth_set(&def, &set, &error), LOPE_BAD_DATA);
    }
    def = lope_synth_def_default();
    def.variations = 0;
    assert_int_equal(lope_synth_set(&def, &set, &error), LOPE_BAD_DATA);
    def.variations = 1 << 30;
    assert_int_equal(lope_synth_set(&def, &set, NULL), LOPE_BAD_DATA);
}

static void same_seed_same_bits(void **state)
{
    (void)state;
    const char *names[] = {"walk_normal", "turn_in_place_left_90", "stairs_up_left"};
    for (int i = 0; i < 3; i++) {
        assert_true(hash_of_take(names[i], 5, 1) == hash_of_take(names[i], 5, 1));
        assert_true(hash_of_take(names[i], 5, 1) != hash_of_take(names[i], 6, 1));
        assert_true(hash_of_take(names[i], 5, 1) != hash_of_take(names[i], 5, 2));
        // The plain take is the same whoever performs it.
        assert_true(hash_of_take(names[i], 5, 0) == hash_of_take(names[i], 6, 0));
    }
}

// Whole motions in few bits: a change here is a change of the built-in set, which must be meant.
static void golden_walk(void **state)
{
    (void)state;
    uint64_t walk = hash_of_take("walk_normal", 1, 0), varied = hash_of_take("walk_normal", 1, 1);
    if (walk != GOLDEN_WALK || varied != GOLDEN_VARIED)
        fail_msg("the walk's hashes are 0x%016llxull and 0x%016llxull", (unsigned long long)walk,
                 (unsigned long long)varied);
}

static void every_motion_at_every_rate(void **state)
{
    (void)state;
    lope_error error;
    const double rates[] = {30.0, 60.0, 120.0};
    for (int i = 0; i < lope_synth_count(); i++) {
        lope_clip *clips[3];
        for (int r = 0; r < 3; r++) {
            lope_synth_def def = {.seed = 1, .frame_rate = rates[r], .variations = 1};
            assert_ok(lope_synth_clip(lope_synth_name(i), &def, 0, &clips[r], &error));
            assert_string_equal(clips[r]->name, lope_synth_name(i));
            assert_non_null(clips[r]->contacts);
            assert_true(clips[r]->frame_rate == rates[r]);
            assert_true(lope_clip_duration(clips[r]) > 0.9);
        }
        // Frames that fall on the same time are the same pose.
        for (int f = 0; f < clips[0]->frame_count && 4 * f < clips[2]->frame_count; f++) {
            assert_true(lope_v3_distance(clips[0]->root[f], clips[1]->root[2 * f]) < 1e-5f);
            assert_true(lope_v3_distance(clips[0]->root[f], clips[2]->root[4 * f]) < 1e-5f);
        }
        for (int r = 0; r < 3; r++)
            lope_clip_destroy(clips[r]);
    }
}

static void set_holds_every_take(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set;
    lope_synth_def def = {.seed = 3, .frame_rate = 30.0, .variations = 2};
    assert_ok(lope_synth_set(&def, &set, &error));
    assert_int_equal(set->clip_count, 2 * lope_synth_count());
    for (int i = 0; i < lope_synth_count(); i++) {
        const char *plain = set->clips[2 * i]->name, *varied = set->clips[2 * i + 1]->name;
        assert_string_equal(plain, lope_synth_name(i));
        assert_int_equal(strncmp(varied, plain, strlen(plain)), 0);
        assert_string_equal(varied + strlen(plain), "_2");
    }
    lope_set_destroy(set);
}

static bool is_start_or_stop(const char *motion)
{
    return strcmp(motion, "walk_start") == 0 || strcmp(motion, "walk_stop") == 0;
}

static void some_motions_are_those_asked_for(void **state)
{
    (void)state;
    static const char *const expected[] = {"walk_start", "walk_stop"};
    lope_error error;
    lope_clip **clips;
    int count;
    lope_synth_def def = lope_synth_def_default();
    def.seed = 3;
    def.variations = 2;
    assert_ok(lope_synth_clips(is_start_or_stop, &def, &clips, &count, &error));
    assert_int_equal(count, 4);
    for (int i = 0; i < count; i++) {
        const char *motion = expected[i / 2];
        assert_int_equal(strncmp(clips[i]->name, motion, strlen(motion)), 0);
        assert_true(hash_of(clips[i]) == hash_of_take(motion, def.seed, i % 2));
    }
    lope_clips_free(clips, count);
    def.variations = 0;
    assert_int_equal(lope_synth_clips(is_start_or_stop, &def, &clips, &count, &error), LOPE_BAD_DATA);
    assert_true(!clips && count == 0);
}

static void skeleton_is_a_biped(void **state)
{
    (void)state;
    lope_error error;
    lope_skeleton *skeleton;
    assert_ok(lope_synth_skeleton(&skeleton, &error));
    assert_true(lope_skeleton_is_biped(skeleton));
    assert_near(lope_skeleton_height(skeleton), 1.75, 0.03);
    lope_skeleton_release(skeleton);
}

static lope_status make_clip(void *user, lope_error *error)
{
    lope_synth_def def = {.seed = 1, .frame_rate = 10.0, .variations = 1};
    lope_clip *clip;
    lope_status status = lope_synth_clip(user, &def, 0, &clip, error);
    if (!status)
        lope_clip_destroy(clip);
    return status;
}

static lope_status make_some(void *user, lope_error *error)
{
    (void)user;
    lope_synth_def def = {.seed = 1, .frame_rate = 10.0, .variations = 1};
    lope_clip **clips;
    int count;
    lope_status status = lope_synth_clips(is_start_or_stop, &def, &clips, &count, error);
    if (!status)
        lope_clips_free(clips, count);
    return status;
}

static void clips_survive_lack_of_memory(void **state)
{
    (void)state;
    char course[] = "walk_start", steps[] = "side_step_left";
    test_allocation_failures(make_clip, course);
    test_allocation_failures(make_clip, steps);
    test_allocation_failures(make_some, NULL);
}

// Failing each of a set's many allocations in turn would take long; clips are tested that way above.
static void sets_leave_nothing_behind(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set;
    lope_synth_def def = {.seed = 1, .frame_rate = 10.0, .variations = 1};
    test_count_allocations(true);
    assert_ok(lope_synth_set(&def, &set, &error));
    assert_true(test_live_blocks() > 0);
    lope_set_destroy(set);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique_and_described),
        cmocka_unit_test(bad_requests_are_refused),
        cmocka_unit_test(same_seed_same_bits),
        cmocka_unit_test(golden_walk),
        cmocka_unit_test(every_motion_at_every_rate),
        cmocka_unit_test(set_holds_every_take),
        cmocka_unit_test(some_motions_are_those_asked_for),
        cmocka_unit_test(skeleton_is_a_biped),
        cmocka_unit_test(clips_survive_lack_of_memory),
        cmocka_unit_test(sets_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
