// SPDX-License-Identifier: MIT
#define STUDIO_INSIDE
#include "scene.h"

#include "base/error.h"
#include "base/memory.h"

lope_scene *studio_scene_create(float low_x, float low_z, float high_x, float high_z, int obstacles, int corners,
                                int areas, int flows)
{
    lope_error *error = studio_failure();
    lope_scene *scene = lope_alloc_zero(sizeof *scene);
    if (scene) {
        scene->bounded = true;
        scene->low = (lope_vec2){low_x, low_z};
        scene->high = (lope_vec2){high_x, high_z};
        scene->obstacles = lope_alloc_array((size_t)obstacles + 1, sizeof *scene->obstacles);
        scene->corners = lope_alloc_array((size_t)corners + 1, sizeof *scene->corners);
        scene->areas = lope_alloc_array((size_t)areas + 1, sizeof *scene->areas);
        scene->flows = lope_alloc_array((size_t)flows + 1, sizeof *scene->flows);
        if (scene->obstacles && scene->corners && scene->areas && scene->flows)
            return scene;
    }
    lope_scene_destroy(scene);
    lope_fail_memory(error);
    return NULL;
}

void studio_scene_destroy(lope_scene *scene)
{
    lope_scene_destroy(scene);
}

void studio_scene_box(lope_scene *scene, float x, float z, float width, float depth, float yaw)
{
    scene->obstacles[scene->obstacle_count++] =
        (lope_scene_obstacle){.shape = LOPE_SCENE_BOX, .centre = {x, z}, .size = {width, depth}, .yaw = yaw};
}

void studio_scene_cylinder(lope_scene *scene, float x, float z, float radius)
{
    scene->obstacles[scene->obstacle_count++] =
        (lope_scene_obstacle){.shape = LOPE_SCENE_CYLINDER, .centre = {x, z}, .radius = radius};
}

void studio_scene_polygon(lope_scene *scene, const float *corners, int count)
{
    scene->obstacles[scene->obstacle_count++] =
        (lope_scene_obstacle){.shape = LOPE_SCENE_POLYGON, .corner_first = scene->corner_count, .corner_count = count};
    for (int i = 0; i < count; i++)
        scene->corners[scene->corner_count++] = (lope_vec2){corners[2 * i], corners[2 * i + 1]};
}

void studio_scene_area(lope_scene *scene, float low_x, float low_z, float high_x, float high_z)
{
    scene->areas[scene->area_count++] = (lope_scene_area){.low = {low_x, low_z}, .high = {high_x, high_z}};
}

void studio_scene_flow(lope_scene *scene, int from, int to, const float *via, int via_count, float weight, bool stop,
                       float pause)
{
    lope_scene_flow *flow = &scene->flows[scene->flow_count++];
    *flow = (lope_scene_flow){.from = from, .to = to, .weight = weight, .stop = stop, .pause = pause};
    for (int i = 0; i < via_count && i < LOPE_SCENE_MAX_VIA; i++)
        flow->via[flow->via_count++] = (lope_vec2){via[2 * i], via[2 * i + 1]};
}

void studio_scene_spawn_anywhere(lope_scene *scene, bool anywhere)
{
    scene->spawn_anywhere = anywhere;
}
