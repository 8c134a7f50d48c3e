// SPDX-License-Identifier: MIT
// The planner as published: neighbours, comfort, every edge of the machine, smoothing, and plans judged frame by frame.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/climb_check.h"
#include "support/scribe_desk.h"
#include "support/support.h"

// Stands on the front foot alone, as a walk does.
static void stand_on_front(desk *d)
{
    scribe_detach(&d->s, 1u << scribe_further(&d->s, LOPE_LEFT_LEG));
}

static int free_foot(const desk *d)
{
    return d->s.path.items[d->s.path.count - 1].hold[LOPE_LEFT_LEG] < 0 ? LOPE_LEFT_LEG : LOPE_RIGHT_LEG;
}

// --- Neighbours and comfort

static void neighbours_keep_their_grasps(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "walking");
    for (int grasps = 2; grasps >= 1; grasps--) {
        const figure from = *scribe_now(&d.s);
        neighbourhood around = neighbourhood_of(&d.s, &from);
        int moved = 0;
        for (int i = 0; i < 200; i++) {
            neighbour n;
            assert_true(neighbour_random(&d.s, &around, &n));
            figure f = from;
            f.pose = n.pose;
            assert_true(off_holds(&d, &f) < 1e-9);
            assert_true(lope_grasp_excess(&d.body, &n.pose) < 1e-6);
            assert_true(fabs(n.pose.spine - from.pose.spine) < SCRIBE_STEP + 1e-12);
            moved += edge_turn(&n.pose, &from.pose) > 0.5 * SCRIBE_STEP;
        }
        assert_true(moved > 170); // some neighbours are the present itself
        stand_on_front(&d);
    }
    close_desk(&d);
}

static void easing_makes_comfortable(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "walking");
    scribe_random_walk(&d.s, NULL, NULL, 0.0, 60);
    figure crooked = *scribe_now(&d.s);
    lope_grasp_contacts contacts = figure_contacts(d.scene->world, &crooked);
    double before = lope_grasp_discomfort(&d.body, &crooked.pose, &contacts, LOPE_MODE_WALK);
    double after = scribe_ease(&d.s, LOPE_MODE_WALK);
    assert_near(lope_grasp_discomfort(&d.body, &scribe_now(&d.s)->pose, &contacts, LOPE_MODE_WALK), after, 1e-9);
    assert_true(after < before && after < 1.25);
    assert_true(off_holds(&d, scribe_now(&d.s)) < 1e-9);
    close_desk(&d);
}

// --- The machine

static void edges_are_those_of_5_3(void **state)
{
    (void)state;
    static const unsigned to[LOPE_MODE_COUNT] = {
        [LOPE_MODE_WALK] = 1u << LOPE_MODE_WALK | 1u << LOPE_MODE_CLIMB | 1u << LOPE_MODE_SWING | 1u << LOPE_MODE_CRAWL,
        [LOPE_MODE_CLIMB] = 1u << LOPE_MODE_CLIMB | 1u << LOPE_MODE_WALK | 1u << LOPE_MODE_SWING,
        [LOPE_MODE_SWING] = 1u << LOPE_MODE_SWING | 1u << LOPE_MODE_WALK | 1u << LOPE_MODE_CLIMB,
        [LOPE_MODE_CRAWL] = 1u << LOPE_MODE_CRAWL | 1u << LOPE_MODE_WALK};
    const unsigned published =
        1u << LOPE_MODE_WALK | 1u << LOPE_MODE_CLIMB | 1u << LOPE_MODE_SWING | 1u << LOPE_MODE_CRAWL;
    for (int mode = 0; mode <= LOPE_MODE_CRAWL; mode++) {
        unsigned found = 0;
        int weight = 10;
        const machine_edge *e;
        for (int i = 0; (e = machine_edge_of((lope_grasp_mode)mode, i)) != NULL; i++) {
            assert_true(e->weight <= weight && !(found >> e->to & 1u));
            weight = e->weight;
            found |= 1u << e->to;
        }
        assert_int_equal(found & published, to[mode]);
    }
}

