// SPDX-License-Identifier: MIT
#include "support/solids.h"

#include <math.h>

#include "support/support.h"

static void add_triangle(test_solids *solids, lope_vec3 a, lope_vec3 b, lope_vec3 c)
{
    assert_true(solids->count < TEST_MOST_TRIANGLES);
    lope_vec3 *corners = solids->corners[solids->count++];
    corners[0] = a, corners[1] = b, corners[2] = c;
}

void test_solids_add_quad(test_solids *solids, lope_vec3 a, lope_vec3 b, lope_vec3 c, lope_vec3 d)
{
    add_triangle(solids, a, b, c);
    add_triangle(solids, a, c, d);
}

void test_solids_add_floor(test_solids *solids, float x0, float z0, float x1, float z1, float y)
{
    test_solids_add_quad(solids, (lope_vec3){x0, y, z0}, (lope_vec3){x0, y, z1}, (lope_vec3){x1, y, z1},
                         (lope_vec3){x1, y, z0});
}

void test_solids_add_box(test_solids *solids, test_box box)
{
    lope_vec3 p[8];
    const float c = (float)lope_cos((double)box.yaw), s = (float)lope_sin((double)box.yaw);
    for (int i = 0; i < 8; i++) {
        const float x = (i & 1 ? 0.5f : -0.5f) * box.width, z = (i & 2 ? 0.5f : -0.5f) * box.length;
        p[i] = (lope_vec3){box.x + c * x + s * z, i & 4 ? box.high : box.low, box.z - s * x + c * z};
    }
    static const int faces[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    for (int i = 0; i < 6; i++)
        test_solids_add_quad(solids, p[faces[i][0]], p[faces[i][1]], p[faces[i][2]], p[faces[i][3]]);
}

static lope_terrain_mesh *mesh_of(const test_solids *solids)
{
    lope_error error;
    lope_terrain_mesh *mesh;
    assert_ok(lope_terrain_mesh_create(3 * solids->count, solids->count, &mesh, &error));
    for (int i = 0; i < 3 * solids->count; i++) {
        mesh->vertices[i] = solids->corners[i / 3][i % 3];
        mesh->indices[i] = i;
    }
    return mesh;
}

void test_solids_floors(const test_solids *solids, const lope_floors_def *def, lope_level **level, lope_floors **floors)
{
    lope_error error;
    lope_terrain_mesh *mesh = mesh_of(solids);
    lope_part_def part = lope_part_def_default(LOPE_PART_MESH);
    part.mesh = mesh;
    assert_ok(lope_level_create(level, &error));
    assert_ok(lope_level_add(*level, &part, NULL, &error));
    assert_ok(lope_floors_create(*level, def, NULL, floors, &error));
    lope_terrain_mesh_destroy(mesh);
}

lope_terrain *test_solids_terrain(const test_solids *solids)
{
    lope_error error;
    lope_terrain *terrain;
    lope_terrain_mesh *mesh = mesh_of(solids);
    int piece;
    assert_ok(lope_terrain_create(&terrain, &error));
    assert_ok(lope_terrain_add_mesh(terrain, mesh, &piece, &error));
    lope_terrain_mesh_destroy(mesh);
    return terrain;
}
