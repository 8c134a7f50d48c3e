// SPDX-License-Identifier: MIT
// Plans of the contact-first planner: every scene and some of every family, judged frame by frame.
#include <string.h>

#include "support/climb_check.h"
#include "support/support.h"

static lope_climb_plan *plan_by(lope_climb_planner planner, const lope_climb_scene *scene, uint64_t seed,
                                lope_jobs *jobs)
{
    lope_error error = {0};
    lope_climb_plan *plan;
    lope_climb_def def = lope_climb_def_default();
    def.planner = planner;
    def.seed = seed;
    lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &def, jobs, NULL, &plan, &error);
    if (status != LOPE_OK)
        fail_msg("%s, seed %d: %s", scene->name, (int)seed, error.message);
    return plan;
}

static lope_climb_plan *plan_scene(const lope_climb_scene *scene, uint64_t seed, lope_jobs *jobs)
{
    return plan_by(LOPE_PLANNER_CONTACTS, scene, seed, jobs);
}

static void every_scene_is_solved_well(void **state)
{
    (void)state;
    lope_error error;
    for (int i = 0; i < lope_climb_scene_builtin_count(); i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            lope_climb_scene *scene;
            assert_ok(lope_climb_scene_builtin(lope_climb_scene_builtin_name(i), &scene, &error));
            lope_climb_plan *plan = plan_scene(scene, seed, NULL);
            assert_true(plan->complete);
            climb_require_sound(scene, plan);
            lope_climb_plan_destroy(plan);
            lope_climb_scene_destroy(scene);
        }
}

static void random_scenes_are_solved_well(void **state)
{
    (void)state;
    lope_error error;
    for (int family = 0; family < LOPE_FAMILY_COUNT; family++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            lope_climb_scene *scene;
            assert_ok(lope_climb_scene_random((lope_climb_family)family, seed, &scene, &error));
            lope_climb_plan *plan = plan_scene(scene, 1, NULL);
            climb_require_sound(scene, plan);
            lope_climb_plan_destroy(plan);
            lope_climb_scene_destroy(scene);
        }
}

// The built-in character in scenes in which a leg on its way pointed out of its range and whipped from one end of that
// to the other.
static void other_bodies_move_as_soundly(void **state)
{
    (void)state;
    static const struct {
        lope_climb_family family;
        uint64_t seed;
    } rows[] = {{LOPE_FAMILY_CLIMB, 307}, {LOPE_FAMILY_COMPLEX, 310}};
    lope_error error;
    lope_skeleton *skeleton;
    lope_grasp_body body;
    assert_ok(lope_synth_skeleton(&skeleton, &error));
    assert_ok(lope_climb_body_of(skeleton, &body, &error));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lope_climb_scene *scene;
        lope_climb_plan *plan;
        lope_climb_def def = lope_climb_def_default();
        def.body = &body;
        assert_ok(lope_climb_scene_random(rows[i].family, rows[i].seed, &scene, &error));
        assert_ok(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error));
        climb_require_sound_for(scene, &body, plan);
        lope_climb_plan_destroy(plan);
        lope_climb_scene_destroy(scene);
    }
    lope_skeleton_release(skeleton);
}

static lope_climb_scene *read_scene(const char *text)
{
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_read_memory(text, strlen(text), "test.json", &scene, &error));
    return scene;
}

#define GROUND                                                                                                         \
    "{\"bounds\": [[0, 0], [10, 4]], \"obstacles\": [{\"box\": [[0, 0], [4, 1]]}, {\"box\": [[7, 0], [10, 1]]},"       \
    " {\"box\": [[9.2, 1.2], [9.8, 2]]}], \"place\": 0.3,"