static void a_step_goes_ahead(void **state)
{
    (void)state;
    static const struct {
        double x;
        bool taken;
    } cases[] = {{1.55, false}, {1.75, true}, {0.8, false}}; // too near, right, behind
    for (int i = 0; i < 3; i++) {
        desk d;
        char hold[64];
        choice found[MACHINE_CHOICES];
        snprintf(hold, sizeof hold, ", {\"at\": [%g, 0.5]}", cases[i].x);
        open_flat(&d, "", hold);
        stand_on_front(&d);
        int foot = free_foot(&d), front = scribe_now(&d.s)->hold[foot ^ 1];
        const machine_edge *e = edge_of(LOPE_MODE_WALK, LOPE_MODE_WALK);
        for (int k = 0; k < 12 && !e->find(&d.s, found); k++) // lean forward until it is in reach
            scribe_downhill(&d.s, scribe_distance, NULL);
        int count = e->find(&d.s, found);
        assert_int_equal(count > 0, cases[i].taken);
        if (count) {
            assert_int_equal(found[0].hold, hold_at(&d, cases[i].x, 0.5));
            assert_int_equal(found[0].limb, foot);
            assert_true(e->go(&d.s, &found[0]));
            const figure *now = scribe_now(&d.s);
            assert_int_equal(now->hold[foot], found[0].hold); // the new foot holds, the old one is free
            assert_int_equal(now->hold[foot ^ 1], -1);
            assert_int_equal(d.s.path.items[d.s.path.count - 2].hold[foot ^ 1], front);
            assert_true(off_holds(&d, now) < 1e-9 && now->mode == LOPE_MODE_WALK);
        }
        close_desk(&d);
    }
}

static void walls_are_climbed_from_above_the_head(void **state)
{
    (void)state;
    static const struct {
        double y;
        const char *kind;
        int idle;
        bool taken;
    } cases[] = {{2.3, "hybrid", 0, true},
                 {1.8, "hybrid", 0, false},
                 {1.8, "hybrid", 9, true},
                 {2.3, "pendent", 0, false},
                 {2.3, "load-bearing", 0, false}};
    for (int i = 0; i < 5; i++) {
        desk d;
        char hold[96];
        choice found[MACHINE_CHOICES];
        snprintf(hold, sizeof hold, ", {\"at\": [1.65, %g], \"kind\": \"%s\"}", cases[i].y, cases[i].kind);
        open_flat(&d, ", {\"box\": [[1.65, 0.9], [2, 3]]}", hold);
        stand_on_front(&d);
        d.s.idle = cases[i].idle;
        const machine_edge *e = edge_of(LOPE_MODE_WALK, LOPE_MODE_CLIMB);
        int count = e->find(&d.s, found);
        assert_int_equal(count > 0, cases[i].taken);
        if (count && e->go(&d.s, &found[0])) {
            assert_int_equal(scribe_now(&d.s)->mode, LOPE_MODE_CLIMB);
            assert_int_equal(scribe_now(&d.s)->hold[found[0].limb], found[0].hold);
            assert_int_equal(__builtin_popcount(figure_mask(scribe_now(&d.s))), 2); // a hand and a foot
        }
        close_desk(&d);
    }
}

static void bars_are_taken_when_nothing_else_helps(void **state)
{
    (void)state;
    for (int idle = 0; idle < 10; idle += 9) {
        desk d;
        choice found[MACHINE_CHOICES];
        open_flat(&d, "", ", {\"at\": [1.3, 2.4], \"kind\": \"pendent\"}");
        stand_on_front(&d);
        d.s.idle = idle;
        const machine_edge *e = edge_of(LOPE_MODE_WALK, LOPE_MODE_SWING);
        int count = e->find(&d.s, found);
        assert_int_equal(count > 0, idle > 0);
        if (count) {
            assert_true(e->go(&d.s, &found[0]));
            assert_int_equal(scribe_now(&d.s)->mode, LOPE_MODE_SWING);
            assert_int_equal(figure_mask(scribe_now(&d.s)), 1u << found[0].limb); // feet are off the ground
            // And back: the ground is in reach of a foot, and again only when nothing else helps.
            const machine_edge *back = edge_of(LOPE_MODE_SWING, LOPE_MODE_WALK);
            d.s.idle = 0;
            assert_int_equal(back->find(&d.s, found), 0);
        }
        close_desk(&d);
    }
}

