// SPDX-License-Identifier: MIT
// Errands as a task: lists, what the level has, what ends them, mistakes, the same for any number of threads.
#include <stdio.h>
#include <string.h>

#include "support/yard.h"

#define DT (1.0f / 60.0f)

static lope_level *level;
static lope_world *world;
static lope_part_id chairs[3];

// A yard with three chairs.
static int set_up_world(void **state)
{
    (void)state;
    lope_error error;
    assert_ok(lope_level_create(&level, &error));
    test_add_part(level, "", lope_v3(16, 0.5f, 16), lope_v3(0, -0.5f, 0), 0.0f);
    for (int i = 0; i < 3; i++)
        chairs[i] = test_add_part(level, "chair", lope_v3(0, 0, 0), lope_v3(-4.0f + 4.0f * (float)i, 0, -5), 0.0f);
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

// Events by kind of task.
typedef struct heard {
    int counts[LOPE_EVENT_KIND_COUNT][LOPE_TASK_WAIT + 1];
    lope_task order[64]; // of tasks that were arrived at or ended
    int done;
    char why[120];
} heard;

static void step(float seconds, lope_jobs *jobs, heard *out)
{
    for (float t = 0.0f; t < seconds; t += DT) {
        int count;
        lope_world_step(world, DT, jobs);
        const lope_event *e = lope_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            bool done = e[i].kind == LOPE_EVENT_ARRIVED || (e[i].kind == LOPE_EVENT_ENDED && e[i].link < 0);
            out->counts[e[i].kind][e[i].task]++;
            if (done && out->done < 64)
                out->order[out->done++] = e[i].task;
            if (e[i].kind == LOPE_EVENT_CANNOT)
                strcpy(out->why, e[i].text);
        }
    }
}

static void lists_are_done_in_order_and_again(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = spawn(0, 0);
    const lope_errand list[] = {
        {.task = LOPE_TASK_GO, .there = lope_destination_at(lope_v3(3, 0, 0)), .seconds = 1.0f},
        {.task = LOPE_TASK_USE, .part = chairs[1], .seconds = 2.0f},
        {.task = LOPE_TASK_WAIT, .seconds = 0.5f},
    };
    lope_errands_def def = lope_errands_def_default();
    def.list = list;
    def.count = 3;
    assert_ok(lope_character_errands(world, id, &def, &error));
    assert_true(lope_character_has_errands(world, id));
    heard h = {.done = 0};
    for (int i = 0; i < 150 && h.done < 6; i++) {
        step(0.5f, NULL, &h);
        assert_int_not_equal(lope_character_state(world, id), LOPE_CHARACTER_IDLE);
    }
    // Waits a second where it was to go.
    static const lope_task order[] = {LOPE_TASK_GO,   LOPE_TASK_WAIT, LOPE_TASK_USE,
                                      LOPE_TASK_WAIT, LOPE_TASK_GO,   LOPE_TASK_WAIT};
    for (int i = 0; i < 6; i++)
        assert_int_equal(h.order[i], order[i]);
    for (int task = LOPE_TASK_NONE; task <= LOPE_TASK_WAIT; task++)
        assert_int_equal(h.counts[LOPE_EVENT_CANNOT][task], 0);
}

static void what_is_gone_is_passed_over(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = spawn(0, 0);
    const lope_errand list[] = {{.task = LOPE_TASK_USE, .part = chairs[0], .seconds = 2.0f},
                                {.task = LOPE_TASK_TALK, .seconds = 2.0f},
                                {.task = LOPE_TASK_GO, .there = lope_destination_at(lope_v3(2, 0, 0))}};
    lope_errands_def def = lope_errands_def_default();
    def.list = list;
    def.count = 3;
    assert_true(lope_level_remove(level, chairs[0]));
    assert_ok(lope_character_errands(world, id, &def, &error));
    heard h = {.done = 0};
    step(0.2f, NULL, &h);
    assert_string_equal(h.why, "this part of the level is gone");
    step(1.0f, NULL, &h);
    assert_string_equal(h.why, "nobody is there to talk to");
    step(10.0f, NULL, &h);
    assert_true(h.counts[LOPE_EVENT_ARRIVED][LOPE_TASK_GO] >= 1);
}

// Waiting for a seat takes as long as the other sits; nobody waits for one that sits for good.
static void seats_are_waited_for(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id first = spawn(0, -3), second = spawn(1, 0), third = spawn(-4, -3), fourth = spawn(-5, 0);
    heard h = {.done = 0};
    assert_ok(lope_character_use(world, first, chairs[1], 40.0f, &error));
    assert_ok(lope_character_use(world, third, chairs[0], INFINITY, &error));
    step(8.0f, NULL, &h);
    assert_ok(lope_character_use(world, second, chairs[1], 1.0f, &error));
    assert_ok(lope_character_use(world, fourth, chairs[0], 1.0f, &error));
    step(30.0f, NULL, &h);
    assert_int_equal(lope_character_state(world, second), LOPE_CHARACTER_QUEUEING);
    assert_int_equal(lope_character_state(world, fourth), LOPE_CHARACTER_IDLE);
    assert_int_equal(h.counts[LOPE_EVENT_CANNOT][LOPE_TASK_USE], 1);
    step(25.0f, NULL, &h);
    assert_int_equal(h.counts[LOPE_EVENT_CANNOT][LOPE_TASK_USE], 1);
    assert_int_equal(h.counts[LOPE_EVENT_ARRIVED][LOPE_TASK_USE], 2);
}

