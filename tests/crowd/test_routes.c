// SPDX-License-Identifier: MIT
// Obstacles and ways round them, against plain geometry.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "crowd/grid.h"
#include "crowd/routes.h"
#include "support/support.h"

static lope_vec2 random_place(lope_random *random, float size)
{
    float x = lope_random_range(random, -size, size);
    return (lope_vec2){x, lope_random_range(random, -size, size)};
}

static void add_box(crowd_obstacles *obstacles, lope_vec2 low, lope_vec2 high, bool reversed)
{
    lope_error error;
    lope_vec2 corners[4] = {low, {high.x, low.z}, high, {low.x, high.z}};
    if (reversed) {
        corners[1] = (lope_vec2){low.x, high.z};
        corners[3] = (lope_vec2){high.x, low.z};
    }
    assert_ok(crowd_obstacles_add(obstacles, &(crowd_shape){.corners = corners, .count = 4}, NULL, &error));
}

static void distances_are_those_of_a_box(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(3);
    for (int turn = 0; turn < 2; turn++) {
        crowd_obstacles obstacles = {0};
        add_box(&obstacles, (lope_vec2){-1, -2}, (lope_vec2){3, 1}, turn == 1);
        for (int i = 0; i < 2000; i++) {
            lope_vec2 p = random_place(&random, 6);
            float dx = fmaxf(fmaxf(-1 - p.x, p.x - 3), 0), dz = fmaxf(fmaxf(-2 - p.z, p.z - 1), 0);
            float inside = fminf(fminf(p.x + 1, 3 - p.x), fminf(p.z + 2, 1 - p.z));
            float expected = inside > 0 ? -inside : sqrtf(dx * dx + dz * dz);
            assert_near(crowd_obstacle_distance(&obstacles, 0, p), expected, 1e-4);
        }
        crowd_obstacles_free(&obstacles);
    }
}

static void lines_clear_what_all_their_points_clear(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(4);
    lope_error error;
    crowd_obstacles obstacles = {0};
    add_box(&obstacles, (lope_vec2){-1, -2}, (lope_vec2){1, 1}, false);
    assert_ok(
        crowd_obstacles_add(&obstacles, &(crowd_shape){.centre = (lope_vec2){3, 2}, .radius = 0.8f}, NULL, &error));
    int clear = 0;
    for (int i = 0; i < 3000; i++) {
        lope_vec2 a = random_place(&random, 5), b = random_place(&random, 5);
        float nearest = INFINITY;
        for (int k = 0; k <= 400; k++) {
            lope_vec2 p = crowd_mad(a, crowd_sub(b, a), (float)k / 400.0f);
            nearest = fminf(nearest, crowd_obstacles_distance(&obstacles, p, 100.0f, NULL));
        }
        if (fabsf(nearest - 0.4f) < 0.02f)
            continue; // too near to the limit for sampling to tell
        assert_int_equal(crowd_obstacles_clear(&obstacles, a, b, 0.4f), nearest > 0.4f);
        clear += nearest > 0.4f;
    }
    assert_true(clear > 300 && clear < 2700);
    crowd_obstacles_free(&obstacles);
}

static float length_of(lope_vec2 from, const crowd_route *route)
{
    float length = 0.0f;
    for (int i = 0; i < route->count; i++) {
        length += crowd_distance(from, route->places[i]);
        from = route->places[i];
    }
    return length;
}

// Ways over a fine grid of places: longer than the true shortest way by up to 8 % because of their few directions.
#define SIDE 61
static float grid_way(const crowd_obstacles *obstacles, float keep, lope_vec2 from, lope_vec2 to)
{
    static float cost[SIDE * SIDE];
    static uint8_t open[SIDE * SIDE];
    const float step = 0.2f;
    for (int i = 0; i < SIDE * SIDE; i++) {
        lope_vec2 p = {(float)(i % SIDE - SIDE / 2) * step, (float)(i / SIDE - SIDE / 2) * step};
        open[i] = crowd_obstacles_distance(obstacles, p, 9.0f, NULL) >= keep;
        cost[i] = open[i] && crowd_distance(p, to) < 0.15f ? crowd_distance(p, to) : INFINITY;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < SIDE * SIDE; i++)
            for (int k = 0; k < 9 && open[i]; k++) {
                int x = i % SIDE + k % 3 - 1, z = i / SIDE + k / 3 - 1, j = z * SIDE + x;
                if (x < 0 || z < 0 || x >= SIDE || z >= SIDE || !open[j])
                    continue;
                float through = cost[j] + step * (k % 2 ? 1.0f : 1.41421356f);
                if (k != 4 && through < cost[i] - 1e-6f) {
                    cost[i] = through;
                    changed = true;
                }
            }
    }
    int x = (int)lrintf(from.x / step) + SIDE / 2, z = (int)lrintf(from.z / step) + SIDE / 2;
    return cost[z * SIDE + x];
}