static void hopeless_problems_say_why(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        lope_status status;
        const char *message;
    } cases[] = {
        {GROUND "\"start\": {\"at\": [1, 0.5]}, \"goal\": {\"at\": [3, 1]}}", LOPE_BAD_DATA,
         "the start (1, 0.5) lies 0.50 m inside an obstacle"},
        {GROUND "\"start\": {\"at\": [1, 3]}, \"goal\": {\"at\": [3, 1]}}", LOPE_NOT_FOUND,
         "no two grasps for walking within 1.0 m of the start (1, 3)"},
        {GROUND "\"start\": {\"at\": [1, 1]}, \"goal\": {\"at\": [5.5, 2]}}", LOPE_NOT_FOUND,
         "no two grasps for walking within 1.0 m of the goal (5.5, 2)"},
        {GROUND "\"start\": {\"at\": [1, 1]}, \"goal\": {\"at\": [12, 1]}}", LOPE_BAD_DATA, "out of bounds"},
        {"{\"bounds\": [[0, 0], [6, 3]], \"obstacles\": [{\"box\": [[0, 0], [6, 1]]}, {\"box\": [[0, 1.5], [3, 2]]}],"
         "\"place\": 0.3, \"start\": {\"at\": [0.8, 1]}, \"goal\": {\"at\": [5, 1]}}",
         LOPE_NOT_FOUND, "no room for the body at the start (0.8, 1)"},
        {GROUND "\"start\": {\"at\": [1, 1]}, \"via\": [{\"at\": [2, 0.6]}], \"goal\": {\"at\": [3, 1]}}",
         LOPE_BAD_DATA, "the milestone (2, 0.6) lies 0.40 m inside an obstacle"},
        {GROUND "\"start\": {\"at\": [1, 1], \"mode\": \"swing\"}, \"goal\": {\"at\": [3, 1]}}", LOPE_NOT_FOUND,
         "no room for the body at the start (1, 1)"},
        {GROUND "\"start\": {\"at\": [1, 1]}, \"goal\": {\"at\": [8, 1]}}", LOPE_PARTIAL,
         "no grasp within 1.1 m of (4."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lope_climb_scene *scene = read_scene(cases[i].text);
        lope_climb_def def = lope_climb_def_default();
        lope_climb_plan *plan;
        lope_error error = {0};
        def.budget = 1000;
        lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error);
        if (status != cases[i].status || !strstr(error.message, cases[i].message))
            fail_msg("%zu: expected '%s', found %d '%s'", i, cases[i].message, (int)status, error.message);
        if (status == LOPE_PARTIAL) { // it went to the edge
            assert_false(plan->complete);
            assert_true(plan->step_count > 2 && plan->frames[plan->frame_count - 1].pose.hip.x > 2.5);
            climb_require_sound(scene, plan);
        } else {
            assert_null(plan);
        }
        lope_climb_plan_destroy(plan);
        lope_climb_scene_destroy(scene);
    }
}

// Hands hold one wall, feet are braced against the other: neither wall alone can be climbed.
static void chimneys_need_both_walls(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin("chimney", &scene, &error));
    lope_climb_plan *plan = plan_scene(scene, 1, NULL);
    int braced = 0;
    for (int i = 0; i < plan->step_count; i++) {
        bool left = false, right = false;
        for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++)
            if (plan->steps[i].hold[limb] >= 0) {
                double out = scene->world->holds[plan->steps[i].hold[limb]].normal.x;
                left |= out > 0.5;
                right |= out < -0.5;
            }
        braced += left && right;
    }
    assert_true(braced >= 4);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

