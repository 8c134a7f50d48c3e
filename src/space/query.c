// SPDX-License-Identifier: MIT
// Questions to a world that change nothing: what is blocked, where it is free
// nearby, what to draw.
#include <math.h>

#include "base/error.h"
#include "space/near.h"

static bool point_blocked(const lope_space *space, lope_point point)
{
    const lope_mesh *mesh = &space->mesh;
    if (!lope_space_holds(space, point)) // also where it is not a number
        return true;
    lope_place place = lope_mesh_locate(mesh, point);
    int h = place.half_edge;
    if (place.kind == LOPE_PLACE_FACE)
        return lope_mesh_covered(mesh, h);
    if (place.kind == LOPE_PLACE_EDGE)
        return lope_mesh_covered(mesh, h) && lope_mesh_covered(mesh, h ^ 1);
    do {
        if (!lope_mesh_covered(mesh, h))
            return false;
        h = lope_mesh_turn(mesh, h);
    } while (h != place.half_edge);
    return true;
}

bool lope_space_blocked(const lope_space *space, lope_vec2 point)
{
    return point_blocked(space, (lope_point){(double)point.x, (double)point.z});
}

lope_status lope_space_nearest_free(const lope_space *space, lope_vec2 point, lope_vec2 *out, lope_error *error)
{
    lope_point wanted = {(double)point.x, (double)point.z};
    *out = point;
    if (!isfinite(point.x) || !isfinite(point.z))
        return lope_fail(error, LOPE_BAD_DATA, "the point is not finite");
    if (!point_blocked(space, wanted))
        return LOPE_OK;
    lope_near near =
        lope_space_holds(space, wanted)
            ? lope_mesh_nearest_outline(&space->mesh, lope_mesh_face_near(&space->mesh, NULL, wanted), wanted, HUGE_VAL)
            : lope_mesh_scan_outline(&space->mesh, wanted, HUGE_VAL);
    if (near.square == HUGE_VAL)
        return lope_fail(error, LOPE_NOT_FOUND, "obstacles cover the whole world");
    *out = (lope_vec2){(float)near.point.x, (float)near.point.z};
    return LOPE_OK;
}

// Faces with a corner of the outer rectangle are beyond the border.
static bool beyond_border(const lope_mesh *mesh, int half_edge)
{
    for (int i = 0; i < 3; i++, half_edge = lope_mesh_next(mesh, half_edge))
        if (lope_mesh_origin(mesh, half_edge) < 4)
            return true;
    return false;
}

int lope_space_triangles(const lope_space *space, lope_space_triangle *out, int capacity)
{
    const lope_mesh *mesh = &space->mesh;
    int count = 0;
    for (int face = 0; face < mesh->face_count; face++) {
        int h = mesh->faces[face].half_edge;
        if (h < 0 || beyond_border(mesh, h))
            continue;
        if (count++ >= capacity)
            continue;
        lope_space_triangle *triangle = &out[count - 1];
        triangle->blocked = mesh->faces[face].cover > 0;
        for (int i = 0; i < 3; i++, h = lope_mesh_next(mesh, h)) {
            lope_point p = lope_mesh_point(mesh, lope_mesh_origin(mesh, h));
            triangle->corners[i] = (lope_vec2){(float)p.x, (float)p.z};
            triangle->walls[i] = lope_mesh_constrained(mesh, h);
        }
    }
    return count;
}
