// SPDX-License-Identifier: MIT
// Pose groups: fast distance equals the plain one, the bound holds for every pair, nothing more could have been merged,
// and threads change nothing.
#include <stdlib.h>
#include <string.h>

#include "lope/groups.h"
#include "patches/build/features.h"
#include "support/walking.h"

static void arcs_equal_the_plain_distance(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_groups_def def = lope_groups_def_default();
    pose_features features;
    assert_ok(pose_features_create(set, &def, NULL, &features, &error));
    lope_random random = lope_random_seed(5);
    for (int i = 0; i < 300; i++) {
        int a = lope_random_below(&random, features.count), b = lope_random_below(&random, features.count);
        float fast2 = pose_arc2(&features, pose_row(&features, a), pose_row(&features, b));
        float chord2 = pose_chord2(pose_row(&features, a), pose_row(&features, b), features.width);
        float plain = lope_pose_distance(set, &def, a, b);
        assert_near(sqrtf(fast2), plain, 1e-3f + 1e-3f * plain);
        assert_true(chord2 <= fast2 * 1.0001f + 1e-9f);
        assert_true(fast2 <= chord2 * 1.234f + 1e-9f);
    }
    pose_features_destroy(&features);
    lope_set_destroy(set);
}

static bool share_contacts(const lope_set *set, const lope_groups *groups, int a, int b)
{
    return lope_pose_contact_code(set, groups->frames[groups->first[a]]) ==
           lope_pose_contact_code(set, groups->frames[groups->first[b]]);
}

static void check_groups(const lope_set *set, const lope_groups_def *def, const lope_groups *groups)
{
    assert_int_equal(groups->first[groups->group_count], groups->frame_count);
    assert_true(groups->widest <= def->bound * 1.00001f);
    int *seen = calloc((size_t)groups->frame_count, sizeof *seen);
    for (int g = 0; g < groups->group_count; g++) {
        assert_int_equal(groups->of_frame[groups->typical[g]], g);
        uint64_t code = lope_pose_contact_code(set, groups->frames[groups->first[g]]);
        for (int i = groups->first[g]; i < groups->first[g + 1]; i++) {
            seen[groups->frames[i]]++;
            assert_int_equal(groups->of_frame[groups->frames[i]], g);
            assert_true(lope_pose_contact_code(set, groups->frames[i]) == code);
            for (int j = groups->first[g]; j < i; j++)
                assert_true(lope_pose_distance(set, def, groups->frames[i], groups->frames[j]) <= def->bound + 1e-3f);
        }
    }
    for (int f = 0; f < groups->frame_count; f++)
        assert_int_equal(seen[f], 1);
    free(seen);
}

// Any two groups with the same contacts hold a pair of poses that is too far apart for one group.
static void check_nothing_left_to_merge(const lope_set *set, const lope_groups_def *def, const lope_groups *groups)
{
    pose_features features;
    lope_error error;
    assert_ok(pose_features_create(set, def, NULL, &features, &error));
    for (int a = 0; a < groups->group_count; a++)
        for (int b = 0; b < a; b++) {
            float widest = 0.0f;
            if (!share_contacts(set, groups, a, b))
                continue;
            for (int i = groups->first[a]; i < groups->first[a + 1]; i++)
                for (int j = groups->first[b]; j < groups->first[b + 1]; j++)
                    widest = fmaxf(widest, pose_arc2(&features, pose_row(&features, groups->frames[i]),
                                                     pose_row(&features, groups->frames[j])));
            assert_true(sqrtf(widest) > def->bound * 0.999f);
        }
    pose_features_destroy(&features);
}

static void bound_holds_for_every_pair(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    for (int k = 0; k < 3; k++) {
        lope_groups_def def = lope_groups_def_default();
        def.bound = (const float[]){0.05f, 0.12f, 0.5f}[k];
        lope_groups *groups;
        assert_ok(lope_groups_find(set, &def, NULL, &groups, &error));
        check_groups(set, &def, groups);
        check_nothing_left_to_merge(set, &def, groups);
        assert_true(groups->group_count < groups->frame_count);
        lope_groups_destroy(groups);
    }
    lope_set_destroy(set);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_walks();
    lope_groups_def def = lope_groups_def_default();
    uint64_t expected = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
        lope_jobs *jobs;
        lope_groups *groups;
        assert_ok(lope_jobs_create(threads, &jobs, &error));
        assert_ok(lope_groups_find(set, &def, jobs, &groups, &error));
        uint64_t hash =
            lope_hash(groups->of_frame, (size_t)groups->frame_count * sizeof(int32_t), (uint64_t)groups->group_count);
        if (threads == 1)
            expected = hash;
        assert_true(hash == expected);
        lope_groups_destroy(groups);
        lope_jobs_destroy(jobs);
    }
    lope_set_destroy(set);
}

static void one_pose_held_is_one_group(void **state)
{
    (void)state;
    lope_error error;
    lope_skeleton *skeleton = test_biped();
    lope_clip *clip;
    lope_set *set;
    lope_groups *groups;
    assert_ok(lope_clip_create(skeleton, "still", 1500, 30.0, 0, &clip, &error));
    assert_ok(lope_set_create(&clip, 1, &set, &error));
    lope_groups_def def = lope_groups_def_default();
    assert_ok(lope_groups_find(set, &def, NULL, &groups, &error));
    assert_int_equal(groups->group_count, 1);
    assert_near(groups->widest, 0.0f, 1e-6f);
    lope_groups_destroy(groups);
    def.bound = 0.0f;
    assert_int_equal(lope_groups_find(set, &def, NULL, &groups, &error), LOPE_BAD_DATA);
    def.bound = NAN;
    assert_int_equal(lope_groups_find(set, &def, NULL, &groups, &error), LOPE_BAD_DATA);
    lope_set_destroy(set);
    lope_skeleton_release(skeleton);
}

static lope_status find_once(void *user, lope_error *error)
{
    lope_groups_def def = lope_groups_def_default();
    lope_groups *groups = NULL;
    lope_status status = lope_groups_find(user, &def, NULL, &groups, error);
    lope_groups_destroy(groups);
    return status;
}

static void survives_lack_of_memory(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *clip = test_clip(40, 30.0, 3);
    lope_set *set;
    assert_ok(lope_set_create(&clip, 1, &set, &error));
    test_allocation_failures(find_once, set);
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arcs_equal_the_plain_distance), cmocka_unit_test(bound_holds_for_every_pair),
        cmocka_unit_test(threads_change_nothing),        cmocka_unit_test(one_pose_held_is_one_group),
        cmocka_unit_test(survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
