// SPDX-License-Identifier: MIT
// Step graphs of odd sets: too many clips that are alike, parts that do not connect, clips that cannot be used.
#include <string.h>

#include "lope/maps.h"
#include "lope/steps_build.h"
#include "support/walking.h"

#define COUNT(names) ((int)(sizeof(names) / sizeof *(names)))

static lope_steps *build(const lope_set *set, const lope_steps_def *def, lope_steps_report *report)
{
    lope_error error = {0};
    lope_steps *steps;
    assert_ok(lope_steps_build(set, def, NULL, NULL, &steps, report, &error));
    return steps;
}

static void too_many_edges_are_thinned(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_normal", "walk_slow", "turn_left_gentle", "turn_right_gentle"};
    lope_set *set = test_make_set(names, COUNT(names), 4);
    lope_steps_def def = lope_steps_def_default();
    lope_steps_report whole, thin;
    def.merge = 0.0f;
    lope_steps_destroy(build(set, &def, &whole));
    assert_true(whole.edges > 1000);
    def.max_edges = 6 * whole.nodes;
    lope_steps *steps = build(set, &def, &thin);
    assert_true(thin.edges <= def.max_edges && thin.edges > def.max_edges / 2);
    assert_int_equal(thin.component, whole.component);
    assert_int_equal(thin.locked, 0); // turns and straights are both left
    lope_maps_def maps_def = lope_maps_def_default();
    lope_maps *maps;
    lope_error error = {0};
    maps_def.nodes = 100;
    assert_ok(lope_maps_build(steps, &maps_def, NULL, NULL, &maps, NULL, &error));
    lope_maps_destroy(maps);
    lope_steps_destroy(steps);
    lope_set_destroy(set);
}

static void parts_are_joined_by_a_little_more(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_normal", "walk_fast", "turn_left_sharp", "stroll_60_left"};
    lope_set *set = test_make_set(names, COUNT(names), 1);
    lope_steps_def def = lope_steps_def_default();
    lope_steps_report apart, joined;
    def.threshold = 0.03f;
    def.rescue = 1.0f;
    lope_steps_destroy(build(set, &def, &apart));
    def.rescue = 2.5f;
    lope_steps_destroy(build(set, &def, &joined));
    assert_true(joined.component >= apart.component + 6);
    assert_true(joined.rescued > 0);
    lope_set_destroy(set);
}

static int clips_in(const lope_steps *steps, int first, int end)
{
    int count = 0;
    for (uint32_t s = 0; s < steps->step_count; s++)
        count += steps->steps[s].clip >= first && steps->steps[s].clip < end;
    return count;
}

// Fast and slow walks do not connect. Slow ones turn both ways and win, unless only the fast ones are the performer's.
static void the_part_that_can_do_most_stays(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_fast", "walk_fast", "stroll_60_left", "stroll_60_right", "walk_slow"};
    lope_set *set = test_make_set(names, COUNT(names), 1);
    lope_clip_use uses[COUNT(names)];
    lope_steps_def def = lope_steps_def_default();
    def.merge = 0.0f;
    def.rescue = 1.0f;
    def.threshold = 0.03f;
    def.uses = uses;
    lope_steps *steps = build(set, &def, NULL);
    assert_int_equal(clips_in(steps, 0, 2), 0);
    assert_true(clips_in(steps, 2, 5) > 10);
    for (int c = 0; c < 2; c++) {
        assert_true(uses[c].found > 2);
        assert_int_equal(uses[c].used, 0);
        assert_non_null(strstr(uses[c].why, "without a way on"));
    }
    assert_int_equal(clips_in(steps, 4, 5), uses[4].used);
    lope_steps_destroy(steps);
    def.own_clips = 2;
    steps = build(set, &def, NULL);
    assert_true(clips_in(steps, 0, 2) > 4);
    lope_steps_destroy(steps);
    lope_set_destroy(set);
}

static void clips_without_a_step_are_named(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_normal", "idle", "walk_slow"};
    lope_set *set = test_make_set(names, COUNT(names), 1);
    lope_clip_use uses[COUNT(names)];
    lope_steps_def def = lope_steps_def_default();
    def.uses = uses;
    lope_steps_destroy(build(set, &def, NULL));
    assert_int_equal(uses[1].found, 0);
    assert_non_null(strstr(uses[1].why, "no step"));
    assert_true(uses[0].used > 0 && uses[0].used < uses[0].found); // even walking repeats itself
    assert_string_equal(uses[0].why, "");
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_many_edges_are_thinned),
        cmocka_unit_test(parts_are_joined_by_a_little_more),
        cmocka_unit_test(the_part_that_can_do_most_stays),
        cmocka_unit_test(clips_without_a_step_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