static void swinging_hands_go_on(void **state)
{
    (void)state;
    desk d;
    choice found[MACHINE_CHOICES];
    open_desk(&d, "swinging");
    scribe_detach(&d.s, 1u << scribe_further(&d.s, LOPE_LEFT_ARM));
    const machine_edge *e = edge_of(LOPE_MODE_SWING, LOPE_MODE_SWING);
    int hand = scribe_now(&d.s)->hold[LOPE_LEFT_ARM] >= 0 ? LOPE_LEFT_ARM : LOPE_RIGHT_ARM;
    double x = d.scene->world->holds[scribe_now(&d.s)->hold[hand]].at.x;
    for (int k = 0; k < 20 && !e->find(&d.s, found); k++)
        scribe_downhill(&d.s, scribe_distance, NULL);
    assert_true(e->find(&d.s, found) > 0);
    assert_true(d.scene->world->holds[found[0].hold].at.x > x + 0.225);
    assert_true(e->go(&d.s, &found[0]));
    assert_int_equal(figure_mask(scribe_now(&d.s)), 1u << found[0].limb);
    assert_int_equal(edge_of(LOPE_MODE_SWING, LOPE_MODE_CLIMB)->find(&d.s, found), 0); // nothing to put a foot on
    close_desk(&d);
}

static void low_ceilings_are_crawled_under(void **state)
{
    (void)state;
    desk d;
    choice found[MACHINE_CHOICES];
    open_desk(&d, "crawling");
    const machine_edge *e = edge_of(LOPE_MODE_WALK, LOPE_MODE_CRAWL);
    stand_on_front(&d);
    d.s.cramped = hold_at(&d, 1.4, 0.5); // room enough there
    assert_int_equal(e->find(&d.s, found), 0);
    d.s.cramped = hold_at(&d, 3.4, 0.5); // under the ceiling
    assert_int_equal(e->find(&d.s, found), 1);
    assert_int_equal(found[0].limb, LOPE_RIGHT_ARM);
    // A walk of one more step, then back and down on the hold that this step has taken.
    int mark = d.s.path.count;
    const machine_edge *walk = edge_of(LOPE_MODE_WALK, LOPE_MODE_WALK);
    for (int k = 0; k < 30 && !machine_consult(&d.s); k++)
        scribe_downhill(&d.s, scribe_distance, NULL);
    assert_true(walk && d.s.path.count > mark);
    found[0].hold = scribe_now(&d.s)->hold[free_foot(&d) ^ 1];
    assert_true(e->go(&d.s, &found[0]));
    const figure *now = scribe_now(&d.s);
    assert_int_equal(now->mode, LOPE_MODE_CRAWL);
    assert_int_equal(now->hold[LOPE_RIGHT_ARM], found[0].hold);
    assert_int_equal(figure_mask(now), 1u << LOPE_RIGHT_ARM | LOPE_LEG_MASK); // three points
    assert_true(off_holds(&d, now) < 1e-9);
    // No getting up right away, only after a stretch of crawling.
    scribe_now(&d.s)->entered = scribe_value(&d.s, now, scribe_distance, NULL);
    assert_int_equal(edge_of(LOPE_MODE_CRAWL, LOPE_MODE_WALK)->find(&d.s, found), 0);
    close_desk(&d);
}

// --- Moving the body for a hold

