// SPDX-License-Identifier: MIT
// Going on from a frame of a plan: wherever a search was stopped, the plan arrives, and is never less than it was.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "support/climb_check.h"
#include "support/support.h"

// The body of the built-in character, whose stopped plans end in postures that lead nowhere for the other planner.
static lope_grasp_body character(void)
{
    lope_error error;
    lope_skeleton *skeleton;
    lope_grasp_body body;
    assert_ok(lope_synth_skeleton(&skeleton, &error));
    assert_ok(lope_climb_body_of(skeleton, &body, &error));
    lope_skeleton_release(skeleton);
    return body;
}

typedef struct watch {
    int heard, until;
} watch;

static bool stop_later(void *user, const char *stage, double done)
{
    watch *w = user;
    assert_true(stage && done >= 0.0 && done <= 1.0);
    return ++w->heard < w->until;
}

// The published planner's plan when it is stopped at its n-th report; NULL where it has arrived by then.
static lope_climb_plan *stopped_at(const lope_climb_scene *scene, const lope_grasp_body *body, uint64_t seed,
                                   int report)
{
    lope_error error;
    watch w = {.until = report};
    lope_progress progress = {stop_later, &w};
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan;
    def.planner = LOPE_PLANNER_THESIS;
    def.body = body;
    def.seed = seed;
    def.keep_stopped = true;
    lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, &progress, &plan, &error);
    assert_true(status == LOPE_OK || status == LOPE_PARTIAL);
    if (status == LOPE_PARTIAL)
        return plan;
    lope_climb_plan_destroy(plan);
    return NULL;
}

static int same_frames(const lope_climb_plan *a, const lope_climb_plan *b)
{
    int same = 0;
    while (same < a->frame_count && same < b->frame_count &&
           memcmp(&a->frames[same].pose, &b->frames[same].pose, sizeof a->frames[0].pose) == 0)
        same++;
    return same;
}

// Goes on from a frame and requires that it arrives. Returns how many changes further back it had to go.
static int require_arrives(const lope_climb_scene *scene, const lope_grasp_body *body, const lope_climb_plan *plan,
                           int frame, lope_climb_planner planner)
{
    lope_error error = {0};
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *on;
    def.body = body;
    def.planner = planner;
    def.seed = 2;
    *(planner == LOPE_PLANNER_CONTACTS ? &def.samples : &def.budget) = 0; // what the other one may spend
    lope_status status =
        lope_climb_plan_resume(scene->world, &scene->problem, &def, plan, frame, NULL, NULL, &on, &error);
    if (status != LOPE_OK)
        fail_msg("%s from frame %d of %d: %s", scene->name, frame, plan->frame_count, error.message);
    assert_true(on->complete && on->reached == scene->problem.via_count + 1 && on->left == 0.0);
    assert_string_equal(error.message, ""); // of nothing that was tried before
    assert_true(on->kept > 0 && on->kept <= frame + 1 && same_frames(plan, on) >= on->kept);
    climb_require_sound_for(scene, body, on);
    int went_back = on->went_back;
    lope_climb_plan_destroy(on);
    return went_back;
}

static void stopped_plans_go_on_and_arrive(void **state)
{
    (void)state;
    static const struct {
        const char *scene;
        uint64_t seed;
        int first, last; // reports
    } rows[] = {{"monkey_bars", 1, 2, 3},
                {"monkey_bars", 3, 2, 3},
                {"climbing", 1, 2, 3},
                {"complex", 1, 3, 4},
                {"complex", 2, 5, 5}};
    lope_error error;
    lope_grasp_body body = character();
    int stopped = 0, went_back = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lope_climb_scene *scene;
        assert_ok(lope_climb_scene_builtin(rows[i].scene, &scene, &error));
        for (int report = rows[i].first; report <= rows[i].last; report++) {
            lope_climb_plan *plan = stopped_at(scene, &body, rows[i].seed, report);
            if (!plan)
                break;
            int last = plan->frame_count - 1;
            stopped++;
            went_back += require_arrives(scene, &body, plan, last, LOPE_PLANNER_CONTACTS) > 0;
            went_back += require_arrives(scene, &body, plan, 4 * last / 5, LOPE_PLANNER_CONTACTS) > 0;
            lope_climb_plan_destroy(plan);
        }
        lope_climb_scene_destroy(scene);
    }
    if (stopped < 6 || went_back < 2) // or it was no test
        fail_msg("%d stopped plans, %d of which led nowhere at first", stopped, went_back);
}

