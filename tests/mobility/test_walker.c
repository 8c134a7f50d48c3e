// SPDX-License-Identifier: MIT
// Walkers on a map of the built-in set: they come where they are sent, stop, face, never allocate, never pop.
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "lope/contacts.h"
#include "lope/ground.h"
#include "lope/mobility_build.h"
#include "lope/walker.h"
#include "mobility/walker.h"
#include "support/walking.h"

static const lope_set *set;
static lope_mobility *map;

static int open_map(void **state)
{
    int failed = test_map_set_up(state);
    map = test_map;
    set = lope_mobility_set(map);
    return failed;
}

static lope_walker *make(const lope_walker_def *def, int state)
{
    return test_walker(map, def, state, (lope_ground){0.0f, 0.0f, 0.0f});
}

static lope_walker *make_default(void)
{
    lope_walker_def def = lope_walker_def_default();
    return make(&def, -1);
}

static void send(lope_walker *walker, const lope_goal *goal)
{
    lope_error error;
    assert_ok(lope_walker_go_to(walker, goal, &error));
}

static void go(lope_walker *walker, float x, float z, float facing, bool stop)
{
    lope_goal goal = {{x, z}, facing, stop, 0.0f};
    send(walker, &goal);
}

// Steps until arrival; returns whether it came.
static bool arrives(lope_walker *walker, float seconds, float dt)
{
    for (float t = 0.0f; t < seconds && lope_walker_progress_of(walker) == LOPE_WALKER_GOING; t += dt)
        lope_walker_step(walker, dt);
    return lope_walker_progress_of(walker) == LOPE_WALKER_ARRIVED;
}

static float distance_to(const lope_walker *walker, float x, float z)
{
    lope_ground at = lope_walker_ground(walker);
    return sqrtf((at.x - x) * (at.x - x) + (at.z - z) * (at.z - z));
}

static lope_goal random_goal(lope_random *random, float nearest, float farthest)
{
    float distance = lope_random_range(random, nearest, farthest);
    double angle = (double)lope_random_range(random, -3.14f, 3.14f);
    return (lope_goal){{distance * (float)lope_sin(angle), distance * (float)lope_cos(angle)}, NAN, false, 0.0f};
}

// Left to choose where to begin, a walker stands so that it sets out as soon as any.
static void begins_where_it_sets_out_soonest(void **state)
{
    (void)state;
    const lope_vec2 ahead = {0.0f, 2.0f};
    lope_walker *walker = make_default();
    int begins = lope_mobility_pose_state(map, walker->pose);
    float own = lope_mobility_time(map, begins, ahead);
    assert_true(lope_mobility_can_stand(map, begins));
    for (int s = 0; s < lope_mobility_state_count(map); s++)
        assert_true(!lope_mobility_can_stand(map, s) || own <= lope_mobility_time(map, s, ahead));
    free(walker);
}

static void passes_goals(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(1);
    int came = 0;
    enum { GOALS = 60 };
    for (int k = 0; k < GOALS; k++) {
        lope_walker *walker = make_default();
        lope_goal goal = random_goal(&random, 0.5f, 10.0f);
        go(walker, goal.position.x, goal.position.z, NAN, false);
        if (arrives(walker, 60.0f, 1.0f / 30.0f)) {
            came++;
            assert_true(distance_to(walker, goal.position.x, goal.position.z) < 0.30f);
        }
        free(walker);
    }
    assert_true(came >= GOALS - 1);
}

static void stops_at_goals_and_stays(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(2);
    int came = 0;
    enum { GOALS = 40 };
    for (int k = 0; k < GOALS; k++) {
        lope_walker *walker = make_default();
        lope_goal goal = random_goal(&random, 0.5f, 6.0f);
        go(walker, goal.position.x, goal.position.z, NAN, true);
        if (arrives(walker, 60.0f, 1.0f / 60.0f)) {
            came++;
            for (int f = 0; f < 300; f++) {
                lope_walker_step(walker, 1.0f / 30.0f);
                assert_true(lope_walker_stands(walker));
                assert_true(distance_to(walker, goal.position.x, goal.position.z) < 0.25f);
            }
        }
        free(walker);
    }
    assert_true(came >= GOALS * 9 / 10);
}