#define RADIUS 0.2f
#define CLEARANCE 0.1f
#define KEEP (RADIUS + CLEARANCE)

static crowd_routes small_ground(void)
{
    return (crowd_routes){
        .clearance = CLEARANCE, .bounded = true, .low = {-6.1f, -6.1f}, .high = {6.1f, 6.1f}, .stale = true};
}

// Boxes and a circle, wherever they fall: they may overlap.
static void scatter(lope_random *random, crowd_obstacles *obstacles)
{
    lope_error error;
    for (int i = 0; i < 12; i++) {
        lope_vec2 low = random_place(random, 5), size = {lope_random_range(random, 0.3f, 3), 0};
        size.z = lope_random_range(random, 0.3f, 3);
        add_box(obstacles, low, (lope_vec2){low.x + size.x, low.z + size.z}, i % 2 == 0);
    }
    lope_vec2 centre = random_place(random, 5);
    assert_ok(crowd_obstacles_add(
        obstacles, &(crowd_shape){.centre = centre, .radius = lope_random_range(random, 0.3f, 2)}, NULL, &error));
}

static void check_clear(const crowd_obstacles *obstacles, lope_vec2 from, const crowd_route *route)
{
    for (int k = 0; k < route->count; k++) {
        assert_true(crowd_obstacles_clear(obstacles, from, route->places[k], KEEP - 0.03f));
        from = route->places[k];
    }
}

static void ways_are_short_and_clear(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(9);
    lope_error error;
    int bent = 0;
    for (int world = 0; world < 12; world++) {
        crowd_obstacles obstacles = {0};
        crowd_routes routes = small_ground();
        scatter(&random, &obstacles);
        assert_ok(crowd_routes_update(&routes, &obstacles, &error));
        for (int i = 0; i < 12; i++) {
            lope_vec2 from = random_place(&random, 5.5f), to = random_place(&random, 5.5f);
            crowd_route route;
            if (crowd_obstacles_distance(&obstacles, from, 9, NULL) < 0.5f ||
                crowd_obstacles_distance(&obstacles, to, 9, NULL) < 0.5f)
                continue;
            crowd_routes_find(&routes, &obstacles, from, to, RADIUS, &route);
            if (route.count == 0) {
                // The grid may squeeze through where its few places happen to be free, but not where it is tighter.
                assert_true(!isfinite(grid_way(&obstacles, 0.5f, from, to)));
                continue;
            }
            assert_true(route.whole);
            assert_near(crowd_distance(route.places[route.count - 1], to), 0.0f, 1e-6);
            check_clear(&obstacles, from, &route);
            assert_true(length_of(from, &route) < grid_way(&obstacles, KEEP, from, to) * 1.08f + 0.4f);
            bent += route.count > 1;
        }
        crowd_routes_free(&routes);
        crowd_obstacles_free(&obstacles);
    }
    assert_true(bent > 10);
}

