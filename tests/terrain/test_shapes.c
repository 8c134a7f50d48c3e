// SPDX-License-Identifier: MIT
// Shapes are what they say: sizes, steps, gaps; the same everywhere; and pieces of a terrain refuse what is broken.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/terrain_check.h"

static lope_terrain_mesh *mesh_of(const lope_terrain_shape *shape)
{
    lope_error error;
    lope_terrain_mesh *mesh;
    assert_ok(lope_terrain_shape_mesh(shape, &mesh, &error));
    return mesh;
}

static lope_terrain *terrain_of(const lope_terrain_shape *shape)
{
    lope_error error;
    lope_terrain *terrain;
    int piece;
    lope_terrain_mesh *mesh = mesh_of(shape);
    assert_ok(lope_terrain_create(&terrain, &error));
    assert_ok(lope_terrain_add_mesh(terrain, mesh, &piece, &error));
    assert_int_equal(lope_terrain_triangle_count(terrain), mesh->triangle_count); // none without area
    lope_terrain_mesh_destroy(mesh);
    return terrain;
}

static void every_shape_faces_up_and_ends_on_itself(void **state)
{
    (void)state;
    for (int kind = 0; kind < LOPE_SHAPE_COUNT; kind++) {
        lope_terrain_shape shape = lope_terrain_shape_default((lope_terrain_shape_kind)kind);
        shape.place = lope_v3(3, 1, -2);
        shape.yaw = 0.7f;
        lope_terrain_mesh *mesh = mesh_of(&shape);
        for (int i = 0; i < mesh->triangle_count; i++) {
            const int *c = &mesh->indices[3 * i];
            lope_vec3 a = mesh->vertices[c[0]], ab = lope_v3_sub(mesh->vertices[c[1]], a),
                      ac = lope_v3_sub(mesh->vertices[c[2]], a);
            assert_true(lope_v3_normalize(lope_v3_cross(ab, ac), lope_v3(0, -1, 0)).y > -1e-4f);
        }
        lope_terrain_mesh_destroy(mesh);
        lope_terrain *terrain = terrain_of(&shape);
        lope_transform end = lope_terrain_shape_end(&shape);
        lope_terrain_hit hit;
        float reach = kind == LOPE_SHAPE_STONES ? 1.0f : kind == LOPE_SHAPE_BUMPS ? 0.3f : 1e-3f;
        assert_true(lope_terrain_nearest(terrain, NULL, end.translation, reach, &hit));
        // Going on from the end leaves the shape.
        lope_vec3 on = lope_transform_point(end, lope_v3(0, 0, 1.0f));
        assert_false(lope_terrain_below(terrain, NULL, lope_v3_add(on, lope_v3(0, 0.2f, 0)), 0.4f, &hit));
        lope_terrain_destroy(terrain);
    }
}

static void bumps_have_ten_thousand_triangles(void **state)
{
    (void)state;
    lope_terrain_shape shape = lope_terrain_shape_default(LOPE_SHAPE_BUMPS);
    lope_terrain_mesh *mesh = mesh_of(&shape);
    assert_int_equal(mesh->triangle_count, 10000);
    float low = INFINITY, high = -INFINITY;
    for (int i = 0; i < mesh->vertex_count; i++) {
        low = fminf(low, mesh->vertices[i].y);
        high = fmaxf(high, mesh->vertices[i].y);
    }
    assert_true(high - low > 0.6f * shape.height && high - low <= shape.height);
    uint64_t hash = lope_hash(mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices, 0);
    lope_terrain_mesh_destroy(mesh);
    mesh = mesh_of(&shape);
    assert_true(hash == lope_hash(mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices, 0));
    lope_terrain_mesh_destroy(mesh);
    shape.seed++;
    mesh = mesh_of(&shape);
    assert_true(hash != lope_hash(mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices, 0));
    lope_terrain_mesh_destroy(mesh);
}

