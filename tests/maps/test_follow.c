// SPDX-License-Identifier: MIT
// Following paths among random boxes: whatever is found must hold up when it is checked step by step from the graph.
#include "maps/follow_trials.h"

static void test_random_worlds(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_random random = lope_random_seed(21);
    lope_follow_def def = lope_follow_def_default();
    lope_follow *follow;
    assert_ok(lope_follow_create(f->maps, &def, &follow, &error));
    int arrived = 0;
    for (int i = 0; i < 150; i++) {
        trial t = make_trial(f, &random);
        lope_status status = lope_follow_path(follow, &t.query, &error);
        lope_follow_report report = lope_follow_about(follow);
        assert_true(status == LOPE_OK || status == LOPE_PARTIAL);
        assert_continuous(f, follow, &def);
        assert_clear(f, follow, t.space, t.path.points, t.path.point_count, &def);
        assert_true(lope_follow_clear(follow, &t.query.world));
        if (status == LOPE_OK) {
            arrived++;
            assert_true(report.miss <= def.goal_distance && report.turn <= def.goal_turn);
            lope_ground end = lope_follow_step(follow, lope_follow_count(follow) - 1).end;
            lope_vec2 goal = t.path.points[t.path.point_count - 1];
            assert_near(end.x, goal.x, 0.01);
            assert_near(end.z, goal.z, 0.01);
        }
        free_trial(&t);
    }
    assert_true(arrived >= 147);
    lope_follow_destroy(follow);
}

// In pieces of any size, and twice: the same walk.
static void test_resumed(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_random random = lope_random_seed(22);
    lope_follow_def def = lope_follow_def_default();
    def.corridor = 0.25f; // some turning back
    lope_follow *once, *pieces;
    assert_ok(lope_follow_create(f->maps, &def, &once, &error));
    assert_ok(lope_follow_create(f->maps, &def, &pieces, &error));
    for (int i = 0; i < 60; i++) {
        trial t = make_trial(f, &random);
        lope_follow_path(once, &t.query, &error);
        uint64_t hash = walk_hash(once);
        lope_follow_path(once, &t.query, &error);
        assert_true(hash == walk_hash(once));
        assert_ok(lope_follow_start(pieces, &t.query, &error));
        while (lope_follow_advance(pieces, 1 + i % 4) == LOPE_FOLLOW_SEARCHING)
            assert_continuous(f, pieces, &def);
        assert_int_equal(lope_follow_now(pieces), lope_follow_now(once));
        assert_true(hash == walk_hash(pieces));
        free_trial(&t);
    }
    lope_follow_destroy(once);
    lope_follow_destroy(pieces);
}

static void test_start_and_stop(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_follow_def def = lope_follow_def_default();
    def.start_standing = def.stop = true;
    lope_follow *follow;
    assert_ok(lope_follow_create(f->maps, &def, &follow, &error));
    for (int i = 0; i < 20; i++) {
        lope_vec2 path[3] = {{0, 0}, {0, 3.0f + 0.13f * (float)i}, {1.5f, 6.0f + 0.2f * (float)i}};
        lope_follow_query query = lope_follow_query_along(path, 3, 0.0f);
        assert_ok(lope_follow_path(follow, &query, &error));
        int count = lope_follow_count(follow);
        assert_true(f->steps->steps[lope_follow_step(follow, 0).step].flags & LOPE_STEP_STARTS);
        assert_true(f->steps->steps[lope_follow_step(follow, count - 1).step].flags & LOPE_STEP_STOPS);
        for (int k = 0; k + 1 < count; k++)
            assert_false(f->steps->steps[lope_follow_step(follow, k).step].flags & LOPE_STEP_STOPS);
    }
    lope_follow_destroy(follow);
}

static void test_given_start(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_follow_def def = lope_follow_def_default();
    lope_follow *follow;
    lope_vec2 path[2] = {{1, 1}, {1, 9}};
    assert_ok(lope_follow_create(f->maps, &def, &follow, &error));
    for (int s = 0; s < 10; s++) {
        lope_follow_query query = lope_follow_query_along(path, 2, 0.0f);
        query.step = s;
        assert_ok(lope_follow_path(follow, &query, &error));
        assert_int_equal(lope_follow_step(follow, 0).step, s);
        assert_same_place(lope_follow_step(follow, 0).at, (lope_ground){1, 1, 0});
        assert_continuous(f, follow, &def);
    }
    lope_follow_destroy(follow);
}