// Ways on a ground that followed many changes are those on one that is built anew. Some triangles may be others, and so
// may the corridor be where two are about as good: paths are the shortest of their corridor only.
static void changed_ground_is_like_new_ground(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(10);
    lope_error error;
    crowd_obstacles obstacles = {0};
    crowd_routes followed = small_ground();
    const lope_space *first = NULL;
    lope_obstacle_id ids[16] = {{0}};
    int same = 0, asked = 0;
    for (int change = 0; change < 60; change++) {
        int slot = lope_random_below(&random, 16);
        lope_vec2 centre = random_place(&random, 5);
        float radius = lope_random_range(&random, 0.3f, 1.0f), turn = lope_random_range(&random, 0.0f, 1.5f);
        float cosine = radius * cosf(turn), sine = radius * sinf(turn);
        lope_vec2 corners[3] = {{centre.x + cosine, centre.z + sine},
                                {centre.x - sine, centre.z + 1.3f * cosine},
                                {centre.x - 0.8f * cosine, centre.z - 1.1f * sine}};
        if (!crowd_obstacles_remove(&obstacles, ids[slot])) // what was there, else something new
            assert_ok(crowd_obstacles_add(&obstacles, &(crowd_shape){corners, change % 3 ? 3 : 0, centre, radius},
                                          &ids[slot], &error));
        crowd_routes anew = small_ground();
        followed.stale = true;
        assert_ok(crowd_routes_update(&followed, &obstacles, &error));
        assert_ok(crowd_routes_update(&anew, &obstacles, &error));
        assert_false(followed.stale);
        assert_near(followed.rounding, anew.rounding, 0.0);
        if (first && obstacles.alive) // it was changed, not built
            assert_ptr_equal(followed.space, first);
        first = followed.space;
        for (int i = 0; i < 10; i++, asked++) {
            lope_vec2 from = random_place(&random, 5.5f), to = random_place(&random, 5.5f);
            crowd_route a, b;
            crowd_routes_find(&followed, &obstacles, from, to, RADIUS, &a);
            crowd_routes_find(&anew, &obstacles, from, to, RADIUS, &b);
            assert_int_equal(a.count > 0, b.count > 0);
            assert_near(length_of(from, &a), length_of(from, &b), 0.08f * length_of(from, &b));
            same += a.count == b.count && memcmp(a.places, b.places, (size_t)a.count * sizeof *a.places) == 0;
        }
        crowd_routes_free(&anew);
    }
    print_message("%d of %d ways are the same bit for bit\n", same, asked);
    assert_true(same > asked * 9 / 10);
    crowd_routes_free(&followed);
    crowd_obstacles_free(&obstacles);
}

// Half round a large circle: far more corners than a way has places.
static void long_ways_are_given_in_parts(void **state)
{
    (void)state;
    lope_error error;
    crowd_obstacles obstacles = {0};
    crowd_routes routes = {.clearance = CLEARANCE, .stale = true};
    assert_ok(
        crowd_obstacles_add(&obstacles, &(crowd_shape){.centre = (lope_vec2){0, 0}, .radius = 100.0f}, NULL, &error));
    assert_ok(crowd_routes_update(&routes, &obstacles, &error));
    lope_vec2 at = {-103, 1}, to = {103, 0};
    float length = 0.0f;
    int parts = 0;
    for (crowd_route route = {.whole = false}; !route.whole && parts < 20; parts++) {
        crowd_routes_find(&routes, &obstacles, at, to, RADIUS, &route);
        assert_true(route.count > 0);
        check_clear(&obstacles, at, &route);
        length += length_of(at, &route);
        at = route.places[route.count - 1];
    }
    assert_true(parts > 1 && parts < 20);
    assert_near(crowd_distance(at, to), 0.0f, 1e-6);
    assert_near(length, 100.3f * 3.14159f, 4.0f);
    crowd_routes_free(&routes);
    crowd_obstacles_free(&obstacles);
}

// From where it is too tight, from outside the ground that was looked at, into an obstacle.
static void odd_ends_are_coped_with(void **state)
{
    (void)state;
    lope_error error;
    crowd_obstacles obstacles = {0};
    crowd_routes routes = {.clearance = CLEARANCE, .stale = true};
    crowd_route route;
    add_box(&obstacles, (lope_vec2){-30, -2}, (lope_vec2){30, 2}, false);
    assert_ok(crowd_routes_update(&routes, &obstacles, &error));
    crowd_routes_find(&routes, &obstacles, (lope_vec2){1, 2.05f}, (lope_vec2){0, -5}, RADIUS, &route);
    assert_true(route.count > 2);
    check_clear(&obstacles, route.places[0], &route); // straight away from the wall first
    assert_true(route.places[0].z > 2.25f && crowd_distance(route.places[0], (lope_vec2){1, 2.05f}) < 0.5f);
    crowd_routes_find(&routes, &obstacles, (lope_vec2){0, 500}, (lope_vec2){0, -500}, RADIUS, &route);
    assert_true(route.count > 2);
    check_clear(&obstacles, (lope_vec2){0, 500}, &route);
    lope_vec2 deep = {0, 0};
    assert_true(crowd_routes_free_place(&routes, &obstacles, RADIUS, &deep));
    assert_near(fabsf(deep.z), 2.0f + KEEP, 0.15f);
    crowd_obstacles_free(&obstacles);
    crowd_routes_free(&routes);
    crowd_obstacles lake = {0}; // its shore is further than free places are looked for from the middle
    assert_ok(crowd_obstacles_add(&lake, &(crowd_shape){.centre = (lope_vec2){0, 0}, .radius = 50.0f}, NULL, &error));
    assert_ok(crowd_routes_update(&routes, &lake, &error));
    deep = (lope_vec2){3, 0};
    assert_true(crowd_routes_free_place(&routes, &lake, RADIUS, &deep));
    assert_near(crowd_length(deep), 50.0f + KEEP, 0.3f);
    crowd_obstacles_free(&lake);
    crowd_routes_free(&routes);
    crowd_obstacles pen = {0}; // walled in, and the gap in the wall is too narrow for some
    for (int i = 0; i < 4; i++) {
        float x = i < 2 ? (i == 0 ? -3.0f : 3.0f) : 0.0f, z = i < 2 ? 0.0f : (i == 2 ? -3.0f : 2.45f);
        add_box(&pen, (lope_vec2){x - (i < 2 ? 0.1f : 3.1f), z - (i < 2 ? 3.1f : 0.1f)},
                (lope_vec2){x + (i < 2 ? 0.1f : 2.4f), z + (i < 2 ? 3.1f : 0.1f)}, false);
    }
    assert_ok(crowd_routes_update(&routes, &pen, &error));
    crowd_routes_find(&routes, &pen, (lope_vec2){0, 0}, (lope_vec2){9, 0}, 0.3f, &route);
    assert_int_equal(route.count, 0);
    crowd_routes_find(&routes, &pen, (lope_vec2){0, 0}, (lope_vec2){9, 0}, 0.1f, &route);
    assert_true(route.count > 1);
    crowd_obstacles_free(&pen);
    crowd_routes_free(&routes);
}

