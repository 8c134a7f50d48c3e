// SPDX-License-Identifier: MIT
// Other skeletons (6.2.3): other proportions, and a body without an arm.
#include <string.h>

#include "support/climb_check.h"
#include "support/support.h"

static lope_status plan_for(const char *scene_name, const char *body_name, lope_climb_planner planner, unsigned *held,
                            lope_error *error)
{
    lope_climb_scene *scene;
    lope_climb_plan *plan;
    lope_grasp_body body;
    lope_climb_def def = lope_climb_def_default();
    assert_true(lope_grasp_body_named(body_name, &body));
    assert_int_equal(lope_climb_scene_builtin(scene_name, &scene, error), LOPE_OK);
    def.body = &body;
    def.planner = planner;
    def.budget = 1500;
    lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, error);
    if (plan)
        climb_require_sound_for(scene, &body, plan);
    *held = 0;
    for (int i = 0; plan && i < plan->frame_count; i++)
        *held |= plan->frames[i].held;
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
    return status;
}

static void other_bodies_get_along(void **state)
{
    (void)state;
    static const struct {
        const char *scene, *body;
        lope_climb_planner planner;
    } rows[] = {{"crawling", "one-armed", LOPE_PLANNER_CONTACTS}, {"tunnel", "one-armed", LOPE_PLANNER_CONTACTS},
                {"walking", "one-armed", LOPE_PLANNER_THESIS},    {"monkey_bars", "gibbon", LOPE_PLANNER_CONTACTS},
                {"climbing", "gibbon", LOPE_PLANNER_CONTACTS},    {"swinging", "gibbon", LOPE_PLANNER_THESIS}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lope_error error = {0};
        unsigned held;
        if (plan_for(rows[i].scene, rows[i].body, rows[i].planner, &held, &error) != LOPE_OK)
            fail_msg("%s, %s: %s", rows[i].body, rows[i].scene, error.message);
        if (!strcmp(rows[i].body, "one-armed"))
            assert_false(held & 1u << LOPE_RIGHT_ARM);
    }
}

static void what_a_body_cannot_do_is_said(void **state)
{
    (void)state;
    lope_error error = {0};
    unsigned held;
    assert_int_equal(plan_for("swinging", "one-armed", LOPE_PLANNER_CONTACTS, &held, &error), LOPE_NOT_FOUND);
    assert_non_null(strstr(error.message, "no two grasps for swinging"));
    assert_int_equal(plan_for("climbing", "one-armed", LOPE_PLANNER_CONTACTS, &held, &error), LOPE_PARTIAL);
    assert_false(lope_grasp_body_named("centipede", &(lope_grasp_body){0}));
    assert_null(lope_grasp_body_name(3));
}

// What is missing weighs nothing and is nowhere.
static void missing_limbs_do_not_count(void **state)
{
    (void)state;
    lope_grasp_body whole = lope_grasp_body_default(), body;
    const lope_grasp_pose pose = {.hip = {1, 1}, .facing = 1, .limb = {{0.2, 0.3}, {1.5, 0.2}, {0.1, 0.2}, {0.3, 0.4}}};
    lope_grasp_points a, b;
    assert_true(lope_grasp_body_named("one-armed", &body));
    lope_grasp_forward(&whole, &pose, &a);
    lope_grasp_forward(&body, &pose, &b);
    assert_true(b.end[LOPE_RIGHT_ARM].x == b.neck.x && b.end[LOPE_RIGHT_ARM].y == b.neck.y);
    double arm = whole.mass[0][0] + whole.mass[0][1];
    double centre = (whole.mass[0][0] * (a.neck.x + whole.centre[0][0] * (a.middle[1].x - a.neck.x)) +
                     whole.mass[0][1] * (a.middle[1].x + whole.centre[0][1] * (a.end[1].x - a.middle[1].x))) /
                    arm;
    assert_near(a.mass.x, (1.0 - arm) * b.mass.x + arm * centre, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_bodies_get_along),
        cmocka_unit_test(what_a_body_cannot_do_is_said),
        cmocka_unit_test(missing_limbs_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
