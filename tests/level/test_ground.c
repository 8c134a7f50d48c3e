// SPDX-License-Identifier: MIT
// Borders of free ground on small scenes that can be told by hand.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/ground_borders.h"
#include "support/terrain_check.h"

static const ground_body body = {1.8f, 0.4f, 0.7071f};

static void add_box(lope_terrain *terrain, lope_vec3 low, lope_vec3 high)
{
    lope_vec3 v[8];
    for (int i = 0; i < 8; i++)
        v[i] = lope_v3(i & 1 ? high.x : low.x, i & 4 ? high.y : low.y, i & 2 ? high.z : low.z);
    int indices[36] = {0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 5, 1, 0, 4, 5,
                       2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    lope_terrain_mesh mesh = {8, 12, v, indices};
    lope_error error;
    assert_ok(lope_terrain_add_mesh(terrain, &mesh, NULL, &error));
}

static void add_quad(lope_terrain *terrain, const lope_vec3 corners[4])
{
    lope_vec3 v[4];
    memcpy(v, corners, sizeof v);
    int indices[6] = {0, 1, 2, 0, 2, 3};
    lope_terrain_mesh mesh = {4, 2, v, indices};
    lope_error error;
    assert_ok(lope_terrain_add_mesh(terrain, &mesh, NULL, &error));
}

static lope_terrain *make_yard(void)
{
    lope_terrain *terrain;
    lope_error error;
    assert_ok(lope_terrain_create(&terrain, &error));
    add_quad(terrain, (lope_vec3[4]){{0, 0, 0}, {10, 0, 0}, {10, 0, 10}, {0, 0, 10}});
    return terrain;
}

// Metres of borders at a height, and of those with free ground beyond.
static double length_at(const ground_border_set *set, float y, double *with_other)
{
    double sum = 0.0;
    *with_other = 0.0;
    for (int i = 0; i < set->count; i++) {
        const ground_border *b = &set->borders[i];
        double x = (double)(b->to.x - b->from.x), z = (double)(b->to.z - b->from.z), length = sqrt(x * x + z * z);
        if (fabsf(b->from_y - y) > 0.01f || fabsf(b->to_y - y) > 0.01f)
            continue;
        sum += length;
        *with_other += isnan(b->other) ? 0.0 : length;
    }
    return sum;
}

static ground_border_set borders_of(const lope_terrain *terrain)
{
    lope_vec3 low, high;
    ground_border_set set;
    assert_true(lope_terrain_bounds(terrain, &low, &high));
    assert_int_equal(ground_borders(terrain, &body, ground_tiles_of(low, high), NULL, &set), LOPE_OK);
    return set;
}

static void expect(lope_terrain *terrain, float y, double metres, double with_other)
{
    ground_border_set set = borders_of(terrain);
    double with, length = length_at(&set, y, &with);
    assert_true(fabs(length - metres) < 0.02);
    assert_true(fabs(with - with_other) < 0.02);
    ground_borders_free(&set);
}

static void test_a_floor_ends_at_its_rim(void **state)
{
    (void)state;
    lope_terrain *terrain = make_yard();
    expect(terrain, 0.0f, 40.0, 0.0);
    lope_terrain_destroy(terrain);
}

static void test_boxes_by_height(void **state)
{
    (void)state;
    lope_terrain *terrain = make_yard();
    add_box(terrain, lope_v3(1, 0, 1), lope_v3(2, 0.3f, 2)); // one steps on it
    add_box(terrain, lope_v3(4, 0, 1), lope_v3(5, 1, 2));    // one can stand on it
    add_box(terrain, lope_v3(7, 0, 1), lope_v3(8, 3, 2));    // as high as a room: nobody stands inside
    add_box(terrain, lope_v3(1, 1, 5), lope_v3(2, 4, 6));    // hangs too low, and is hollow to triangles
    add_box(terrain, lope_v3(4, 2, 5), lope_v3(5, 2.2f, 6)); // hangs high enough
    add_box(terrain, lope_v3(7, -1, 5), lope_v3(8, 3, 6));   // goes through the floor
    expect(terrain, 0.0f, 40.0 + 4 * 4, 4 * 4);
    expect(terrain, 0.3f, 0.0, 0.0);
    expect(terrain, 1.0f, 4.0, 4.0);
    expect(terrain, 3.0f, 8.0, 8.0);
    expect(terrain, 4.0f, 4.0, 4.0);
    expect(terrain, 2.2f, 4.0, 4.0);
    lope_terrain_destroy(terrain);
}

// A closed box of which all triangles look inwards is a room; one that cannot decide is a solid.
static void test_rooms_and_solids(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        lope_terrain *terrain = make_yard();
        lope_vec3 v[8];
        for (int i = 0; i < 8; i++)
            v[i] = lope_v3(i & 1 ? 6.0f : 3.0f, i & 4 ? 3.0f : 0.0f, i & 2 ? 6.0f : 3.0f);
        int indices[36] = {0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 5, 1, 0, 4, 5,
                           2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
        for (int i = 0; i < (kind == 1 ? 12 : kind == 2 ? 5 : 0); i++) {
            int swap = indices[3 * i];
            indices[3 * i] = indices[3 * i + 1], indices[3 * i + 1] = swap;
        }
        lope_terrain_mesh mesh = {8, 12, v, indices};
        lope_error error;
        assert_ok(lope_terrain_add_mesh(terrain, &mesh, NULL, &error));
        expect(terrain, 0.0f, 40.0 + (kind == 1 ? 2 : 1) * 12.0, (kind == 1 ? 2 : 1) * 12.0);
        lope_terrain_destroy(terrain);
    }
}

// Every triangle twice, once turned, and a triangle without an area on an edge: still a solid.
static void test_doubled_solids(void **state)
{
    (void)state;
    lope_terrain *terrain = make_yard();
    lope_vec3 v[8];
    for (int i = 0; i < 8; i++)
        v[i] = lope_v3(i & 1 ? 6.0f : 3.0f, i & 4 ? 3.0f : 0.0f, i & 2 ? 6.0f : 3.0f);
    const int box[36] = {0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 5, 1, 0, 4, 5,
                         2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    int indices[75] = {0};
    for (int i = 0; i < 12; i++) {
        memcpy(indices + 6 * i, box + 3 * i, 3 * sizeof *box);
        indices[6 * i + 3] = box[3 * i], indices[6 * i + 4] = box[3 * i + 2], indices[6 * i + 5] = box[3 * i + 1];
    }
    indices[72] = 0, indices[73] = 1, indices[74] = 0;
    lope_terrain_mesh mesh = {8, 25, v, indices};
    lope_error error;
    assert_ok(lope_terrain_add_mesh(terrain, &mesh, NULL, &error));
    expect(terrain, 0.0f, 40.0 + 12.0, 12.0);
    expect(terrain, 3.0f, 12.0, 12.0);
    lope_terrain_destroy(terrain);
}

static lope_status find_borders(void *user, lope_error *error)
{
    const lope_terrain *terrain = user;
    ground_border_set set;
    lope_status status =
        ground_borders(terrain, &body, ground_tiles_of(lope_v3(2, 0, 2), lope_v3(5, 0, 5)), NULL, &set);
    error->status = status;
    ground_borders_free(&set);
    return status;
}

static void test_no_memory(void **state)
{
    (void)state;
    lope_terrain *terrain = make_yard();
    add_box(terrain, lope_v3(3, 0, 3), lope_v3(4, 1, 4));
    test_allocation_failures(find_borders, terrain);
    lope_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_floor_ends_at_its_rim),
        cmocka_unit_test(test_boxes_by_height),
        cmocka_unit_test(test_rooms_and_solids),
        cmocka_unit_test(test_doubled_solids),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
