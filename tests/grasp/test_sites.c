// SPDX-License-Identifier: MIT
// Where plans begin and end: in every mode, in whole configurations, in the air; and plans that are kept in files.
#include <stdio.h>
#include <string.h>

#include "lope/container.h"
#include "support/climb_check.h"
#include "support/support.h"

static lope_climb_scene *scene_named(const char *name)
{
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin(name, &scene, &error));
    return scene;
}

static lope_climb_plan *plan_in(const lope_climb_scene *scene, lope_climb_planner planner)
{
    lope_error error = {0};
    lope_climb_plan *plan;
    lope_climb_def def = lope_climb_def_default();
    def.planner = planner;
    lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error);
    if (status != LOPE_OK)
        fail_msg("%s, %s: %s", scene->name, lope_climb_planner_name(planner), error.message);
    assert_true(plan->complete);
    if (planner != LOPE_PLANNER_FLIGHT)
        climb_require_sound(scene, plan);
    return plan;
}

static void plans_begin_and_end_in_every_mode(void **state)
{
    (void)state;
    static const struct {
        const char *scene;
        lope_climb_site site;
    } rows[] = {{"climbing", {{3.0, 1.4}, LOPE_MODE_CLIMB, 1, NULL}},
                {"crawling", {{3.9, 0.5}, LOPE_MODE_CRAWL, 1, NULL}},
                {"ledge", {{4.4, 1.0}, LOPE_MODE_SIDLE, 1, NULL}},
                {"monkey_bars", {{4.5, 2.85}, LOPE_MODE_SWING, 0, NULL}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int end = 0; end < 2; end++)
            for (int planner = LOPE_PLANNER_CONTACTS; planner <= LOPE_PLANNER_THESIS; planner++) {
                lope_climb_scene *scene = scene_named(rows[i].scene);
                *(end ? &scene->problem.goal : &scene->problem.start) = rows[i].site;
                lope_climb_plan *plan = plan_in(scene, (lope_climb_planner)planner);
                const lope_climb_step *at = &plan->steps[end ? plan->step_count - 1 : 0];
                const lope_climb_frame *frame = &plan->frames[end ? plan->frame_count - 1 : 0];
                assert_int_equal(end ? frame->mode : at->mode, rows[i].site.mode);
                lope_climb_plan_destroy(plan);
                lope_climb_scene_destroy(scene);
            }
}

static void require_same_pose(const lope_grasp_body *body, const lope_grasp_pose *a, const lope_grasp_pose *b)
{
    lope_grasp_points p, q;
    lope_grasp_forward(body, a, &p);
    lope_grasp_forward(body, b, &q);
    assert_true(hypot(p.hip.x - q.hip.x, p.hip.y - q.hip.y) < 2e-3 &&
                hypot(p.head.x - q.head.x, p.head.y - q.head.y) < 2e-3);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) { // left and right may be exchanged
        double same = hypot(p.end[i].x - q.end[i].x, p.end[i].y - q.end[i].y),
               other = hypot(p.end[i].x - q.end[i ^ 1].x, p.end[i].y - q.end[i ^ 1].y);
        assert_true(fmin(same, other) < 2e-3);
    }
}

// Poses out of a plan of the same scene: it begins in one and ends in the other, in the middle of climbing.
static void plans_begin_and_end_in_configurations(void **state)
{
    (void)state;
    for (int planner = LOPE_PLANNER_CONTACTS; planner <= LOPE_PLANNER_FLIGHT; planner++) {
        lope_climb_scene *scene = scene_named("climbing");
        lope_climb_plan *whole = plan_in(scene, LOPE_PLANNER_CONTACTS);
        int first = 0, last = 0;
        for (int i = 1; i < whole->step_count; i++)
            if (whole->steps[i].mode == LOPE_MODE_CLIMB) {
                first = first ? first : i + 2;
                last = i;
            }
        lope_grasp_pose poses[2];
        for (int k = 0; k < 2; k++)
            poses[k] = whole->frames[(int)(whole->steps[k ? last : first].time * whole->frame_rate + 1.0)].pose;
        lope_climb_sequence ends[2] = {{&poses[0], 1, NULL, 0}, {&poses[1], 1, NULL, 0}};
        scene->problem.start.sequence = &ends[0];
        scene->problem.goal.sequence = &ends[1];
        lope_climb_plan *plan = plan_in(scene, (lope_climb_planner)planner);
        require_same_pose(&plan->body, &plan->frames[0].pose, &poses[0]);
        require_same_pose(&plan->body, &plan->frames[plan->frame_count - 1].pose, &poses[1]);
        assert_int_equal(plan->frames[plan->frame_count - 1].held != 0, planner != LOPE_PLANNER_FLIGHT);
        lope_climb_plan_destroy(plan);
        lope_climb_plan_destroy(whole);
        lope_climb_scene_destroy(scene);
    }
}

