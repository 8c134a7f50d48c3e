// SPDX-License-Identifier: MIT
// Mobility maps of the built-in set: sequences land where the map says, files and threads change nothing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lope/container.h"
#include "lope/mobility_build.h"
#include "lope/walker.h"
#include "mobility/map.h"
#include "support/tamper.h"
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
    expect_build_error(set, &def, LOPE_BAD_DATA, "hit_radius");
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

static void expect_refusal(const char *good, const test_change *what, const char *says)
{
    lope_error error = {0};
    lope_mobility *opened;
    const char *path = test_path("changed.lope");
    test_write_changed(good, path, what);
    assert_int_equal(lope_mobility_open(path, &opened, &error), LOPE_BAD_DATA);
    assert_null(opened);
    if (!strstr(error.message, says))
        fail_msg("expected '%s' in '%s'", says, error.message);
}

// One after another, at the place of every number that indexes, repeats or is computed with.
static void what_a_file_says_is_checked(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_mobility *map = build(set, NULL, NULL);
    char good[256];
    snprintf(good, sizeof good, "%s", test_path("good.lope"));
    assert_ok(lope_mobility_save(map, good, &error));
    const uint32_t header = LOPE_CHUNK('M', 'O', 'B', 'I'), poses = LOPE_CHUNK('M', 'P', 'O', 'S');
    const uint32_t actions = LOPE_CHUNK('M', 'A', 'C', 'T'), choices = LOPE_CHUNK('M', 'C', 'H', 'O');
    const float far = 1e30f, nan = NAN, slow = 1e-30f, half = 0.5f;
    const int32_t minus = -2, huge = INT32_MAX;
    size_t state_pose = (size_t)map->state_poses[0] * sizeof(mobility_pose);
    const test_change nonsense[] = {
        {poses, offsetof(mobility_pose, enter.x), 4, &far, 0, 0},
        {poses, offsetof(mobility_pose, enter.z), 4, &nan, 0, 0},
        {poses, offsetof(mobility_pose, enter.cosine), 4, &half, 0, 0},
        {poses, offsetof(mobility_pose, yaw), 4, &far, 0, 0},
        {poses, offsetof(mobility_pose, next), 4, &huge, 0, 0},
        {poses, offsetof(mobility_pose, state), 4, &minus, 0, 0},
        {poses, state_pose + offsetof(mobility_pose, next), 4, &(int32_t){1}, 0, 0}, // through a state
        {actions, offsetof(mobility_action, move.x), 4, &far, 0, 0},
        {actions, offsetof(mobility_action, move.sine), 4, &far, 0, 0},
        {actions, offsetof(mobility_action, yaw), 4, &nan, 0, 0},
        {actions, offsetof(mobility_action, frames), 4, &huge, 0, 0},
        {actions, offsetof(mobility_action, first_pose), 4, &minus, 0, 0},
        {choices, offsetof(mobility_choice, x), 4, &far, 0, 0},
        {choices, offsetof(mobility_choice, z), 4, &nan, 0, 0},
        {choices, offsetof(mobility_choice, sine), 4, &far, 0, 0},
        {choices, offsetof(mobility_choice, yaw), 4, &far, 0, 0},
        {choices, offsetof(mobility_choice, state), 4, &huge, 0, 0},
    };
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++)
        expect_refusal(good, &nonsense[i], "refers to what is not there");
    const test_change headers[] = {
        {header, offsetof(mobility_header, frame_rate), 4, &far, 0, 0},
        {header, offsetof(mobility_header, frame_rate), 4, &slow, 0, 0},
        {header, offsetof(mobility_header, steps), 4, &huge, 0, 0},
        {header, offsetof(mobility_header, stand_extra), 4, &nan, 0, 0},
        {header, offsetof(mobility_header, face_extra), 4, &far, 0, 0},
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        expect_refusal(good, &headers[i], "another set of clips");
    lope_mobility_close(map);
    lope_set_destroy(set);
}