static void stairs_climb_step_by_step(void **state)
{
    (void)state;
    lope_terrain_shape shape = lope_terrain_shape_default(LOPE_SHAPE_STAIRS);
    shape.flights = 2;
    lope_terrain *terrain = terrain_of(&shape);
    float length = lope_terrain_shape_end(&shape).translation.z, before = 0.0f, y, least = 1.0f, most = 0.0f;
    int up = 0, down = 0;
    for (float z = 0.001f; z < length; z += 0.002f) {
        assert_true(lope_terrain_height(terrain, (lope_vec2){0.3f, z}, &y));
        if (y == before)
            continue;
        up += y > before;
        down += y < before;
        assert_true(down == 0 || y < before); // first up, then down
        least = fminf(least, fabsf(y - before));
        most = fmaxf(most, fabsf(y - before));
        before = y;
    }
    assert_int_equal(up, shape.steps);
    assert_int_equal(down, shape.steps);
    assert_true(least > 0.3f * shape.rise && most < 1.7f * shape.rise && most > 1.3f * least); // irregular
    lope_terrain_destroy(terrain);
}

static void stones_stand_apart(void **state)
{
    (void)state;
    lope_terrain_shape shape = lope_terrain_shape_default(LOPE_SHAPE_STONES);
    for (int wild = 0; wild < 2; wild++) {
        shape.irregular = (float)wild;
        lope_terrain_mesh *mesh = mesh_of(&shape);
        int stones = mesh->vertex_count / 16;
        assert_true(stones >= 200);
        float closest = INFINITY;
        for (int a = 0; a < stones; a++)
            for (int b = 0; b < a; b++)
                for (int i = 0; i < 64; i++) {
                    lope_vec3 gap = lope_v3_sub(mesh->vertices[16 * a + i / 8 * 2], mesh->vertices[16 * b + i % 8 * 2]);
                    gap.y = 0.0f;
                    closest = fminf(closest, lope_v3_length(gap));
                }
        assert_true(closest > (wild ? 0.3f : 0.99f) * shape.gap);
        lope_terrain_mesh_destroy(mesh);
    }
}

static void spirals_pass_over_themselves(void **state)
{
    (void)state;
    lope_terrain_shape shape = lope_terrain_shape_default(LOPE_SHAPE_SPIRAL);
    shape.steps = 80;
    lope_terrain *terrain = terrain_of(&shape);
    lope_terrain_hit hits[8];
    float per_turn = 2.0f * (float)LOPE_PI / (shape.tread / shape.outer);
    int floors = lope_terrain_column(terrain, lope_v3(1.9f, 100.0f, -0.3f), INFINITY, hits, 8);
    assert_int_equal(floors, 3); // 31.4 steps to a turn
    for (int i = 1; i < floors; i++)
        assert_near(hits[i - 1].point.y - hits[i].point.y, shape.rise * per_turn, 0.75 * (double)shape.rise);
    lope_terrain_destroy(terrain);
}

static void numbers_out_of_range_are_named(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain_mesh *mesh;
    for (int kind = 0; kind < LOPE_SHAPE_COUNT; kind++)
        for (int i = 0; i < 8; i++) {
            lope_terrain_shape shape = lope_terrain_shape_default((lope_terrain_shape_kind)kind);
            if (i == 0)
                shape.place.y = NAN;
            else if (i == 1)
                shape.yaw = INFINITY;
            else if (i == 2)
                shape.width = shape.inner = -1.0f;
            else if (i == 3)
                shape.length = shape.tread = 0.0f;
            else if (i == 4)
                shape.columns = shape.steps = shape.flights = -3, shape.gap = shape.width = NAN;
            else if (i == 5)
                shape.columns = shape.rows = 4097, shape.steps = 10001, shape.radius = shape.length = 1e9f;
            else if (i == 6)
                shape.place.x = 6e4f;
            else
                shape.outer = shape.inner, shape.columns = shape.rows = 4000, shape.radius = 0.01f, shape.gap = 0.0f,
                shape.width = shape.length = 1e4f, shape.place.z = -1e9f;
            assert_int_equal(lope_terrain_shape_mesh(&shape, &mesh, &error), LOPE_BAD_DATA);
            assert_null(mesh);
            assert_non_null(strstr(error.message, lope_terrain_shape_name((lope_terrain_shape_kind)kind)));
        }
    lope_terrain_shape many = lope_terrain_shape_default(LOPE_SHAPE_BUMPS);
    many.columns = many.rows = 4000;
    assert_int_equal(lope_terrain_shape_mesh(&many, &mesh, &error), LOPE_BAD_DATA);
}

// A triangle and, behind it, whatever a test wants to break.
static lope_terrain_mesh *small_mesh(void)
{
    lope_error error;
    lope_terrain_mesh *mesh;
    assert_ok(lope_terrain_mesh_create(6, 2, &mesh, &error));
    for (int i = 0; i < 6; i++) {
        mesh->vertices[i] = lope_v3((float)(i % 3 == 1) + (float)(i / 3), 0.0f, (float)(i % 3 == 2));
        mesh->indices[i] = i;
    }
    return mesh;
}

