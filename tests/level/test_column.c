// SPDX-License-Identifier: MIT
// Columns of surfaces: nothing is left out however many there are, in whatever order they came.
#include <math.h>
#include <stdlib.h>

#include "level/ground.h"
#include "support/ground_level.h"
#include "support/support.h"

#define STOREYS 100

static const ground_body body = {1.8f, 0.4f, 0.7071f};

// Slabs of 0.2 m every 3 m, in an order that is not theirs.
static lope_terrain *make_tower(void)
{
    test_level level = {0};
    for (int i = 0; i < STOREYS; i++)
        test_level_box(&level, lope_v3(0.0f, 3.0f * (float)(i * 37 % STOREYS), 0.0f), lope_v3(4.0f, 0.2f, 4.0f), 0.0f);
    lope_terrain *terrain = test_level_terrain(&level, false);
    free(level.triangles), free(level.parts);
    return terrain;
}

static void test_all_storeys_are_found(void **state)
{
    (void)state;
    lope_terrain *terrain = make_tower();
    const ground_view view = {terrain, &body};
    const point2 at = {0.7123, 0.3456};
    ground_column column;
    assert_true(ground_column_open(&column, &view, at, -1e6));
    assert_int_equal(column.count, 2 * STOREYS);
    for (int i = 0; i < column.count; i++) {
        assert_true(fabs(column.layers[i].y - (3.0 * (i / 2) + (i % 2 ? 0.2 : 0.0))) < 1e-4);
        assert_int_equal(ground_is_inside(column.layers, column.count, i), i % 2);
        assert_int_equal(ground_is_free(&body, column.layers, column.count, i), i % 2);
    }
    ground_column_close(&column);
    ground_layer layer;
    for (int i = 0; i < STOREYS; i++) {
        assert_true(ground_nearest(&view, at, 3.0 * i + 0.3, 0.5, &layer));
        assert_true(fabs(layer.y - (3.0 * i + 0.2)) < 1e-4);
    }
    assert_false(ground_nearest(&view, at, 1.5, 0.5, &layer));
    lope_terrain_destroy(terrain);
}

// Layers of one solid at one height count once: edges, doubled triangles.
static void test_doubled_layers_count_once(void **state)
{
    (void)state;
    ground_layer layers[5] = {{.y = 2.00005, .solid = 7, .surface = 0},
                              {.y = 1.0, .solid = 7, .surface = 1},
                              {.y = 2.0, .solid = 7, .surface = 2},
                              {.y = 1.5, .solid = 8, .surface = 3},
                              {.y = 3.0, .solid = -1, .surface = 4}};
    ground_sort(layers, 5);
    const int open[5] = {1, 2, 1, 1, 0}; // above 1.0: of 8; above 1.5: of both
    for (int i = 0; i < 5; i++)
        assert_int_equal(layers[i].open, open[i]);
}

// A slab in the air whose upper face is wider by a rounding: under its rim a line upwards crosses one face only. Under
// a slab that stands on the ground there is none.
static void test_rims_that_are_a_rounding_apart(void **state)
{
    (void)state;
    for (int hangs = 0; hangs < 2; hangs++) {
        test_level level = {0};
        test_level_box(&level, lope_v3(50.0f, -1.0f, 0.0f), lope_v3(20.0f, 1.0f, 20.0f), 0.0f);
        test_level_box(&level, lope_v3(52.0f, hangs ? 4.0f : 0.0f, 0.0f), lope_v3(4.0f, 0.5f, 4.0f), 0.0f);
        const float rim = 54.0f, wider = nextafterf(rim, 100.0f);
        for (int i = 12 * 3; i < level.count * 3; i++) {
            float *corner = &level.triangles[3 * i];
            if (corner[0] == rim && corner[1] > (hangs ? 4.2f : 0.2f))
                corner[0] = wider;
        }
        lope_terrain *terrain = test_level_terrain(&level, false);
        const ground_view view = {terrain, &body};
        ground_column column;
        ground_layer layer;
        assert_true(ground_column_open(&column, &view, (point2){(double)wider, 0.3}, -0.1));
        assert_int_equal(column.count, 2); // the ground and the upper face
        ground_column_close(&column);
        assert_true(ground_nearest(&view, (point2){(double)wider, 0.3}, 0.0, 0.3, &layer) == (hangs == 1));
        assert_false(ground_nearest(&view, (point2){53.0, 0.3}, 0.0, 0.3, &layer) && hangs == 0);
        assert_true(ground_nearest(&view, (point2){54.5, 0.3}, 0.0, 0.3, &layer));
        lope_terrain_destroy(terrain);
        free(level.triangles), free(level.parts);
    }
}

static lope_status open_column(void *user, lope_error *error)
{
    const ground_view view = {user, &body};
    ground_column column;
    const bool fine = ground_column_open(&column, &view, (point2){0.7, 0.3}, -1e6);
    assert_true(fine || column.count == 0);
    ground_column_close(&column);
    error->status = fine ? LOPE_OK : LOPE_NO_MEMORY;
    return error->status;
}

static void test_no_memory(void **state)
{
    (void)state;
    lope_terrain *terrain = make_tower();
    test_allocation_failures(open_column, terrain);
    lope_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_storeys_are_found),
        cmocka_unit_test(test_doubled_layers_count_once),
        cmocka_unit_test(test_rims_that_are_a_rounding_apart),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
