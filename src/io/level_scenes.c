// SPDX-License-Identifier: MIT
// The four scene formats as levels: obstacles stand on ground as far as the scene goes, floors of tiles are thin slabs,
// climbing scenes get a depth.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/level_file.h"
#include "lope/block_scene.h"
#include "lope/climb_scene.h"
#include "lope/scene.h"
#include "lope/terrain_scene.h"

#define OBSTACLE_HEIGHT 2.5f // metres, of scenes that do not say: higher than a body, so none passes
#define SLAB 0.08f
#define SCENE_RIM 5.0f // metres of ground around a scene without bounds
#define TILE 1.5f
#define CLIMB_DEPTH 2.0f
#define SECTION 0.6f // metres, of a ladder's section

static lope_status add_box(lope_level *level, const char *name, lope_vec3 size, lope_transform at, lope_error *error)
{
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    snprintf(def.name, sizeof def.name, "%s", name);
    def.size = size;
    def.at = at;
    return lope_level_add(level, &def, NULL, error);
}

static lope_transform place(float x, float y, float z, float yaw)
{
    return (lope_transform){lope_quat_yaw(yaw), {x, y, z}};
}

// ---- scenes with obstacles on the ground

static lope_status add_obstacle(lope_level *level, const lope_scene *scene, int index, lope_error *error)
{
    static const lope_part_shape shapes[] = {LOPE_PART_BOX, LOPE_PART_CYLINDER, LOPE_PART_PRISM};
    const lope_scene_obstacle *o = &scene->obstacles[index];
    lope_part_def def = lope_part_def_default(shapes[o->shape]);
    snprintf(def.name, sizeof def.name, "obstacle %d", index);
    def.at = place(o->centre.x, 0.0f, o->centre.z, o->yaw);
    def.size = lope_v3(o->shape == LOPE_SCENE_BOX ? o->size.x : 2.0f * o->radius, OBSTACLE_HEIGHT, o->size.z);
    def.corners = scene->corners + o->corner_first;
    def.corner_count = o->corner_count;
    return lope_level_add(level, &def, NULL, error);
}

static lope_status from_scene(lope_level_file *file, const lope_level_bytes *t, lope_error *error)
{
    lope_scene *scene;
    lope_status status = lope_scene_read_memory(t->bytes, t->size, t->name, &scene, error);
    if (status)
        return status;
    snprintf(file->name, sizeof file->name, "%s", scene->name);
    for (int i = 0; i < scene->obstacle_count && !status; i++)
        status = add_obstacle(file->level, scene, i, error);
    lope_vec3 low = {0}, high = {0};
    lope_terrain_bounds(lope_level_terrain(file->level), &low, &high);
    if (lope_level_part_count(file->level) == 0)
        low = high = lope_v3(0.0f, 0.0f, 0.0f);
    lope_vec2 from = {low.x - SCENE_RIM, low.z - SCENE_RIM}, to = {high.x + SCENE_RIM, high.z + SCENE_RIM};
    if (scene->bounded) {
        from = scene->low;
        to = scene->high;
    }
    if (!status)
        status = add_box(file->level, "ground", lope_v3(to.x - from.x, SLAB, to.z - from.z),
                         place(0.5f * (from.x + to.x), -SLAB, 0.5f * (from.z + to.z), 0.0f), error);
    lope_scene_destroy(scene);
    return status;
}

// ---- terrain

static lope_status from_terrain(lope_level_file *file, const lope_level_bytes *t, lope_error *error)
{
    const lope_vec3 low = {-1e5f, -1e5f, -1e5f}, high = {1e5f, 1e5f, 1e5f};
    lope_terrain_scene *scene;
    lope_status status = lope_terrain_scene_read_memory(t->bytes, t->size, t->name, &scene, error);
    if (status)
        return status;
    lope_part_def def = lope_part_def_default(LOPE_PART_MESH);
    lope_terrain_mesh *mesh = NULL;
    snprintf(file->name, sizeof file->name, "%s", scene->name);
    snprintf(def.name, sizeof def.name, "terrain");
    int count = lope_terrain_triangle_count(scene->terrain);
    lope_terrain_triangle *all = lope_alloc_array((size_t)count, sizeof *all);
    status = all ? lope_terrain_mesh_create(3 * count, count, &mesh, error) : lope_fail_memory(error);
    if (!status)
        lope_terrain_triangles(scene->terrain, low, high, all, count);
    for (int i = 0; i < 3 * count && !status; i++) {
        mesh->vertices[i] = all[i / 3].corners[i % 3];
        mesh->indices[i] = i;
    }
    def.mesh = mesh;
    if (!status)
        status = lope_level_add(file->level, &def, NULL, error);
    lope_terrain_mesh_destroy(mesh);
    lope_free(all);
    lope_terrain_scene_destroy(scene);
    return status;
}

// ---- worlds of blocks

static bool has_tile(const lope_block_scene *scene, int floor, int column, int row)
{
    for (int i = 0; i < scene->hole_count; i++) {
        const lope_scene_hole *h = &scene->holes[i];
        if (h->floor == floor && column >= h->column && column < h->column + h->columns && row >= h->row &&
            row < h->row + h->rows)
            return false;
    }
    return true;
}