// Out of a chimney the foot on the opposite wall has to get under the body, onto the ledge: that must not hang on
// millimetres.
static void chimneys_may_be_wider_or_narrower(void **state)
{
    (void)state;
    lope_error error;
    lope_skeleton *skeleton;
    lope_grasp_body body;
    assert_ok(lope_synth_skeleton(&skeleton, &error));
    assert_ok(lope_climb_body_of(skeleton, &body, &error));
    for (int percent = 98; percent <= 102; percent++) {
        lope_climb_scene *scene, *scaled;
        lope_climb_plan *plan;
        lope_climb_def def = lope_climb_def_default();
        def.body = &body;
        assert_ok(lope_climb_scene_builtin("chimney", &scene, &error));
        assert_ok(lope_climb_scene_scaled(scene, 0.01 * percent, &scaled, &error));
        assert_ok(lope_climb_plan_create(scaled->world, &scaled->problem, &def, NULL, NULL, &plan, &error));
        climb_require_sound_for(scaled, &body, plan);
        lope_climb_plan_destroy(plan);
        lope_climb_scene_destroy(scaled);
        lope_climb_scene_destroy(scene);
    }
    lope_skeleton_release(skeleton);
}

// 5.6.4: nothing hangs in the way that would make the body bow, the grasps ahead are on the ground, far below the
// hands.
static void far_grasps_draw_the_body_down(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin("complex_open", &scene, &error));
    assert_int_equal(scene->world->obstacle_count, 4); // the thesis needed a fifth
    lope_climb_plan *plan = plan_scene(scene, 1, NULL);
    int down = 0;
    while (down < plan->step_count && plan->steps[down].hold[0] < 0 && plan->steps[down].hold[1] < 0)
        down++;
    assert_true(down > 0 && down < plan->step_count);
    const lope_climb_step *before = &plan->steps[down - 1], *after = &plan->steps[down];
    int hand = after->hold[0] >= 0 ? after->hold[0] : after->hold[1];
    const lope_climb_frame *upright = &plan->frames[(int)(before->time * plan->frame_rate)];
    lope_grasp_body body = lope_grasp_body_default();
    lope_grasp_points points;
    lope_grasp_forward(&body, &upright->pose, &points);
    double far = hypot(points.neck.x - scene->world->holds[hand].at.x, points.neck.y - scene->world->holds[hand].at.y);
    assert_true(scene->world->holds[hand].at.x < 2.6);                // at the mouth of the tunnel
    assert_true(upright->pose.hip.y > 1.2);                           // it stood
    assert_true(far > 1.5 * (body.length[0][0] + body.length[0][1])); // out of reach by far
    assert_true(plan->complete);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

static void milestones_and_turns_are_kept(void **state)
{
    (void)state;
    lope_climb_scene *scene =
        read_scene("{\"bounds\": [[0, 0], [6, 4]], \"obstacles\": [{\"box\": [[0, 0], [6, 1]]}], \"place\": 0.25,"
                   "\"start\": {\"at\": [1, 1], \"facing\": \"right\"}, \"via\": [{\"at\": [4, 1]}],"
                   "\"goal\": {\"at\": [2, 1], \"facing\": \"left\"}}");
    lope_climb_plan *plan = plan_scene(scene, 1, NULL);
    double furthest = 0, last_yaw = plan->frames[plan->frame_count - 1].yaw;
    for (int i = 0; i < plan->frame_count; i++) {
        furthest = fmax(furthest, plan->frames[i].pose.hip.x);
        if (i)
            assert_true(fabs(plan->frames[i].yaw - plan->frames[i - 1].yaw) < 0.1); // turns are turned
    }
    assert_true(furthest > 3.7);
    assert_near(last_yaw, LOPE_PI, 1e-9);
    assert_int_equal(plan->reached, 2);
    climb_require_sound(scene, plan);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

// The thesis' complex course had its character slide down a ramp like this.
static void sequences_of_scenes_are_performed(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin("slide", &scene, &error));
    const lope_climb_sequence *slide = scene->problem.via[0].sequence;
    for (int i = 0; i < 4; i++) {
        lope_climb_planner planner = i % 2 ? LOPE_PLANNER_THESIS : LOPE_PLANNER_CONTACTS;
        lope_climb_plan *plan = plan_by(planner, scene, (uint64_t)(1 + i / 2), NULL);
        int begin = plan->site_frame[0], free = 0, last = begin;
        for (int k = begin; k < plan->frame_count; k++)
            if (!plan->frames[k].held) {
                free++;
                last = k;
            }
        assert_int_equal(plan->reached, 2);
        assert_near(free / plan->frame_rate, slide->seconds, 0.1);
        assert_near(plan->frames[begin].pose.hip.x, slide->poses[0].hip.x, 2e-3);
        assert_near(plan->frames[last + 1].pose.hip.x, slide->poses[slide->count - 1].hip.x, 2e-3);
        climb_require_sound(scene, plan);
        lope_climb_plan_destroy(plan);
    }
    scene->problem.via_count = 0; // there is no other way down
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan;
    def.budget = 800;
    assert_int_equal(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error),
                     LOPE_PARTIAL);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