static void bodies_move_for_a_hold(void **state)
{
    (void)state;
    desk d;
    lope_grasp_pose pose;
    open_flat(&d, "", ", {\"at\": [1.6, 0.5]}");
    int near = hold_at(&d, 1.6, 0.5), far = hold_at(&d, 4, 0.5), before = d.s.path.count;
    assert_false(scribe_reaches(&d.s, LOPE_RIGHT_ARM, near, &pose)); // one has to bend down
    assert_false(scribe_attach(&d.s, LOPE_RIGHT_ARM, near));
    assert_true(scribe_take(&d.s, LOPE_RIGHT_ARM, near, 120));
    assert_int_equal(scribe_now(&d.s)->hold[LOPE_RIGHT_ARM], near);
    for (int i = before; i < d.s.path.count; i++) // feet stay where they are on the way
        assert_true(off_holds(&d, &d.s.path.items[i]) < 1e-6);
    const figure down = *scribe_now(&d.s);
    before = d.s.path.count;
    assert_false(scribe_take(&d.s, LOPE_LEFT_ARM, far, 20)); // out of reach however one bends: nothing is written
    assert_int_equal(d.s.path.count, before);
    assert_memory_equal(scribe_now(&d.s)->hold, down.hold, sizeof down.hold);
    // A limb that takes another hold has left its own before.
    int other = hold_at(&d, 1.3, 0.5) == down.hold[LOPE_LEFT_LEG] ? LOPE_LEFT_LEG : LOPE_RIGHT_LEG;
    scribe_detach(&d.s, 1u << other);
    assert_true(scribe_take(&d.s, LOPE_RIGHT_ARM, hold_at(&d, 1.3, 0.5), 120));
    bool left = false;
    for (int i = before; i < d.s.path.count; i++)
        left |= d.s.path.items[i].hold[LOPE_RIGHT_ARM] < 0;
    assert_true(left);
    close_desk(&d);
}

// --- Smoothing and whole plans

// The grasps of a path, one after the other.
static int grasps_of(const trail *path, int (*out)[LOPE_LIMB_COUNT], int room)
{
    int count = 0;
    for (int i = 0; i < path->count; i++)
        if (i == 0 || memcmp(path->items[i].hold, path->items[i - 1].hold, sizeof path->items[i].hold) != 0) {
            assert_true(count < room);
            memcpy(out[count++], path->items[i].hold, sizeof path->items[i].hold);
        }
    return count;
}

static void smoothing_keeps_grasps(void **state)
{
    (void)state;
    static const char *const scenes[] = {"walking", "swinging", "ledge"}; // feet, hands, both
    for (int n = 0; n < 3; n++) {
        desk d;
        int before[200][LOPE_LIMB_COUNT], after[200][LOPE_LIMB_COUNT];
        open_desk(&d, scenes[n]);
        for (int k = 0; k < 8 && !d.s.arrived; k++)
            scribe_run(&d.s, 60000);
        assert_true(d.s.arrived);
        double rough = 0.0, smooth = 0.0;
        for (int i = 1; i < d.s.path.count; i++)
            rough += edge_turn(&d.s.path.items[i - 1].pose, &d.s.path.items[i].pose);
        int count = grasps_of(&d.s.path, before, 200);
        scribe_smooth(&d.s);
        scribe_smooth_limbs(&d.s);
        assert_int_equal(grasps_of(&d.s.path, after, 200), count);
        assert_memory_equal(before, after, sizeof before[0] * (size_t)count);
        for (int i = 0; i < d.s.path.count; i++)
            assert_true(off_holds(&d, &d.s.path.items[i]) < 1e-6);
        for (int i = 1; i < d.s.path.count; i++)
            smooth += edge_turn(&d.s.path.items[i - 1].pose, &d.s.path.items[i].pose);
        assert_true(smooth < 0.8 * rough);
        close_desk(&d);
    }
}

static lope_climb_plan *plan_with(const lope_climb_scene *scene, lope_climb_planner which, uint64_t seed)
{
    lope_error error = {0};
    lope_climb_plan *plan;
    lope_climb_def def = lope_climb_def_default();
    def.planner = which;
    def.seed = seed;
    lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error);
    if (status != LOPE_OK)
        fail_msg("%s, seed %d: %s", scene->name, (int)seed, error.message);
    return plan;
}

