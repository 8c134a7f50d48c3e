// SPDX-License-Identifier: MIT
// A goal within sight: the line to it, followed from triangle to triangle, is the path, and there is nothing to search
// for. Where something comes near to the line, that is found out after the few edges before it.
#include "space/path.h"

typedef struct sight {
    lope_point from, way; // of the line
    double square, near;  // of its length; its length times the least distance that a corner may have from it
} sight;

// A corner's side of the line, 1 left, -1 right; 0: the disc hits it. The ends themselves have room on all sides.
static int side_of(const sight *s, lope_point p)
{
    const double x = p.x - s->from.x, z = p.z - s->from.z;
    const double across = s->way.x * z - s->way.z * x, along = s->way.x * x + s->way.z * z;
    if (fabs(across) < s->near && along > 0.0 && along < s->square)
        return 0;
    return across > 0.0 ? 1 : -1;
}

// The half-edge that the line leaves the start's triangle by; -1: it cannot be told, or not be crossed.
static int first_crossed(const sight *s, const lope_path_query *query)
{
    const lope_mesh *mesh = query->mesh;
    int h = mesh->faces[query->start_face].half_edge;
    for (int k = 0; k < 3; k++, h = lope_mesh_next(mesh, h))
        if (side_of(s, lope_mesh_point(mesh, lope_mesh_origin(mesh, h))) < 0 &&
            side_of(s, lope_mesh_point(mesh, lope_mesh_target(mesh, h))) > 0)
            return h;
    return -1;
}

// Lists the half-edges that the line crosses. False: something is in the way.
static bool follow(lope_path_finder *finder, const lope_path_query *query)
{
    const lope_point way = {query->goal.x - query->start.x, query->goal.z - query->start.z};
    const double square = way.x * way.x + way.z * way.z;
    const sight s = {query->start, way, square, sqrt(square) * query->radius * (1.0 - 1e-7)};
    finder->crossed_count = 0;
    for (int h = first_crossed(&s, query); h >= 0 && finder->crossed_count < finder->edge_capacity;) {
        const lope_gate *gate = &query->gates[h];
        if (gate->width < query->diameter)
            return false;
        finder->crossed[finder->crossed_count++] = h;
        if (gate->beyond == query->goal_face)
            return true;
        const int side = side_of(&s, lope_mesh_point(query->mesh, lope_mesh_apex(query->mesh, h ^ 1)));
        h = side ? gate->next[side < 0] : -1;
    }
    return false;
}

bool lope_path_straight(lope_path_finder *finder, const lope_path_query *query)
{
    if (query->start_face == query->goal_face || !follow(finder, query))
        return false;
    finder->estimate = lope_path_distance(query->start, query->goal);
    finder->bends[0] = (lope_path_bend){query->start, 0, -1, 0};
    finder->bends[1] = (lope_path_bend){query->goal, 0, -1, finder->crossed_count - 1};
    finder->bend_count = 2;
    return lope_path_ends_clear(finder, query);
}
