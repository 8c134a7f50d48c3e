// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/space_check.h"
#include "support/support.h"

#define SIDE 12.0f

typedef enum shape { BOXES, LATTICE, SCRIBBLES, NEAR_LINES, TILES, SHAPE_COUNT } shape;

typedef struct polygon {
    lope_vec2 corners[8];
    int count;
} polygon;

static polygon random_box(lope_random *random, float side)
{
    polygon box = {.count = 4};
    float x = lope_random_range(random, 0.0f, side), z = lope_random_range(random, 0.0f, side);
    double turn = (double)lope_random_range(random, 0.0f, 6.28f);
    float half = lope_random_range(random, 0.2f, 0.7f);
    for (int i = 0; i < 4; i++) {
        double angle = turn + 0.5 * LOPE_PI * i;
        box.corners[i] = (lope_vec2){x + half * (float)lope_cos(angle), z + half * (float)lope_sin(angle)};
    }
    return box;
}

// Rotated boxes; whole coordinates (crossings fall together); self-crossing scribbles that leave the world; slivers a
// micron apart; tiles that share edges.
static polygon random_polygon(lope_random *random, shape kind)
{
    if (kind == BOXES)
        return random_box(random, SIDE);
    polygon p = {.count = 1 + lope_random_below(random, 7)};
    float x = lope_random_range(random, 0.0f, SIDE), z = lope_random_range(random, 0.0f, SIDE);
    for (int i = 0; i < p.count; i++) {
        float t = (float)lope_random_below(random, 20), u = (float)lope_random_below(random, 12);
        float step_x = lope_random_range(random, -3.0f, 3.0f), step_z = lope_random_range(random, -3.0f, 3.0f);
        p.corners[i] = kind == LATTICE     ? (lope_vec2){(float)((int)t % 12), u}
                       : kind == SCRIBBLES ? (lope_vec2){x + step_x, z + step_z}
                                           : (lope_vec2){0.1f * t, 0.3f * t + 1e-6f * (float)((int)u % 4)};
    }
    if (kind == TILES) {
        float left = floorf(x), low = floorf(z);
        p = (polygon){{{left, low}, {left + 1, low}, {left + 1, low + 1}, {left, low + 1}}, 4};
    }
    return p;
}