// Its own backtracking ends where the plan was cut: it has to go back further as well.
static void the_published_planner_goes_on_too(void **state)
{
    (void)state;
    lope_error error;
    lope_grasp_body body = character();
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin("monkey_bars", &scene, &error));
    lope_climb_plan *plan = stopped_at(scene, &body, 1, 2);
    assert_non_null(plan);
    for (int i = 1; i <= 3; i++)
        require_arrives(scene, &body, plan, (plan->frame_count - 1) * i / 3, LOPE_PLANNER_THESIS);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

static lope_climb_scene *read_scene(const char *text)
{
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_read_memory(text, strlen(text), "test.json", &scene, &error));
    return scene;
}

#define ROOM "{\"bounds\": [[0, 0], [12, 4]], \"start\": {\"at\": [1, 1], \"facing\": \"right\"}, \"place\": 0.3,"
#define FLOOR ROOM "\"obstacles\": [{\"box\": [[0, 0], [12, 1]]}], \"goal\": {\"at\": [%g, 1]}}"
#define MILESTONE                                                                                                      \
    ROOM "\"obstacles\": [{\"box\": [[0, 0], [12, 1]]}], \"via\": [{\"at\": [5, 1]}], \"goal\": {\"at\": [10, 1]}}"
#define GAP                                                                                                            \
    ROOM "\"obstacles\": [{\"box\": [[0, 0], [4, 1]]}, {\"box\": [[8, 0], [12, 1]]}], \"goal\": {\"at\": [10, 1]}}"

// A search that may look at next to nothing gets nowhere: what there was stays, and the message says so.
static void plans_are_never_less_than_they_were(void **state)
{
    (void)state;
    char floor[512];
    snprintf(floor, sizeof floor, FLOOR, 10.0);
    const char *const texts[] = {floor, GAP};
    for (int i = 0; i < 2; i++) {
        lope_climb_scene *scene = read_scene(texts[i]);
        lope_error error = {0};
        lope_climb_def def = lope_climb_def_default();
        lope_climb_plan *plan, *on;
        def.budget = 300;
        lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error);
        assert_int_equal(status, i ? LOPE_PARTIAL : LOPE_OK);
        def.budget = 1;
        for (int k = 0; k < 3; k++) {
            int frame = (plan->frame_count - 1) * k / 2;
            assert_int_equal(
                lope_climb_plan_resume(scene->world, &scene->problem, &def, plan, frame, NULL, NULL, &on, &error),
                k == 2 && i == 0 ? LOPE_OK : LOPE_PARTIAL); // it was there already
            assert_true(on->complete == plan->complete && on->reached == plan->reached);
            assert_near(on->left, plan->left, 1e-9);
            if (k < 2 || i == 1) {
                assert_int_equal(same_frames(plan, on), plan->frame_count);
                assert_int_equal(on->frame_count, plan->frame_count);
                assert_int_equal(on->step_count, plan->step_count);
                if (!strstr(error.message, "the plan stays as it was"))
                    fail_msg("%s", error.message);
            }
            climb_require_sound(scene, on);
            lope_climb_plan_destroy(on);
        }
        lope_climb_plan_destroy(plan);
        lope_climb_scene_destroy(scene);
    }
}

static lope_climb_plan *plan_of(const lope_climb_scene *scene, const lope_climb_def *def)
{
    lope_error error;
    lope_climb_plan *plan;
    assert_ok(lope_climb_plan_create(scene->world, &scene->problem, def, NULL, NULL, &plan, &error));
    return plan;
}

