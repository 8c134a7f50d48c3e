// SPDX-License-Identifier: MIT
// Modes of getting along as data: the table is complete, stances belong to whom they should, and the one that the
// documentation adds as an example gets along a ledge that nothing else gets along.
#include <string.h>

#include "grasp/random/machine.h"
#include "support/climb_check.h"
#include "support/support.h"

static void every_mode_is_complete(void **state)
{
    (void)state;
    for (int i = 0; i < LOPE_MODE_COUNT; i++) {
        const grasp_mode *m = modes[i];
        assert_string_equal(lope_grasp_mode_name((lope_grasp_mode)i), m->name);
        assert_string_equal(lope_grasp_mode_doing((lope_grasp_mode)i), m->doing);
        assert_true(m->heuristics != 0 && m->heuristics < 1u << LOPE_HEURISTIC_COUNT);
        assert_true(m->takes && m->typical && m->variants > 0 && m->edges);
        assert_true(m->step_time > 0 && m->stride > 0 && m->max_discomfort > 1 && m->least_lift > 0);
        bool in = false, out = false;
        for (int from = 0; from < LOPE_MODE_COUNT; from++) {
            const machine_edge *e;
            for (int k = 0; (e = machine_edge_of((lope_grasp_mode)from, k)) != NULL; k++) {
                in |= from != i && (int)e->to == i;
                out |= from == i && (int)e->to != i;
            }
            assert_true(from == i || strcmp(modes[from]->name, m->name) != 0);
        }
        assert_true((in && out) || m->sits); // the published planner does not sit
    }
}

// Ground at 1 m, a wall from x = 3 m on, bars, and a wall beside the way.
static const char yard[] =
    "{\"bounds\": [[0, 0], [6, 5]], \"obstacles\": [{\"box\": [[0, 0], [3, 1]]}, {\"box\": [[3, 0], [6, 3]]}],"
    "\"holds\": [{\"at\": [1, 1]}, {\"at\": [1.4, 1]}, {\"at\": [1.9, 1]}, {\"at\": [3, 1.4], \"kind\": \"hybrid\"},"
    "{\"at\": [3, 2.2], \"kind\": \"hybrid\"}, {\"at\": [1, 3]}, {\"at\": [1.4, 3]},"
    "{\"at\": [1, 2], \"kind\": \"hybrid\"}, {\"at\": [1.4, 2], \"kind\": \"hybrid\"},"
    "{\"at\": [2.3, 1]}, {\"at\": [2.4, 2], \"kind\": \"hybrid\"}],"
    "\"start\": {\"at\": [1.2, 1]}, \"goal\": {\"at\": [2, 1]}}";

static void stances_belong_to_modes(void **state)
{
    (void)state;
    static const struct {
        stance s; // left hand, right hand, left foot, right foot; facing
        int mode;
    } cases[] = {
        {{{-1, -1, 0, 1}, 1, 0, 0}, LOPE_MODE_WALK},  {{{-1, -1, 0, -1}, 1, 0, 0}, STANCE_NONE},
        {{{5, 6, -1, -1}, 1, 0, 0}, LOPE_MODE_SWING}, {{{5, -1, -1, -1}, 1, 0, 0}, STANCE_NONE},
        {{{2, 9, 0, 1}, 1, 0, 0}, LOPE_MODE_CRAWL},   {{{0, 1, 2, 9}, 1, 0, 0}, STANCE_NONE},    // feet before hands
        {{{2, -1, 0, -1}, 1, 0, 0}, STANCE_NONE},                                                // two points
        {{{4, -1, 3, -1}, 1, 0, 0}, LOPE_MODE_CLIMB}, {{{4, -1, 3, -1}, -1, 0, 0}, STANCE_NONE}, // the wall is behind
        {{{3, -1, 4, -1}, 1, 0, 0}, STANCE_NONE},                                                // upside down
        {{{7, 8, 0, 1}, 1, 0, 0}, LOPE_MODE_SIDLE},   {{{7, -1, 0, 1}, 1, 0, 0}, LOPE_MODE_SIDLE},
        {{{7, -1, 0, -1}, 1, 0, 0}, STANCE_NONE},     {{{7, 10, 0, 1}, 1, 0, 0}, STANCE_NONE}, // too far along
        {{{7, 8, -1, -1}, 1, 0, 0}, LOPE_MODE_SWING}, {{{-1, -1, 0, 1}, 1, 0, 1}, LOPE_MODE_SIT},
        {{{7, 8, 0, 1}, 1, 0, 1}, STANCE_NONE}, // hands are free then
    };
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_read_memory(yard, sizeof yard - 1, "yard.json", &scene, &error));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int found = stance_mode(scene->world, &cases[i].s);
        if (found != cases[i].mode)
            fail_msg("stance %zu: expected %d, found %d", i, cases[i].mode, found);
    }
    lope_climb_scene_destroy(scene);
}

static void ledges_are_sidled_along(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin("ledge", &scene, &error));
    for (int which = LOPE_PLANNER_CONTACTS; which <= LOPE_PLANNER_THESIS; which++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            lope_climb_def def = lope_climb_def_default();
            lope_climb_plan *plan;
            def.planner = (lope_climb_planner)which;
            def.seed = seed;
            assert_ok(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error));
            int steps[LOPE_MODE_COUNT] = {0};
            for (int i = 1; i < plan->step_count; i++)
                steps[plan->steps[i].mode]++;
            assert_true(plan->complete && steps[LOPE_MODE_SIDLE] >= 12 && steps[LOPE_MODE_WALK] >= 3);
            assert_int_equal(steps[LOPE_MODE_SIDLE] + steps[LOPE_MODE_WALK], plan->step_count - 1);
            climb_require_sound(scene, plan);
            lope_climb_plan_destroy(plan);
        }
    lope_climb_scene_destroy(scene);
}

// The published planner's climbing does not ask where a wall is, and gets along in its way.
static void nothing_else_gets_along_the_ledge(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan;
    assert_ok(lope_climb_scene_builtin("ledge", &scene, &error));
    def.without = 1u << LOPE_MODE_SIDLE;
    def.budget = 1500;
    assert_int_equal(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error),
                     LOPE_PARTIAL);
    assert_true(plan->frames[plan->frame_count - 1].pose.hip.x < 4.0); // not half of the way
    lope_climb_plan_destroy(plan);
    def.planner = LOPE_PLANNER_THESIS;
    def.without |= 1u << LOPE_MODE_CLIMB;
    def.samples = 60000;
    assert_int_equal(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error),
                     LOPE_PARTIAL);
    for (int i = 0; i < plan->step_count; i++)
        assert_false(def.without >> plan->steps[i].mode & 1u);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mode_is_complete),
        cmocka_unit_test(stances_belong_to_modes),
        cmocka_unit_test(ledges_are_sidled_along),
        cmocka_unit_test(nothing_else_gets_along_the_ledge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