static void faces_as_asked(void **state)
{
    (void)state;
    int came = 0;
    const float limit = 15.0f * (float)LOPE_PI / 180.0f;
    for (int k = 0; k < 12; k++) {
        lope_walker *walker = make_default();
        float facing = (float)k * 0.5f - 3.0f;
        go(walker, 0.0f, 3.0f, facing, true);
        if (arrives(walker, 60.0f, 1.0f / 30.0f)) {
            came++;
            for (int f = 0; f < 60; f++)
                lope_walker_step(walker, 1.0f / 30.0f);
            assert_true(fabsf(lope_wrap_angle(lope_walker_ground(walker).yaw - facing)) <= limit);
            assert_true(distance_to(walker, 0.0f, 3.0f) < 0.25f);
        }
        free(walker);
    }
    assert_true(came >= 6);
}

// The point of a grid next to a place; false where it is beyond the last.
static bool nearest(float at, int *out)
{
    *out = (int)floorf(at / FACE_STEP + 0.5f) + FACE_SIDE / 2;
    return *out >= 0 && *out < FACE_SIDE;
}

// Wherever a choice comes to a stand, the tables of facings know of it at the nearest place and heading.
static void stands_are_in_the_tables_of_facings(void **state)
{
    (void)state;
    int known = 0;
    for (int s = 0; s < lope_mobility_state_count(map); s++)
        for (int c = 0; c < lope_mobility_choice_count(map, s); c++) {
            lope_choice choice = lope_mobility_choice(map, s, c);
            int i, j, h = (int)floorf(choice.end.yaw * (float)(FACE_TURNS / (2.0 * LOPE_PI)) + 0.5f);
            if (!lope_mobility_can_stand(map, choice.state) || !nearest(choice.end.x, &i) || !nearest(choice.end.z, &j))
                continue;
            const uint8_t *faces = map->faces + (size_t)s * FACE_POINTS + (j * FACE_SIDE + i) * FACE_TURNS;
            float seconds = (float)choice.frames / map->head.frame_rate;
            assert_true(TIME_UNIT * (float)faces[(h + FACE_TURNS) % FACE_TURNS] <= seconds + TIME_UNIT);
            known++;
        }
    assert_true(known > 20);
}

// A walker that cannot find a way to stand as asked for tries other ones, and arrives in the end; all others take the
// usual one.
static void restless_ones_try_something_else(void **state)
{
    (void)state;
    lope_walker_def def = lope_walker_def_default();
    lope_walker *calm = make(&def, -1), *restless = make(&def, -1);
    go(calm, 3.0f, 4.0f, 2.0f, true);
    go(restless, 3.0f, 4.0f, 2.0f, true);
    assert_true(walk_restlessness(calm) == 0.0f && walk_editing(calm) == 1.0f);
    restless->about_goal = 100.0f;
    assert_true(walk_restlessness(restless) > 1.0f && walk_editing(restless) == 2.0f);
    int differ = 0;
    for (int f = 0; f < 300; f++) {
        lope_walker_step(calm, 1.0f / 30.0f);
        lope_walker_step(restless, 1.0f / 30.0f);
        differ += calm->pose != restless->pose;
    }
    assert_true(differ > 30);
    assert_true(arrives(restless, 60.0f, 1.0f / 30.0f));
    go(restless, -3.0f, 0.0f, NAN, true); // a new goal: patient again
    assert_true(restless->about_goal == 0.0f);
    free(calm);
    free(restless);
}

static void greed_comes_to_far_goals_ahead(void **state)
{
    (void)state;
    lope_walker_def def = lope_walker_def_default();
    def.decision = LOPE_DECIDE_GREEDY;
    lope_walker *walker = make(&def, -1);
    go(walker, 0.0f, 8.0f, NAN, false);
    for (int f = 0; f < 1800 && distance_to(walker, 0.0f, 8.0f) > 1.0f; f++)
        lope_walker_step(walker, 1.0f / 30.0f);
    assert_true(distance_to(walker, 0.0f, 8.0f) <= 1.0f);
    free(walker);
}

// Where a greedy walker comes to, its weights changed on the way.
static lope_ground greedy_after_change(float distance_weight, float angle_weight)
{
    lope_walker_def def = lope_walker_def_default();
    def.decision = LOPE_DECIDE_GREEDY;
    lope_walker *walker = make(&def, -1);
    go(walker, 3.0f, 1.0f, NAN, false);
    for (int f = 0; f < 240; f++) {
        if (f == 30) {
            lope_walker_settings(walker)->distance_weight = distance_weight;
            lope_walker_settings(walker)->angle_weight = angle_weight;
        }
        lope_walker_step(walker, 1.0f / 30.0f);
    }
    lope_ground at = lope_walker_ground(walker);
    free(walker);
    return at;
}

