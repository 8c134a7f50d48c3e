// SPDX-License-Identifier: MIT
// Worlds that nobody should draw, but somebody will: every question gets an answer, none takes memory once warm.
#include <math.h>

#include "support/space_check.h"
#include "support/support.h"

typedef struct odd_world {
    lope_space *space;
    lope_passages *passages;
    lope_path_finder *finder;
} odd_world;

static odd_world make_world(float side)
{
    odd_world w;
    lope_error error;
    assert_ok(lope_space_create((lope_vec2){0, 0}, (lope_vec2){side, side}, &w.space, &error));
    assert_ok(lope_passages_create(w.space, &w.passages, &error));
    assert_ok(lope_path_finder_create(&w.finder, &error));
    return w;
}

static void destroy_world(odd_world *w)
{
    lope_path_finder_destroy(w->finder);
    lope_passages_destroy(w->passages);
    lope_space_destroy(w->space);
}

static int add(odd_world *w, const lope_vec2 *corners, int count)
{
    lope_error error;
    int name;
    assert_ok(lope_space_add(w->space, corners, count, &name, &error));
    assert_ok(lope_passages_update(w->passages, w->space, &error));
    assert_null(test_check_space(w->space));
    return name;
}

static lope_path_outcome outcome(const odd_world *w, lope_vec2 start, lope_vec2 goal, float clearance)
{
    lope_path path;
    lope_error error;
    lope_status status = lope_path_find(w->finder, w->passages, start, goal, clearance, &path, &error);
    assert_true((status == LOPE_OK) == (path.outcome == LOPE_PATH_FOUND));
    assert_true((path.point_count > 0) == (status == LOPE_OK));
    return path.outcome;
}

// Two triangles that meet in a point; between them it is free.
static void polygons_that_cross_themselves(void **state)
{
    (void)state;
    odd_world w = make_world(10);
    const lope_vec2 tie[] = {{3, 3}, {7, 7}, {7, 3}, {3, 7}};
    add(&w, tie, 4);
    lope_vec2 left = {3.5f, 5}, right = {6.5f, 5}, above = {5, 6.5f}, below = {5, 3.5f};
    assert_true(lope_space_blocked(w.space, left) && lope_space_blocked(w.space, right));
    assert_false(lope_space_blocked(w.space, above) || lope_space_blocked(w.space, below));
    assert_int_equal(outcome(&w, above, below, 0.3f), LOPE_PATH_FOUND);
    assert_int_equal(outcome(&w, above, left, 0.3f), LOPE_PATH_GOAL_BLOCKED);
    // A star of five points winds around its middle twice.
    lope_vec2 star[5];
    for (int i = 0; i < 5; i++) {
        double angle = 2.0 * LOPE_PI * (2 * i) / 5.0;
        star[i] = (lope_vec2){5.0f + 4.0f * (float)lope_cos(angle), 5.0f + 4.0f * (float)lope_sin(angle)};
    }
    add(&w, star, 5);
    assert_true(lope_space_blocked(w.space, (lope_vec2){5, 5}));
    assert_int_equal(outcome(&w, (lope_vec2){1, 1}, (lope_vec2){9, 9}, 0.3f), LOPE_PATH_FOUND);
    destroy_world(&w);
}

// Lines, lines there and back again, points, the same point many times: a disc goes around them.
static void obstacles_without_area(void **state)
{
    (void)state;
    odd_world w = make_world(10);
    const lope_vec2 line[] = {{5, 0}, {5, 9}}, back[] = {{2, 5}, {8, 5}, {2, 5}, {4, 5}}, post[] = {{5, 9.5f}};
    const lope_vec2 same[] = {{1, 5}, {1, 5}, {1, 5}, {1, 5}, {1, 5}};
    lope_vec2 start = {3, 3}, goal = {7, 3};
    add(&w, line, 2);
    assert_int_equal(outcome(&w, start, goal, 0.45f), LOPE_PATH_FOUND);
    assert_false(lope_space_sweep_free(w.space, start, goal, 0.1f, NULL));
    add(&w, post, 1); // 0.5 m from the end of the line and from the border
    assert_int_equal(outcome(&w, start, goal, 0.26f), LOPE_PATH_NONE);
    assert_int_equal(outcome(&w, start, goal, 0.24f), LOPE_PATH_FOUND);
    add(&w, back, 4);
    add(&w, same, 5);
    assert_int_equal(outcome(&w, start, goal, 0.24f), LOPE_PATH_FOUND);
    assert_int_equal(outcome(&w, start, goal, 0.51f), LOPE_PATH_NONE);
    assert_false(lope_space_blocked(w.space, (lope_vec2){5, 5})); // nothing has an inside
    destroy_world(&w);
}

static void goals_behind_walls_and_gaps_too_narrow(void **state)
{
    (void)state;
    odd_world w = make_world(10);
    const lope_vec2 whole[] = {{5, -3}, {5, 13}}, low[] = {{5, -1}, {5, 4}}, high[] = {{5, 5}, {5, 11}};
    lope_vec2 start = {2, 5}, goal = {8, 5};
    lope_error error;
    int wall = add(&w, whole, 2);
    assert_int_equal(outcome(&w, start, goal, 0.001f), LOPE_PATH_NONE);
    assert_near(lope_passages_widest(w.passages, start, goal), 0.0, 0.0);
    assert_ok(lope_space_move(w.space, wall, low, 2, &error));
    assert_ok(lope_passages_update(w.passages, w.space, &error));
    assert_int_equal(outcome(&w, start, goal, 1.9f), LOPE_PATH_FOUND);
    add(&w, high, 2); // a door of 1 m
    assert_int_equal(outcome(&w, start, goal, 0.49f), LOPE_PATH_FOUND);
    assert_int_equal(outcome(&w, start, goal, 0.51f), LOPE_PATH_NONE);
    assert_int_equal(outcome(&w, start, goal, 4.0f), LOPE_PATH_START_TIGHT);
    assert_int_equal(outcome(&w, start, goal, 1e30f), LOPE_PATH_START_TIGHT);
    destroy_world(&w);
}

