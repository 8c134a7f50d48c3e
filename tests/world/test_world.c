// SPDX-License-Identifier: MIT
// The world: tasks and what comes of them, bad input, a level that changes, threads, memory.
#include <pthread.h>
#include <string.h>

#include "support/yard.h"

#define DT (1.0f / 60.0f)

static lope_level *level;
static lope_world *world;
static lope_part_id chair, platform;

// A yard with a wall, stairs to a platform, and a chair.
static int set_up_world(void **state)
{
    (void)state;
    lope_error error;
    assert_ok(lope_level_create(&level, &error));
    test_add_part(level, "", lope_v3(24, 0.5f, 24), lope_v3(0, -0.5f, 0), 0.0f);
    test_add_part(level, "", lope_v3(6, 2.5f, 0.3f), lope_v3(0, 0, 3), 0.0f);
    platform = test_add_part(level, "", lope_v3(4, 1.02f, 4), lope_v3(8, 0, -6), 0.0f);
    for (int i = 0; i < 5; i++)
        test_add_part(level, "", lope_v3(2, 0.17f * (float)(i + 1), 0.3f), lope_v3(8, 0, -2.65f - 0.3f * (float)i),
                      0.0f);
    chair = test_add_part(level, "chair", lope_v3(0, 0, 0), lope_v3(-6, 0, 5), 0.0f);
    world = test_world_on(level);
    return 0;
}

static int end_world(void **state)
{
    (void)state;
    lope_world_destroy(world);
    lope_level_destroy(level);
    return 0;
}

static lope_character_id spawn(float x, float z)
{
    return test_world_spawn(world, lope_v3(x, 0, z), 0.0f);
}

// What happened while stepping.
typedef struct heard {
    int kinds[LOPE_EVENT_KIND_COUNT], links[LOPE_LINK_KIND_COUNT];
    char why[120];
} heard;

static void listen(heard *out)
{
    int count;
    const lope_event *e = lope_world_events(world, &count);
    for (int i = 0; i < count; i++) {
        out->kinds[e[i].kind]++;
        if (e[i].kind == LOPE_EVENT_ENDED && e[i].link >= 0)
            out->links[e[i].link]++;
        if (e[i].kind == LOPE_EVENT_CANNOT)
            strcpy(out->why, e[i].text);
    }
}

// Until it has no task any more, or for so long.
static heard step_until_idle(lope_character_id id, float seconds)
{
    heard h = {{0}, {0}, ""};
    for (float t = 0.0f; t < seconds && lope_character_state(world, id) != LOPE_CHARACTER_IDLE; t += DT) {
        lope_world_step(world, DT, NULL);
        listen(&h);
    }
    return h;
}

static void goes_around_walls_and_up_stairs(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = spawn(0, 5);
    lope_destination there = lope_destination_at(lope_v3(8, 1.02f, -6));
    assert_ok(lope_character_go_to(world, id, &there, &error));
    assert_int_equal(lope_character_task(world, id), LOPE_TASK_GO);
    heard h = step_until_idle(id, 90.0f);
    lope_vec3 at = lope_character_place(world, id);
    assert_int_equal(h.kinds[LOPE_EVENT_ARRIVED], 1);
    assert_int_equal(h.links[LOPE_LINK_STAIRS], 1);
    assert_near(at.y, 1.02, 0.02);
    assert_true(hypotf(at.x - 8.0f, at.z + 6.0f) < 0.5f);
    lope_transform models[128];
    lope_world_poses(world, &id, 1, models);
    float hips = models[lope_world_skeleton(world)->roles[LOPE_HIPS]].translation.y;
    assert_in_range((int)(hips * 100.0f), 175, 220);
}

// Wherever on treads somebody stands, and whichever way it faces: it turns there and goes on.
static void begins_anywhere_on_stairs(void **state)
{
    (void)state;
    for (int i = 0; i < 24; i++) {
        lope_error error;
        lope_character_id id;
        lope_character_def def = lope_character_def_default();
        const lope_destination there = lope_destination_at(i % 2 ? lope_v3(8, 1.02f, -6) : lope_v3(4, 0, 0));
        const float along = 0.25f + 0.3f * (float)(i % 4) + 0.02f * (float)i;
        def.place = lope_v3(7.5f + 0.25f * (float)(i % 5), along / 0.3f * 0.17f, -2.5f - along);
        def.facing = 0.8f * (float)i;
        assert_ok(lope_world_spawn(world, &def, &id, &error));
        assert_ok(lope_character_go_to(world, id, &there, &error));
        heard h = step_until_idle(id, 60.0f);
        assert_int_equal(h.kinds[LOPE_EVENT_ARRIVED], 1);
        lope_world_despawn(world, id);
    }
}

