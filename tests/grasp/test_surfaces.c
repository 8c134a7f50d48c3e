// SPDX-License-Identifier: MIT
// Surfaces (6.2.2): hands and feet are where the posture wants them, not every ten centimetres; and speeds (6.2.4).
#include <string.h>

#include "support/climb_check.h"
#include "support/support.h"

static lope_climb_scene *terraces(void)
{
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin("terraces", &scene, &error));
    return scene;
}

static lope_climb_plan *plan_with(const lope_climb_scene *scene, const lope_climb_def *def)
{
    lope_error error = {0};
    lope_climb_plan *plan;
    if (lope_climb_plan_create(scene->world, &scene->problem, def, NULL, NULL, &plan, &error) != LOPE_OK)
        fail_msg("%s: %s", scene->name, error.message);
    climb_require_sound(scene, plan);
    return plan;
}

static lope_xy end_of(const lope_climb_plan *plan, int frame, int limb)
{
    lope_grasp_points points;
    lope_grasp_forward(&plan->body, &plan->frames[frame].pose, &points);
    return points.end[limb];
}

// Of walking steps: how many there are, how far strides are from the comfortable one, and feet from samples.
static void strides(const lope_grasp_world *world, const lope_climb_plan *plan, double *off_stride, double *off_sample)
{
    int count = 0;
    *off_stride = *off_sample = 0.0;
    for (int i = 1; i + 1 < plan->step_count; i++) {
        int frame = (int)ceil(plan->steps[i].time * plan->frame_rate);
        if (plan->steps[i].mode != LOPE_MODE_WALK || plan->steps[i + 1].mode != LOPE_MODE_WALK)
            continue;
        lope_xy a = end_of(plan, frame, LOPE_LEFT_LEG), b = end_of(plan, frame, LOPE_RIGHT_LEG);
        bool left = plan->steps[i].hold[LOPE_LEFT_LEG] == plan->steps[i + 1].hold[LOPE_LEFT_LEG]; // it stays
        lope_xy sample = world->holds[plan->steps[i].hold[left ? LOPE_LEFT_LEG : LOPE_RIGHT_LEG]].at;
        *off_stride += fabs(hypot(a.x - b.x, a.y - b.y) - 0.55);
        *off_sample = fmax(*off_sample, hypot((left ? a : b).x - sample.x, (left ? a : b).y - sample.y));
        count++;
    }
    assert_true(count >= 6);
    *off_stride /= count;
}

static void feet_are_anywhere_on_surfaces(void **state)
{
    (void)state;
    lope_climb_scene *scene = terraces();
    lope_climb_def def = lope_climb_def_default();
    double off[2], sample[2];
    for (int sampled = 0; sampled < 2; sampled++) {
        def.sampled = sampled;
        lope_climb_plan *plan = plan_with(scene, &def);
        strides(scene->world, plan, &off[sampled], &sample[sampled]);
        lope_climb_plan_destroy(plan);
    }
    assert_true(sample[0] > 0.02 && sample[0] < 0.051); // between samples
    assert_true(sample[1] < 1e-6);                      // on them
    if (off[0] > off[1])
        fail_msg("strides are off by %g m, on samples by %g m", off[0], off[1]);
    def.sampled = false;
    def.planner = LOPE_PLANNER_THESIS; // knows points only
    lope_climb_plan *plan = plan_with(scene, &def);
    strides(scene->world, plan, &off[0], &sample[0]);
    assert_true(sample[0] < 1e-6);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

// Going on from the middle, from a file, and to a pose whose feet are between samples.
static void plans_on_surfaces_go_on_and_end_in_poses(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_climb_scene *scene = terraces();
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan = plan_with(scene, &def), *on;
    def.seed = 5;
    for (int part = 1; part < 4; part++) {
        lope_status status = lope_climb_plan_resume(scene->world, &scene->problem, &def, plan,
                                                    part * plan->frame_count / 4, NULL, NULL, &on, &error);
        if (status != LOPE_OK)
            fail_msg("%s", error.message);
        assert_true(on->complete && on->kept > 1);
        climb_require_sound(scene, on);
        lope_climb_plan_destroy(on);
    }
    lope_grasp_pose pose = plan->frames[(int)ceil(plan->steps[4].time * plan->frame_rate)].pose;
    const lope_climb_sequence goal = {&pose, 1, NULL, 0};
    scene->problem.goal.sequence = &goal;
    on = plan_with(scene, &def);
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++) {
        lope_grasp_points points;
        lope_grasp_forward(&on->body, &pose, &points);
        lope_xy a = end_of(on, on->frame_count - 1, i), b = points.end[i], c = points.end[i ^ 1];
        assert_true(fmin(hypot(a.x - b.x, a.y - b.y), hypot(a.x - c.x, a.y - c.y)) < 2e-3);
    }
    lope_climb_plan_destroy(on);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

static void scaled_scenes_keep_their_surfaces(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene = terraces(), *large;
    assert_ok(lope_climb_scene_scaled(scene, 1.1, &large, &error));
    assert_int_equal(large->world->surface_count, scene->world->surface_count);
    assert_near(large->world->surfaces[5].to.x, 1.1 * scene->world->surfaces[5].to.x, 1e-9);
    for (int i = 0; i < large->world->hold_count; i++)
        assert_true(large->world->holds[i].surface >= 0);
    lope_climb_scene_destroy(large);
    lope_climb_scene_destroy(scene);
}

static double duration(const lope_climb_plan *plan)
{
    return (plan->frame_count - 1) / plan->frame_rate;
}

// Slow in the middle: the first steps take what they took, the ones at half speed twice as long.
static void speeds_follow_a_curve(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    const lope_climb_speed curve[] = {{0.0, 1.0}, {1.5, 1.0}, {1.5001, 0.5}};
    assert_ok(lope_climb_scene_builtin("walking", &scene, &error));
    for (int planner = LOPE_PLANNER_CONTACTS; planner <= LOPE_PLANNER_THESIS; planner++) {
        lope_climb_def def = lope_climb_def_default();
        def.planner = (lope_climb_planner)planner;
        lope_climb_plan *usual = plan_with(scene, &def);
        def.speeds = curve;
        def.speed_count = 3;
        lope_climb_plan *slow = plan_with(scene, &def);
        assert_int_equal(usual->step_count, slow->step_count);
        int last = usual->step_count - 1;
        assert_near(slow->steps[1].time, usual->steps[1].time, 0.05);
        double end = usual->steps[last].time - usual->steps[last - 1].time;
        assert_near(slow->steps[last].time - slow->steps[last - 1].time, 2.0 * end, 0.35 * end);
        assert_true(duration(slow) > 1.4 * duration(usual) && duration(slow) < 2.1 * duration(usual));
        lope_climb_plan_destroy(slow);
        lope_climb_plan_destroy(usual);
    }
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan;
    const lope_climb_speed wrong[][2] = {{{0.0, 1.0}, {0.0, 2.0}}, {{0.0, 0.0}, {1.0, 2.0}}, {{-1.0, 1.0}, {1.0, 2.0}}};
    for (int i = 0; i < 3; i++) {
        def.speeds = wrong[i];
        def.speed_count = 2;
        assert_int_equal(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error),
                         LOPE_BAD_DATA);
        assert_non_null(strstr(error.message, "speeds["));
    }
    lope_climb_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_are_anywhere_on_surfaces),
        cmocka_unit_test(plans_on_surfaces_go_on_and_end_in_poses),
        cmocka_unit_test(scaled_scenes_keep_their_surfaces),
        cmocka_unit_test(speeds_follow_a_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
