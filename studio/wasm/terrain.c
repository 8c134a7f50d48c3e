// SPDX-License-Identifier: MIT
#define STUDIO_INSIDE
#include "terrain.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

// Edges longer than this are halved until they are not. What becomes of an edge depends on its length alone, so
// neighbours still meet.
static const float longest_edge = 0.45f;
enum { MOST_TRIANGLES = 200000 };

// Triangles of three corners each that grow as they are cut.
typedef struct soup {
    lope_vec3 *corners;
    int count, room;
} soup;

static bool soup_add(soup *self, lope_vec3 a, lope_vec3 b, lope_vec3 c)
{
    if (self->count == self->room) {
        int room = self->room ? 2 * self->room : 1024;
        lope_vec3 *grown = room > 2 * MOST_TRIANGLES ? NULL
                                                     : lope_grow(self->corners, 3 * (size_t)self->room * sizeof *grown,
                                                                 3 * (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        self->corners = grown;
        self->room = room;
    }
    lope_vec3 *at = self->corners + 3 * (size_t)self->count++;
    at[0] = a;
    at[1] = b;
    at[2] = c;
    return true;
}

static float length_of(lope_vec3 a, lope_vec3 b)
{
    lope_vec3 d = lope_v3_sub(a, b);
    return sqrtf(lope_v3_dot(d, d));
}

// Halves the longest edge of each triangle that has one that is too long; those behind it wait in the same list.
static bool cut(soup *self)
{
    for (int i = 0; i < self->count; i++) {
        for (;;) {
            lope_vec3 *t = self->corners + 3 * (size_t)i;
            float edges[3] = {length_of(t[0], t[1]), length_of(t[1], t[2]), length_of(t[2], t[0])};
            int k = edges[1] > edges[0] ? 1 : 0;
            k = edges[2] > edges[k] ? 2 : k;
            if (edges[k] <= longest_edge)
                break;
            lope_vec3 a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
            lope_vec3 middle = lope_v3_scale(lope_v3_add(a, b), 0.5f);
            t[0] = a;
            t[1] = middle;
            t[2] = c;
            if (!soup_add(self, middle, b, c))
                return false;
        }
    }
    return true;
}

static lope_status mesh_of(const soup *cuts, lope_terrain_mesh **out, lope_error *error)
{
    lope_status status = lope_terrain_mesh_create(3 * cuts->count, cuts->count, out, error);
    if (status)
        return status;
    memcpy((*out)->vertices, cuts->corners, 3 * (size_t)cuts->count * sizeof *cuts->corners);
    for (int i = 0; i < 3 * cuts->count; i++)
        (*out)->indices[i] = i;
    return LOPE_OK;
}

// The same ground of finer triangles.
static lope_status cut_terrain(lope_terrain_scene *scene, lope_error *error)
{
    lope_vec3 low, high;
    int piece, count = lope_terrain_bounds(scene->terrain, &low, &high)
                           ? lope_terrain_triangles(scene->terrain, low, high, NULL, 0)
                           : 0;
    lope_terrain_triangle *all = lope_alloc_array((size_t)count, sizeof *all);
    lope_terrain *finer = NULL;
    lope_terrain_mesh *mesh = NULL;
    soup cuts = {0};
    bool room = all != NULL;
    if (room)
        lope_terrain_triangles(scene->terrain, low, high, all, count);
    for (int i = 0; i < count && room; i++)
        room = soup_add(&cuts, all[i].corners[0], all[i].corners[1], all[i].corners[2]);
    lope_status status = room && cut(&cuts) ? mesh_of(&cuts, &mesh, error) : lope_fail_memory(error);
    if (!status)
        status = lope_terrain_create(&finer, error);
    if (!status)
        status = lope_terrain_add_mesh(finer, mesh, &piece, error);
    if (!status) {
        lope_terrain_destroy(scene->terrain);
        scene->terrain = finer;
    } else
        lope_terrain_destroy(finer);
    lope_terrain_mesh_destroy(mesh);
    lope_free(cuts.corners);
    lope_free(all);
    return status;
}

lope_terrain_scene *studio_ground_read(const char *text, size_t size, const char *name)
{
    lope_terrain_scene *scene;
    lope_error *error = studio_failure();
    if (lope_terrain_scene_read_memory(text, size, name, &scene, error) != LOPE_OK)
        return NULL;
    if (cut_terrain(scene, error) == LOPE_OK)
        return scene;
    lope_terrain_scene_destroy(scene);
    return NULL;
}

void studio_ground_destroy(lope_terrain_scene *scene)
{
    lope_terrain_scene_destroy(scene);
}

lope_terrain *studio_ground_terrain(const lope_terrain_scene *scene)
{
    return scene->terrain;
}

void studio_ground_start(const lope_terrain_scene *scene, float *out)
{
    const float all[] = {scene->start.x, scene->start.z, scene->start.yaw, scene->height};
    memcpy(out, all, sizeof all);
}

int studio_ground_path(const lope_terrain_scene *scene, float *out, int capacity)
{
    for (int i = 0; i < scene->path_count && i < capacity; i++)
        memcpy(out + 2 * (size_t)i, &scene->path[i], sizeof scene->path[i]);
    return scene->path_count;
}

lope_status studio_terrain_raise(lope_terrain *terrain, float x, float z, float radius, float height)
{
    lope_terrain_brush brush = {{x, z}, radius, height, -1};
    return lope_terrain_raise(terrain, &brush, studio_failure());
}

int studio_terrain_triangles(const lope_terrain *terrain, float *out, int capacity)
{
    lope_vec3 low, high;
    if (!lope_terrain_bounds(terrain, &low, &high))
        return 0;
    int count = lope_terrain_triangles(terrain, low, high, NULL, 0);
    lope_terrain_triangle *all = count <= capacity ? lope_alloc_array((size_t)count, sizeof *all) : NULL;
    if (!all)
        return count;
    lope_terrain_triangles(terrain, low, high, all, count);
    for (int i = 0; i < count; i++)
        memcpy(out + 9 * (size_t)i, all[i].corners, sizeof all[i].corners);
    lope_free(all);
    return count;
}

bool studio_terrain_bounds(const lope_terrain *terrain, float *out)
{
    lope_vec3 low = {0}, high = {0};
    bool any = lope_terrain_bounds(terrain, &low, &high);
    const float all[] = {low.x, low.y, low.z, high.x, high.y, high.z};
    memcpy(out, all, sizeof all);
    return any;
}

bool studio_terrain_ray(const lope_terrain *terrain, float x, float y, float z, float to_x, float to_y, float to_z,
                        float *out)
{
    lope_terrain_hit hit;
    if (!lope_terrain_ray(terrain, NULL, lope_v3(x, y, z), lope_v3(to_x, to_y, to_z), &hit))
        return false;
    memcpy(out, &hit.point, sizeof hit.point);
    return true;
}

float studio_terrain_below(const lope_terrain *terrain, float x, float from, float z)
{
    lope_terrain_hit hit;
    return lope_terrain_below(terrain, NULL, lope_v3(x, from, z), INFINITY, &hit) ? hit.point.y : NAN;
}
