// SPDX-License-Identifier: MIT
// Climbing worlds: obstacles, holds given one by one, sampled from grasp surfaces or placed along every side by slope
// (4.1; the thesis prints the rule for hybrid holds the wrong way round).
#include "grasp/world.h"

#include <string.h>

#include "base/memory.h"

#define ON_SURFACE 0.02 // metres within which a hold belongs to a surface
#define DUPLICATE 1e-3  // metres within which placed holds are the same
#define MOST_HOLDS 20000
#define SLOPE_LIMIT 0.70710678118654752440

lope_grasp_world_def lope_grasp_world_def_default(void)
{
    return (lope_grasp_world_def){.cell = 0.05};
}

lope_hold_kind lope_hold_kind_by_slope(lope_xy normal)
{
    return normal.y > SLOPE_LIMIT    ? LOPE_HOLD_LOAD_BEARING
           : normal.y < -SLOPE_LIMIT ? LOPE_HOLD_PENDENT
                                     : LOPE_HOLD_HYBRID;
}

bool world_surface_normal(const lope_grasp_world *world, lope_xy at, lope_xy *normal)
{
    double best = ON_SURFACE;
    *normal = xy(0, 0);
    for (int i = 0; i < world->obstacle_count; i++) {
        lope_xy candidate;
        double distance = polygon_outline_distance(&world->obstacles[i], at, &candidate);
        // At a corner both sides are as near: the one that looks up more is stood on.
        if (distance < best - 1e-9 || (distance < best + 1e-9 && distance < ON_SURFACE && candidate.y > normal->y)) {
            best = distance;
            *normal = candidate;
        }
    }
    return normal->x != 0.0 || normal->y != 0.0;
}

static void copy_polygon(lope_grasp_polygon *out, const lope_grasp_polygon *in, lope_xy *storage)
{
    int count = in->count;
    if (count > 3 && xy_distance(in->corners[0], in->corners[count - 1]) < 1e-9)
        count--; // closed by hand
    memcpy(storage, in->corners, (size_t)count * sizeof *storage);
    *out = (lope_grasp_polygon){storage, count};
    if (polygon_area2(out) < 0.0)
        for (int i = 0; i < count / 2; i++) {
            lope_xy swap = storage[i];
            storage[i] = storage[count - 1 - i];
            storage[count - 1 - i] = swap;
        }
}

static lope_status copy_obstacles(lope_grasp_world *world, const lope_grasp_world_def *def, lope_grasp_fault *fault,
                                  lope_error *error)
{
    size_t corners = 0;
    for (int i = 0; i < def->obstacle_count; i++)
        corners += (size_t)def->obstacles[i].count;
    // One block: the polygons, then their corners.
    size_t head = ((size_t)def->obstacle_count * sizeof *world->obstacles + 15) / 16 * 16;
    char *block = lope_alloc(head + corners * sizeof(lope_xy) + 1);
    if (!block)
        return lope_fail_memory(error);
    lope_grasp_polygon *polygons = (lope_grasp_polygon *)(void *)block;
    lope_xy *storage = (lope_xy *)(void *)(block + head);
    world->obstacles = polygons;
    for (int i = 0; i < def->obstacle_count; i++) {
        copy_polygon(&polygons[i], &def->obstacles[i], storage);
        storage += def->obstacles[i].count;
        world->obstacle_count = i + 1;
        lope_status status = world_check_obstacle(world, i, fault, error);
        if (status)
            return status;
    }
    return LOPE_OK;
}

static lope_status copy_surfaces(lope_grasp_world *world, const lope_grasp_world_def *def, lope_error *error)
{
    lope_grasp_surface *surfaces = lope_alloc_array((size_t)def->surface_count + 1, sizeof *surfaces);
    if (!surfaces)
        return lope_fail_memory(error);
    if (def->surface_count)
        memcpy(surfaces, def->surfaces, (size_t)def->surface_count * sizeof *surfaces);
    world->surfaces = surfaces;
    world->surface_count = def->surface_count;
    return LOPE_OK;
}