static void sits_down_and_gets_up(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = spawn(-2, 6);
    assert_ok(lope_character_use(world, id, chair, 1.0f, &error));
    heard h = step_until_idle(id, 60.0f);
    assert_int_equal(h.kinds[LOPE_EVENT_BEGAN], 1);
    assert_int_equal(h.links[LOPE_LINK_SEAT], 1);
    assert_int_equal(h.kinds[LOPE_EVENT_ARRIVED], 1);
    assert_int_equal(lope_character_use(world, id, platform, 1.0f, &error), LOPE_UNSUPPORTED);
}

static void goals_in_solids_are_moved(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = spawn(0, 5);
    lope_destination there = lope_destination_at(lope_v3(0, 0, 3));
    int count;
    assert_int_equal(lope_character_go_to(world, id, &there, &error), LOPE_PARTIAL);
    const lope_event *e = lope_world_events(world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(e[0].kind, LOPE_EVENT_MOVED);
    assert_int_equal(step_until_idle(id, 20.0f).kinds[LOPE_EVENT_ARRIVED], 1);
    there.place = lope_v3(100, 0, 0);
    assert_int_equal(lope_character_go_to(world, id, &there, &error), LOPE_NOT_FOUND);
    there.place.x = NAN;
    assert_int_equal(lope_character_go_to(world, id, &there, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_character_state(world, id), LOPE_CHARACTER_IDLE);
}

static void those_that_are_gone_are_recognised(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = spawn(0, 5), other = spawn(2, 5);
    lope_destination there = lope_destination_at(lope_v3(0, 0, 8));
    assert_int_equal(lope_world_count(world), 2);
    assert_true(lope_world_despawn(world, id));
    assert_false(lope_world_despawn(world, id));
    assert_false(lope_world_has(world, id));
    assert_int_equal(lope_character_go_to(world, id, &there, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_character_talk(world, other, id, 1.0f, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_character_talk(world, other, other, 1.0f, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_character_wait(world, id, 1.0f, &error), LOPE_NOT_FOUND);
    lope_character_stop(world, id);
    assert_int_equal(lope_character_state(world, id), LOPE_CHARACTER_GONE);
    lope_character_id again = spawn(0, 5);
    assert_false(lope_world_has(world, id));
    assert_true(lope_world_has(world, again));
}

static void talks_waits_and_is_driven(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = spawn(0, 6), other = spawn(4, 6);
    assert_ok(lope_character_talk(world, id, other, 0.5f, &error));
    heard h = step_until_idle(id, 20.0f);
    assert_int_equal(h.kinds[LOPE_EVENT_BEGAN], 2);
    assert_int_equal(h.kinds[LOPE_EVENT_ENDED], 2); // of both
    assert_true(lope_v3_distance(lope_character_place(world, id), lope_character_place(world, other)) < 1.8f);
    assert_ok(lope_character_wait(world, id, 0.5f, &error));
    assert_int_equal(step_until_idle(id, 1.0f).kinds[LOPE_EVENT_ENDED], 1);
    assert_ok(lope_character_drive(world, other, (lope_vec2){0, -1}, LOPE_PACE_WALK, &error));
    step_until_idle(other, 12.0f); // towards the wall's end, and past it
    assert_int_equal(lope_character_task(world, other), LOPE_TASK_DRIVE);
    assert_true(lope_character_place(world, other).z < 5.0f);
    assert_int_equal(lope_character_drive(world, other, (lope_vec2){NAN, 0}, LOPE_PACE_WALK, &error), LOPE_BAD_DATA);
}

static void boxes_in_the_way_are_walked_around(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = spawn(-8, -8);
    lope_destination there = lope_destination_at(lope_v3(4, 0, -8));
    assert_ok(lope_character_go_to(world, id, &there, &error));
    for (int i = 0; i < 60; i++)
        lope_world_step(world, DT, NULL);
    test_add_part(level, "", lope_v3(1, 2, 5), lope_v3(-1, 0, -8), 0.0f);
    heard h = {{0}, {0}, ""};
    for (float t = 0.0f; t < 40.0f && lope_character_state(world, id) != LOPE_CHARACTER_IDLE; t += DT) {
        lope_world_step(world, DT, NULL);
        listen(&h);
        lope_vec3 at = lope_character_place(world, id);
        assert_false(fabsf(at.x + 1.0f) < 0.55f && fabsf(at.z + 8.0f) < 2.55f); // not through it
    }
    assert_int_equal(h.kinds[LOPE_EVENT_ARRIVED], 1);
}

static void a_chair_goes_while_somebody_sits(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = spawn(-2, 6);
    assert_ok(lope_character_use(world, id, chair, INFINITY, &error));
    for (float t = 0.0f; t < 40.0f && lope_character_carrier_of(world, id).link != LOPE_LINK_SEAT; t += DT)
        lope_world_step(world, DT, NULL);
    for (int i = 0; i < 240; i++)
        lope_world_step(world, DT, NULL);
    assert_int_equal(lope_character_carrier_of(world, id).link, LOPE_LINK_SEAT);
    assert_true(lope_level_remove(level, chair));
    heard h = step_until_idle(id, 20.0f);
    assert_int_equal(h.kinds[LOPE_EVENT_CANNOT], 1);
    assert_string_equal(h.why, "what it used is gone");
    for (int i = 0; i < 600 && lope_character_carrier_of(world, id).link >= 0; i++)
        lope_world_step(world, DT, NULL);
    assert_int_equal(lope_character_carrier_of(world, id).link, -1);
    lope_destination there = lope_destination_at(lope_v3(-2, 0, 6));
    assert_ok(lope_character_go_to(world, id, &there, &error));
    assert_int_equal(step_until_idle(id, 30.0f).kinds[LOPE_EVENT_ARRIVED], 1);
}

static void floors_are_cut_off(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = spawn(-8, 0);
    lope_destination there = lope_destination_at(lope_v3(8, 0, 8));
    assert_ok(lope_character_go_to(world, id, &there, &error));
    for (int i = 0; i < 30; i++)
        lope_world_step(world, DT, NULL);
    test_add_part(level, "", lope_v3(1, 3, 26), lope_v3(3, 0, 0), 0.0f); // from end to end
    heard h = step_until_idle(id, 20.0f);
    assert_int_equal(h.kinds[LOPE_EVENT_CANNOT], 1);
    assert_true(h.why[0] != '\0');
    assert_true(lope_world_has(world, id));
}

// An engine's own threads: each works off every HOST_THREADS-th job.
enum { HOST_THREADS = 3 };
typedef struct host_share {
    lope_job *job;
    void *user;
    int count, thread;
} host_share;
static int host_runs;

static void *work_share(void *argument)
{
    const host_share *share = argument;
    for (int i = share->thread; i < share->count; i += HOST_THREADS)
        share->job(share->user, i, share->thread);
    return NULL;
}

static void host_run(void *user, int count, lope_job *job, void *job_user)
{
    pthread_t threads[HOST_THREADS];
    host_share shares[HOST_THREADS];
    (*(int *)user)++;
    for (int i = 0; i < HOST_THREADS; i++) {
        shares[i] = (host_share){job, job_user, count, i};
        assert_int_equal(pthread_create(&threads[i], NULL, work_share, &shares[i]), 0);
    }
    for (int i = 0; i < HOST_THREADS; i++)
        pthread_join(threads[i], NULL);
}

// On that many threads; 0: on an engine's own.
static uint64_t hash_with_threads(int threads)
{
    lope_error error;
    lope_jobs *jobs = NULL;
    if (threads > 1)
        assert_ok(lope_jobs_create(threads, &jobs, &error));
    if (threads == 0)
        assert_ok(lope_jobs_borrow(&(lope_jobs_host){HOST_THREADS, host_run, &host_runs}, &jobs, &error));
    for (int i = 0; i < 8; i++) {
        lope_character_id id = spawn(-7.0f + 2.0f * (float)i, 7);
        lope_destination there = lope_destination_at(lope_v3(8.0f - (float)(i % 3), i % 2 ? 1.02f : 0, -6));
        if (i == 7)
            assert_ok(lope_character_use(world, id, chair, 2.0f, &error));
        else
            lope_character_go_to(world, id, &there, &error);
    }
    for (int i = 0; i < 12; i++) { // so many that there is something to share
        lope_character_id id = spawn(-9.0f + 1.5f * (float)i, 10);
        lope_destination there = lope_destination_at(lope_v3(9.0f - 1.5f * (float)i, 0, -10));
        assert_ok(lope_character_go_to(world, id, &there, &error));
    }
    for (int i = 0; i < 600; i++)
        lope_world_step(world, DT, jobs);
    lope_jobs_destroy(jobs);
    return lope_world_hash(world);
}

static void same_hash_for_any_number_of_threads(void **state)
{
    static const int threads[] = {1, 2, 4, 0};
    uint64_t hashes[4];
    for (int i = 0; i < 4; i++) {
        if (i > 0) {
            end_world(state);
            set_up_world(state);
        }
        hashes[i] = hash_with_threads(threads[i]);
        assert_true(hashes[i] == hashes[0]);
    }
    assert_true(host_runs > 600);
    lope_error error;
    lope_jobs *none;
    assert_int_equal(lope_jobs_borrow(&(lope_jobs_host){2, NULL, NULL}, &none, &error), LOPE_BAD_DATA);
}

// Onto a block that only a climb leads to; plans are made between steps, or by the step.
static void plans_made_ahead_change_nothing(void **state)
{
    uint64_t hashes[2];
    for (int ahead = 0; ahead < 2; ahead++) {
        if (ahead) {
            end_world(state);
            set_up_world(state);
        }
        lope_error error;
        test_add_part(level, "", lope_v3(3, 0.9f, 3), lope_v3(-7, 0, -6), 0.0f);
        lope_world_step(world, DT, NULL);
        lope_character_id id = spawn(-7, 1);
        lope_destination top = lope_destination_at(lope_v3(-7, 0.9f, -6));
        assert_ok(lope_character_go_to(world, id, &top, &error));
        heard h = {{0}, {0}, ""};
        for (int i = 0; i < 900; i++) {
            lope_world_step(world, DT, NULL);
            listen(&h);
            if (ahead)
                assert_int_equal(lope_world_work(world, 1, NULL), 0);
        }
        assert_int_equal(h.links[LOPE_LINK_UP], 1);
        hashes[ahead] = lope_world_hash(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

static void walking_allocates_nothing(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = spawn(-8, -8);
    lope_destination there = lope_destination_at(lope_v3(4, 0, -8)), back = lope_destination_at(lope_v3(-8, 0, -8));
    assert_ok(lope_character_go_to(world, id, &there, &error));
    step_until_idle(id, 40.0f);
    assert_ok(lope_character_go_to(world, id, &back, &error));
    test_count_allocations(true);
    size_t before = test_total_allocations();
    for (int i = 0; i < 300; i++)
        lope_world_step(world, DT, NULL);
    size_t after = test_total_allocations();
    test_count_allocations(false);
    assert_int_equal(after, before);
}

static void moves_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_world *made;
    lope_moves none = {.skeleton = test_moves->skeleton};
    lope_world_def def = lope_world_def_default();
    def.moves = test_moves;
    assert_int_equal(lope_world_create(&def, NULL, &made, &error), LOPE_BAD_DATA);
    def.level = level;
    def.moves = &none;
    assert_int_equal(lope_world_create(&def, NULL, &made, &error), LOPE_BAD_DATA);
    lope_skeleton shorter = *test_moves->skeleton; // a joint less than the motion has
    shorter.joint_count--;
    lope_moves others = *test_moves;
    others.skeleton = &shorter;
    def.moves = &others;
    assert_int_equal(lope_world_create(&def, NULL, &made, &error), LOPE_MISMATCH);
    assert_null(made);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, set_up_world, end_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(goes_around_walls_and_up_stairs),
        IN_WORLD(begins_anywhere_on_stairs),
        IN_WORLD(sits_down_and_gets_up),
        IN_WORLD(goals_in_solids_are_moved),
        IN_WORLD(those_that_are_gone_are_recognised),
        IN_WORLD(talks_waits_and_is_driven),
        IN_WORLD(boxes_in_the_way_are_walked_around),
        IN_WORLD(a_chair_goes_while_somebody_sits),
        IN_WORLD(floors_are_cut_off),
        cmocka_unit_test_setup_teardown(same_hash_for_any_number_of_threads, set_up_world, end_world),
        IN_WORLD(plans_made_ahead_change_nothing),
        IN_WORLD(walking_allocates_nothing),
        IN_WORLD(moves_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, test_moves_set_up, test_moves_tear_down);
}