// Poses that lead round and round, alone or two by two: no action arrives on them.
static void ways_without_an_end_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_mobility *map = build(set, NULL, NULL);
    char good[256];
    snprintf(good, sizeof good, "%s", test_path("good.lope"));
    assert_ok(lope_mobility_save(map, good, &error));
    int32_t first = -1;
    for (uint32_t a = 0; a < map->head.action_count && first < 0; a++)
        if (map->actions[a].frames > 2)
            first = map->actions[a].first_pose;
    assert_true(first >= 0);
    int32_t second = map->poses[first].next;
    size_t at = (size_t)second * sizeof(mobility_pose) + offsetof(mobility_pose, next);
    expect_refusal(good, &(test_change){LOPE_CHUNK('M', 'P', 'O', 'S'), at, 4, &first, 0, 0}, "what is not there");
    expect_refusal(good, &(test_change){LOPE_CHUNK('M', 'P', 'O', 'S'), at, 4, &second, 0, 0}, "what is not there");
    lope_mobility_close(map);
    lope_set_destroy(set);
}

// Tables are asked about goals anywhere, and by walkers whose goals are as far as numbers go.
static void goals_beyond_everything_are_safe(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_mobility *map = build(set, NULL, NULL);
    const float far[] = {1e9f, -1e9f, 1e30f, -1e30f, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        for (size_t j = 0; j < sizeof far / sizeof *far; j++) {
            lope_vec2 goal = {far[i], far[j]};
            mobility_time_fetch(map->times, goal);
            assert_true(!(lope_mobility_time(map, 0, goal) < 100.0f));
            assert_true(!(lope_mobility_stand_time(map, 0, goal) < 100.0f));
            assert_true(!(lope_mobility_face_at(map, 0, goal, far[j]) < 100.0f));
        }
    assert_true(!(lope_mobility_face_at(map, 0, (lope_vec2){0.5f, 0.5f}, 1e30f) < 0.0f));
    lope_walker_def def = lope_walker_def_default();
    lope_walker *walker;
    void *memory = aligned_alloc(16, (lope_walker_size(map) + 15) / 16 * 16);
    assert_ok(lope_walker_init(memory, map, &def, -1, (lope_ground){0.0f, 0.0f, 0.0f}, &walker, &error));
    for (int stop = 0; stop < 2; stop++)
        for (float way = 1e5f; way < 1e38f; way *= 100.0f) {
            lope_goal goal = {.position = {way, -way}, .stop = stop, .facing = stop ? 1.0f : NAN};
            assert_ok(lope_walker_go_to(walker, &goal, &error));
            lope_walker_step(walker, 4.0f);
        }
    lope_ground at = lope_walker_ground(walker);
    assert_true(isfinite(at.x) && isfinite(at.z) && isfinite(at.yaw));
    free(memory);
    lope_mobility_close(map);
    lope_set_destroy(set);
}

static lope_status open_and_forget(void *user, lope_error *error)
{
    lope_mobility *opened;
    lope_status status = lope_mobility_open(user, &opened, error);
    lope_mobility_close(opened);
    return status;
}

static void opening_without_memory_is_safe(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_mobility *map = build(set, NULL, NULL);
    char path[256];
    snprintf(path, sizeof path, "%s", test_path("memory.lope"));
    assert_ok(lope_mobility_save(map, path, &error));
    test_allocation_failures(open_and_forget, path);
    lope_mobility_close(map);
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences_land_where_the_map_says),  cmocka_unit_test(threads_and_files_change_nothing),
        cmocka_unit_test(sets_that_make_no_map_are_told_why), cmocka_unit_test(files_without_a_map_are_refused),
        cmocka_unit_test(times_grow_with_distance),           cmocka_unit_test(what_a_file_says_is_checked),
        cmocka_unit_test(ways_without_an_end_are_refused),    cmocka_unit_test(goals_beyond_everything_are_safe),
        cmocka_unit_test(opening_without_memory_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
