// SPDX-License-Identifier: MIT
// Terrain by name, from a scene, or from a mesh.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/terrain_scene.h"

#define FLOORS 32
#define RIM 0.05f // of a mesh's length, at both ends of its path

void terrain_scene_settle(lope_terrain_scene *scene)
{
    lope_terrain_hit hits[FLOORS];
    lope_vec3 low, high;
    lope_terrain_bounds(scene->terrain, &low, &high);
    lope_vec3 above = lope_v3(scene->start.x, high.y + 1.0f, scene->start.z);
    int count = lope_terrain_column(scene->terrain, above, INFINITY, hits, FLOORS);
    scene->height = count > 0 ? hits[count - 1].point.y : high.y;
}

static lope_status add_path(lope_terrain_scene *scene, lope_error *error)
{
    lope_vec3 low, high;
    lope_terrain_bounds(scene->terrain, &low, &high);
    scene->path = lope_alloc_array(2, sizeof *scene->path);
    if (!scene->path)
        return lope_fail_memory(error);
    float wide = high.x - low.x, deep = high.z - low.z, x = 0.5f * (low.x + high.x), z = 0.5f * (low.z + high.z);
    bool across = wide > deep;
    scene->path[0] = across ? (lope_vec2){low.x + RIM * wide, z} : (lope_vec2){x, low.z + RIM * deep};
    scene->path[1] = across ? (lope_vec2){high.x - RIM * wide, z} : (lope_vec2){x, high.z - RIM * deep};
    scene->path_count = 2;
    scene->start = (lope_ground){scene->path[0].x, scene->path[0].z, across ? (float)(0.5 * LOPE_PI) : 0.0f};
    terrain_scene_settle(scene);
    return LOPE_OK;
}

static lope_status open_mesh(const char *path, lope_terrain_scene **out, lope_error *error)
{
    lope_terrain_mesh *mesh;
    int piece;
    lope_status status = lope_terrain_mesh_read(path, 1.0f, &mesh, error);
    if (status)
        return status;
    lope_terrain_scene *scene = lope_alloc_zero(sizeof *scene);
    status = scene ? lope_terrain_create(&scene->terrain, error) : lope_fail_memory(error);
    if (!status) {
        snprintf(scene->name, sizeof scene->name, "%s", lope_path_base(path));
        status = lope_terrain_add_mesh(scene->terrain, mesh, &piece, error);
        if (status && status != LOPE_NO_MEMORY && error)
            snprintf(error->file, sizeof error->file, "%s", path);
    }
    if (!status)
        status = add_path(scene, error);
    lope_terrain_mesh_destroy(mesh);
    if (status)
        lope_terrain_scene_destroy(scene);
    else
        *out = scene;
    return status;
}

lope_status lope_terrain_scene_open(const char *word, lope_terrain_scene **out, lope_error *error)
{
    const char *dot = strrchr(lope_path_base(word), '.');
    *out = NULL;
    if (!dot && !strchr(word, '/'))
        return lope_terrain_scene_builtin(word, out, error);
    if (!dot || strcasecmp(dot, ".json") == 0)
        return lope_terrain_scene_read(word, out, error);
    return open_mesh(word, out, error);
}