static lope_status build_field(lope_grasp_world *world, lope_error *error)
{
    lope_grasp_box *boxes = lope_alloc_array((size_t)world->obstacle_count + 1, sizeof *boxes);
    if (!boxes)
        return lope_fail_memory(error);
    for (int i = 0; i < world->obstacle_count; i++) {
        const lope_grasp_polygon *polygon = &world->obstacles[i];
        boxes[i].low = boxes[i].high = polygon->corners[0];
        for (int k = 1; k < polygon->count; k++) {
            lope_xy at = polygon->corners[k];
            boxes[i].low = xy(fmin(boxes[i].low.x, at.x), fmin(boxes[i].low.y, at.y));
            boxes[i].high = xy(fmax(boxes[i].high.x, at.x), fmax(boxes[i].high.y, at.y));
        }
    }
    world->boxes = boxes;
    lope_status status = field_build(world, error);
    return status;
}

typedef struct hold_list {
    lope_grasp_world *world;
    lope_hold *items;
    int count, capacity;
    lope_error *error;
} hold_list;

static lope_status add_hold(hold_list *list, lope_hold hold)
{
    if (list->count == MOST_HOLDS)
        return lope_fail(list->error, LOPE_BAD_DATA, "more than %d holds", MOST_HOLDS);
    if (list->count == list->capacity) {
        int larger = list->capacity ? 2 * list->capacity : 64;
        lope_hold *grown =
            lope_grow(list->items, (size_t)list->capacity * sizeof *grown, (size_t)larger * sizeof *grown);
        if (!grown)
            return lope_fail_memory(list->error);
        list->items = grown;
        list->capacity = larger;
    }
    list->items[list->count++] = hold;
    return LOPE_OK;
}

static bool taken(const hold_list *list, lope_xy at)
{
    for (int i = 0; i < list->count; i++)
        if (xy_distance(list->items[i].at, at) < DUPLICATE)
            return true;
    return false;
}

// A hold where the surface is free: not where two obstacles touch, and within bounds.
static lope_status place_hold(hold_list *list, lope_hold hold)
{
    const lope_grasp_world *world = list->world;
    lope_xy air = xy_mad(hold.at, hold.normal, 0.03);
    bool inside = air.x > world->low.x && air.x < world->high.x && air.y > world->low.y && air.y < world->high.y;
    if (!inside || lope_grasp_depth(world, air) < 0.02 || taken(list, hold.at))
        return LOPE_OK;
    return add_hold(list, hold);
}

static lope_status place_along(hold_list *list, lope_xy from, lope_xy to, double spacing, lope_hold hold)
{
    double length = xy_distance(from, to);
    int steps = (int)floor(length / spacing + 1e-6);
    double first = 0.5 * (length - steps * spacing);
    for (int i = 0; i <= steps; i++) {
        hold.at = xy_lerp(from, to, (first + i * spacing) / length);
        lope_status status = place_hold(list, hold);
        if (status)
            return status;
    }
    return LOPE_OK;
}

static lope_status place_by_slope(hold_list *list, double spacing)
{
    const lope_grasp_world *world = list->world;
    for (int i = 0; i < world->obstacle_count; i++) {
        const lope_grasp_polygon *polygon = &world->obstacles[i];
        for (int k = 0; k < polygon->count; k++) {
            lope_xy a = polygon->corners[k], b = polygon->corners[(k + 1) % polygon->count], along = xy_sub(b, a);
            double length = xy_length(along);
            lope_hold hold = {.normal = {along.y / length, -along.x / length}, .surface = -1};
            hold.kind = lope_hold_kind_by_slope(hold.normal);
            lope_status status = place_along(list, a, b, spacing, hold);
            if (status)
                return status;
        }
    }
    return LOPE_OK;
}