static void the_grid_finds_everybody_once(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    lope_random random = lope_random_seed(8);
    static lope_vec2 places[COUNT];
    static float heights[COUNT];
    static uint8_t alive[COUNT], found[COUNT];
    crowd_grid grid = {0};
    assert_true(crowd_grid_reserve(&grid, COUNT));
    for (int i = 0; i < COUNT; i++) {
        places[i] = random_place(&random, i % 3 ? 20.0f : 5e5f);
        alive[i] = i % 7 != 0;
    }
    crowd_grid_build(&grid, &(crowd_grid_bodies){places, heights, alive, COUNT});
    for (int i = 0; i < COUNT; i++) {
        int32_t x = crowd_grid_cell(places[i].x), z = crowd_grid_cell(places[i].z);
        uint32_t bucket = crowd_grid_bucket(&grid, x, z);
        int last = -1;
        for (uint32_t e = grid.first[bucket]; e < grid.first[bucket + 1]; e++) {
            const crowd_grid_entry *entry = &grid.entries[e];
            assert_true(alive[entry->slot] && entry->slot > last); // in order, nobody twice
            last = entry->slot;
            found[i] |= (uint8_t)(entry->slot == i && entry->cell_x == x && entry->cell_z == z);
        }
        assert_int_equal(found[i], alive[i]);
    }
    crowd_grid_free(&grid);
}

static void removing_keeps_the_others(void **state)
{
    (void)state;
    lope_error error;
    crowd_obstacles obstacles = {0};
    lope_obstacle_id ids[3];
    for (int i = 0; i < 3; i++) {
        float x = 4.0f * (float)i;
        lope_vec2 corners[3] = {{x, 0}, {x + 1, 0}, {x, 1 + (float)i}};
        assert_ok(crowd_obstacles_add(&obstacles, &(crowd_shape){.corners = corners, .count = 3}, &ids[i], &error));
    }
    assert_true(crowd_obstacles_remove(&obstacles, ids[0]));
    assert_near(crowd_obstacle_distance(&obstacles, 2, (lope_vec2){7, 1}), 1.0f, 1e-5);
    assert_near(crowd_obstacles_distance(&obstacles, (lope_vec2){0.2f, 0.2f}, 2.0f, NULL), 2.0f, 1e-5);
    lope_obstacle_id again;
    assert_ok(
        crowd_obstacles_add(&obstacles, &(crowd_shape){.centre = (lope_vec2){0, 0}, .radius = 1.0f}, &again, &error));
    assert_int_equal(again.index1, ids[0].index1);
    assert_true(again.generation != ids[0].generation);
    assert_false(crowd_obstacles_remove(&obstacles, ids[0]));
    crowd_obstacles_free(&obstacles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_a_box), cmocka_unit_test(lines_clear_what_all_their_points_clear),
        cmocka_unit_test(ways_are_short_and_clear),     cmocka_unit_test(long_ways_are_given_in_parts),
        cmocka_unit_test(odd_ends_are_coped_with),      cmocka_unit_test(the_grid_finds_everybody_once),
        cmocka_unit_test(removing_keeps_the_others),    cmocka_unit_test(changed_ground_is_like_new_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
