// SPDX-License-Identifier: MIT
// Worlds of tiles from scenes: tiles over the bounds, and the scene's obstacles on them.
#include "base/error.h"
#include "lope/scene.h"

#define PATCH_CORNERS 8

static bool is_convex(const lope_vec2 *corners, int count)
{
    int turns = 0;
    for (int i = 0; i < count; i++) {
        lope_vec2 a = corners[i], b = corners[(i + 1) % count], c = corners[(i + 2) % count];
        float cross = (b.x - a.x) * (c.z - b.z) - (b.z - a.z) * (c.x - b.x);
        turns |= cross > 0.0f ? 1 : cross < 0.0f ? 2 : 0;
    }
    return turns != 3;
}

// Where a polygon is not convex its edges do as walls: what is inside can be walked on but not come to.
static lope_status add_polygon(lope_patch_world *world, const lope_vec2 *corners, int count, lope_error *error)
{
    int id;
    if (count <= PATCH_CORNERS && is_convex(corners, count))
        return lope_patch_world_add(world, corners, count, 0.0f, &id, error);
    lope_status status = LOPE_OK;
    for (int i = 0; i < count && !status; i++) {
        lope_vec2 wall[2] = {corners[i], corners[(i + 1) % count]};
        status = lope_patch_world_add(world, wall, 2, 0.0f, &id, error);
    }
    return status;
}

static lope_status add_obstacle(const lope_scene *scene, const lope_scene_obstacle *o, lope_patch_world *world,
                                lope_error *error)
{
    int id;
    if (o->shape == LOPE_SCENE_CYLINDER)
        return lope_patch_world_add(world, &o->centre, 1, o->radius, &id, error);
    if (o->shape == LOPE_SCENE_POLYGON)
        return add_polygon(world, scene->corners + o->corner_first, o->corner_count, error);
    lope_vec2 corners[4];
    float cosine = (float)lope_cos((double)o->yaw), sine = (float)lope_sin((double)o->yaw);
    for (int i = 0; i < 4; i++) {
        float x = i == 1 || i == 2 ? 0.5f * o->size.x : -0.5f * o->size.x;
        float z = i >= 2 ? 0.5f * o->size.z : -0.5f * o->size.z;
        corners[i] = (lope_vec2){o->centre.x + cosine * x + sine * z, o->centre.z - sine * x + cosine * z};
    }
    return lope_patch_world_add(world, corners, 4, 0.0f, &id, error);
}

lope_status lope_scene_patch_world(const lope_scene *scene, const lope_patch_world_def *def, lope_patch_world **out,
                                   lope_error *error)
{
    if (!scene->bounded)
        return lope_fail(error, LOPE_BAD_DATA, "scene '%s' has no bounds: nobody knows how many tiles to lay",
                         scene->name);
    lope_patch_world_def laid = *def;
    float size = def->tile->size, wide = scene->high.x - scene->low.x, deep = scene->high.z - scene->low.z;
    if (!(wide / size >= 1.0f && deep / size >= 1.0f && wide / size < 1e5f && deep / size < 1e5f))
        return lope_fail(error, LOPE_BAD_DATA, "scene '%s' measures %g by %g m: no room for tiles of %g m", scene->name,
                         (double)wide, (double)deep, (double)size);
    laid.columns = (int)(wide / size);
    laid.rows = (int)(deep / size);
    // As many whole tiles as there is room for, in the middle.
    laid.corner.x = scene->low.x + 0.5f * (wide - size * (float)laid.columns);
    laid.corner.z = scene->low.z + 0.5f * (deep - size * (float)laid.rows);
    lope_patch_world *world;
    lope_status status = lope_patch_world_create(&laid, &world, error);
    for (int i = 0; i < scene->obstacle_count && !status; i++) {
        status = add_obstacle(scene, &scene->obstacles[i], world, error);
        if (status)
            lope_patch_world_destroy(world);
    }
    if (!status)
        *out = world;
    return status;
}
