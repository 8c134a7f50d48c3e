// SPDX-License-Identifier: MIT
// Sitting (6.2.5): on a bench with the feet on the ground, on a ledge with the feet in the air, and up again.
#include <string.h>

#include "support/climb_check.h"
#include "support/support.h"

static lope_climb_scene *bench(void)
{
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin("bench", &scene, &error));
    return scene;
}

static lope_climb_plan *plan_in(const lope_climb_scene *scene)
{
    lope_error error = {0};
    lope_climb_plan *plan;
    lope_climb_def def = lope_climb_def_default();
    if (lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error) != LOPE_OK)
        fail_msg("%s", error.message);
    climb_require_sound(scene, plan);
    return plan;
}

// Turns round before the bench, sits, gets up and goes on over it; the same from a file, and on from the bench.
static void bodies_sit_on_benches_and_get_up(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_climb_scene *scene = bench();
    lope_climb_plan *plan = plan_in(scene), *kept, *on;
    lope_climb_def def = lope_climb_def_default();
    int first = -1, last = -1;
    for (int i = 0; i < plan->frame_count; i++)
        if (plan->frames[i].seat) {
            first = first < 0 ? i : first;
            last = i;
        }
    assert_true(first > 0 && last < plan->frame_count - 60);
    assert_near(plan->frames[first].pose.hip.y, 1.05, 3e-3);
    assert_true(plan->frames[first].held & LOPE_LEG_MASK && plan->frames[first].mode == LOPE_MODE_SIT);
    const char *path = test_path("sits.lope");
    assert_ok(lope_climb_plan_save(plan, path, &error));
    assert_ok(lope_climb_plan_open(path, &kept, &error));
    assert_int_equal(kept->frames[first].seat, plan->frames[first].seat);
    def.seed = 3;
    assert_ok(lope_climb_plan_resume(scene->world, &scene->problem, &def, kept, last, NULL, NULL, &on, &error));
    climb_require_sound(scene, on);
    lope_climb_plan_destroy(on);
    lope_climb_plan_destroy(kept);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

static void legs_dangle_from_ledges(void **state)
{
    (void)state;
    lope_climb_scene *scene = bench();
    scene->problem.via_count = 0;
    scene->problem.start = (lope_climb_site){{7.6, 1.9}, LOPE_MODE_WALK, -1, NULL};
    scene->problem.goal = (lope_climb_site){{5.75, 1.9}, LOPE_MODE_SIT, -1, NULL};
    lope_climb_plan *plan = plan_in(scene);
    const lope_climb_frame *end = &plan->frames[plan->frame_count - 1];
    lope_grasp_points points;
    lope_grasp_forward(&plan->body, &end->pose, &points);
    assert_true(end->seat > 0 && end->held == 0);
    assert_near(end->pose.hip.y, 2.0, 3e-3);
    assert_true(points.end[LOPE_LEFT_LEG].y < 1.8 && points.end[LOPE_RIGHT_LEG].y < 1.8 &&
                points.end[LOPE_LEFT_LEG].x < 5.6);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

static void the_published_planner_does_not_sit(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_climb_scene *scene = bench();
    lope_climb_plan *plan;
    lope_climb_def def = lope_climb_def_default();
    def.planner = LOPE_PLANNER_THESIS;
    assert_int_equal(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error),
                     LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "only the planner of contacts sits"));
    lope_climb_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_sit_on_benches_and_get_up),
        cmocka_unit_test(legs_dangle_from_ledges),
        cmocka_unit_test(the_published_planner_does_not_sit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