static void weights_may_be_changed_while_running(void **state)
{
    (void)state;
    lope_ground by_distance = greedy_after_change(310.0f, 0.0f), by_angle = greedy_after_change(0.0f, 17.0f);
    assert_true(fabsf(by_distance.x - by_angle.x) + fabsf(by_distance.z - by_angle.z) > 0.1f);
}

static void follows_a_goal_that_moves(void **state)
{
    (void)state;
    lope_walker *walker = make_default();
    float nearest = INFINITY;
    for (int f = 0; f < 1800; f++) {
        float z = 3.0f + 0.02f * (float)f; // 0.6 m/s, slower than it walks
        go(walker, 1.0f, z, NAN, false);
        lope_walker_step(walker, 1.0f / 30.0f);
        nearest = fminf(nearest, distance_to(walker, 1.0f, z));
    }
    assert_true(nearest < 0.25f);
    assert_true(distance_to(walker, 1.0f, 3.0f + 0.02f * 1799.0f) < 6.0f);
    free(walker);
}

// A tour of random goals, each given up in the middle now and then; hashes what is shown.
static uint64_t tour(float dt, int steps, const lope_walker_def *def)
{
    int joints = map->set->skeleton->joint_count;
    lope_random random = lope_random_seed(7);
    lope_walker *walker = make(def, -1);
    lope_transform *model = malloc((size_t)joints * sizeof *model);
    uint64_t hash = 0;
    for (int k = 0; k < steps; k++) {
        if (k % 97 == 0) {
            lope_goal goal = random_goal(&random, 0.5f, 5.0f);
            goal.stop = k % 2 == 0;
            goal.facing = k % 3 == 0 ? 1.0f : NAN;
            send(walker, &goal);
        }
        lope_walker_step(walker, dt);
        lope_walker_pose(walker, NULL, model);
        hash = lope_hash(model, (size_t)joints * sizeof *model, hash);
    }
    free(model);
    free(walker);
    return hash;
}

static void the_same_every_time(void **state)
{
    (void)state;
    lope_walker_def def = lope_walker_def_default();
    assert_true(tour(1.0f / 30.0f, 600, &def) == tour(1.0f / 30.0f, 600, &def));
    assert_true(tour(1.0f / 144.0f, 600, &def) == tour(1.0f / 144.0f, 600, &def));
    assert_true(tour(1.0f / 30.0f, 600, &def) != tour(1.0f / 60.0f, 600, &def));
}

static void stepping_allocates_nothing(void **state)
{
    (void)state;
    lope_walker_def def = lope_walker_def_default();
    test_count_allocations(true);
    size_t before = test_total_allocations();
    tour(1.0f / 30.0f, 900, &def);
    size_t after = test_total_allocations();
    test_count_allocations(false);
    assert_int_equal(after - before, 0);
}

// The largest change of velocity of any joint between two frames, metres per second.
static float largest_kick(const lope_walker_def *def, float dt, int steps)
{
    int joints = map->set->skeleton->joint_count;
    lope_random random = lope_random_seed(11);
    lope_walker *walker = make(def, -1);
    lope_transform *model = malloc(3 * (size_t)joints * sizeof *model), *now = model;
    float largest = 0.0f;
    for (int k = 0; k < steps; k++) {
        if (k % 31 == 0) { // in the middle of whatever it does, fades included
            lope_goal goal = random_goal(&random, 0.5f, 4.0f);
            send(walker, &goal);
        }
        lope_walker_step(walker, dt);
        now = model + (k % 3) * joints;
        lope_walker_pose(walker, NULL, now);
        const lope_transform *before = model + ((k + 2) % 3) * joints, *first = model + ((k + 1) % 3) * joints;
        for (int j = 0; k >= 2 && j < joints; j++) {
            lope_vec3 middle = lope_v3_scale(before[j].translation, 2.0f);
            lope_vec3 kick = lope_v3_sub(lope_v3_add(now[j].translation, first[j].translation), middle);
            largest = fmaxf(largest, lope_v3_length(kick) / dt);
        }
    }
    free(model);
    free(walker);
    return largest;
}

static float largest_kick_of_clips(void)
{
    int joints = set->skeleton->joint_count;
    lope_transform *model = malloc(3 * (size_t)joints * sizeof *model);
    float largest = 0.0f;
    for (int c = 0; c < set->clip_count; c++)
        for (int f = 2; f < set->clips[c]->frame_count; f++) {
            for (int k = 0; k < 3; k++)
                lope_clip_model(set->clips[c], f - k, model + k * joints);
            for (int j = 0; j < joints; j++) {
                lope_vec3 sum = lope_v3_add(model[j].translation, model[2 * joints + j].translation);
                lope_vec3 kick = lope_v3_sub(sum, lope_v3_scale(model[joints + j].translation, 2.0f));
                largest = fmaxf(largest, lope_v3_length(kick) * (float)set->clips[c]->frame_rate);
            }
        }
    free(model);
    return largest;
}