// A turn that no step can make: the walk leads as far as it can.
static void test_partial(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_follow_def def = lope_follow_def_default();
    def.corridor = 0.15f;
    lope_follow *follow;
    assert_ok(lope_follow_create(f->maps, &def, &follow, &error));
    lope_vec2 path[3] = {{0, 0}, {0, 8}, {0.5f, 4}};
    lope_follow_query query = lope_follow_query_along(path, 3, 0.0f);
    assert_int_equal(lope_follow_path(follow, &query, &error), LOPE_PARTIAL);
    assert_int_equal(lope_follow_now(follow), LOPE_FOLLOW_PARTIAL);
    int count = lope_follow_count(follow);
    assert_true(count > 5);
    assert_true(lope_follow_step(follow, count - 1).along > 5.0f);
    assert_continuous(f, follow, &def);
    def.work = 3; // out of budget
    lope_follow *hasty;
    assert_ok(lope_follow_create(f->maps, &def, &hasty, &error));
    assert_int_equal(lope_follow_path(hasty, &query, &error), LOPE_PARTIAL);
    assert_true(lope_follow_count(hasty) > 0 && lope_follow_count(hasty) < count);
    lope_follow_destroy(hasty);
    lope_follow_destroy(follow);
}

// Steps are played as soon as they are there; none of them may change afterwards.
static void test_played_while_searching(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_random random = lope_random_seed(23);
    lope_follow_def def = lope_follow_def_default();
    def.corridor = 0.2f;
    lope_follow *follow;
    assert_ok(lope_follow_create(f->maps, &def, &follow, &error));
    int again = 0, arrived = 0;
    for (int i = 0; i < 120; i++) {
        trial t = make_trial(f, &random);
        lope_walk_step played[256];
        int count = 0;
        assert_ok(lope_follow_start(follow, &t.query, &error));
        for (;;) {
            lope_follow_state now = lope_follow_advance(follow, 1);
            assert_true(lope_follow_count(follow) >= count);
            for (int k = 0; k < count; k++) {
                lope_walk_step step = lope_follow_step(follow, k);
                assert_memory_equal(&step, &played[k], sizeof step);
            }
            if (now != LOPE_FOLLOW_SEARCHING)
                break;
            if (count < lope_follow_count(follow)) {
                played[count] = lope_follow_step(follow, count);
                lope_follow_play(follow, ++count);
            }
        }
        assert_continuous(f, follow, &def);
        again += lope_follow_about(follow).again;
        arrived += lope_follow_now(follow) == LOPE_FOLLOW_ARRIVED;
        free_trial(&t);
    }
    assert_true(again > 0); // it did happen that played steps were turned back from
    assert_true(arrived > 90);
    lope_follow_destroy(follow);
}

// A box is put into the way of someone who walks: another path, no jump.
static void test_changing_world(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_follow_def def = lope_follow_def_default();
    lope_space *space;
    lope_follow *follow;
    assert_ok(lope_space_create((lope_vec2){-5, -2}, (lope_vec2){5, 14}, &space, &error));
    assert_ok(lope_follow_create(f->maps, &def, &follow, &error));
    lope_vec2 path[2] = {{0, 0}, {0, 12}};
    lope_follow_query query = lope_follow_query_along(path, 2, 0.0f);
    query.world = lope_follow_in_space(space);
    assert_ok(lope_follow_path(follow, &query, &error));
    lope_follow_play(follow, 4);
    lope_walk_step last = lope_follow_step(follow, 3);
    lope_vec2 box[4] = {{-0.5f, 7}, {0.5f, 7}, {0.5f, 8}, {-0.5f, 8}};
    int name;
    assert_ok(lope_space_add(space, box, 4, &name, &error));
    assert_false(lope_follow_clear(follow, &query.world));
    lope_passages *passages;
    lope_path around;
    assert_ok(lope_passages_create(space, &passages, &error));
    assert_ok(
        lope_path_find(f->finder, passages, (lope_vec2){last.end.x, last.end.z}, path[1], CLEARANCE, &around, &error));
    lope_follow_query other = lope_follow_query_along(around.points, around.point_count, CLEARANCE);
    other.world = query.world;
    assert_ok(lope_follow_again(follow, &other, &error));
    while (lope_follow_advance(follow, 5) == LOPE_FOLLOW_SEARCHING)
        ;
    assert_int_equal(lope_follow_now(follow), LOPE_FOLLOW_ARRIVED);
    lope_walk_step still = lope_follow_step(follow, 3);
    assert_int_equal(still.step, last.step);
    assert_same_place(still.at, last.at);
    assert_same_place(still.end, last.end);
    assert_continuous(f, follow, &def);
    assert_true(lope_follow_clear(follow, &query.world));
    lope_passages_destroy(passages);
    lope_follow_destroy(follow);
    lope_space_destroy(space);
}

