// SPDX-License-Identifier: MIT
// The signed distance field of a climbing world. Sampled once at nodes one cell apart; postures ask it thousands of
// times, and follow its gradient out of obstacles.
#include "grasp/field.h"

#include "base/memory.h"
#include "grasp/world.h"

// Signed distance to one polygon, or `limit` where it is farther away than that.
static double signed_distance(const lope_grasp_polygon *polygon, const lope_grasp_box *box, lope_xy at, double limit)
{
    double dx = fmax(fmax(box->low.x - at.x, at.x - box->high.x), 0.0);
    double dy = fmax(fmax(box->low.y - at.y, at.y - box->high.y), 0.0);
    if (dx * dx + dy * dy >= limit * limit && limit > 0.0)
        return limit;
    double distance = polygon_outline_distance(polygon, at, NULL);
    bool boxed = dx == 0.0 && dy == 0.0;
    return boxed && polygon_contains(polygon, at) ? -distance : distance;
}

static double bounds_distance(const lope_grasp_world *world, lope_xy at)
{
    return fmin(fmin(at.x - world->low.x, world->high.x - at.x), fmin(at.y - world->low.y, world->high.y - at.y));
}

double lope_grasp_depth(const lope_grasp_world *world, lope_xy at)
{
    double best = (double)INFINITY;
    for (int i = 0; i < world->obstacle_count; i++)
        best = fmin(best, signed_distance(&world->obstacles[i], &world->boxes[i], at, best));
    return best;
}

lope_status field_build(lope_grasp_world *world, lope_error *error)
{
    world->field_columns = (int)ceil((world->high.x - world->low.x) / world->cell) + 1;
    world->field_rows = (int)ceil((world->high.y - world->low.y) / world->cell) + 1;
    float *field = lope_alloc_array((size_t)world->field_columns * (size_t)world->field_rows, sizeof *field);
    world->field = field;
    if (!field)
        return lope_fail_memory(error);
    for (int row = 0; row < world->field_rows; row++)
        for (int column = 0; column < world->field_columns; column++) {
            lope_xy at = xy(world->low.x + column * world->cell, world->low.y + row * world->cell);
            double best = bounds_distance(world, at);
            for (int i = 0; i < world->obstacle_count; i++)
                best = fmin(best, signed_distance(&world->obstacles[i], &world->boxes[i], at, best));
            *field++ = (float)best;
        }
    return LOPE_OK;
}

double lope_grasp_clearance(const lope_grasp_world *world, lope_xy at, lope_xy *gradient)
{
    field_view field = field_of(world);
    field_spot spot = field_find(&field, at);
    if (gradient)
        *gradient = field_gradient(&field, &spot);
    return field_clearance(&field, &spot);
}
