// SPDX-License-Identifier: MIT
// Any bytes as an OBJ file: read or refused, and what was read is a mesh that a terrain takes or refuses.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lope/terrain_scene.h"

// Questions to whatever terrain came out: no crash, and the tree finds what it holds.
static void ask(const lope_terrain *terrain)
{
    lope_vec3 low, high;
    lope_terrain_hit hit;
    float height;
    require(lope_terrain_bounds(terrain, &low, &high));
    require(lope_terrain_nearest(terrain, NULL, low, INFINITY, &hit));
    require(isfinite(hit.distance) && hit.triangle >= 0);
    require(lope_terrain_nearest(terrain, NULL, hit.point, 0.1f + 1e-5f * lope_v3_length(hit.point), &hit));
    lope_terrain_height(terrain, (lope_vec2){hit.point.x, hit.point.z}, &height);
    lope_terrain_ray(terrain, NULL, low, high, &hit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    if (!text)
        return 0;
    lope_terrain_mesh *mesh;
    lope_terrain *terrain;
    lope_error error;
    int piece;
    lope_status status = lope_terrain_obj_read_memory(text, size, "fuzz.obj", 1.0f, &mesh, &error);
    if (status) {
        require(!mesh && error.status == status && error.message[0]);
    } else if (lope_terrain_create(&terrain, &error) == LOPE_OK) {
        require(mesh->triangle_count > 0);
        for (int i = 0; i < 3 * mesh->triangle_count; i++)
            require(mesh->indices[i] >= 0 && mesh->indices[i] < mesh->vertex_count);
        if (lope_terrain_add_mesh(terrain, mesh, &piece, &error) == LOPE_OK)
            ask(terrain);
        lope_terrain_destroy(terrain);
    }
    lope_terrain_mesh_destroy(mesh);
    free(text);
    return 0;
}