static lope_status sample_surface(hold_list *list, const lope_grasp_surface *surface, int index,
                                  lope_grasp_fault *fault)
{
    lope_hold hold = {.kind = surface->kind, .surface = index};
    lope_grasp_fault here = {LOPE_GRASP_SURFACE, index};
    for (int k = 0; k < 3; k++) {
        lope_status status =
            world_check_hold(list->world, xy_lerp(surface->from, surface->to, 0.5 * k), here, fault, list->error);
        if (status)
            return status;
    }
    if (!world_surface_normal(list->world, xy_lerp(surface->from, surface->to, 0.5), &hold.normal))
        return lope_fail(list->error, LOPE_BAD_DATA, "surface %d from (%g, %g) to (%g, %g) lies on no obstacle", index,
                         surface->from.x, surface->from.y, surface->to.x, surface->to.y);
    if (xy_distance(surface->from, surface->to) < LOPE_SURFACE_STEP)
        return lope_fail(list->error, LOPE_BAD_DATA, "surface %d is shorter than %g m", index, LOPE_SURFACE_STEP);
    if (surface->kind == LOPE_HOLD_BY_SLOPE)
        hold.kind = lope_hold_kind_by_slope(hold.normal);
    return place_along(list, surface->from, surface->to, LOPE_SURFACE_STEP, hold);
}

static lope_status collect_holds(hold_list *list, const lope_grasp_world_def *def, lope_grasp_fault *fault)
{
    lope_status status = LOPE_OK;
    for (int i = 0; i < def->hold_count && !status; i++) {
        lope_hold hold = {.at = def->holds[i].at, .kind = def->holds[i].kind, .surface = -1};
        status = world_check_hold(list->world, hold.at, (lope_grasp_fault){LOPE_GRASP_HOLD, i}, fault, list->error);
        bool attached = world_surface_normal(list->world, hold.at, &hold.normal);
        if (hold.kind == LOPE_HOLD_BY_SLOPE)
            hold.kind = attached ? lope_hold_kind_by_slope(hold.normal) : LOPE_HOLD_PENDENT;
        if (!status)
            status = add_hold(list, hold);
    }
    for (int i = 0; i < def->surface_count && !status; i++)
        status = sample_surface(list, &def->surfaces[i], i, fault);
    if (fault && !status)
        *fault = (lope_grasp_fault){LOPE_GRASP_BOUNDS, -1};
    if (!status && def->place_spacing > 0.0)
        status = place_by_slope(list, fmax(def->place_spacing, 0.05));
    return status;
}

lope_status lope_grasp_world_create(const lope_grasp_world_def *def, lope_grasp_world **out, lope_grasp_fault *fault,
                                    lope_error *error)
{
    *out = NULL;
    lope_status status = world_check_bounds(def, fault, error);
    if (status)
        return status;
    lope_grasp_world *world = lope_alloc_zero(sizeof *world);
    if (!world)
        return lope_fail_memory(error);
    world->low = def->low;
    world->high = def->high;
    world->cell = def->cell;
    hold_list list = {.world = world, .error = error};
    status = copy_obstacles(world, def, fault, error);
    if (!status)
        status = copy_surfaces(world, def, error);
    if (!status)
        status = build_field(world, error);
    if (!status)
        status = collect_holds(&list, def, fault);
    world->holds = list.items;
    world->hold_count = list.count;
    if (status)
        lope_grasp_world_destroy(world);
    else
        *out = world;
    return status;
}

static void free_const(const void *pointer)
{
    lope_free((void *)(uintptr_t)pointer);
}

void lope_grasp_world_destroy(lope_grasp_world *world)
{
    if (!world)
        return;
    free_const(world->obstacles);
    free_const(world->boxes);
    free_const(world->holds);
    free_const(world->surfaces);
    free_const(world->field);
    lope_free(world);
}