static void flights_are_sound(void **state)
{
    (void)state;
    lope_error error;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        lope_climb_scene *scene;
        assert_ok(lope_climb_scene_builtin("crawling", &scene, &error));
        lope_climb_plan *plan = plan_with(scene, LOPE_PLANNER_FLIGHT, seed);
        assert_true(plan->complete && plan->counts.samples > 0);
        climb_require_sound(scene, plan);
        for (int k = 1; k < plan->frame_count; k++)
            assert_int_equal(plan->frames[k].held, 0);
        lope_climb_plan_destroy(plan);
        lope_climb_scene_destroy(scene);
    }
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    lope_error error;
    lope_jobs *jobs;
    lope_climb_scene *scene;
    assert_ok(lope_jobs_create(3, &jobs, &error));
    // Nothing to step on in the middle: all racers run to their end.
    static const char text[] =
        "{\"bounds\": [[0, 0], [6, 4]], \"obstacles\": [{\"box\": [[0, 0], [6, 0.5]]}],"
        "\"holds\": [{\"at\": [1, 0.5]}, {\"at\": [1.3, 0.5]}, {\"at\": [4, 0.5]},"
        "{\"at\": [4.3, 0.5]}], \"start\": {\"at\": [1.15, 0.5]}, \"goal\": {\"at\": [4.15, 0.5]}}";
    assert_ok(lope_climb_scene_read_memory(text, sizeof text - 1, "test.json", &scene, &error));
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plans[2];
    lope_status status[2];
    def.planner = LOPE_PLANNER_THESIS;
    def.samples = 100000;
    def.racers = 3;
    for (int i = 0; i < 2; i++)
        status[i] =
            lope_climb_plan_create(scene->world, &scene->problem, &def, i ? jobs : NULL, NULL, &plans[i], &error);
    assert_int_equal(status[0], LOPE_PARTIAL);
    assert_int_equal(status[0], status[1]);
    assert_int_equal(plans[0]->frame_count, plans[1]->frame_count);
    for (int i = 0; i < plans[0]->frame_count; i++)
        assert_memory_equal(plans[0]->frames[i].pose.limb, plans[1]->frames[i].pose.limb,
                            sizeof plans[0]->frames[i].pose.limb);
    lope_climb_plan_destroy(plans[0]);
    lope_climb_plan_destroy(plans[1]);
    lope_climb_scene_destroy(scene);
    lope_jobs_destroy(jobs);
}

static void plans_go_on_from_a_frame(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin("walking", &scene, &error));
    for (int which = 0; which < LOPE_PLANNER_COUNT; which++) {
        lope_climb_plan *plan = plan_with(scene, (lope_climb_planner)which, 1), *other;
        lope_climb_def def = lope_climb_def_default();
        int frame = plan->frame_count / 2;
        def.planner = (lope_climb_planner)which;
        def.seed = 9;
        assert_ok(lope_climb_plan_resume(scene->world, &scene->problem, &def, plan, frame, NULL, NULL, &other, &error));
        assert_true(other->complete && other->reached == 1);
        int same = 0;
        while (same < plan->frame_count && same < other->frame_count &&
               memcmp(plan->frames[same].pose.limb, other->frames[same].pose.limb, sizeof plan->frames[0].pose.limb) ==
                   0)
            same++;
        assert_true(same > frame - (which == LOPE_PLANNER_CONTACTS ? 60 : 1)); // kept, the rest is new
        assert_true(same < plan->frame_count);
        climb_require_sound(scene, other);
        assert_int_equal(lope_climb_plan_resume(scene->world, &scene->problem, &def, plan, plan->frame_count, NULL,
                                                NULL, &(lope_climb_plan *){NULL}, &error),
                         LOPE_BAD_DATA);
        lope_climb_plan_destroy(plan);
        lope_climb_plan_destroy(other);
    }
    lope_climb_scene_destroy(scene);
}

static bool stop_third(void *user, const char *stage, double done)
{
    int *calls = user;
    assert_true(stage && done >= 0.0 && done <= 1.0);
    return ++*calls < 3;
}

