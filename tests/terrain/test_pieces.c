// SPDX-License-Identifier: MIT
// Thousands of small pieces that come, move and go: the tree over them against looking at every one.
#include <math.h>
#include <string.h>

#include "support/terrain_check.h"
#include "terrain/terrain.h"

#define PIECES 3000
#define SIDE 60.0f

typedef struct yard {
    lope_terrain *terrain;
    lope_random random;
    int pieces[PIECES]; // -1: none
    lope_vec3 corners[PIECES][3];
} yard;

static lope_vec3 somewhere(lope_random *random)
{
    lope_vec3 p;
    p.x = lope_random_range(random, 0.0f, SIDE);
    p.y = lope_random_range(random, 0.0f, 3.0f);
    p.z = lope_random_range(random, 0.0f, SIDE);
    return p;
}

static void draw_corners(yard *y, int which)
{
    lope_vec3 at = somewhere(&y->random);
    for (int k = 0; k < 3; k++)
        y->corners[which][k] = lope_v3_add(at, lope_v3_scale(somewhere(&y->random), 0.02f));
}

static void change(yard *y, int which)
{
    lope_error error;
    int indices[3] = {0, 1, 2};
    bool is_there = y->pieces[which] >= 0;
    if (is_there && lope_random_below(&y->random, 2)) {
        lope_terrain_remove(y->terrain, y->pieces[which]);
        y->pieces[which] = -1;
        return;
    }
    draw_corners(y, which);
    if (is_there) {
        assert_ok(lope_terrain_move_vertices(y->terrain, y->pieces[which], 0, 3, y->corners[which], &error));
    } else {
        lope_terrain_mesh mesh = {3, 1, y->corners[which], indices};
        assert_ok(lope_terrain_add_mesh(y->terrain, &mesh, &y->pieces[which], &error));
    }
}

static void compare(yard *y)
{
    lope_vec3 low = somewhere(&y->random), high = lope_v3_add(low, lope_v3(4.0f, 2.0f, 4.0f));
    int expected = 0, all = 0;
    double nearest = (double)INFINITY;
    for (int i = 0; i < PIECES; i++) {
        if (y->pieces[i] < 0)
            continue;
        lope_terrain_triangle t = {{y->corners[i][0], y->corners[i][1], y->corners[i][2]}, 0, 0};
        terrain_box box = {t.corners[0], t.corners[0]}, asked = {low, high};
        terrain_box_add(&box, t.corners[1]);
        terrain_box_add(&box, t.corners[2]);
        expected += terrain_box_meets(&box, &asked);
        nearest = fmin(nearest, test_nearest(&t, 1, low));
        all++;
    }
    lope_terrain_hit hit;
    assert_int_equal(lope_terrain_piece_count(y->terrain), all);
    assert_int_equal(lope_terrain_triangles(y->terrain, low, high, NULL, 0), expected);
    assert_int_equal(lope_terrain_nearest(y->terrain, NULL, low, INFINITY, &hit), all > 0);
    assert_true(all == 0 || fabs((double)hit.distance - nearest) < 1e-4);
}

static void test_many_pieces_come_move_and_go(void **state)
{
    (void)state;
    static yard y;
    lope_error error;
    y.random = lope_random_seed(31);
    assert_ok(lope_terrain_create(&y.terrain, &error));
    memset(y.pieces, -1, sizeof y.pieces);
    for (int i = 0; i < PIECES; i++)
        change(&y, i);
    for (int i = 0; i < 20000; i++) {
        change(&y, lope_random_below(&y.random, PIECES));
        if (i % 100 == 0)
            compare(&y);
    }
    assert_in_range(y.terrain->depth, 3, 8);
    for (int i = 0; i < PIECES; i++)
        if (y.pieces[i] >= 0)
            lope_terrain_remove(y.terrain, y.pieces[i]);
    lope_vec3 low, high;
    assert_int_equal(y.terrain->depth, 0);
    assert_false(lope_terrain_bounds(y.terrain, &low, &high));
    lope_terrain_destroy(y.terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_pieces_come_move_and_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
