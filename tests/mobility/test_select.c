// SPDX-License-Identifier: MIT
// Which transitions a map is made of: no number of ways on makes a build fail, and the threshold follows the budget.
#include <string.h>

#include "mobility/map.h"
#include "support/walking.h"

static lope_mobility *built(const lope_set *set, const lope_mobility_def *def, lope_mobility_report *report)
{
    lope_error error;
    lope_mobility *map;
    assert_ok(lope_mobility_build(set, def, NULL, NULL, &map, report, &error));
    return map;
}

static int most_ways(const lope_mobility *map)
{
    int most = 0;
    for (uint32_t s = 0; s < map->head.state_count; s++) {
        int ways = (int)(map->action_first[s + 1] - map->action_first[s]);
        most = ways > most ? ways : most;
    }
    return most;
}

// Everything may follow everything: hundreds of ways on from each pose.
static void too_many_ways_on_are_thinned(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    lope_mobility_def def = test_few_walks_def();
    def.transitions.threshold = 100.0f;
    def.transitions.local_minima = false;
    def.sweeps = 0;
    for (int most = 254; most > 4; most /= 3) {
        def.max_ways = most;
        lope_mobility *map = built(set, &def, NULL);
        assert_int_equal(most_ways(map), most + 1); // and the clip going on
        lope_mobility_close(map);
    }
    lope_set_destroy(set);
}

// Few choices: what is looked at is the graph that they are made in.
static lope_mobility_def graph_def(void)
{
    lope_mobility_def def = lope_mobility_def_default();
    def.steps = 3;
    def.min_choices = 2;
    def.max_choices = 8;
    def.sweeps = 0;
    return def;
}

static void states_keep_to_their_budget(void **state)
{
    (void)state;
    lope_set *set = test_walks();
    lope_mobility_def def = graph_def();
    lope_mobility_report report;
    float before = 0.0f;
    for (int budget = 500; budget <= 2000; budget *= 2) {
        def.max_states = budget;
        lope_mobility_close(built(set, &def, &report));
        assert_true(report.threshold > before);
        before = report.threshold;
        // What joins components comes on top.
        assert_true(report.graph_states > budget / 2 && report.graph_states < budget + budget / 2);
        assert_true(report.component > report.poses / 2);
    }
    lope_set_destroy(set);
}

// The same motion twice as large meets at twice the distance.
static void thresholds_follow_the_size_of_the_body(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    lope_mobility_def def = graph_def();
    lope_mobility_report small, large;
    lope_mobility_close(built(set, &def, &small));
    lope_transform *rest = (lope_transform *)(uintptr_t)set->skeleton->rest;
    for (int j = 0; j < set->skeleton->joint_count; j++)
        rest[j].translation = lope_v3_scale(rest[j].translation, 2.0f);
    for (int c = 0; c < set->clip_count; c++)
        for (int f = 0; f < set->clips[c]->frame_count; f++)
            set->clips[c]->root[f] = lope_v3_scale(set->clips[c]->root[f], 2.0f);
    lope_mobility_close(built(set, &def, &large));
    assert_float_equal(large.threshold, 2.0f * small.threshold, 1e-3f);
    assert_int_equal(large.component, small.component);
    lope_set_destroy(set);
}

static lope_set *set_of(const char *const *names, int count)
{
    lope_error error;
    lope_clip *clips[8];
    lope_set *set;
    lope_synth_def def = lope_synth_def_default();
    def.frame_rate = 30.0;
    def.variations = count;
    for (int i = 0; i < count; i++)
        assert_ok(lope_synth_clip(names[i], &def, i, &clips[i], &error));
    assert_ok(lope_set_create(clips, count, &set, &error));
    return set;
}

// Three clips of standing have more poses than one of walking, and do not connect with it.
static void the_part_that_can_do_most_stays(void **state)
{
    (void)state;
    static const char *const names[] = {"idle", "idle", "idle", "walk_normal"};
    lope_set *set = set_of(names, 4);
    lope_mobility_def def = lope_mobility_def_default();
    lope_clip_use uses[4];
    lope_mobility_report report;
    def.min_component = 30;
    def.sweeps = 0;
    def.uses = uses;
    lope_mobility_close(built(set, &def, &report));
    assert_true(report.ability.fastest > 1.0f && report.ability.walking_left < 0.2f && report.stands == 0);
    assert_true(report.trial.targets == 100 && report.trial.passed < 30 && report.trial.stood == 0);
    assert_int_equal(uses[3].used, report.component);
    assert_int_equal(uses[3].why[0], 0);
    for (int c = 0; c < 3; c++) {
        assert_true(uses[c].used == 0 && uses[c].found == set->clips[c]->frame_count);
        assert_non_null(strstr(uses[c].why, "can do most"));
    }
    assert_true(uses[3].found < uses[0].found + uses[1].found + uses[2].found);
    // Filled-in clips do not decide what the map is of.
    def.own_clips = 3;
    lope_mobility_close(built(set, &def, &report));
    assert_true(uses[3].used > 0);
    lope_set_destroy(set);
}

// Nobody takes sixty actions from here without coming by again.
static void steps_are_as_many_as_there_are(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    lope_mobility_def def = test_few_walks_def();
    lope_mobility_report report;
    def.steps = 60;
    lope_mobility_close(built(set, &def, &report));
    assert_true(report.steps >= 8 && report.steps < 60);
    assert_true(report.states >= report.graph_states / 2);
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_many_ways_on_are_thinned), cmocka_unit_test(states_keep_to_their_budget),
        cmocka_unit_test(thresholds_follow_the_size_of_the_body), cmocka_unit_test(the_part_that_can_do_most_stays),
        cmocka_unit_test(steps_are_as_many_as_there_are)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
