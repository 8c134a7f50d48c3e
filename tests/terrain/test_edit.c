// SPDX-License-Identifier: MIT
// Changing ground: after every change the tree answers like one built anew; patches and scans notice.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/terrain_check.h"

static lope_terrain *empty_terrain(void)
{
    lope_error error;
    lope_terrain *terrain;
    assert_ok(lope_terrain_create(&terrain, &error));
    return terrain;
}

static int add_bumps(lope_terrain *terrain, uint64_t seed, lope_vec3 place)
{
    lope_error error;
    int piece;
    lope_terrain_mesh *mesh;
    lope_terrain_shape shape = lope_terrain_shape_default(LOPE_SHAPE_BUMPS);
    shape.seed = seed;
    shape.place = place;
    shape.columns = 40;
    shape.rows = 25;
    shape.width = 12.0f;
    shape.length = 7.0f;
    assert_ok(lope_terrain_shape_mesh(&shape, &mesh, &error));
    assert_ok(lope_terrain_add_mesh(terrain, mesh, &piece, &error));
    lope_terrain_mesh_destroy(mesh);
    return piece;
}

static int add_field(lope_terrain *terrain, lope_random *random, int columns, int rows)
{
    lope_error error;
    int piece;
    float heights[64 * 64];
    test_hills(random, columns, rows, heights);
    lope_terrain_field field = {{-5.0f, -4.0f}, 0.25f, columns, rows, heights};
    assert_ok(lope_terrain_add_field(terrain, &field, &piece, &error));
    return piece;
}

// Every question agrees with all triangles that the terrain has now.
static void check_all(const lope_terrain *terrain, lope_random *random, int questions)
{
    int count;
    lope_terrain_triangle *all = test_all_triangles(terrain, &count);
    assert_int_equal(count, lope_terrain_triangle_count(terrain));
    for (int i = 0; i < questions; i++) {
        lope_vec3 p;
        p.x = lope_random_range(random, -7.0f, 7.0f);
        p.y = lope_random_range(random, -2.0f, 3.0f);
        p.z = lope_random_range(random, -5.0f, 8.0f);
        lope_terrain_hit hit;
        double truth = test_nearest(all, count, p);
        assert_int_equal(lope_terrain_nearest(terrain, NULL, p, INFINITY, &hit), count > 0);
        if (count > 0)
            assert_near(hit.distance, truth, 2e-5);
        bool sure;
        truth = test_below(all, count, p, &sure);
        bool found = lope_terrain_below(terrain, NULL, p, 500.0f, &hit);
        if (!sure)
            continue;
        assert_int_equal(found, isfinite(truth));
        if (found)
            assert_near(hit.point.y, truth, 1e-3);
    }
    free(all);
}

static void a_brush_lifts_smoothly(void **state)
{
    (void)state;
    lope_error error;
    lope_random random = lope_random_seed(1);
    lope_terrain *terrain = empty_terrain();
    add_bumps(terrain, 3, lope_v3(0, 0, -3.5f));
    add_field(terrain, &random, 41, 37);
    for (int i = 0; i < 60; i++) {
        lope_terrain_brush brush = {{0, 0}, 0, 0, i % 3 - 1};
        brush.centre.x = lope_random_range(&random, -7.0f, 7.0f);
        brush.centre.z = lope_random_range(&random, -5.0f, 5.0f);
        brush.radius = lope_random_range(&random, 0.1f, 2.5f);
        brush.height = lope_random_range(&random, -1.0f, 1.0f);
        lope_terrain_hit before[2], after[2];
        lope_vec3 far_away = lope_v3(brush.centre.x, 50.0f, brush.centre.z + brush.radius + 0.6f);
        bool was = lope_terrain_below(terrain, NULL, far_away, INFINITY, &before[1]);
        assert_ok(lope_terrain_raise(terrain, &brush, &error));
        bool is = lope_terrain_below(terrain, NULL, far_away, INFINITY, &after[1]);
        assert_int_equal(was, is);
        assert_true(!was || before[1].point.y == after[1].point.y);
        if (i % 10 == 9)
            check_all(terrain, &random, 60);
    }
    lope_terrain_destroy(terrain);
}