// Slabs along rows, between holes.
static lope_status add_floor(lope_level *level, const lope_block_scene *scene, int floor, lope_error *error)
{
    const lope_floor_def *f = &scene->floors[floor];
    lope_status status = LOPE_OK;
    for (int row = 0; row < f->rows; row++)
        for (int from = 0, to; from < f->columns && !status; from = to + 1) {
            for (to = from; to < f->columns && has_tile(scene, floor, to, row); to++)
                continue;
            float width = TILE * (float)(to - from), x = f->corner.x + TILE * (float)from + 0.5f * width;
            if (to > from)
                status = add_box(level, "floor", lope_v3(width, SLAB, TILE),
                                 place(x, f->height - SLAB, f->corner.z + TILE * ((float)row + 0.5f), 0.0f), error);
        }
    return status;
}

static lope_status add_own_unit(lope_level *level, const lope_block_scene *scene, const lope_scene_unit *unit,
                                const lope_spot *at, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int i = 0; i < unit->box_count && !status; i++) {
        const lope_box *b = &scene->boxes[unit->box_first + i];
        lope_transform thing = place(at->x, at->y, at->z, at->yaw),
                       box = place(b->centre.x, b->centre.y, b->centre.z, b->yaw);
        box.rotation = lope_quat_mul(box.rotation, lope_quat_axis_angle(lope_v3(1, 0, 0), b->pitch));
        box = lope_transform_mul(thing, box);
        box.translation = lope_transform_point(box, lope_v3(0.0f, -b->half.y, 0.0f));
        status = add_box(level, unit->name, lope_v3_scale(b->half, 2.0f), box, error);
    }
    return status;
}

// Things in a row that are one: sections of a ladder, pieces of a slide. Returns how many things it took.
static int add_row(lope_level *level, const lope_block_scene *scene, int first, lope_status *status, lope_error *error)
{
    const lope_scene_thing *t = &scene->things[first];
    lope_part_def def = lope_part_def_default(LOPE_PART_THING);
    bool slide = strncmp(t->unit, "slide", 5) == 0;
    int count = 1;
    for (; first + count < scene->thing_count; count++) {
        const lope_scene_thing *next = &t[count], *before = &t[count - 1];
        float dx = next->at.x - before->at.x, dy = next->at.y - before->at.y, dz = next->at.z - before->at.z;
        bool on =
            slide ? strncmp(next->unit, "slide", 5) == 0 && strcmp(next->unit, "slide_top") != 0
                  : fabsf(dx) + fabsf(dz) < 0.01f && fabsf(dy - SECTION) < 0.01f && strcmp(next->unit, "ladder") == 0;
        if (!on || dx * dx + dz * dz > 1.0f)
            break;
    }
    const lope_spot *last = &t[count - 1].at;
    float run = sqrtf((last->x - t->at.x) * (last->x - t->at.x) + (last->z - t->at.z) * (last->z - t->at.z));
    snprintf(def.kind, sizeof def.kind, "%s", slide ? "slide" : "ladder");
    memcpy(def.name, def.kind, sizeof def.name);
    def.at = place(t->at.x, t->at.y, t->at.z, t->at.yaw);
    if (slide) { // its last piece goes down to the run-out, 0.42 m over the ground
        float drop = t->at.y - last->y + 0.3f;
        def.size = lope_v3(0.6f, drop + 0.42f, run + 0.9f);
        def.at.translation.y = last->y - 0.72f;
    } else
        def.size.y = SECTION * (float)count;
    *status = lope_level_add(level, &def, NULL, error);
    return count;
}

static lope_status add_thing(lope_level *level, const lope_scene_thing *t, lope_error *error)
{
    lope_part_def def = lope_part_def_default(LOPE_PART_THING);
    if (strcmp(t->unit, "step") == 0) // from the middle of its top
        return add_box(level, "step", lope_v3(1.2f, 0.18f, 0.28f), place(t->at.x, t->at.y - 0.18f, t->at.z, t->at.yaw),
                       error);
    if (strcmp(t->unit, "ladder_top") == 0)
        return LOPE_OK;
    snprintf(def.kind, sizeof def.kind, "%s", t->unit);
    snprintf(def.name, sizeof def.name, "%s", t->unit);
    def.at = place(t->at.x, t->at.y, t->at.z, t->at.yaw);
    return lope_level_add(level, &def, NULL, error);
}

lope_status lope_block_scene_level(const lope_block_scene *scene, lope_level *level, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int i = 0; i < scene->floor_count && !status; i++)
        status = add_floor(level, scene, i, error);
    for (int i = 0, taken; i < scene->thing_count && !status; i += taken) {
        const lope_scene_thing *thing = &scene->things[i];
        int own = scene->unit_count - 1;
        while (own >= 0 && strcmp(scene->units[own].name, thing->unit) != 0)
            own--;
        taken = 1;
        if (own >= 0)
            status = add_own_unit(level, scene, &scene->units[own], &thing->at, error);
        else if (strncmp(thing->unit, "slide", 5) == 0 || strcmp(thing->unit, "ladder") == 0)
            taken = add_row(level, scene, i, &status, error);
        else
            status = add_thing(level, thing, error);
        if (status && status != LOPE_NO_MEMORY && error)
            error->line = thing->line;
    }
    return status;
}