// In the frame at which the milestone is reached a foot is still in the air.
static void milestones_stay_reached(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_climb_scene *scene = read_scene(MILESTONE);
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan = plan_of(scene, &def), *on;
    int last = plan->frame_count - 1;
    assert_int_equal(plan->reached, 2);
    def.budget = 1;
    assert_int_equal(
        lope_climb_plan_resume(scene->world, &scene->problem, &def, plan, 3 * last / 4, NULL, NULL, &on, &error),
        LOPE_PARTIAL);
    assert_true(on->complete && on->reached == 2 && on->frame_count == plan->frame_count);
    assert_int_equal(same_frames(plan, on), plan->frame_count);
    assert_memory_equal(on->site_frame, plan->site_frame, 2 * sizeof *plan->site_frame);
    lope_climb_plan_destroy(on);
    assert_ok(lope_climb_plan_resume(scene->world, &scene->problem, &def, plan, last, NULL, NULL, &on, &error));
    assert_true(on->complete && on->reached == 2);
    lope_climb_plan_destroy(on);
    def.budget = def.samples = INT_MAX; // parts of which are whole numbers too
    assert_ok(lope_climb_plan_resume(scene->world, &scene->problem, &def, plan, last / 2, NULL, NULL, &on, &error));
    assert_true(on->complete && on->went_back == 0);
    lope_climb_plan_destroy(on);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

// Plans of any planner are where they say they are, also those that fly past a milestone.
static void all_planners_stay_where_they_arrived(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_climb_scene *scene = read_scene(MILESTONE);
    for (int which = 0; which < LOPE_PLANNER_COUNT; which++)
        for (int facing = -1; facing <= 1; facing++) {
            lope_climb_def def = lope_climb_def_default();
            def.planner = (lope_climb_planner)which;
            scene->problem.via[0].facing = facing;
            lope_climb_plan *plan = plan_of(scene, &def), *on;
            assert_ok(lope_climb_plan_resume(scene->world, &scene->problem, &def, plan, plan->frame_count - 1, NULL,
                                             NULL, &on, &error));
            assert_true(on->complete && on->reached == 2 && on->went_back == 0);
            assert_int_equal(same_frames(plan, on), on->frame_count); // all but some rest
            assert_memory_equal(on->site_frame, plan->site_frame, 2 * sizeof *plan->site_frame);
            lope_climb_plan_destroy(on);
            lope_climb_plan_destroy(plan);
        }
    lope_climb_scene_destroy(scene);
}

// Wherever it is cut on the way to its end, a sequence is performed as a whole, and only once.
static void require_performed(const lope_climb_scene *scene, lope_climb_planner planner)
{
    lope_error error = {0};
    const lope_climb_sequence *sequence = scene->problem.via[0].sequence;
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan = plan_of(scene, &def), *on;
    int begin = plan->site_frame[0], end = begin + 2;
    while (!plan->frames[end].held)
        end++;
    const int frames[] = {begin, begin + 1, (begin + end) / 2, end - 1, end, plan->frame_count - 1};
    def.planner = planner;
    for (int i = 0; i < 6; i++) {
        assert_ok(
            lope_climb_plan_resume(scene->world, &scene->problem, &def, plan, frames[i], NULL, NULL, &on, &error));
        int free = 0;
        for (int k = 0; k < on->frame_count; k++)
            free += !on->frames[k].held;
        assert_true(on->complete && on->reached == 2);
        assert_near(free / on->frame_rate, sequence->seconds, 0.1);
        climb_require_sound(scene, on);
        lope_climb_plan_destroy(on);
    }
    lope_climb_plan_destroy(plan);
}

static void sequences_that_were_cut_are_performed(void **state)
{
    (void)state;
    char text[512];
    lope_error error;
    lope_climb_scene *slide;
    assert_ok(lope_climb_scene_builtin("slide", &slide, &error));
    require_performed(slide, LOPE_PLANNER_CONTACTS);
    lope_climb_scene_destroy(slide);
    snprintf(text, sizeof text, FLOOR, 5.0);
    lope_climb_scene *near = read_scene(text), *bows = read_scene(MILESTONE);
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *there = plan_of(near, &def);
    const lope_grasp_pose upright = there->frames[there->frame_count - 1].pose;
    lope_grasp_pose poses[3] = {upright, upright, upright};
    poses[1].neck = 0.6;
    bows->problem.via[0] = (lope_climb_site){.sequence = &(lope_climb_sequence){poses, 3, NULL, 1.0}};
    require_performed(bows, LOPE_PLANNER_CONTACTS);
    require_performed(bows, LOPE_PLANNER_THESIS);
    lope_climb_plan_destroy(there);
    lope_climb_scene_destroy(near);
    lope_climb_scene_destroy(bows);
}

// The goal has moved: that the old plan arrived says nothing any more.
static void other_goals_are_judged_anew(void **state)
{
    (void)state;
    char text[512];
    lope_error error = {0};
    snprintf(text, sizeof text, FLOOR, 6.0);
    lope_climb_scene *near = read_scene(text);
    snprintf(text, sizeof text, FLOOR, 10.0);
    lope_climb_scene *far = read_scene(text);
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan = plan_of(near, &def), *on;
    def.budget = 1;
    for (int i = 1; i <= 2; i++) { // from the middle, and from where it was the end
        assert_int_equal(lope_climb_plan_resume(far->world, &far->problem, &def, plan, (plan->frame_count - 1) * i / 2,
                                                NULL, NULL, &on, &error),
                         LOPE_PARTIAL);
        assert_true(!on->complete && on->reached == 0 && on->left > 3.5 && on->left < 5.5);
        assert_int_equal(on->frame_count, plan->frame_count); // still the best there is
        lope_climb_plan_destroy(on);
    }
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(near);
    lope_climb_scene_destroy(far);
}

static void stopping_again_loses_nothing(void **state)
{
    (void)state;
    lope_error error;
    lope_grasp_body body = character();
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin("complex", &scene, &error));
    lope_climb_plan *plan = stopped_at(scene, &body, 1, 4), *on;
    for (int until = 1; until <= 3; until++)
        for (int keep = 0; keep < 2; keep++) {
            watch w = {.until = until};
            lope_progress progress = {stop_later, &w};
            lope_climb_def def = lope_climb_def_default();
            def.body = &body;
            def.keep_stopped = keep;
            lope_status status = lope_climb_plan_resume(scene->world, &scene->problem, &def, plan,
                                                        plan->frame_count / 4, NULL, &progress, &on, &error);
            assert_int_equal(w.heard, until); // and no more
            assert_int_equal(status, keep ? LOPE_PARTIAL : LOPE_INTERRUPTED);
            if (keep)
                assert_true(on->left <= plan->left && strstr(error.message, "stopped"));
            lope_climb_plan_destroy(on);
        }
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

static void plans_of_other_worlds_are_refused(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_climb_scene *scene, *other;
    assert_ok(lope_climb_scene_builtin("walking", &scene, &error));
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan, *on;
    assert_ok(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error));
    static const char *const texts[] = {
        ROOM "\"obstacles\": [{\"box\": [[0, 0], [12, 1]]}], \"goal\": {\"at\": [10, 1]}}",
        "{\"bounds\": [[0, 0], [3, 4]], \"obstacles\": [{\"box\": [[0, 0], [3, 1]]}], \"holds\": [{\"at\": [1, 1]},"
        "{\"at\": [1.3, 1]}], \"start\": {\"at\": [1.15, 1]}, \"goal\": {\"at\": [1.15, 1]}}"};
    for (int i = 0; i < 2; i++) {
        other = read_scene(texts[i]);
        assert_int_equal(lope_climb_plan_resume(other->world, &other->problem, &def, plan, plan->frame_count - 1, NULL,
                                                NULL, &on, &error),
                         LOPE_MISMATCH);
        assert_null(on);
        assert_non_null(strstr(error.message, "the plan is of another world"));
        lope_climb_scene_destroy(other);
    }
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

static void require_mismatch(const lope_climb_scene *scene, const lope_climb_plan *plan, int frame)
{
    lope_error error = {0};
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *on;
    assert_int_equal(lope_climb_plan_resume(scene->world, &scene->problem, &def, plan, frame, NULL, NULL, &on, &error),
                     LOPE_MISMATCH);
    assert_null(on);
    assert_non_null(strstr(error.message, "the plan "));
}

// Also what lies behind the frame that is gone on from, which might be handed back.
static void plans_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    char text[512];
    snprintf(text, sizeof text, FLOOR, 10.0);
    lope_climb_scene *scene = read_scene(text);
    lope_climb_scene *shorter =
        read_scene(ROOM "\"obstacles\": [{\"box\": [[0, 0], [6, 1]]}], \"goal\": {\"at\": [3, 1]}}");
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan = plan_of(scene, &def);
    require_mismatch(shorter, plan, 0);
    lope_climb_plan bad = *plan;
    bad.step_count = 0;
    require_mismatch(scene, &bad, 0);
    const lope_climb_step first = plan->steps[0];
    plan->steps[0].hold[LOPE_LEFT_LEG] = scene->world->hold_count;
    require_mismatch(scene, plan, 0);
    plan->steps[0].hold[LOPE_LEFT_LEG] = -2;
    require_mismatch(scene, plan, 0);
    plan->steps[0].hold[LOPE_LEFT_LEG] = plan->steps[0].hold[LOPE_RIGHT_LEG] = -1; // hangs in the air
    require_mismatch(scene, plan, 0);
    plan->steps[0] = first;
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
    lope_climb_scene_destroy(shorter);
}

