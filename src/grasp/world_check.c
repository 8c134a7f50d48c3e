// SPDX-License-Identifier: MIT
// What can be wrong with a climbing world, said so that it can be mended.
#include "grasp/world.h"

#include <limits.h>

#define LARGEST_SIDE 500.0 // metres
#define SMALLEST_SIDE 0.5
#define MOST_CELLS 4e6
#define MOST_CORNERS 2000
#define HOLD_DEPTH 0.01 // metres that a hold may lie under the surface

static lope_status fail(lope_grasp_fault *fault, lope_grasp_part part, int index)
{
    if (fault)
        *fault = (lope_grasp_fault){part, index};
    return LOPE_BAD_DATA;
}

lope_status world_check_bounds(const lope_grasp_world_def *def, lope_grasp_fault *fault, lope_error *error)
{
    double wide = def->high.x - def->low.x, high = def->high.y - def->low.y;
    fail(fault, LOPE_GRASP_BOUNDS, -1);
    if (!(wide >= SMALLEST_SIDE && high >= SMALLEST_SIDE && wide <= LARGEST_SIDE && high <= LARGEST_SIDE))
        return lope_fail(error, LOPE_BAD_DATA, "bounds must be %g to %g m wide and high, found %g by %g m",
                         SMALLEST_SIDE, LARGEST_SIDE, wide, high);
    if (!(fabs(def->low.x) < 1e5 && fabs(def->low.y) < 1e5))
        return lope_fail(error, LOPE_BAD_DATA, "bounds lie more than 100 km from the origin");
    lope_status status =
        LOPE_CHECK(error, LOPE_RANGE(def, cell, 0.005, 0.5), LOPE_RANGE(def, obstacle_count, 0, INT_MAX),
                   LOPE_RANGE(def, hold_count, 0, INT_MAX), LOPE_RANGE(def, surface_count, 0, INT_MAX));
    if (!status && def->place_spacing != 0.0)
        status = LOPE_CHECK(error, LOPE_RANGE(def, place_spacing, 0.01, LOPE_LARGE));
    if (status)
        return status;
    if (wide / def->cell * (high / def->cell) > MOST_CELLS)
        return lope_fail(error, LOPE_BAD_DATA, "bounds of %g by %g m need more than %g cells of %g m", wide, high,
                         MOST_CELLS, def->cell);
    return LOPE_OK;
}

lope_status world_check_obstacle(const lope_grasp_world *world, int index, lope_grasp_fault *fault, lope_error *error)
{
    const lope_grasp_polygon *polygon = &world->obstacles[index];
    int first, second;
    lope_xy where;
    fail(fault, LOPE_GRASP_OBSTACLE, index);
    if (polygon->count < 3)
        return lope_fail(error, LOPE_BAD_DATA, "obstacle %d is open: a polygon needs at least 3 corners, found %d",
                         index, polygon->count);
    if (polygon->count > MOST_CORNERS)
        return lope_fail(error, LOPE_BAD_DATA, "obstacle %d has %d corners, at most %d are allowed", index,
                         polygon->count, MOST_CORNERS);
    for (int i = 0; i < polygon->count; i++) {
        lope_xy at = polygon->corners[i];
        if (!(fabs(at.x) < 1e5 && fabs(at.y) < 1e5))
            return lope_fail(error, LOPE_BAD_DATA, "corner %d of obstacle %d lies more than 100 km away", i, index);
        if (xy_distance(at, polygon->corners[(i + 1) % polygon->count]) < 1e-6)
            return lope_fail(error, LOPE_BAD_DATA, "obstacle %d has the corner (%g, %g) twice in a row", index, at.x,
                             at.y);
    }
    if (polygon_crosses_itself(polygon, &first, &second))
        return lope_fail(error, LOPE_BAD_DATA, "obstacle %d crosses itself: side %d meets side %d", index, first,
                         second);
    if (!(fabs(polygon_area2(polygon)) > 2e-6))
        return lope_fail(error, LOPE_BAD_DATA, "obstacle %d has no area", index);
    for (int i = 0; i < index; i++)
        if (polygons_overlap(&world->obstacles[i], polygon, &where))
            return lope_fail(error, LOPE_BAD_DATA, "obstacle %d overlaps obstacle %d near (%g, %g)", index, i, where.x,
                             where.y);
    return LOPE_OK;
}

lope_status world_check_hold(const lope_grasp_world *world, lope_xy at, lope_grasp_fault fault_here,
                             lope_grasp_fault *fault, lope_error *error)
{
    const char *name = fault_here.part == LOPE_GRASP_SURFACE ? "surface" : "hold";
    fail(fault, fault_here.part, fault_here.index);
    if (!(at.x >= world->low.x && at.x <= world->high.x && at.y >= world->low.y && at.y <= world->high.y))
        return lope_fail(error, LOPE_BAD_DATA, "%s %d at (%g, %g) lies out of bounds", name, fault_here.index, at.x,
                         at.y);
    double depth = lope_grasp_depth(world, at);
    if (depth < -HOLD_DEPTH)
        return lope_fail(error, LOPE_BAD_DATA, "%s %d at (%g, %g) lies %.2f m inside an obstacle", name,
                         fault_here.index, at.x, at.y, -depth);
    return LOPE_OK;
}