#define FLOOR                                                                                                          \
    "{\"bounds\": [[0, 0], [6, 4]], \"obstacles\": [{\"box\": [[0, 0], [6, 1]]}], \"place\": 0.25,"                    \
    "\"start\": {\"at\": [1, 1], \"facing\": \"right\"}, \"goal\": {\"at\": [5, 1]}, \"via\": ["

static void poses_are_passed(void **state)
{
    (void)state;
    lope_climb_scene *scene = read_scene(FLOOR "{\"pose\": {\"hip\": [2.875, 1.75], \"spine\": 30, \"neck\": 20,"
                                               "\"left_arm\": [170, 20], \"right_arm\": [40, 30], \"left_leg\":"
                                               "[71.8088, 64.6929], \"right_leg\": [52.8842, 64.6929]}}]}");
    const lope_grasp_pose *wanted = &scene->problem.via[0].sequence->poses[0];
    for (uint64_t seed = 1; seed <= 2; seed++) {
        lope_climb_plan *plan = plan_scene(scene, seed, NULL);
        const lope_grasp_pose *found = &plan->frames[plan->site_frame[0]].pose;
        assert_int_equal(plan->reached, 2);
        assert_near(found->hip.x, wanted->hip.x, 0.02); // the motion is rounded there
        assert_near(found->spine, wanted->spine, 0.05);
        assert_near(fmax(found->limb[0][0], found->limb[1][0]), wanted->limb[0][0], 0.2);
        climb_require_sound(scene, plan);
        lope_climb_plan_destroy(plan);
    }
    lope_climb_scene_destroy(scene);
}

static void sequences_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {FLOOR "{\"pose\": {\"hip\": [3, 2.5]}}]}",
         "the pose at (3.00, 2.50) needs both feet, both hands, or hands and feet on holds, found nothing"},
        {FLOOR "{\"pose\": {\"hip\": [3, 0.5]}}]}", "pose 0 of the sequence at (3.00, 0.50) is"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lope_climb_scene *scene = read_scene(cases[i].text);
        lope_climb_def def = lope_climb_def_default();
        lope_climb_plan *plan;
        lope_error error = {0};
        assert_int_equal(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error),
                         LOPE_BAD_DATA);
        if (!strstr(error.message, cases[i].message))
            fail_msg("expected '%s', found '%s'", cases[i].message, error.message);
        assert_null(plan);
        lope_climb_scene_destroy(scene);
    }
}

static uint64_t plan_hash(const lope_climb_plan *plan)
{
    uint64_t hash = 0;
    for (int i = 0; i < plan->frame_count; i++)
        hash = lope_hash(plan->frames[i].pose.limb, sizeof plan->frames[i].pose.limb, hash);
    return hash;
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    lope_error error;
    lope_jobs *jobs;
    lope_climb_scene *scene;
    assert_ok(lope_jobs_create(3, &jobs, &error));
    assert_ok(lope_climb_scene_random(LOPE_FAMILY_CLIMB, 3, &scene, &error));
    for (uint64_t seed = 1; seed < 4; seed++) {
        lope_climb_def def = lope_climb_def_default();
        lope_climb_plan *one, *many;
        def.seed = seed;
        def.budget = 800; // the first search gets an eighth of it, which is not enough: all of them run
        lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &one, &error);
        assert_int_equal(lope_climb_plan_create(scene->world, &scene->problem, &def, jobs, NULL, &many, &error),
                         status);
        assert_int_equal(one->frame_count, many->frame_count);
        assert_true(plan_hash(one) == plan_hash(many));
        assert_true(one->seed == many->seed);
        lope_climb_plan_destroy(one);
        lope_climb_plan_destroy(many);
    }
    lope_climb_scene_destroy(scene);
    lope_jobs_destroy(jobs);
}