static lope_space *empty_world(void)
{
    lope_space *space;
    lope_error error;
    assert_ok(lope_space_create((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, &space, &error));
    return space;
}

static void assert_valid(const lope_space *space)
{
    const char *wrong = test_check_space(space);
    if (wrong)
        fail_msg("%s", wrong);
}

// Adds, moves and removes obstacles at random; names[slots] are the obstacles, 0 where there is none.
static int change_at_random(lope_space *space, lope_random *random, shape kind, int *names, int slots)
{
    lope_error error;
    polygon p = random_polygon(random, kind);
    int slot = lope_random_below(random, slots);
    lope_status status = LOPE_OK;
    if (!names[slot]) {
        status = lope_space_add(space, p.corners, p.count, &names[slot], &error);
    } else if (lope_random_below(random, 2)) {
        status = lope_space_move(space, names[slot], p.corners, p.count, &error);
    } else {
        lope_space_remove(space, names[slot]);
        names[slot] = 0;
    }
    assert_true(status == LOPE_OK || status == LOPE_BAD_DATA);
    return status != LOPE_OK;
}

// 200,000 changes; LOPE_TIMES in the environment asks for several times as many.
static void any_changes_leave_a_valid_triangulation(void **state)
{
    (void)state;
    int times = getenv("LOPE_TIMES") ? atoi(getenv("LOPE_TIMES")) : 1;
    for (shape kind = BOXES; kind < SHAPE_COUNT; kind++) {
        lope_space *space = empty_world();
        lope_random random = lope_random_seed(10 + (uint64_t)kind);
        const int operations_of[SHAPE_COUNT] = {75000, 20000, 20000, 10000, 75000};
        int names[20] = {0}, refused = 0, operations = times * operations_of[kind];
        for (int i = 0; i < operations; i++) {
            refused += change_at_random(space, &random, kind, names, 20);
            if (i < 500 || i % 500 == 0)
                assert_valid(space);
        }
        assert_valid(space);
        // Slivers of a micron that cross each other by the dozen may be refused, rarely.
        assert_true(kind == NEAR_LINES ? refused <= operations / 200 : refused == 0);
        for (int i = 0; i < 20; i++)
            if (names[i])
                lope_space_remove(space, names[i]);
        // Nothing stays behind: the corners outside and those of the border.
        assert_int_equal(space->mesh.alive_vertices, 8);
        assert_int_equal(lope_space_obstacle_count(space), 0);
        assert_valid(space);
        lope_space_destroy(space);
    }
}

static void thousands_of_moves_among_many(void **state)
{
    (void)state;
    lope_space *space = empty_world();
    lope_random random = lope_random_seed(5);
    lope_error error;
    int names[200];
    for (int i = 0; i < 200; i++) {
        polygon box = random_box(&random, SIDE);
        assert_ok(lope_space_add(space, box.corners, box.count, &names[i], &error));
    }
    for (int i = 0; i < 8000; i++) {
        polygon box = random_box(&random, SIDE);
        assert_ok(lope_space_move(space, names[lope_random_below(&random, 200)], box.corners, box.count, &error));
    }
    assert_valid(space);
    assert_int_equal(test_needless_vertices(space), 0);
    assert_int_equal(lope_space_obstacle_count(space), 200);
    lope_space_destroy(space);
}

// How often a polygon winds around a point, and how near the point is to its outline.
static int winding(const polygon *p, double x, double z, double *nearest)
{
    int turns = 0;
    for (int i = 0; i < p->count; i++) {
        lope_vec2 a = p->corners[i], b = p->corners[(i + 1) % p->count];
        double ax = (double)a.x - x, az = (double)a.z - z, bx = (double)b.x - x, bz = (double)b.z - z;
        double cross = ax * bz - az * bx, length = (bx - ax) * (bx - ax) + (bz - az) * (bz - az);
        if (az <= 0.0 && bz > 0.0 && cross > 0.0)
            turns++;
        if (az > 0.0 && bz <= 0.0 && cross < 0.0)
            turns--;
        double t = length > 0.0 ? fmin(1.0, fmax(0.0, -(ax * (bx - ax) + az * (bz - az)) / length)) : 0.0;
        *nearest = fmin(*nearest, hypot(ax + t * (bx - ax), az + t * (bz - az)));
    }
    return turns;
}

static bool truly_blocked(const polygon *polygons, int count, lope_vec2 point, double *nearest)
{
    bool blocked = false;
    for (int i = 0; i < count; i++)
        blocked |= winding(&polygons[i], (double)point.x, (double)point.z, nearest) != 0;
    return blocked;
}

static void blocked_is_what_outlines_wind_around(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(3);
    lope_error error;
    int blocked = 0, asked = 0;
    for (int world = 0; world < 60; world++) {
        lope_space *space = empty_world();
        polygon polygons[12];
        int names[12];
        for (int i = 0; i < 12; i++) {
            polygons[i] = random_polygon(&random, (shape)(world % SHAPE_COUNT));
            assert_ok(lope_space_add(space, polygons[i].corners, polygons[i].count, &names[i], &error));
        }
        for (int i = 0; i < 12; i += 2) {
            polygons[i] = random_polygon(&random, (shape)(i % SHAPE_COUNT));
            assert_ok(lope_space_move(space, names[i], polygons[i].corners, polygons[i].count, &error));
        }
        for (int i = 9; i < 12; i++)
            lope_space_remove(space, names[i]);
        for (int i = 0; i < 300; i++) {
            lope_vec2 point;
            point.x = lope_random_range(&random, 0.01f, SIDE - 0.01f);
            point.z = lope_random_range(&random, 0.01f, SIDE - 0.01f);
            double nearest = 1.0;
            bool expected = truly_blocked(polygons, 9, point, &nearest);
            if (nearest < 1e-6)
                continue;
            assert_int_equal(lope_space_blocked(space, point), expected);
            blocked += expected;
            asked++;
        }
        lope_space_destroy(space);
    }
    assert_true(blocked > asked / 20 && blocked < asked);
}

static void nearest_free_is_free_and_nearest(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(4);
    lope_error error;
    lope_space *space = empty_world();
    polygon polygons[60];
    int name;
    for (int i = 0; i < 60; i++) {
        polygons[i] = random_polygon(&random, i % 2 ? BOXES : SCRIBBLES);
        assert_ok(lope_space_add(space, polygons[i].corners, polygons[i].count, &name, &error));
    }
    for (int i = 0; i < 200; i++) {
        lope_vec2 point, found;
        point.x = lope_random_range(&random, 0.0f, SIDE);
        point.z = lope_random_range(&random, 0.0f, SIDE);
        assert_ok(lope_space_nearest_free(space, point, &found, &error));
        double distance = hypot((double)(found.x - point.x), (double)(found.z - point.z)), nearest = 1.0;
        if (!lope_space_blocked(space, point)) {
            assert_near(distance, 0.0, 0.0);
            continue;
        }
        bool inside = truly_blocked(polygons, 60, found, &nearest);
        assert_true(!inside || nearest < 1e-5);
        // Nothing nearer is free.
        for (int j = 0; j < 40; j++) {
            double angle = 2.0 * LOPE_PI * j / 40.0, reach = distance * (0.2 + 0.0195 * j) - 1e-5;
            lope_vec2 other = {point.x + (float)(reach * lope_cos(angle)), point.z + (float)(reach * lope_sin(angle))};
            if (reach > 0.0)
                assert_true(lope_space_blocked(space, other));
        }
    }
    assert_ok(lope_space_nearest_free(space, (lope_vec2){1e9f, 1e9f}, &(lope_vec2){0, 0}, &error));
    lope_space_destroy(space);
}

static void clearance_is_the_distance_to_the_nearest(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(14);
    lope_error error;
    int asked = 0;
    for (int world = 0; world < 40; world++) {
        lope_space *space = empty_world();
        polygon polygons[40];
        int name, count = 1 + world;
        for (int i = 0; i < count; i++) {
            polygons[i] = random_polygon(&random, (shape)((i + world) % SHAPE_COUNT));
            assert_ok(lope_space_add(space, polygons[i].corners, polygons[i].count, &name, &error));
        }
        for (int i = 0; i < 200; i++) {
            // Half of them on whole and half coordinates, which fall onto edges and vertices.
            lope_vec2 p;
            p.x = i & 1 ? 0.5f * (float)lope_random_below(&random, 25) : lope_random_range(&random, 0.0f, SIDE);
            p.z = i & 1 ? 0.5f * (float)lope_random_below(&random, 25) : lope_random_range(&random, 0.0f, SIDE);
            double nearest = fmin(fmin((double)p.x, (double)p.z), fmin((double)(SIDE - p.x), (double)(SIDE - p.z)));
            bool blocked = truly_blocked(polygons, count, p, &nearest);
            if (blocked || nearest < 1e-5) {
                assert_true((double)lope_space_clearance(space, p) <= nearest + 1e-6);
                continue;
            }
            assert_near(lope_space_clearance(space, p), nearest, 2e-6);
            lope_point point = {(double)p.x, (double)p.z};
            assert_near(lope_space_clearance(space, p), lope_space_scan_clearance(space, point), 1e-6);
            asked++;
        }
        lope_space_destroy(space);
    }
    assert_true(asked > 2000);
}

static void walls_and_posts_have_no_inside(void **state)
{
    (void)state;
    lope_space *space = empty_world();
    lope_error error;
    int wall, post, again;
    const lope_vec2 line[] = {{2, 2}, {6, 6}, {4, 4}}, point[] = {{5, 3}, {5, 3}, {5, 3}};
    assert_ok(lope_space_add(space, line, 3, &wall, &error));
    assert_ok(lope_space_add(space, point, 3, &post, &error));
    assert_ok(lope_space_add(space, point, 1, &again, &error));
    assert_valid(space);
    assert_int_equal(space->mesh.alive_vertices, 8 + 4);
    assert_false(lope_space_blocked(space, (lope_vec2){3, 3}));
    assert_false(lope_space_blocked(space, (lope_vec2){5, 3}));
    lope_space_remove(space, post);
    assert_int_equal(space->mesh.alive_vertices, 8 + 4); // the other post still stands there
    lope_space_remove(space, again);
    lope_space_remove(space, wall);
    assert_int_equal(space->mesh.alive_vertices, 8);
    lope_space_destroy(space);
}

static void only_what_is_in_the_world_counts(void **state)
{
    (void)state;
    lope_space *space = empty_world();
    lope_error error;
    int everything, outside, half;
    const lope_vec2 far[] = {{100, 100}, {110, 100}, {110, 110}};
    const lope_vec2 huge[] = {{-1e9f, -1e9f}, {3e38f, -1e9f}, {3e38f, 3e38f}, {-1e9f, 3e38f}};
    const lope_vec2 left[] = {{-5, -5}, {6, -5}, {6, 20}, {-5, 20}};
    assert_ok(lope_space_add(space, far, 3, &outside, &error));
    assert_false(lope_space_blocked(space, (lope_vec2){6, 6}));
    assert_true(lope_space_blocked(space, (lope_vec2){105, 101}));
    assert_ok(lope_space_add(space, huge, 4, &everything, &error));
    assert_valid(space);
    assert_true(lope_space_blocked(space, (lope_vec2){6, 6}));
    lope_vec2 found;
    assert_int_equal(lope_space_nearest_free(space, (lope_vec2){6, 6}, &found, &error), LOPE_NOT_FOUND);
    assert_string_equal(error.message, "obstacles cover the whole world");
    lope_space_remove(space, everything);
    assert_ok(lope_space_add(space, left, 4, &half, &error));
    assert_true(lope_space_blocked(space, (lope_vec2){3, 11}));
    assert_false(lope_space_blocked(space, (lope_vec2){7, 11}));
    assert_ok(lope_space_nearest_free(space, (lope_vec2){5, 5}, &found, &error));
    assert_near(found.x, 6.0, 1e-6);
    assert_near(found.z, 5.0, 1e-6);
    lope_space_destroy(space);
}

static void bad_input_is_told(void **state)
{
    (void)state;
    lope_space *space;
    lope_error error;
    lope_vec2 point = {1, 1};
    assert_int_equal(lope_space_create(point, point, &space, &error), LOPE_BAD_DATA);
    assert_null(space);
    assert_string_equal(error.message, "a world of 0 x 0 m is too small, each side needs 0.001 m");
    assert_int_equal(lope_space_create((lope_vec2){5, 5}, (lope_vec2){0, 9}, &space, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_space_create((lope_vec2){NAN, 0}, (lope_vec2){1, 1}, &space, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_space_create((lope_vec2){0, 0}, (lope_vec2){INFINITY, 1}, &space, &error), LOPE_BAD_DATA);
    space = empty_world();
    lope_vec2 corners[3] = {{1, 1}, {2, NAN}, {3, 3}};
    int name;
    assert_int_equal(lope_space_add(space, corners, 3, &name, &error), LOPE_BAD_DATA);
    assert_string_equal(error.message, "corner 1 of an obstacle is not finite");
    assert_int_equal(name, 0);
    assert_int_equal(lope_space_add(space, corners, 0, &name, &error), LOPE_BAD_DATA);
    assert_ok(lope_space_add(space, corners, 1, &name, &error));
    assert_int_equal(lope_space_move(space, name, corners, 3, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_space_move(space, 77, corners, 1, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_space_move(space, 0, corners, 1, &error), LOPE_NOT_FOUND);
    assert_true(lope_space_blocked(space, (lope_vec2){NAN, 1}));
    assert_int_equal(lope_space_nearest_free(space, (lope_vec2){NAN, 1}, &point, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_space_obstacle_count(space), 1);
    assert_valid(space);
    lope_space_destroy(space);
}

static void large_and_far_worlds_work(void **state)
{
    (void)state;
    static const lope_vec2 worlds[3][2] = {
        {{-1e9f, -1e9f}, {1e9f, 1e9f}}, {{1e9f, 1e9f}, {1e9f + 6400, 1e9f + 6400}}, {{0, 0}, {0.001f, 0.001f}}};
    for (int w = 0; w < 3; w++) {
        lope_space *space;
        lope_error error;
        lope_vec2 low = worlds[w][0], high = worlds[w][1];
        if (w == 2)
            high.x = high.z = 0.0011f;
        assert_ok(lope_space_create(low, high, &space, &error));
        lope_random random = lope_random_seed(8);
        for (int i = 0; i < 60; i++) {
            lope_vec2 corners[5];
            int name;
            for (int j = 0; j < 5; j++) {
                corners[j].x = lope_random_range(&random, low.x, high.x);
                corners[j].z = lope_random_range(&random, low.z, high.z);
            }
            lope_status status = lope_space_add(space, corners, 5, &name, &error);
            assert_true(status == LOPE_OK || status == LOPE_BAD_DATA);
            if (status == LOPE_OK && i % 3 == 0)
                lope_space_remove(space, name);
            assert_valid(space);
        }
        lope_space_destroy(space);
    }
}

static void triangles_tile_the_world(void **state)
{
    (void)state;
    lope_space *space = empty_world();
    lope_random random = lope_random_seed(6);
    lope_error error;
    int name;
    for (int i = 0; i < 30; i++) {
        polygon p = random_box(&random, SIDE);
        assert_ok(lope_space_add(space, p.corners, p.count, &name, &error));
    }
    static lope_space_triangle triangles[2000];
    int count = lope_space_triangles(space, triangles, 2000), blocked = 0;
    assert_in_range(count, 100, 2000);
    assert_int_equal(lope_space_triangles(space, NULL, 0), count);
    double area = 0.0;
    for (int i = 0; i < count; i++) {
        const lope_vec2 *c = triangles[i].corners;
        area += 0.5 * ((double)(c[1].x - c[0].x) * (double)(c[2].z - c[0].z) -
                       (double)(c[1].z - c[0].z) * (double)(c[2].x - c[0].x));
        blocked += triangles[i].blocked;
    }
    assert_near(area, SIDE * SIDE, 1e-3);
    assert_true(blocked > 50);
    lope_space_destroy(space);
}

static lope_status live_a_little(void *user, lope_error *error)
{
    (void)user;
    lope_space *space;
    lope_random random = lope_random_seed(9);
    lope_status status = lope_space_create((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, &space, error);
    int names[24] = {0};
    for (int i = 0; i < 24 && status == LOPE_OK; i++) {
        polygon p = random_polygon(&random, SCRIBBLES);
        status = lope_space_add(space, p.corners, p.count, &names[i], error);
        if (i > 3 && status == LOPE_OK)
            status = lope_space_move(space, names[i / 2], p.corners, p.count / 2 + 1, error);
    }
    if (space)
        assert_valid(space);
    lope_space_destroy(space);
    return status;
}

static void running_out_of_memory_leaves_it_sound(void **state)
{
    (void)state;
    test_allocation_failures(live_a_little, NULL);
}

static void moving_allocates_nothing_once_warm(void **state)
{
    (void)state;
    test_count_allocations(true);
    lope_space *space = empty_world();
    int names[10] = {0};
    size_t allocated = 0;
    for (int round = 0; round < 2; round++) {
        lope_random random = lope_random_seed(21);
        memset(names, 0, sizeof names);
        for (int i = 0; i < 500; i++)
            change_at_random(space, &random, SCRIBBLES, names, 10);
        for (int i = 0; i < 10; i++)
            if (names[i])
                lope_space_remove(space, names[i]);
        if (round == 0)
            allocated = test_total_allocations();
    }
    assert_int_equal(test_total_allocations(), allocated);
    lope_space_destroy(space);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_changes_leave_a_valid_triangulation),
        cmocka_unit_test(thousands_of_moves_among_many),
        cmocka_unit_test(blocked_is_what_outlines_wind_around),
        cmocka_unit_test(nearest_free_is_free_and_nearest),
        cmocka_unit_test(clearance_is_the_distance_to_the_nearest),
        cmocka_unit_test(walls_and_posts_have_no_inside),
        cmocka_unit_test(only_what_is_in_the_world_counts),
        cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(large_and_far_worlds_work),
        cmocka_unit_test(triangles_tile_the_world),
        cmocka_unit_test(running_out_of_memory_leaves_it_sound),
        cmocka_unit_test(moving_allocates_nothing_once_warm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