static void worlds_of_a_point_far_worlds_and_no_numbers(void **state)
{
    (void)state;
    lope_space *space;
    lope_error error;
    lope_vec2 point = {4, 4};
    assert_int_equal(lope_space_create(point, point, &space, &error), LOPE_BAD_DATA);
    assert_null(space);
    for (int far = 0; far < 2; far++) {
        odd_world w;
        float at = far ? 1e9f : -1e9f, size = 64000.0f; // floats are 64 m apart there
        lope_vec2 low = {at, at}, high = {at + size, at + size}, middle = {at + size / 2, at + size / 2};
        assert_ok(lope_space_create(low, high, &w.space, &error));
        assert_ok(lope_passages_create(w.space, &w.passages, &error));
        assert_ok(lope_path_finder_create(&w.finder, &error));
        lope_vec2 box[] = {
            {middle.x - 8000, middle.z - 8000}, {middle.x + 8000, middle.z - 8000}, {middle.x, middle.z}};
        add(&w, box, 3);
        lope_vec2 start = {at + 6400, at + 6400}, goal = {at + 57600, at + 57600};
        assert_int_equal(outcome(&w, start, goal, 1000.0f), LOPE_PATH_FOUND);
        assert_int_equal(outcome(&w, start, (lope_vec2){0, 0}, 1000.0f), LOPE_PATH_GOAL_OUTSIDE);
        destroy_world(&w);
    }
    odd_world w = make_world(10);
    lope_path path;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        lope_vec2 nowhere = {5, bad[i]};
        assert_int_equal(lope_path_find(w.finder, w.passages, nowhere, point, 0.2f, &path, &error), LOPE_BAD_DATA);
        assert_int_equal(lope_path_find(w.finder, w.passages, point, nowhere, 0.2f, &path, &error), LOPE_BAD_DATA);
        assert_int_equal(lope_path_find(w.finder, w.passages, point, point, bad[i], &path, &error), LOPE_BAD_DATA);
        assert_near(lope_passages_widest(w.passages, nowhere, point), 0.0, 0.0);
        assert_false(lope_space_disc_free(w.space, nowhere, 0.1f, NULL));
        assert_false(lope_space_sweep_free(w.space, point, nowhere, 0.1f, NULL));
    }
    destroy_world(&w);
}

// Every kind of question, over and over, in a world that was asked once before.
static void questions_take_no_memory_once_warm(void **state)
{
    (void)state;
    test_count_allocations(true);
    odd_world w = make_world(40);
    lope_random random = lope_random_seed(61);
    lope_error error;
    for (int i = 0; i < 120; i++) {
        lope_vec2 p, wall[2];
        p.x = lope_random_range(&random, 0.0f, 40.0f);
        p.z = lope_random_range(&random, 0.0f, 40.0f);
        wall[0] = p;
        wall[1] = (lope_vec2){p.x + lope_random_range(&random, -4.0f, 4.0f), p.z + 2.0f};
        add(&w, wall, 2);
    }
    assert_ok(lope_passages_measure(w.passages, &error));
    size_t allocated = 0;
    int hint = 0, found = 0;
    for (int i = 0; i < 4000; i++) {
        lope_vec2 p, q, nearest;
        p.x = lope_random_range(&random, -1.0f, 41.0f);
        p.z = lope_random_range(&random, -1.0f, 41.0f);
        q.x = lope_random_range(&random, -1.0f, 41.0f);
        q.z = lope_random_range(&random, -1.0f, 41.0f);
        float along[512], radius = lope_random_range(&random, 0.02f, 1.2f);
        lope_path path;
        lope_route route;
        int affected[1];
        lope_space_distance(w.space, p, radius, &hint, &nearest);
        lope_space_disc_free(w.space, p, radius, &hint);
        lope_space_sweep(w.space, p, q, radius, &hint);
        lope_space_nearest_free(w.space, p, &nearest, &error);
        lope_passages_widest(w.passages, p, q);
        if (lope_path_find(w.finder, w.passages, p, q, radius, &path, &error) == LOPE_OK && path.point_count < 512) {
            assert_ok(lope_route_init(&route, path.points, path.point_count, radius, along, &error));
            assert_true(lope_space_route_free(w.space, &route, 0.0f, INFINITY, 0.999f * radius - 0.0003f, &hint));
            lope_space_affected(w.space, 100, &route, 1, affected);
            assert_true(lope_route_holds(&route, p));
            found++;
        }
        if (i == 2000)
            allocated = test_total_allocations();
    }
    assert_int_equal(test_total_allocations(), allocated);
    assert_true(found > 500);
    destroy_world(&w);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_that_cross_themselves),
        cmocka_unit_test(obstacles_without_area),
        cmocka_unit_test(goals_behind_walls_and_gaps_too_narrow),
        cmocka_unit_test(worlds_of_a_point_far_worlds_and_no_numbers),
        cmocka_unit_test(questions_take_no_memory_once_warm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