static void a_brush_lifts_its_middle_by_its_height(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain *terrain = empty_terrain();
    float heights[33 * 33] = {0};
    int piece;
    lope_terrain_field field = {{0, 0}, 0.25f, 33, 33, heights};
    assert_ok(lope_terrain_add_field(terrain, &field, &piece, &error));
    uint64_t version = lope_terrain_version(terrain);
    lope_terrain_brush brush = {{4.0f, 4.0f}, 1.5f, 0.7f, -1};
    assert_ok(lope_terrain_raise(terrain, &brush, &error));
    assert_true(lope_terrain_version(terrain) > version);
    float y;
    assert_true(lope_terrain_height(terrain, (lope_vec2){4.0f, 4.0f}, &y));
    assert_near(y, 0.7, 1e-6);
    assert_true(lope_terrain_height(terrain, (lope_vec2){4.75f, 4.0f}, &y));
    assert_near(y, 0.7 * 0.75 * 0.75, 1e-5);
    assert_true(lope_terrain_height(terrain, (lope_vec2){5.5f, 4.0f}, &y));
    assert_near(y, 0.0, 0);
    // Changes are known by place.
    assert_true(lope_terrain_changed(terrain, version, lope_v3(4, -1, 4), lope_v3(5, 1, 5)));
    assert_false(lope_terrain_changed(terrain, version, lope_v3(0, -1, 0), lope_v3(1, 1, 8)));
    assert_false(lope_terrain_changed(terrain, lope_terrain_version(terrain), lope_v3(4, -1, 4), lope_v3(5, 1, 5)));
    for (int i = 0; i < 20; i++)
        assert_ok(lope_terrain_raise(terrain, &brush, &error));
    assert_true(lope_terrain_changed(terrain, version, lope_v3(0, -1, 0), lope_v3(1, 1, 1))); // too long ago to know
    lope_terrain_destroy(terrain);
}

static void vertices_move(void **state)
{
    (void)state;
    lope_error error;
    lope_random random = lope_random_seed(5);
    lope_terrain *terrain = empty_terrain();
    int piece = add_bumps(terrain, 9, lope_v3(0, 0, -3.5f));
    for (int i = 0; i < 40; i++) {
        lope_vec3 positions[41];
        int count = 1 + lope_random_below(&random, 41), first = lope_random_below(&random, 41 * 26 - count);
        for (int k = 0; k < count; k++) {
            positions[k].x = lope_random_range(&random, -6.0f, 6.0f);
            positions[k].y = lope_random_range(&random, -1.0f, 2.0f);
            positions[k].z = lope_random_range(&random, -3.0f, 4.0f);
        }
        assert_ok(lope_terrain_move_vertices(terrain, piece, first, count, positions, &error));
        if (i % 8 == 7)
            check_all(terrain, &random, 50);
    }
    lope_vec3 bad = lope_v3(0, NAN, 0);
    uint64_t version = lope_terrain_version(terrain);
    assert_int_equal(lope_terrain_move_vertices(terrain, piece, 7, 1, &bad, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "vertex 7"));
    assert_int_equal(lope_terrain_version(terrain), version);
    float height = 0;
    assert_int_equal(lope_terrain_set_heights(terrain, piece, (lope_terrain_cells){0, 0, 1, 1}, &height, &error),
                     LOPE_MISMATCH);
    lope_terrain_destroy(terrain);
}

static void heights_change_and_holes_come_and_go(void **state)
{
    (void)state;
    lope_error error;
    lope_random random = lope_random_seed(6);
    lope_terrain *terrain = empty_terrain();
    int piece = add_field(terrain, &random, 40, 33);
    for (int i = 0; i < 80; i++) {
        float heights[144];
        lope_terrain_cells cells;
        cells.columns = 1 + lope_random_below(&random, 12);
        cells.rows = 1 + lope_random_below(&random, 12);
        cells.column = lope_random_below(&random, 40 - cells.columns + 1);
        cells.row = lope_random_below(&random, 33 - cells.rows + 1);
        for (int k = 0; k < cells.columns * cells.rows; k++)
            heights[k] = i % 3 == 0 ? NAN : lope_random_range(&random, -1.0f, 2.0f);
        assert_ok(lope_terrain_set_heights(terrain, piece, cells, heights, &error));
        if (i % 8 == 7)
            check_all(terrain, &random, 40);
    }
    float heights[40 * 33];
    for (int i = 0; i < 40 * 33; i++)
        heights[i] = NAN;
    assert_ok(lope_terrain_set_heights(terrain, piece, (lope_terrain_cells){0, 0, 40, 33}, heights, &error));
    assert_int_equal(lope_terrain_triangle_count(terrain), 0);
    check_all(terrain, &random, 10);
    memset(heights, 0, sizeof heights);
    assert_ok(lope_terrain_set_heights(terrain, piece, (lope_terrain_cells){0, 0, 40, 33}, heights, &error));
    assert_int_equal(lope_terrain_triangle_count(terrain), 2 * 39 * 32);
    check_all(terrain, &random, 40);
    assert_int_equal(lope_terrain_set_heights(terrain, piece, (lope_terrain_cells){39, 0, 2, 1}, heights, &error),
                     LOPE_BAD_DATA);
    heights[1] = 1e9f;
    assert_int_equal(lope_terrain_set_heights(terrain, piece, (lope_terrain_cells){0, 0, 2, 1}, heights, &error),
                     LOPE_BAD_DATA);
    lope_terrain_destroy(terrain);
}