// People with errands leave seats to those on their way there, and find something else to do where none is free.
static void errands_choose_free_seats(void **state)
{
    (void)state;
    lope_error error;
    lope_errands_def def = lope_errands_def_default();
    lope_character_id ids[8];
    def.go = def.wait = def.talk = 0.0f;
    for (int i = 0; i < 8; i++) {
        ids[i] = spawn(-6.0f + 1.6f * (float)i, 2);
        assert_ok(lope_character_errands(world, ids[i], &def, &error));
    }
    heard h = {.done = 0};
    int users = 0;
    for (int i = 0; i < 60; i++) {
        step(0.5f, NULL, &h);
        users = 0;
        for (int k = 0; k < 8; k++) {
            users += lope_character_task(world, ids[k]) == LOPE_TASK_USE;
            assert_int_not_equal(lope_character_state(world, ids[k]), LOPE_CHARACTER_QUEUEING);
        }
        assert_true(users <= 3);
    }
    assert_true(users >= 1);
    assert_true(h.counts[LOPE_EVENT_ARRIVED][LOPE_TASK_GO] >= 3);
}

static void another_task_ends_them(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = spawn(0, 0);
    const lope_errands_def def = lope_errands_def_default();
    heard h = {.done = 0};
    assert_ok(lope_character_errands(world, id, &def, &error));
    step(2.0f, NULL, &h);
    lope_destination there = lope_destination_at(lope_v3(1, 0, 1));
    assert_ok(lope_character_go_to(world, id, &there, &error));
    assert_false(lope_character_has_errands(world, id));
    assert_ok(lope_character_errands(world, id, &def, &error));
    lope_character_stop(world, id);
    assert_false(lope_character_has_errands(world, id));
    assert_ok(lope_character_errands(world, id, &def, &error));
    assert_true(lope_world_despawn(world, id));
    assert_false(lope_character_has_errands(world, id));
    assert_int_equal(lope_character_errands(world, id, &def, &error), LOPE_NOT_FOUND);
}

static void mistakes_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = spawn(0, 0);
    const lope_errand drive = {.task = LOPE_TASK_DRIVE, .seconds = 1.0f};
    lope_errands_def def = lope_errands_def_default();
    def.use = def.go = def.wait = def.talk = 0.0f;
    assert_int_equal(lope_character_errands(world, id, &def, &error), LOPE_BAD_DATA);
    def = lope_errands_def_default();
    def.stay_most = 1.0f;
    assert_int_equal(lope_character_errands(world, id, &def, &error), LOPE_BAD_DATA);
    def = lope_errands_def_default();
    def.list = &drive;
    def.count = 1;
    assert_int_equal(lope_character_errands(world, id, &def, &error), LOPE_BAD_DATA);
    assert_false(lope_character_has_errands(world, id));
}

// Some people for a minute.
static uint64_t keep_busy(uint64_t seed, int threads, heard *out)
{
    lope_error error;
    lope_jobs *jobs = NULL;
    lope_errands_def def = lope_errands_def_default();
    def.stay_least = 2.0f;
    def.stay_most = 8.0f;
    def.seed = seed;
    if (threads > 1)
        assert_ok(lope_jobs_create(threads, &jobs, &error));
    for (int i = 0; i < 8; i++) {
        lope_character_id id = spawn(-6.0f + 1.6f * (float)i, 2);
        assert_ok(lope_character_errands(world, id, &def, &error));
    }
    step(70.0f, jobs, out);
    lope_jobs_destroy(jobs);
    return lope_world_hash(world);
}

static void kept_busy_the_same_for_any_number_of_threads(void **state)
{
    static const int threads[] = {1, 3, 1};
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        heard h = {.done = 0};
        if (i > 0) {
            end_world(state);
            set_up_world(state);
        }
        hashes[i] = keep_busy(i < 2 ? 1 : 2, threads[i], &h);
        int cannot = 0;
        for (int task = 0; task <= LOPE_TASK_WAIT; task++)
            cannot += h.counts[LOPE_EVENT_CANNOT][task];
        printf("seed %d: %d on seats, %d places, %d waits, %d talks, %d given up%s%s\n", i < 2 ? 1 : 2,
               h.counts[LOPE_EVENT_ARRIVED][LOPE_TASK_USE], h.counts[LOPE_EVENT_ARRIVED][LOPE_TASK_GO],
               h.counts[LOPE_EVENT_ENDED][LOPE_TASK_WAIT], h.counts[LOPE_EVENT_ENDED][LOPE_TASK_TALK], cannot,
               cannot ? ", the last: " : "", h.why);
        // A bit of everything.
        assert_true(h.counts[LOPE_EVENT_ARRIVED][LOPE_TASK_USE] >= 5);
        assert_true(h.counts[LOPE_EVENT_ARRIVED][LOPE_TASK_GO] >= 2);
        assert_true(h.counts[LOPE_EVENT_ENDED][LOPE_TASK_WAIT] >= 4);
        assert_true(h.counts[LOPE_EVENT_ENDED][LOPE_TASK_TALK] >= 2);
        assert_true(cannot <= 4);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(hashes[0] != hashes[2]);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, set_up_world, end_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(lists_are_done_in_order_and_again),
        IN_WORLD(what_is_gone_is_passed_over),
        IN_WORLD(seats_are_waited_for),
        IN_WORLD(errands_choose_free_seats),
        IN_WORLD(another_task_ends_them),
        IN_WORLD(mistakes_are_refused),
        cmocka_unit_test_setup_teardown(kept_busy_the_same_for_any_number_of_threads, set_up_world, end_world),
    };
    return cmocka_run_group_tests(tests, test_moves_set_up, test_moves_tear_down);
}