static void broken_meshes_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain *terrain;
    int piece;
    assert_ok(lope_terrain_create(&terrain, &error));
    const float far[] = {NAN, INFINITY, -INFINITY, 2e5f, -1e30f};
    for (int i = 0; i < 5; i++) {
        lope_terrain_mesh *mesh = small_mesh();
        mesh->vertices[4].z = far[i];
        assert_int_equal(lope_terrain_add_mesh(terrain, mesh, &piece, &error), LOPE_BAD_DATA);
        assert_non_null(strstr(error.message, "vertex 4"));
        assert_int_equal(piece, -1);
        lope_terrain_mesh_destroy(mesh);
    }
    lope_terrain_mesh *mesh = small_mesh();
    mesh->indices[5] = 6;
    assert_int_equal(lope_terrain_add_mesh(terrain, mesh, &piece, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "triangle 1 names vertex 6"));
    mesh->indices[5] = -1;
    assert_int_equal(lope_terrain_add_mesh(terrain, mesh, &piece, &error), LOPE_BAD_DATA);
    mesh->triangle_count = 0;
    assert_int_equal(lope_terrain_add_mesh(terrain, mesh, &piece, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "at least one triangle"));
    mesh->triangle_count = 2;
    for (int i = 0; i < 6; i++)
        mesh->indices[i] = i / 3; // corners fall together
    assert_int_equal(lope_terrain_add_mesh(terrain, mesh, &piece, &error), LOPE_BAD_DATA);
    lope_terrain_mesh_destroy(mesh);
    assert_int_equal(lope_terrain_piece_count(terrain), 0);
    assert_int_equal(lope_terrain_version(terrain), 1);
    lope_terrain_destroy(terrain);
}

// Doubles and triangles without area do no harm.
static void degenerate_triangles_are_left_out(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain *terrain;
    lope_terrain_mesh *mesh;
    int piece;
    assert_ok(lope_terrain_create(&terrain, &error));
    assert_ok(lope_terrain_mesh_create(6, 40, &mesh, &error));
    for (int i = 0; i < 6; i++)
        mesh->vertices[i] = lope_v3((float)(i % 2), 0.0f, (float)(i / 2));
    for (int i = 0; i < 40; i++) {
        const int whole[3] = {0, 1, 2}, same[3] = {3, 3, 3}, line[3] = {0, 2, 4}, pair[3] = {1, 5, 1};
        memcpy(&mesh->indices[3 * i], i % 4 == 0 ? whole : i % 4 == 1 ? same : i % 4 == 2 ? line : pair, sizeof whole);
    }
    assert_ok(lope_terrain_add_mesh(terrain, mesh, &piece, &error));
    assert_int_equal(lope_terrain_triangle_count(terrain), 10);
    lope_terrain_hit hit;
    assert_true(lope_terrain_nearest(terrain, NULL, lope_v3(0.2f, 1.0f, 0.2f), 2.0f, &hit));
    assert_int_equal(hit.triangle, 0); // the first of the doubles
    assert_near(hit.distance, 1.0, 1e-6);
    assert_true(lope_terrain_below(terrain, NULL, lope_v3(0.2f, 1.0f, 0.2f), 2.0f, &hit));
    assert_int_equal(hit.triangle, 0);
    lope_terrain_mesh_destroy(mesh);
    lope_terrain_destroy(terrain);
}

