// SPDX-License-Identifier: MIT
// Mobility maps of the built-in set: sequences land where the map says, files and threads change nothing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lope/mobility_build.h"
#include "support/walking.h"

static lope_mobility *build(const lope_set *set, lope_jobs *jobs, lope_mobility_report *report)
{
    lope_error error;
    lope_mobility *map;
    lope_mobility_def def = test_few_walks_def();
    assert_ok(lope_mobility_build(set, &def, jobs, NULL, &map, report, &error));
    return map;
}

// Walks the poses of a choice and returns where the body ends, by the clips' own ground frames.
static lope_ground replay(const lope_mobility *map, int state, int choice)
{
    const lope_set *set = lope_mobility_set(map);
    int poses[2048];
    int count = lope_mobility_sequence(map, state, choice, poses, 2048);
    assert_true(count > 0 && count <= 2048);
    lope_ground at = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < count; k++) {
        int clip, frame;
        lope_set_pose(set, poses[k], &clip, &frame);
        assert_true(frame > 0);
        at = lope_ground_mul(at, lope_clip_ground_step(set->clips[clip], frame - 1));
    }
    assert_int_equal(lope_mobility_pose_state(map, poses[count - 1]), lope_mobility_choice(map, state, choice).state);
    return at;
}

static void sequences_land_where_the_map_says(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    lope_mobility_report report;
    lope_mobility *map = build(set, NULL, &report);
    assert_true(report.states > 10 && report.choices > 50);
    for (int s = 0; s < lope_mobility_state_count(map); s++)
        for (int c = 0; c < lope_mobility_choice_count(map, s); c++) {
            lope_choice choice = lope_mobility_choice(map, s, c);
            lope_ground end = replay(map, s, c);
            assert_near(end.x, choice.end.x, 0.01);
            assert_near(end.z, choice.end.z, 0.01);
            assert_near(lope_wrap_angle(end.yaw - choice.end.yaw), 0.0, 0.017);
        }
    lope_mobility_close(map);
    lope_set_destroy(set);
}

static void threads_and_files_change_nothing(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    uint64_t first = 0;
    for (int threads = 1; threads <= 3; threads++) {
        lope_jobs *jobs;
        assert_ok(lope_jobs_create(threads, &jobs, &error));
        lope_mobility *map = build(set, jobs, NULL), *opened;
        const char *path = test_path("map.lope"), *again = test_path("again.lope");
        assert_ok(lope_mobility_save(map, path, &error));
        assert_ok(lope_mobility_open(path, &opened, &error));
        assert_ok(lope_mobility_save(opened, again, &error));
        uint64_t hash = test_file_hash(path);
        first = first ? first : hash;
        assert_true(hash == first && test_file_hash(again) == first);
        lope_mobility_close(opened);
        lope_mobility_close(map);
        lope_jobs_destroy(jobs);
    }
    lope_set_destroy(set);
}

static void expect_build_error(const lope_set *set, const lope_mobility_def *def, lope_status status, const char *part)
{
    lope_error error;
    lope_mobility *map;
    assert_int_equal(lope_mobility_build(set, def, NULL, NULL, &map, NULL, &error), status);
    assert_null(map);
    if (!strstr(error.message, part))
        fail_msg("expected '%s' in '%s'", part, error.message);
}

static void sets_that_make_no_map_are_told_why(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_mobility_def def = test_few_walks_def();
    def.transitions.threshold = 1e-6f;
    expect_build_error(set, &def, LOPE_NOT_FOUND, "do not connect");
    def = test_few_walks_def();
    def.steps = 1000;
    expect_build_error(set, &def, LOPE_BAD_DATA, "steps");
    def = test_few_walks_def();
    def.hit_radius = NAN;
    expect_build_error(set, &def, LOPE_BAD_DATA, "hit radius");
    lope_clip *one = test_clip(1, 30.0, 1);
    lope_set *tiny;
    assert_ok(lope_set_create(&one, 1, &tiny, &error));
    def = test_few_walks_def();
    expect_build_error(tiny, &def, LOPE_NOT_FOUND, "do not connect");
    lope_set_destroy(tiny);
    lope_set_destroy(set);
}

static void files_without_a_map_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    const char *path = test_path("only-clips.lope");
    assert_ok(lope_set_save(set, path, &error));
    lope_mobility *map;
    assert_int_equal(lope_mobility_open(path, &map, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "no mobility map"));
    lope_set_destroy(set);
}

static void times_grow_with_distance(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    lope_mobility *map = build(set, NULL, NULL);
    for (int s = 0; s < lope_mobility_state_count(map); s++) {
        if (lope_mobility_choice_count(map, s) == 0)
            continue;
        assert_near(lope_mobility_time(map, s, (lope_vec2){0.0f, 0.0f}), 0.0, 1e-6);
        float near_by = lope_mobility_time(map, s, (lope_vec2){0.0f, 3.0f});
        assert_true(lope_mobility_time(map, s, (lope_vec2){0.0f, 30.0f}) > near_by + 10.0f);
        assert_true(near_by > 1.0f);
    }
    lope_mobility_close(map);
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences_land_where_the_map_says),  cmocka_unit_test(threads_and_files_change_nothing),
        cmocka_unit_test(sets_that_make_no_map_are_told_why), cmocka_unit_test(files_without_a_map_are_refused),
        cmocka_unit_test(times_grow_with_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