typedef struct listener {
    int heard, until;
    double last;
} listener;

static bool listen(void *user, const char *stage, double done)
{
    listener *l = user;
    assert_string_equal(stage, "plan");
    assert_true(done >= l->last && done <= 1.0); // it gets nearer, or stays
    l->last = done;
    return ++l->heard < l->until;
}

static void searches_can_be_watched_and_stopped(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_climb_scene *scene;
    lope_climb_plan *plan;
    lope_climb_def def = lope_climb_def_default();
    assert_ok(lope_climb_scene_builtin("complex", &scene, &error));
    listener all = {.until = 1 << 30}, few = {.until = 4}, none = {.until = 1};
    lope_progress progress = {listen, &all};
    assert_ok(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, &progress, &plan, &error));
    if (all.heard < 4 || all.last < 0.4)
        fail_msg("heard %d times, last %.2f", all.heard, all.last);
    lope_climb_plan_destroy(plan);
    progress.user = &few;
    assert_int_equal(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, &progress, &plan, &error),
                     LOPE_INTERRUPTED);
    assert_null(plan);
    assert_int_equal(few.heard, 4); // and no more
    def.keep_stopped = true;
    few = (listener){.until = 4};
    assert_int_equal(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, &progress, &plan, &error),
                     LOPE_PARTIAL);
    assert_true(!plan->complete && plan->step_count > 3 && plan->left > 1.0);
    assert_non_null(strstr(error.message, "stopped after 0 of 1 sites"));
    climb_require_sound(scene, plan);
    lope_climb_plan_destroy(plan);
    progress.user = &none;
    assert_int_equal(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, &progress, &plan, &error),
                     LOPE_PARTIAL);
    assert_int_equal(plan->step_count, 1); // it stands where it began
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

static void speed_is_the_users(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin("walking", &scene, &error));
    lope_climb_def def = lope_climb_def_default();
    int frames[2];
    for (int i = 0; i < 2; i++) {
        lope_climb_plan *plan;
        def.speed = i ? 0.5 : 1.0;
        assert_ok(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error));
        frames[i] = plan->frame_count;
        lope_climb_plan_destroy(plan);
    }
    assert_true(frames[1] > 1.6 * frames[0] && frames[1] < 2.2 * frames[0]);
    lope_climb_scene_destroy(scene);
}

static lope_status plan_walk(void *user, lope_error *error)
{
    const lope_climb_scene *scene = user;
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan;
    lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, error);
    lope_climb_plan_destroy(plan);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin("walking", &scene, &error));
    test_allocation_failures(plan_walk, scene);
    lope_climb_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_is_solved_well),
        cmocka_unit_test(random_scenes_are_solved_well),
        cmocka_unit_test(other_bodies_move_as_soundly),
        cmocka_unit_test(chimneys_need_both_walls),
        cmocka_unit_test(chimneys_may_be_wider_or_narrower),
        cmocka_unit_test(far_grasps_draw_the_body_down),
        cmocka_unit_test(hopeless_problems_say_why),
        cmocka_unit_test(milestones_and_turns_are_kept),
        cmocka_unit_test(sequences_of_scenes_are_performed),
        cmocka_unit_test(poses_are_passed),
        cmocka_unit_test(sequences_that_cannot_be_are_refused),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(speed_is_the_users),
        cmocka_unit_test(searches_can_be_watched_and_stopped),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