static lope_status from_blocks(lope_level_file *file, const lope_level_bytes *t, lope_error *error)
{
    lope_block_scene *scene;
    lope_status status = lope_block_scene_read_memory(t->bytes, t->size, t->name, &scene, error);
    if (status)
        return status;
    snprintf(file->name, sizeof file->name, "%s", scene->name);
    status = lope_block_scene_level(scene, file->level, error);
    lope_block_scene_destroy(scene);
    return status;
}

// ---- climbing: a slice in x and y

static lope_status add_climb_obstacle(lope_level *level, const lope_grasp_polygon *polygon, lope_error *error)
{
    lope_part_def def = lope_part_def_default(LOPE_PART_PRISM);
    lope_vec2 corners[256];
    if (polygon->count > 256)
        return lope_fail(error, LOPE_UNSUPPORTED, "an obstacle of a level has at most 256 corners, found %d",
                         polygon->count);
    for (int i = 0; i < polygon->count; i++)
        corners[i] = (lope_vec2){(float)polygon->corners[i].x, (float)-polygon->corners[i].y};
    snprintf(def.name, sizeof def.name, "obstacle");
    def.corners = corners;
    def.corner_count = polygon->count;
    def.size.y = CLIMB_DEPTH;
    def.at.rotation = lope_quat_axis_angle(lope_v3(1, 0, 0), (float)(0.5 * LOPE_PI)); // its y goes to z, its -z to y
    def.at.translation.z = -0.5f * CLIMB_DEPTH;
    return lope_level_add(level, &def, NULL, error);
}

static lope_status from_climb(lope_level_file *file, const lope_level_bytes *t, lope_error *error)
{
    lope_climb_scene *scene;
    lope_status status = lope_climb_scene_read_memory(t->bytes, t->size, t->name, &scene, error);
    if (status)
        return status;
    const lope_grasp_world *world = scene->world;
    snprintf(file->name, sizeof file->name, "%s", scene->name);
    for (int i = 0; i < world->obstacle_count && !status; i++)
        status = add_climb_obstacle(file->level, &world->obstacles[i], error);
    for (int i = 0; i < world->hold_count && !status; i++) {
        const lope_hold *hold = &world->holds[i];
        lope_part_def bar = lope_part_def_default(LOPE_PART_THING);
        if (hold->normal.x != 0.0 || hold->normal.y != 0.0)
            continue; // on a surface: found there
        snprintf(bar.kind, sizeof bar.kind, "bar");
        snprintf(bar.name, sizeof bar.name, "bar");
        bar.at = place((float)hold->at.x, (float)hold->at.y, 0.0f, (float)(0.5 * LOPE_PI));
        bar.size.x = CLIMB_DEPTH;
        status = lope_level_add(file->level, &bar, NULL, error);
    }
    lope_climb_scene_destroy(scene);
    return status;
}

// The keys of a JSON object, a bit for each that is among `names`. Looks at nothing else: what is wrong, readers say.
static unsigned keys_of(const lope_level_bytes *t, const char *const *names, int count)
{
    const char *text = t->bytes;
    unsigned found = 0;
    int depth = 0;
    for (size_t at = 0; at < t->size; at++) {
        depth += (text[at] == '{' || text[at] == '[') - (text[at] == '}' || text[at] == ']');
        if (text[at] != '"')
            continue;
        const size_t first = ++at;
        while (at < t->size && text[at] != '"')
            at += text[at] == '\\' ? 2 : 1;
        size_t next = at + 1;
        while (next < t->size && strchr(" \t\r\n", text[next]))
            next++;
        for (int i = 0; depth == 1 && next < t->size && text[next] == ':' && i < count; i++)
            if (strlen(names[i]) == at - first && memcmp(names[i], text + first, at - first) == 0)
                found |= 1u << i;
    }
    return found;
}

lope_status level_read_scene(const level_target *target, const lope_level_bytes *t, bool *known, lope_error *error)
{
    enum { FORMATS = 8 }; // by a key that only this one has; "parts": a level
    static const char *const keys[FORMATS] = {"parts",     "terrain", "floors", "goal",
                                              "obstacles", "flows",   "areas",  "bounds"};
    static lope_status (*const readers[FORMATS])(lope_level_file *, const lope_level_bytes *, lope_error *) = {
        NULL, from_terrain, from_blocks, from_climb, from_scene, from_scene, from_scene, from_scene};
    const unsigned found = keys_of(t, keys, FORMATS);
    int format = 0;
    while (format < FORMATS && !(found >> format & 1u))
        format++;
    *known = format > 0 && format < FORMATS;
    return *known ? readers[format](target->file, t, error) : LOPE_OK;
}