static void pieces_come_and_go(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(12);
    lope_terrain *terrain = empty_terrain();
    int pieces[30], count = 0;
    for (int i = 0; i < 60; i++) {
        if (count < 30 && lope_random_below(&random, 3) > 0) {
            lope_vec3 place;
            place.x = lope_random_range(&random, -20.0f, 20.0f);
            place.y = lope_random_range(&random, -1.0f, 1.0f);
            place.z = lope_random_range(&random, -20.0f, 20.0f);
            pieces[count++] = add_bumps(terrain, (uint64_t)i, place);
        } else if (count > 0) {
            int gone = lope_random_below(&random, count);
            lope_terrain_remove(terrain, pieces[gone]);
            pieces[gone] = pieces[--count];
        }
        assert_int_equal(lope_terrain_piece_count(terrain), count);
        assert_int_equal(lope_terrain_triangle_count(terrain), 2000 * count);
        if (i % 20 == 19)
            check_all(terrain, &random, 15);
    }
    while (count > 0)
        lope_terrain_remove(terrain, pieces[--count]);
    lope_vec3 low, high;
    assert_false(lope_terrain_bounds(terrain, &low, &high));
    check_all(terrain, &random, 5);
    lope_terrain_destroy(terrain);
}

// A patch gathered before a change answers like the terrain after it, wherever the change was.
static void patches_notice_changes(void **state)
{
    (void)state;
    lope_error error;
    lope_random random = lope_random_seed(21);
    lope_terrain *terrain = empty_terrain();
    add_bumps(terrain, 3, lope_v3(0, 0, -3.5f));
    add_field(terrain, &random, 30, 30);
    for (int i = 0; i < 200; i++) {
        lope_vec3 centre = lope_v3(0, 0, 0);
        centre.x = lope_random_range(&random, -4.0f, 4.0f);
        centre.z = lope_random_range(&random, -3.0f, 3.0f);
        lope_terrain_patch patch;
        lope_terrain_gather(terrain, lope_v3_sub(centre, lope_v3(1, 2, 1)), lope_v3_add(centre, lope_v3(1, 2, 1)),
                            &patch);
        int extra = -1;
        for (int k = lope_random_below(&random, 4); k > 0; k--) {
            lope_terrain_brush brush = {{centre.x, centre.z}, 0.5f, 0.02f, -1};
            if (k % 2)
                brush.centre.x = -brush.centre.x + 2.0f;
            assert_ok(lope_terrain_raise(terrain, &brush, &error));
        }
        if (i % 5 == 0)
            extra = add_bumps(terrain, (uint64_t)i, lope_v3(centre.x, 1.0f, centre.z - 3.0f));
        for (int k = 0; k < 6; k++) {
            lope_vec3 p = centre;
            p.x += lope_random_range(&random, -0.6f, 0.6f);
            p.y += lope_random_range(&random, -1.5f, 1.5f);
            p.z += lope_random_range(&random, -0.6f, 0.6f);
            lope_terrain_hit with, without;
            bool found = lope_terrain_nearest(terrain, &patch, p, 0.4f, &with);
            assert_int_equal(found, lope_terrain_nearest(terrain, NULL, p, 0.4f, &without));
            assert_true(!found || memcmp(&with, &without, sizeof with) == 0);
            found = lope_terrain_below(terrain, &patch, p, INFINITY, &with);
            assert_int_equal(found, lope_terrain_below(terrain, NULL, p, INFINITY, &without));
            assert_true(!found || memcmp(&with, &without, sizeof with) == 0);
        }
        if (extra >= 0)
            lope_terrain_remove(terrain, extra);
    }
    lope_terrain_destroy(terrain);
}