static void broken_fields_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain *terrain;
    int piece;
    float heights[9] = {0};
    assert_ok(lope_terrain_create(&terrain, &error));
    const lope_terrain_field bad[] = {
        {{0, 0}, 0.0f, 3, 3, heights},  {{0, 0}, NAN, 3, 3, heights},    {{0, 0}, 1.0f, 1, 3, heights},
        {{0, 0}, 1.0f, 3, 0, heights},  {{NAN, 0}, 1.0f, 3, 3, heights}, {{99999, 0}, 1.0f, 3, 3, heights},
        {{0, 0}, 1.0f, 3, -3, heights}, {{0, 0}, 1e6f, 3, 3, heights},   {{0, 0}, 1.0f, 20000, 3, heights},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(lope_terrain_add_field(terrain, &bad[i], &piece, &error), LOPE_BAD_DATA);
    heights[5] = INFINITY;
    lope_terrain_field field = {{0, 0}, 1.0f, 3, 3, heights};
    assert_int_equal(lope_terrain_add_field(terrain, &field, &piece, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "column 2 of row 1"));
    for (int i = 0; i < 9; i++)
        heights[i] = NAN;
    assert_int_equal(lope_terrain_add_field(terrain, &field, &piece, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_terrain_piece_count(terrain), 0);
    lope_terrain_destroy(terrain);
}

// Sizes that grow out of proportion do not make the tree too deep for its stack.
static void lopsided_meshes_stay_shallow(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    lope_error error;
    lope_terrain *terrain;
    lope_terrain_mesh *mesh;
    int piece;
    assert_ok(lope_terrain_create(&terrain, &error));
    assert_ok(lope_terrain_mesh_create(3 * COUNT, COUNT, &mesh, &error));
    float at = 1e-3f;
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < 3; k++) {
            mesh->vertices[3 * i + k] = lope_v3(k == 1 ? 1.3f * at : at, k == 2 ? 0.5f * at : 0.0f, k == 2 ? at : 0.0f);
            mesh->indices[3 * i + k] = 3 * i + k;
        }
        at = at < 4e4f ? at * 1.001f : 1e-3f;
    }
    assert_ok(lope_terrain_add_mesh(terrain, mesh, &piece, &error));
    lope_terrain_hit hit;
    assert_true(lope_terrain_nearest(terrain, NULL, lope_v3(0, 10, 0), INFINITY, &hit));
    assert_true(lope_terrain_nearest(terrain, NULL, lope_v3(5e4f, 9e4f, -9e4f), INFINITY, &hit));
    assert_false(lope_terrain_touches(terrain, NULL, lope_v3(-1, 0, 0), 0.9f));
    lope_terrain_mesh_destroy(mesh);
    lope_terrain_destroy(terrain);
}

static lope_status make_two_pieces(void *user, lope_error *error)
{
    (void)user;
    lope_terrain *terrain = NULL;
    lope_terrain_mesh *mesh = NULL;
    int piece;
    float heights[9] = {0, 1, 0, 0, 1, 0, 0, 0, 2};
    lope_terrain_field field = {{0, 0}, 1.0f, 3, 3, heights};
    lope_terrain_shape shape = lope_terrain_shape_default(LOPE_SHAPE_STAIRS);
    lope_status status = lope_terrain_create(&terrain, error);
    if (!status)
        status = lope_terrain_shape_mesh(&shape, &mesh, error);
    for (int i = 0; i < 9 && !status; i++)
        status = i % 2 ? lope_terrain_add_field(terrain, &field, &piece, error)
                       : lope_terrain_add_mesh(terrain, mesh, &piece, error);
    lope_terrain_mesh_destroy(mesh);
    lope_terrain_destroy(terrain);
    return status;
}

static void running_out_of_memory_is_reported(void **state)
{
    (void)state;
    test_allocation_failures(make_two_pieces, NULL);
}

static void memory_is_modest(void **state)
{
    (void)state;
    lope_terrain_shape shape = lope_terrain_shape_default(LOPE_SHAPE_BUMPS);
    lope_terrain *terrain = terrain_of(&shape);
    assert_true(lope_terrain_memory(terrain) < 80 * 10000);
    lope_terrain_destroy(terrain);
    lope_error error;
    int piece;
    static float heights[101 * 101];
    lope_terrain_field field = {{0, 0}, 0.2f, 101, 101, heights};
    assert_ok(lope_terrain_create(&terrain, &error));
    assert_ok(lope_terrain_add_field(terrain, &field, &piece, &error));
    assert_true(lope_terrain_memory(terrain) < 20 * 10000);
    lope_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_faces_up_and_ends_on_itself),
        cmocka_unit_test(bumps_have_ten_thousand_triangles),
        cmocka_unit_test(stairs_climb_step_by_step),
        cmocka_unit_test(stones_stand_apart),
        cmocka_unit_test(spirals_pass_over_themselves),
        cmocka_unit_test(numbers_out_of_range_are_named),
        cmocka_unit_test(broken_meshes_are_refused),
        cmocka_unit_test(degenerate_triangles_are_left_out),
        cmocka_unit_test(broken_fields_are_refused),
        cmocka_unit_test(lopsided_meshes_stay_shallow),
        cmocka_unit_test(running_out_of_memory_is_reported),
        cmocka_unit_test(memory_is_modest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
