// SPDX-License-Identifier: MIT
// Characters that search and play at once: they arrive, nothing jumps, and threads make no difference.
#include <stdlib.h>

#include "lope/stroll.h"
#include "support/walking.h"

enum { COUNT = 24 };

typedef struct fixture {
    lope_set *set;
    lope_steps *steps;
    lope_maps *maps;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    lope_error error = {0};
    f.set = test_walks();
    lope_steps_def steps = lope_steps_def_default();
    lope_maps_def maps = lope_maps_def_default();
    maps.nodes = 2500;
    assert_ok(lope_steps_build(f.set, &steps, NULL, NULL, &f.steps, NULL, &error));
    assert_ok(lope_maps_build(f.steps, &maps, NULL, NULL, &f.maps, NULL, &error));
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    lope_maps_destroy(f->maps);
    lope_steps_destroy(f->steps);
    lope_set_destroy(f->set);
    return 0;
}

static void send(lope_strollers *s, int i, lope_vec2 from, float turn)
{
    lope_error error = {0};
    lope_vec2 path[3] = {from, from, from};
    path[1].x += 3.0f * (float)lope_sin((double)turn);
    path[1].z += 3.0f * (float)lope_cos((double)turn);
    path[2].x = path[1].x + 3.0f * (float)lope_sin((double)turn + 0.3);
    path[2].z = path[1].z + 3.0f * (float)lope_cos((double)turn + 0.3);
    lope_follow_query query = lope_follow_query_along(path, 3, 0.0f);
    assert_ok(lope_stroller_go(s, i, &query, &error));
}

static float moved(lope_ground a, lope_ground b)
{
    return sqrtf((a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z));
}

// Lets all of them walk two paths, one after the other, with little work a step; hashes where they are.
static uint64_t walk(const lope_maps *maps, lope_jobs *jobs, int *arrived)
{
    lope_error error = {0};
    lope_strollers_def def = lope_strollers_def_default();
    lope_strollers *s;
    uint64_t hash = 0;
    bool on[COUNT] = {false};
    lope_ground before[COUNT];
    def.count = COUNT;
    def.work = COUNT; // one map or walk each
    assert_ok(lope_strollers_create(maps, &def, &s, &error));
    for (int i = 0; i < COUNT; i++)
        send(s, i, (lope_vec2){(float)i, 0.5f * (float)i}, 0.4f * (float)i);
    for (int frame = 0; frame < 600; frame++) {
        lope_strollers_step(s, 1.0f / 30.0f, jobs);
        for (int i = 0; i < COUNT; i++) {
            lope_ground at = lope_player_ground(lope_stroller_player(s, i));
            if (frame > 10)
                assert_true(moved(at, before[i]) < 0.12f); // 3.6 m/s
            before[i] = at;
            hash = lope_hash(&at, sizeof at, hash);
            if (!on[i] && lope_follow_now(lope_stroller_search(s, i)) == LOPE_FOLLOW_ARRIVED &&
                lope_stroller_ahead(s, i) == 0) {
                lope_ground end = lope_stroller_end(s, i);
                send(s, i, (lope_vec2){end.x, end.z}, end.yaw);
                on[i] = true;
            }
        }
    }
    *arrived = 0;
    for (int i = 0; i < COUNT; i++)
        *arrived += on[i] && lope_stroller_state_of(s, i) == LOPE_STROLLER_ARRIVED;
    lope_strollers_destroy(s);
    return hash;
}

static void test_threads_walk_on(void **state)
{
    const fixture *f = *state;
    int arrived;
    uint64_t hash = walk(f->maps, NULL, &arrived);
    assert_true(arrived >= COUNT - 3);
    lope_error error = {0};
    lope_jobs *jobs;
    assert_ok(lope_jobs_create(3, &jobs, &error));
    assert_true(hash == walk(f->maps, jobs, &arrived));
    lope_jobs_destroy(jobs);
}

static void test_no_allocation(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_strollers_def def = lope_strollers_def_default();
    lope_strollers *s;
    test_count_allocations(true);
    assert_ok(lope_strollers_create(f->maps, &def, &s, &error));
    send(s, 0, (lope_vec2){0, 0}, 0.0f);
    for (int frame = 0; frame < 60; frame++)
        lope_strollers_step(s, 1.0f / 30.0f, NULL);
    size_t before = test_total_allocations();
    for (int frame = 0; frame < 240; frame++)
        lope_strollers_step(s, 1.0f / 30.0f, NULL);
    assert_int_equal(test_total_allocations(), before);
    assert_int_equal(lope_stroller_state_of(s, 0), LOPE_STROLLER_ARRIVED);
    lope_strollers_destroy(s);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
}

static void test_bad_input(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_strollers_def def = lope_strollers_def_default();
    lope_strollers *s;
    def.count = 0;
    assert_int_equal(lope_strollers_create(f->maps, &def, &s, &error), LOPE_BAD_DATA);
    assert_null(s);
    def.count = 1;
    assert_ok(lope_strollers_create(f->maps, &def, &s, &error));
    assert_int_equal(lope_stroller_state_of(s, 0), LOPE_STROLLER_IDLE);
    lope_vec2 point[2] = {{0, 0}, {0, 0}};
    lope_follow_query query = lope_follow_query_along(point, 2, 0.0f);
    assert_int_equal(lope_stroller_go(s, 0, &query, &error), LOPE_BAD_DATA);
    lope_strollers_step(s, 0.1f, NULL);
    assert_int_equal(lope_stroller_state_of(s, 0), LOPE_STROLLER_IDLE);
    lope_strollers_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_walk_on),
        cmocka_unit_test(test_no_allocation),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
