// SPDX-License-Identifier: MIT
// Finding the triangle of a point: a walk from a vertex nearby, over any edge
// that has the point on its other side. A coarse table of vertices gives the
// start, so that a walk takes a few steps however large the world is. Which
// edge is looked at first changes from step to step: in a constrained
// triangulation a fixed order could go in circles.
#include "space/mesh.h"

#include <limits.h>
#include <math.h>

#include "base/memory.h"

#define SMALLEST_SIDE 8
#define LARGEST_SIDE 1024
// Faces to walk through from a hint before the table is the better start.
#define HINT_STEPS 24

lope_point lope_mesh_snap(const lope_mesh *mesh, lope_point point)
{
    return (lope_point){round(point.x / mesh->grid) * mesh->grid, round(point.z / mesh->grid) * mesh->grid};
}

static int cell_on_axis(double value, double low, double cells_per_metre, int side)
{
    int cell = (int)((value - low) * cells_per_metre);
    return cell < 0 ? 0 : cell >= side ? side - 1 : cell;
}

static int cell_of(const lope_mesh *mesh, lope_point point)
{
    int column = cell_on_axis(point.x, mesh->low.x, mesh->hint_scale.x, mesh->hint_side);
    return cell_on_axis(point.z, mesh->low.z, mesh->hint_scale.z, mesh->hint_side) * mesh->hint_side + column;
}

static void enlarge_hints(lope_mesh *mesh, int side)
{
    int *hints = lope_alloc_array((size_t)side * (size_t)side, sizeof *hints);
    if (!hints)
        return;
    lope_free(mesh->hints);
    mesh->hints = hints;
    mesh->hint_side = side;
    mesh->hint_scale = (lope_point){side / (mesh->high.x - mesh->low.x), side / (mesh->high.z - mesh->low.z)};
    for (int i = 0; i < side * side; i++)
        hints[i] = -1;
    for (int i = 0; i < mesh->vertex_count; i++)
        if (mesh->vertices[i].half_edge >= 0)
            hints[cell_of(mesh, mesh->vertices[i].point)] = i;
}

void lope_mesh_add_hint(lope_mesh *mesh, int vertex)
{
    int side = mesh->hint_side;
    if (side < LARGEST_SIDE && mesh->alive_vertices > side * side)
        enlarge_hints(mesh, side ? 2 * side : SMALLEST_SIDE);
    if (mesh->hints)
        mesh->hints[cell_of(mesh, mesh->vertices[vertex].point)] = vertex;
}

void lope_mesh_make_hints(lope_mesh *mesh)
{
    int side = SMALLEST_SIDE;
    while (side < LARGEST_SIDE && mesh->alive_vertices > side * side)
        side *= 2;
    enlarge_hints(mesh, side);
}

// A vertex in the cell of the point or in one around it; else any.
static int start_vertex(const lope_mesh *mesh, lope_point point)
{
    static const int order[9] = {0, -1, 1, -2, 2, -3, 3, -4, 4};
    if (!mesh->hints)
        return 0;
    int cell = cell_of(mesh, point), column = cell % mesh->hint_side, row = cell / mesh->hint_side;
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            int z = row + order[i], x = column + order[j];
            if (z < 0 || x < 0 || z >= mesh->hint_side || x >= mesh->hint_side)
                continue;
            int at = z * mesh->hint_side + x, vertex = mesh->hints[at];
            // Its slot may have gone to a vertex elsewhere.
            if (vertex >= 0 && mesh->vertices[vertex].half_edge >= 0 &&
                cell_of(mesh, mesh->vertices[vertex].point) == at)
                return vertex;
        }
    return 0;
}

static double side_of(const lope_mesh *mesh, int half_edge, lope_point point)
{
    return lope_orient(lope_mesh_point(mesh, lope_mesh_origin(mesh, half_edge)),
                       lope_mesh_point(mesh, lope_mesh_target(mesh, half_edge)), point);
}

lope_place lope_mesh_place(const lope_mesh *mesh, int half_edge, lope_point point)
{
    int h = half_edge, on_edges = 0, on = h;
    for (int i = 0; i < 3; i++, h = lope_mesh_next(mesh, h)) {
        lope_point corner = lope_mesh_point(mesh, lope_mesh_origin(mesh, h));
        if (corner.x == point.x && corner.z == point.z)
            return (lope_place){LOPE_PLACE_VERTEX, h};
        if (side_of(mesh, h, point) == 0.0) {
            on_edges++;
            on = h;
        }
    }
    return (lope_place){on_edges ? LOPE_PLACE_EDGE : LOPE_PLACE_FACE, on};
}

// As walk(), over the side that is most in the way, which is mostly the shortest: it may go in circles.
static int walk_straight(const lope_mesh *mesh, int half_edge, lope_point point, int steps)
{
    int h = half_edge;
    if (side_of(mesh, h, point) < 0.0 && mesh->half_edges[h ^ 1].face >= 0)
        h ^= 1;
    for (int i = 0; i < steps; i++) {
        const int next = lope_mesh_next(mesh, h), previous = lope_mesh_next(mesh, next);
        const double a = side_of(mesh, next, point), b = side_of(mesh, previous, point);
        if (a >= 0.0 && b >= 0.0)
            return h;
        h = (a < b ? next : previous) ^ 1;
        if (mesh->half_edges[h].face < 0)
            return -1;
    }
    return -1;
}

// Goes from a face towards the point. Returns a side of the face that holds it; after `steps` faces without finding it,
// -1.
static int walk(const lope_mesh *mesh, int half_edge, lope_point point, int steps)
{
    int h = half_edge, entry = -1;
    uint32_t random = 2463534242u;
    for (int i = 0; i < steps; i++) {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        int e = random & 1 ? lope_mesh_next(mesh, h) : random & 2 ? lope_mesh_previous(mesh, h) : h, crossed = -1;
        for (int k = 0; k < 3 && crossed < 0; k++, e = lope_mesh_next(mesh, e))
            if (e != entry && side_of(mesh, e, point) < 0.0 && mesh->half_edges[e ^ 1].face >= 0)
                crossed = e;
        if (crossed < 0)
            return h;
        h = entry = crossed ^ 1;
    }
    return -1;
}

static int walk_from_table(const lope_mesh *mesh, lope_point point)
{
    const int from = mesh->vertices[start_vertex(mesh, point)].half_edge;
    const int found = mesh->half_edges[from].face >= 0 ? walk_straight(mesh, from, point, HINT_STEPS) : -1;
    return found >= 0 ? found : walk(mesh, from, point, INT_MAX);
}

lope_place lope_mesh_locate(const lope_mesh *mesh, lope_point point)
{
    return lope_mesh_place(mesh, walk_from_table(mesh, point), point);
}

int lope_mesh_face_near(const lope_mesh *mesh, int *hint, lope_point point)
{
    int found = -1, from = hint && *hint > 0 ? *hint - 1 : -1;
    // A hint may be older than the last changes; what is a side of some face will do.
    if (from >= 0 && from < 2 * mesh->edge_count && mesh->half_edges[from].origin >= 0 &&
        mesh->half_edges[from].face >= 0)
        found = walk_straight(mesh, from, point, HINT_STEPS);
    if (found < 0)
        found = walk_from_table(mesh, point);
    if (hint)
        *hint = found + 1;
    return found;
}
