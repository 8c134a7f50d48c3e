// SPDX-License-Identifier: MIT
// The free space of a scene.
#include "base/error.h"
#include "base/memory.h"
#include "lope/scene.h"

enum { ROUND_CORNERS = 24 };
#define AROUND 5.0f // metres of ground around obstacles and areas where a scene has no bounds

static int box_corners(const lope_scene_obstacle *box, lope_vec2 *out)
{
    float c = (float)lope_cos((double)box->yaw), s = (float)lope_sin((double)box->yaw);
    for (int i = 0; i < 4; i++) {
        float x = (i == 1 || i == 2 ? 0.5f : -0.5f) * box->size.x, z = (i >= 2 ? 0.5f : -0.5f) * box->size.z;
        out[i] = (lope_vec2){box->centre.x + c * x + s * z, box->centre.z - s * x + c * z};
    }
    return 4;
}

// Around the circle, so that nothing of it sticks out.
static int round_corners(const lope_scene_obstacle *cylinder, lope_vec2 *out)
{
    float radius = cylinder->radius / (float)lope_cos(LOPE_PI / ROUND_CORNERS);
    for (int i = 0; i < ROUND_CORNERS; i++) {
        double angle = 2.0 * LOPE_PI * i / ROUND_CORNERS;
        out[i] = (lope_vec2){cylinder->centre.x + radius * (float)lope_cos(angle),
                             cylinder->centre.z + radius * (float)lope_sin(angle)};
    }
    return ROUND_CORNERS;
}

static const lope_vec2 *corners_of(const lope_scene *scene, int index, lope_vec2 *buffer, int *count)
{
    const lope_scene_obstacle *obstacle = &scene->obstacles[index];
    if (obstacle->shape == LOPE_SCENE_POLYGON) {
        *count = obstacle->corner_count;
        return scene->corners + obstacle->corner_first;
    }
    *count = obstacle->shape == LOPE_SCENE_BOX ? box_corners(obstacle, buffer) : round_corners(obstacle, buffer);
    return buffer;
}

static void take_in(lope_vec2 *low, lope_vec2 *high, lope_vec2 p)
{
    *low = (lope_vec2){fminf(low->x, p.x - AROUND), fminf(low->z, p.z - AROUND)};
    *high = (lope_vec2){fmaxf(high->x, p.x + AROUND), fmaxf(high->z, p.z + AROUND)};
}

static void find_bounds(const lope_scene *scene, lope_vec2 *low, lope_vec2 *high)
{
    *low = scene->low;
    *high = scene->high;
    if (scene->bounded)
        return;
    *low = (lope_vec2){INFINITY, INFINITY};
    *high = (lope_vec2){-INFINITY, -INFINITY};
    for (int i = 0; i < scene->area_count; i++) {
        take_in(low, high, scene->areas[i].low);
        take_in(low, high, scene->areas[i].high);
    }
    for (int i = 0; i < scene->obstacle_count; i++) {
        lope_vec2 buffer[ROUND_CORNERS];
        int count;
        const lope_vec2 *corners = corners_of(scene, i, buffer, &count);
        for (int k = 0; k < count; k++)
            take_in(low, high, corners[k]);
    }
    if (!scene->area_count && !scene->obstacle_count)
        take_in(low, high, (lope_vec2){0.0f, 0.0f});
}

lope_status lope_scene_space(const lope_scene *scene, lope_space **out, lope_error *error)
{
    lope_vec2 low, high;
    find_bounds(scene, &low, &high);
    lope_status status = lope_space_create(low, high, out, error);
    for (int i = 0; i < scene->obstacle_count && !status; i++) {
        lope_vec2 buffer[ROUND_CORNERS];
        int count, name;
        const lope_vec2 *corners = corners_of(scene, i, buffer, &count);
        status = lope_space_add(*out, corners, count, &name, error);
    }
    if (status) {
        lope_space_destroy(*out);
        *out = NULL;
    }
    return status;
}