static void stopping_keeps_what_there_is(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin("complex", &scene, &error));
    for (int which = 0; which < 2; which++)
        for (int keep = 0; keep < 2; keep++) {
            int calls = 0;
            lope_progress progress = {stop_third, &calls};
            lope_climb_def def = lope_climb_def_default();
            lope_climb_plan *plan;
            def.planner = (lope_climb_planner)which;
            def.keep_stopped = keep;
            lope_status status =
                lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, &progress, &plan, &error);
            assert_int_equal(status, keep ? LOPE_PARTIAL : LOPE_INTERRUPTED);
            assert_int_equal(calls, 3); // inside one search
            assert_true((plan != NULL) == (keep == 1));
            if (plan) {
                assert_false(plan->complete);
                assert_true(plan->frame_count > 1);
                climb_require_sound(scene, plan);
            }
            lope_climb_plan_destroy(plan);
        }
    lope_climb_scene_destroy(scene);
}

static void sequences_are_performed(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(lope_climb_scene_builtin("walking", &scene, &error));
    lope_grasp_body body = lope_grasp_body_default();
    lope_climb_counts counts = {0};
    lope_climb_site site = {.at = {3.35, 0.5}, .mode = LOPE_MODE_WALK, .facing = 1};
    footing at;
    assert_ok(footing_at(&(footing_task){.world = scene->world, .body = &body}, &site, "bow", &at, &counts, &error));
    lope_grasp_pose poses[3] = {at.pose, at.pose, at.pose};
    poses[1].neck = 0.6; // a bow of the head
    lope_climb_sequence bow = {poses, 3, NULL, 1.0};
    for (int which = 0; which < 2; which++) {
        lope_climb_problem problem = scene->problem;
        lope_climb_scene part = {.world = scene->world, .problem = problem};
        part.problem.via[part.problem.via_count++] = (lope_climb_site){.sequence = &bow};
        lope_climb_plan *plan = plan_with(&part, (lope_climb_planner)which, 1);
        double lowest = 0.0;
        for (int i = plan->site_frame[0]; i < plan->frame_count; i++)
            lowest = fmax(lowest, plan->frames[i].held == 0 ? plan->frames[i].pose.neck : 0.0);
        assert_int_equal(plan->reached, 2);
        assert_true(lowest > 0.55);
        climb_require_sound(scene, plan);
        lope_climb_plan_destroy(plan);
        poses[2].hip.y += 0.4; // the end hangs in the air
        lope_climb_def def = lope_climb_def_default();
        assert_int_equal(
            lope_climb_plan_create(scene->world, &part.problem, &def, NULL, NULL, &(lope_climb_plan *){NULL}, &error),
            LOPE_BAD_DATA);
        assert_non_null(strstr(error.message, "needs both feet, both hands"));
        poses[2] = poses[0];
    }
    lope_climb_scene_destroy(scene);
}

static lope_status plan_walk(void *user, lope_error *error)
{
    const lope_climb_scene *scene = user;
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan;
    def.planner = LOPE_PLANNER_THESIS;
    lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, error);
    lope_climb_plan_destroy(plan);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    static const char text[] = "{\"bounds\": [[0, 0], [4, 3]], \"obstacles\": [{\"box\": [[0, 0], [4, 0.5]]}],"
                               "\"place\": 0.3, \"start\": {\"at\": [1, 0.5]}, \"goal\": {\"at\": [2, 0.5]}}";
    assert_ok(lope_climb_scene_read_memory(text, sizeof text - 1, "test.json", &scene, &error));
    test_allocation_failures(plan_walk, scene);
    lope_climb_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_keep_their_grasps),
        cmocka_unit_test(easing_makes_comfortable),
        cmocka_unit_test(edges_are_those_of_5_3),
        cmocka_unit_test(a_step_goes_ahead),
        cmocka_unit_test(walls_are_climbed_from_above_the_head),
        cmocka_unit_test(bars_are_taken_when_nothing_else_helps),
        cmocka_unit_test(swinging_hands_go_on),
        cmocka_unit_test(low_ceilings_are_crawled_under),
        cmocka_unit_test(bodies_move_for_a_hold),
        cmocka_unit_test(smoothing_keeps_grasps),
        cmocka_unit_test(flights_are_sound),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(plans_go_on_from_a_frame),
        cmocka_unit_test(stopping_keeps_what_there_is),
        cmocka_unit_test(sequences_are_performed),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