enum { SPHERES = 125 };

static void lattice(lope_vec3 centre, lope_vec3 spheres[SPHERES])
{
    for (int i = 0; i < SPHERES; i++)
        spheres[i] = lope_v3_add(
            centre, lope_v3(0.2f * (float)(i % 5 - 2), 0.15f * (float)(i / 5 % 5 - 2), 0.2f * (float)(i / 25 - 2)));
}

static void scans_take_their_time(void **state)
{
    (void)state;
    lope_error error;
    lope_random random = lope_random_seed(2);
    lope_terrain *terrain = empty_terrain();
    add_bumps(terrain, 3, lope_v3(0, 0, -3.5f));
    for (int round = 0; round < 40; round++) {
        lope_vec3 centre = lope_v3(0, 0, 0), spheres[SPHERES];
        uint8_t touches[SPHERES];
        centre.x = lope_random_range(&random, -5.0f, 5.0f);
        centre.z = lope_random_range(&random, -3.0f, 3.0f);
        lattice(centre, spheres);
        lope_terrain_scan scan;
        lope_terrain_scan_begin(&scan, terrain, spheres, SPHERES, 0.1f, touches);
        int frames = 0, budget = 1 + lope_random_below(&random, 200);
        bool done = false;
        while (!done) {
            done = lope_terrain_scan_run(&scan, terrain, budget);
            if (++frames == 2 && round % 2) { // the ground moves while it is being looked at
                lope_terrain_brush brush = {{centre.x, centre.z}, 1.0f, 0.1f, -1};
                assert_ok(lope_terrain_raise(terrain, &brush, &error));
                done = false;
            }
        }
        assert_true(frames > 1 || budget > 100);
        int touched = 0;
        for (int i = 0; i < SPHERES; i++) {
            assert_int_equal(touches[i], lope_terrain_touches(terrain, NULL, spheres[i], 0.1f));
            touched += touches[i];
        }
        assert_true(touched > 10 && touched < SPHERES);
    }
    lope_terrain_destroy(terrain);
}

static void changes_allocate_nothing(void **state)
{
    (void)state;
    lope_error error;
    lope_random random = lope_random_seed(3);
    test_count_allocations(true);
    lope_terrain *terrain = empty_terrain();
    add_bumps(terrain, 3, lope_v3(0, 0, -3.5f));
    int field = add_field(terrain, &random, 30, 30);
    size_t before = test_total_allocations();
    float heights[4] = {0, 1, NAN, 2};
    for (int i = 0; i < 20; i++) {
        lope_terrain_brush brush = {{(float)i * 0.3f, 0.0f}, 0.8f, 0.1f, -1};
        assert_ok(lope_terrain_raise(terrain, &brush, &error));
        assert_ok(lope_terrain_set_heights(terrain, field, (lope_terrain_cells){i, i, 2, 2}, heights, &error));
    }
    assert_int_equal(test_total_allocations(), before);
    lope_terrain_destroy(terrain);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
}

static void bad_brushes_change_nothing(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain *terrain = empty_terrain();
    add_bumps(terrain, 3, lope_v3(0, 0, -3.5f));
    uint64_t version = lope_terrain_version(terrain);
    const lope_terrain_brush bad[] = {{{NAN, 0}, 1, 1, -1}, {{0, INFINITY}, 1, 1, -1}, {{0, 0}, 0, 1, -1},
                                      {{0, 0}, -1, 1, -1},  {{0, 0}, NAN, 1, -1},      {{0, 0}, 1, NAN, -1},
                                      {{0, 0}, 1, 1e9f, 0}, {{0, 0}, 1, 1e5f, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(lope_terrain_raise(terrain, &bad[i], &error), LOPE_BAD_DATA);
    assert_int_equal(lope_terrain_version(terrain), version);
    lope_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_brush_lifts_smoothly),
        cmocka_unit_test(a_brush_lifts_its_middle_by_its_height),
        cmocka_unit_test(vertices_move),
        cmocka_unit_test(heights_change_and_holes_come_and_go),
        cmocka_unit_test(pieces_come_and_go),
        cmocka_unit_test(patches_notice_changes),
        cmocka_unit_test(scans_take_their_time),
        cmocka_unit_test(changes_allocate_nothing),
        cmocka_unit_test(bad_brushes_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