static void configurations_that_hold_nothing_are_for_flying(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_climb_scene *scene = scene_named("walking");
    lope_climb_plan *plan;
    lope_climb_def def = lope_climb_def_default();
    const lope_grasp_pose floating = {
        .hip = {2.0, 2.4}, .facing = 1, .limb = {{0.5, 0.5}, {0.2, 0.4}, {0.3, 0.5}, {0, 0.4}}};
    const lope_climb_sequence pose = {&floating, 1, NULL, 0};
    scene->problem.goal.sequence = &pose;
    assert_int_equal(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error),
                     LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "the pose at (2.00, 2.40) needs both feet, both hands, or hands and feet on "
                                          "holds, found nothing"));
    plan = plan_in(scene, LOPE_PLANNER_FLIGHT);
    require_same_pose(&plan->body, &plan->frames[plan->frame_count - 1].pose, &floating);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

static void sites_without_grasps_say_so(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_climb_scene *scene = scene_named("walking");
    lope_climb_plan *plan;
    lope_climb_def def = lope_climb_def_default();
    scene->problem.goal.mode = LOPE_MODE_CLIMB;
    assert_int_equal(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error),
                     LOPE_NOT_FOUND);
    assert_non_null(strstr(error.message, "no four grasps for climbing within 1.0 m of the goal"));
    lope_climb_scene_destroy(scene);
}

// What an editor shows: what is held, the heuristics, what is wrong; and a bad posture made comfortable.
static void postures_are_looked_at_and_settled(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene = scene_named("walking");
    const lope_grasp_body body = lope_grasp_body_default();
    const lope_climb_site site = {.at = {3.0, 0.5}, .mode = LOPE_MODE_WALK, .facing = 1};
    lope_grasp_pose pose;
    lope_grasp_view view, worse, settled;
    assert_ok(lope_grasp_pose_at(scene->world, &body, &site, &pose, &error));
    lope_grasp_look(scene->world, &body, &pose, &view);
    assert_true(view.mode == LOPE_MODE_WALK && view.hold[LOPE_LEFT_LEG] >= 0 && view.hold[LOPE_LEFT_ARM] < 0);
    double product = 1.0;
    for (int i = 0; i < LOPE_HEURISTIC_COUNT; i++)
        product *= lope_grasp_heuristics(LOPE_MODE_WALK) >> i & 1u ? view.heuristic[i] : 1.0;
    assert_true(fabs(product - view.discomfort) < 1e-12 && view.excess == 0.0 && view.clearance > -0.02);
    pose.neck += 0.6;
    pose.limb[LOPE_LEFT_ARM][0] += 1.0;
    lope_grasp_look(scene->world, &body, &pose, &worse);
    assert_true(worse.discomfort > view.discomfort + 0.2 && worse.heuristic[LOPE_HEAD_UP] > 1.1);
    assert_true(lope_grasp_settle(scene->world, &body, &pose));
    lope_grasp_look(scene->world, &body, &pose, &settled);
    assert_true(settled.discomfort < view.discomfort + 0.05 && memcmp(settled.hold, view.hold, sizeof view.hold) == 0);
    pose.hip.y += 0.3;
    lope_grasp_look(scene->world, &body, &pose, &worse);
    assert_true(worse.mode == -1 && worse.discomfort == 0.0 && !lope_grasp_settle(scene->world, &body, &pose));
    lope_climb_scene_destroy(scene);
}

static void same_plan(const lope_climb_plan *a, const lope_climb_plan *b)
{
    assert_true(a->frame_count == b->frame_count && a->step_count == b->step_count && a->seed == b->seed);
    assert_true(a->complete == b->complete && a->reached == b->reached && a->frame_rate == b->frame_rate);
    assert_memory_equal(a->site_frame, b->site_frame, sizeof(int) * (size_t)a->reached);
    assert_memory_equal(&a->body, &b->body, sizeof a->body);
    for (int i = 0; i < a->frame_count; i++) {
        const lope_climb_frame *f = &a->frames[i], *g = &b->frames[i];
        assert_memory_equal(&f->pose.hip, &g->pose.hip, offsetof(lope_grasp_pose, facing));
        assert_memory_equal(f->hold, g->hold, sizeof f->hold);
        assert_memory_equal(f->spread, g->spread, sizeof f->spread);
        assert_true(f->mode == g->mode && f->held == g->held && f->yaw == g->yaw && f->pose.facing == g->pose.facing);
    }
    for (int i = 0; i < a->step_count; i++)
        assert_true(a->steps[i].time == b->steps[i].time && a->steps[i].mode == b->steps[i].mode &&
                    memcmp(a->steps[i].hold, b->steps[i].hold, sizeof a->steps[i].hold) == 0);
}