// The same frames for any number of threads.
static void threads_change_nothing(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    lope_jobs *jobs;
    assert_ok(lope_climb_scene_builtin("monkey_bars", &scene, &error));
    assert_ok(lope_jobs_create(3, &jobs, &error));
    lope_grasp_body body = character();
    lope_climb_plan *plan = stopped_at(scene, &body, 1, 2), *on[2];
    assert_non_null(plan);
    lope_climb_def def = lope_climb_def_default();
    def.body = &body;
    for (int i = 0; i < 2; i++)
        assert_ok(lope_climb_plan_resume(scene->world, &scene->problem, &def, plan, plan->frame_count - 1,
                                         i ? jobs : NULL, NULL, &on[i], &error));
    assert_int_equal(on[0]->frame_count, on[1]->frame_count);
    assert_int_equal(same_frames(on[0], on[1]), on[0]->frame_count);
    for (int i = 0; i < 2; i++)
        lope_climb_plan_destroy(on[i]);
    lope_climb_plan_destroy(plan);
    lope_jobs_destroy(jobs);
    lope_climb_scene_destroy(scene);
}

typedef struct resumable {
    const lope_climb_scene *scene;
    const lope_climb_plan *plan;
    int budget;
} resumable;

static lope_status resume(void *user, lope_error *error)
{
    const resumable *r = user;
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *on;
    def.budget = r->budget;
    lope_status status = lope_climb_plan_resume(r->scene->world, &r->scene->problem, &def, r->plan,
                                                r->plan->frame_count - 1, NULL, NULL, &on, error);
    lope_climb_plan_destroy(on);
    return status == LOPE_PARTIAL ? LOPE_OK : status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene = read_scene(GAP);
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan;
    def.budget = 300;
    assert_int_equal(lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error),
                     LOPE_PARTIAL);
    test_some_allocation_failures(resume, &(resumable){scene, plan, 40});
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_plans_go_on_and_arrive),
        cmocka_unit_test(the_published_planner_goes_on_too),
        cmocka_unit_test(plans_are_never_less_than_they_were),
        cmocka_unit_test(milestones_stay_reached),
        cmocka_unit_test(all_planners_stay_where_they_arrived),
        cmocka_unit_test(sequences_that_were_cut_are_performed),
        cmocka_unit_test(other_goals_are_judged_anew),
        cmocka_unit_test(stopping_again_loses_nothing),
        cmocka_unit_test(plans_of_other_worlds_are_refused),
        cmocka_unit_test(plans_that_do_not_fit_are_refused),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