static void interruptions_do_not_pop(void **state)
{
    (void)state;
    lope_walker_def def = lope_walker_def_default();
    float played = largest_kick_of_clips(), shown = largest_kick(&def, 1.0f / 30.0f, 1500);
    assert_true(shown < 2.0f * played);
    // Without a fade the same walk jumps.
    def.fade = LOPE_FADE_EASE;
    def.fade_duration = 1e-3f;
    assert_true(largest_kick(&def, 1.0f / 30.0f, 1500) > shown);
}

static void impossible_goals_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_walker *walker = make_default();
    go(walker, 1.0f, 2.0f, NAN, true);
    lope_goal bad[] = {
        {{NAN, 0.0f}, NAN, false, 0.0f}, {{0.0f, INFINITY}, NAN, true, 0.0f}, {{0.0f, 0.0f}, INFINITY, true, 0.0f}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(lope_walker_go_to(walker, &bad[k], &error), LOPE_BAD_DATA);
        assert_non_null(strstr(error.message, "cannot go to"));
    }
    lope_walker_step(walker, NAN);
    lope_walker_step(walker, -1.0f);
    lope_walker_step(walker, INFINITY);
    assert_true(arrives(walker, 60.0f, 1.0f / 30.0f)); // at the goal before
    assert_true(distance_to(walker, 1.0f, 2.0f) < 0.25f);
    free(walker);
}

static void goals_out_of_this_world_keep_a_valid_pose(void **state)
{
    (void)state;
    int joints = set->skeleton->joint_count;
    lope_walker *walker = make_default();
    lope_transform *model = malloc((size_t)joints * sizeof *model);
    go(walker, 1e9f, -1e30f, NAN, true);
    for (int f = 0; f < 600; f++) {
        lope_walker_step(walker, 1.0f / 30.0f);
        lope_walker_pose(walker, NULL, model);
        for (int j = 0; j < joints; j++) {
            lope_vec3 p = model[j].translation;
            assert_true(isfinite(p.x) && isfinite(p.y) && isfinite(p.z) && fabsf(p.x) < 100.0f && fabsf(p.z) < 100.0f);
            assert_near(lope_quat_dot(model[j].rotation, model[j].rotation), 1.0, 1e-3);
        }
    }
    free(model);
    free(walker);
}