// Saved, opened and gone on from: the same bits as without the file.
static void plans_are_kept_and_gone_on_from(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_climb_def def = lope_climb_def_default();
    lope_climb_scene *scene = scene_named("climbing"), *other = scene_named("walking");
    lope_climb_plan *plan = plan_in(scene, LOPE_PLANNER_CONTACTS), *opened, *on, *same;
    const char *path = test_path("kept_plan.lope");
    assert_ok(lope_climb_plan_save(plan, path, &error));
    assert_ok(lope_climb_plan_open(path, &opened, &error));
    same_plan(plan, opened);
    assert_ok(lope_climb_plan_check(scene->world, opened, &error));
    assert_int_equal(lope_climb_plan_check(other->world, opened, &error), LOPE_MISMATCH);
    def.seed = 7;
    int frame = plan->frame_count / 2;
    assert_ok(lope_climb_plan_resume(scene->world, &scene->problem, &def, plan, frame, NULL, NULL, &on, &error));
    assert_ok(lope_climb_plan_resume(scene->world, &scene->problem, &def, opened, frame, NULL, NULL, &same, &error));
    same_plan(on, same);
    lope_climb_plan_destroy(same);
    lope_climb_plan_destroy(on);
    lope_climb_plan_destroy(opened);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(other);
    lope_climb_scene_destroy(scene);
}

// A file with sound checksums, but numbers that are none of a plan.
static void files_of_other_numbers_are_refused(void **state)
{
    (void)state;
    enum { ROWS = 8 + LOPE_CLIMB_MAX_VIA + 1 + 28 + 8 + 25 };
    static const struct {
        int at;
        double value;
        const char *says;
    } rows[] = {{0, 0.0, "size that makes no sense"},
                {6, 2.0, "size that makes no sense"},
                {6, 1e30, "size that makes no sense"},
                {7, 99.0, "size that makes no sense"},
                {25, 0.0, "part without size"},
                {52, 16.0, "part without size"},
                {53, 77.0, "step 0"},
                {54, 0.0, "step 0"},
                {55, -2.0, "step 0"},
                {61 + 6, 16.0, "frame 0"},
                {61 + 20, (double)NAN, "frame 0"},
                {61 + 2, 0.5, "frame 0"}};
    lope_error error = {0};
    lope_climb_plan *plan;
    lope_grasp_body body = lope_grasp_body_default();
    const char *path = test_path("odd_plan.lope");
    for (size_t i = 0; i <= sizeof rows / sizeof *rows; i++) {
        char names[5][16] = {"walk", "climb", "swing", "crawl", "sidle"};
        double numbers[ROWS] = {60, 1, 0, 1, 0, 1, 1, 0};
        double *b = numbers + 25;
        const double first[] = {body.unit, body.spine, body.head, 0.5, 0.1, -1, 1};
        memcpy(b, first, sizeof first);
        for (int k = 0; k < 4; k++)
            memcpy(b + 7 + 5 * k, (double[]){0.4, 0.1, 0.5, 0, 1}, 5 * sizeof *b);
        numbers[54] = numbers[62] = 1; // facing
        if (i < sizeof rows / sizeof *rows)
            numbers[rows[i].at] = rows[i].value;
        lope_container_writer *writer;
        assert_ok(lope_container_writer_create(&writer, &error));
        assert_ok(
            lope_container_writer_add(writer, LOPE_CHUNK('C', 'P', 'L', 'N'), 1, numbers, sizeof numbers, &error));
        assert_ok(lope_container_writer_add(writer, LOPE_CHUNK('C', 'P', 'M', 'D'), 1, names, sizeof names, &error));
        assert_ok(lope_container_writer_save(writer, path, &error));
        lope_container_writer_destroy(writer);
        lope_status status = lope_climb_plan_open(path, &plan, &error);
        if (i == sizeof rows / sizeof *rows) {
            assert_ok(status); // or it was no test
        } else {
            assert_int_equal(status, LOPE_BAD_DATA);
            if (!strstr(error.message, rows[i].says))
                fail_msg("row %zu: %s", i, error.message);
        }
        lope_climb_plan_destroy(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_begin_and_end_in_every_mode),
        cmocka_unit_test(plans_begin_and_end_in_configurations),
        cmocka_unit_test(configurations_that_hold_nothing_are_for_flying),
        cmocka_unit_test(sites_without_grasps_say_so),
        cmocka_unit_test(postures_are_looked_at_and_settled),
        cmocka_unit_test(plans_are_kept_and_gone_on_from),
        cmocka_unit_test(files_of_other_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
