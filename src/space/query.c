// SPDX-License-Identifier: MIT
// Questions to a world that change nothing: what is blocked, where it is free
// nearby, what to draw.
#include <math.h>

#include "base/error.h"
#include "space/space.h"

static bool in_world(const lope_space *space, lope_point p)
{
    return p.x >= space->low.x && p.x <= space->high.x && p.z >= space->low.z && p.z <= space->high.z;
}

static bool covered(const lope_mesh *mesh, int half_edge)
{
    int face = mesh->half_edges[half_edge].face;
    return face < 0 || mesh->faces[face].cover > 0;
}

static bool point_blocked(const lope_space *space, lope_point point)
{
    const lope_mesh *mesh = &space->mesh;
    if (!in_world(space, point)) // also where it is not a number
        return true;
    lope_place place = lope_mesh_locate(mesh, point);
    int h = place.half_edge;
    if (place.kind == LOPE_PLACE_FACE)
        return covered(mesh, h);
    if (place.kind == LOPE_PLACE_EDGE)
        return covered(mesh, h) && covered(mesh, h ^ 1);
    do {
        if (!covered(mesh, h))
            return false;
        h = lope_mesh_turn(mesh, h);
    } while (h != place.half_edge);
    return true;
}

bool lope_space_blocked(const lope_space *space, lope_vec2 point)
{
    return point_blocked(space, (lope_point){(double)point.x, (double)point.z});
}

static lope_point nearest_on(lope_point a, lope_point b, lope_point p)
{
    double x = b.x - a.x, z = b.z - a.z, length = x * x + z * z;
    double t = length > 0.0 ? ((p.x - a.x) * x + (p.z - a.z) * z) / length : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return (lope_point){a.x + t * x, a.z + t * z};
}

// A blocked point is surrounded by covered faces, so the way out ends at an
// edge between a covered and a free one.
static bool nearest_outline(const lope_mesh *mesh, lope_point point, lope_point *nearest)
{
    double best = HUGE_VAL;
    for (int edge = 0; edge < mesh->edge_count; edge++) {
        int h = 2 * edge;
        if (mesh->half_edges[h].origin < 0 || covered(mesh, h) == covered(mesh, h ^ 1))
            continue;
        lope_point p = nearest_on(lope_mesh_point(mesh, lope_mesh_origin(mesh, h)),
                                  lope_mesh_point(mesh, lope_mesh_target(mesh, h)), point);
        double x = p.x - point.x, z = p.z - point.z, distance = x * x + z * z;
        if (distance < best) {
            best = distance;
            *nearest = p;
        }
    }
    return best < HUGE_VAL;
}

lope_status lope_space_nearest_free(const lope_space *space, lope_vec2 point, lope_vec2 *out, lope_error *error)
{
    lope_point wanted = {(double)point.x, (double)point.z}, nearest = wanted;
    *out = point;
    if (!isfinite(point.x) || !isfinite(point.z))
        return lope_fail(error, LOPE_BAD_DATA, "the point is not finite");
    if (!point_blocked(space, wanted))
        return LOPE_OK;
    if (!nearest_outline(&space->mesh, wanted, &nearest))
        return lope_fail(error, LOPE_NOT_FOUND, "obstacles cover the whole world");
    *out = (lope_vec2){(float)nearest.x, (float)nearest.z};
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