static void wrong_beginnings_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_walker *walker;
    void *memory = aligned_alloc(16, lope_walker_size(map));
    lope_walker_def def = lope_walker_def_default();
    lope_ground here = {0.0f, 0.0f, 0.0f};
    assert_int_equal(lope_walker_init(memory, map, &def, 1 << 30, here, &walker, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_walker_init(memory, map, &def, -2, here, &walker, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_walker_init(memory, map, &def, -1, (lope_ground){NAN, 0, 0}, &walker, &error), LOPE_BAD_DATA);
    def.fade_duration = 0.0f;
    assert_int_equal(lope_walker_init(memory, map, &def, -1, here, &walker, &error), LOPE_BAD_DATA);
    lope_clip *other = test_clip(3, 30.0, 1);
    def = lope_walker_def_default();
    def.skeleton = other->skeleton;
    assert_int_equal(lope_walker_init(memory, map, &def, -1, here, &walker, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "another skeleton"));
    lope_clip_destroy(other);
    free(memory);
}

static void predictions_come_true(void **state)
{
    (void)state;
    lope_walker_def def = lope_walker_def_default();
    def.edit_step = def.edit_turn = 0.0f;
    def.decide_interval = 1000.0f; // the plan is kept
    lope_walker *walker = make(&def, -1);
    go(walker, 1.0f, 6.0f, NAN, false);
    for (int f = 0; f < 300 && (f < 50 || walker->plan.frames < 20); f++)
        lope_walker_step(walker, 1.0f / 30.0f);
    lope_ground ahead[10];
    int frames = walker->plan.frames / 10;
    assert_true(frames > 0);
    lope_walker_predict(walker, (float)frames / 30.0f, 10, ahead);
    for (int k = 0; k < 9; k++) {
        for (int f = 0; f < frames; f++)
            lope_walker_step(walker, 1.0f / 30.0f);
        lope_ground at = lope_walker_ground(walker);
        assert_near(at.x, ahead[k].x, 0.01);
        assert_near(at.z, ahead[k].z, 0.01);
        assert_near(lope_wrap_angle(at.yaw - ahead[k].yaw), 0.0, 0.05);
    }
    free(walker);
}

static float nothing(void *user, const lope_walker *walker, const lope_candidate *candidate)
{
    (void)user, (void)walker, (void)candidate;
    return 0.0f;
}

// Where a cost function is asked, all choices are costed; where not, only those that can win. Both walk the same way.
static void a_cost_of_nothing_changes_nothing(void **state)
{
    (void)state;
    lope_walker_def def = lope_walker_def_default();
    lope_walker *plain = make(&def, -1);
    def.cost = nothing;
    lope_walker *costed = make(&def, -1);
    lope_random random = lope_random_seed(5);
    for (int f = 0; f < 3000; f++) {
        if (f % 200 == 0) {
            lope_goal goal = random_goal(&random, 0.5f, 9.0f);
            goal.stop = f % 400 == 0;
            goal.facing = f % 1200 == 0 ? 1.0f : NAN;
            send(plain, &goal);
            send(costed, &goal);
        }
        lope_walker_step(plain, 1.0f / 30.0f);
        lope_walker_step(costed, 1.0f / 30.0f);
        assert_int_equal(plain->pose, costed->pose);
        assert_memory_equal(&plain->ground, &costed->ground, sizeof plain->ground);
    }
    free(plain);
    free(costed);
}

static void files_keep_what_walkers_need(void **state)
{
    (void)state;
    lope_error error;
    lope_mobility *built = map, *opened;
    const char *path = test_path("walk.lope");
    assert_ok(lope_mobility_save(map, path, &error));
    assert_ok(lope_mobility_open(path, &opened, &error));
    lope_walker_def def = lope_walker_def_default();
    uint64_t expected = tour(1.0f / 30.0f, 300, &def);
    map = opened;
    uint64_t hash = tour(1.0f / 30.0f, 300, &def);
    map = built;
    lope_mobility_close(opened);
    assert_true(hash == expected);
}

static void feet_do_not_slide(void **state)
{
    (void)state;
    int joints = set->skeleton->joint_count;
    lope_random random = lope_random_seed(21);
    lope_walker *walker = make_default();
    lope_transform *model = malloc((size_t)joints * sizeof *model);
    lope_vec3 before[LOPE_CONTACT_COUNT], now[LOPE_CONTACT_COUNT];
    uint16_t touched = 0;
    float slid = 0.0f;
    int frames = 0;
    for (int f = 0; f < 1500; f++) {
        if (lope_walker_progress_of(walker) != LOPE_WALKER_GOING) {
            lope_goal goal = random_goal(&random, 1.0f, 5.0f);
            send(walker, &goal);
        }
        lope_walker_step(walker, 1.0f / 30.0f);
        lope_walker_pose(walker, NULL, model);
        lope_contact_points(set->skeleton, model, now);
        uint16_t touches = lope_walker_contacts(walker);
        for (int part = 0; part < 4 && f > 0; part++)
            if (touches & touched & (1 << part)) {
                slid += lope_v3_distance(now[part], before[part]);
                frames++;
            }
        touched = touches;
        memcpy(before, now, sizeof before);
    }
    assert_true(frames > 500);
    assert_true(slid / (float)frames * 30.0f < 0.05f); // metres per second
    free(model);
    free(walker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_where_it_sets_out_soonest),
        cmocka_unit_test(passes_goals),
        cmocka_unit_test(stops_at_goals_and_stays),
        cmocka_unit_test(faces_as_asked),
        cmocka_unit_test(stands_are_in_the_tables_of_facings),
        cmocka_unit_test(restless_ones_try_something_else),
        cmocka_unit_test(greed_comes_to_far_goals_ahead),
        cmocka_unit_test(weights_may_be_changed_while_running),
        cmocka_unit_test(follows_a_goal_that_moves),
        cmocka_unit_test(the_same_every_time),
        cmocka_unit_test(stepping_allocates_nothing),
        cmocka_unit_test(interruptions_do_not_pop),
        cmocka_unit_test(impossible_goals_are_refused),
        cmocka_unit_test(goals_out_of_this_world_keep_a_valid_pose),
        cmocka_unit_test(wrong_beginnings_are_refused),
        cmocka_unit_test(predictions_come_true),
        cmocka_unit_test(a_cost_of_nothing_changes_nothing),
        cmocka_unit_test(files_keep_what_walkers_need),
        cmocka_unit_test(feet_do_not_slide),
    };
    return cmocka_run_group_tests(tests, open_map, test_map_tear_down);
}