static void test_no_allocation(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_random random = lope_random_seed(24);
    trial t = make_trial(f, &random);
    lope_follow_def def = lope_follow_def_default();
    lope_follow *follow;
    test_count_allocations(true);
    assert_ok(lope_follow_create(f->maps, &def, &follow, &error));
    lope_follow_path(follow, &t.query, &error);
    size_t before = test_total_allocations();
    for (int i = 0; i < 5; i++)
        lope_follow_path(follow, &t.query, &error);
    assert_int_equal(test_total_allocations(), before);
    lope_follow_destroy(follow);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
    free_trial(&t);
}

typedef struct starved_search {
    const lope_maps *maps;
    const lope_follow_query *query;
} starved_search;

static lope_status search_anew(void *user, lope_error *error)
{
    const starved_search *s = user;
    lope_follow_def def = lope_follow_def_default();
    lope_follow *follow;
    lope_status status = lope_follow_create(s->maps, &def, &follow, error);
    if (status)
        return status;
    status = lope_follow_path(follow, s->query, error);
    lope_follow_destroy(follow);
    if (status == LOPE_PARTIAL) // it goes on with less, and then does not arrive
        status = error->status = LOPE_NO_MEMORY;
    return status;
}

static void test_no_memory(void **state)
{
    const fixture *f = *state;
    lope_vec2 path[2] = {{0, 0}, {0, 3}};
    lope_follow_query query = lope_follow_query_along(path, 2, 0.0f);
    test_allocation_failures(search_anew, &(starved_search){f->maps, &query});
}

// Searches without maps find walks too, or say that they gave up.
static void test_rivals(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_vec2 path[2] = {{0, 0}, {0, 2.6f}};
    lope_follow_query query = lope_follow_query_along(path, 2, 0.0f);
    for (int kind = 0; kind < 3; kind++) {
        lope_rival_def def = {(lope_rival_kind)kind, lope_follow_def_default(), 200000};
        lope_rival *rival;
        assert_ok(lope_rival_create(f->maps, &def, &rival, &error));
        assert_ok(lope_rival_find(rival, &query, &error));
        lope_follow_report report = lope_rival_about(rival);
        assert_true(report.length > 2.5f && report.length < 2.9f);
        int steps = 0;
        for (int n = lope_rival_end(rival); n >= 0; n = lope_rival_node_at(rival, n).parent)
            steps++;
        assert_in_range(steps, 3, 6);
        lope_rival_destroy(rival);
        def.nodes = 20;
        assert_ok(lope_rival_create(f->maps, &def, &rival, &error));
        assert_int_equal(lope_rival_find(rival, &query, &error), LOPE_PARTIAL);
        assert_int_equal(lope_rival_end(rival), -1);
        lope_rival_destroy(rival);
    }
}

static void test_bad_input(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_follow_def def = lope_follow_def_default();
    lope_follow *follow, *none;
    assert_ok(lope_follow_create(f->maps, &def, &follow, &error));
    lope_vec2 path[2] = {{0, 0}, {0, 5}}, point[2] = {{1, 1}, {1, 1}}, nan[2] = {{0, 0}, {(float)NAN, 5}};
    lope_vec2 far[2] = {{1e9f, 1e9f}, {1e9f, -1e9f}};
    lope_follow_query query = lope_follow_query_along(point, 2, 0.0f);
    assert_int_equal(lope_follow_path(follow, &query, &error), LOPE_BAD_DATA);
    query = lope_follow_query_along(path, 1, 0.0f);
    assert_int_equal(lope_follow_path(follow, &query, &error), LOPE_BAD_DATA);
    query = lope_follow_query_along(nan, 2, 0.0f);
    assert_int_equal(lope_follow_path(follow, &query, &error), LOPE_BAD_DATA);
    query = lope_follow_query_along(far, 2, 0.0f);
    assert_int_equal(lope_follow_path(follow, &query, &error), LOPE_BAD_DATA);
    query = lope_follow_query_along(path, 2, 0.0f);
    query.step = 1000;
    assert_int_equal(lope_follow_path(follow, &query, &error), LOPE_BAD_DATA);
    query.step = -1;
    query.goal_yaw = (float)NAN;
    assert_int_equal(lope_follow_path(follow, &query, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_follow_now(follow), LOPE_FOLLOW_IDLE);
    def.corridor = 0.0f;
    assert_int_equal(lope_follow_create(f->maps, &def, &none, &error), LOPE_BAD_DATA);
    assert_null(none);
    lope_follow_destroy(follow);
    lope_follow_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_worlds),  cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_start_and_stop), cmocka_unit_test(test_given_start),
        cmocka_unit_test(test_partial),        cmocka_unit_test(test_played_while_searching),
        cmocka_unit_test(test_changing_world), cmocka_unit_test(test_no_allocation),
        cmocka_unit_test(test_no_memory),      cmocka_unit_test(test_rivals),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
