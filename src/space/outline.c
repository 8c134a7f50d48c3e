// SPDX-License-Identifier: MIT
// The way out of obstacles: looks around from a covered point through the triangles that obstacles lie over, up to the
// edges behind which it is free.
//
// Vertices may lie anywhere under obstacles that overlap, so what is looked through are not chords of a disc. What is
// nearest can be seen, so only what is within view is entered: views part the directions among them, and end.
#include <math.h>

#include "space/near.h"

// Views that wait; a world that needs more is looked through as a whole.
#define VIEWS_MAX 128

typedef struct view {
    int half_edge; // to be crossed; the point is to its left
    lope_point right, left;
} view;

typedef struct search {
    const lope_mesh *mesh;
    lope_point point;
    lope_near best;
    int count;
    bool overflow;
    view views[VIEWS_MAX];
} search;

// A side of a triangle that can be left through it, as far as it is seen between `right` and `left`.
static void look_at(search *s, int half_edge, lope_point right, lope_point left)
{
    lope_near near = lope_mesh_near_edge(s->mesh, half_edge, s->point);
    if (near.square >= s->best.square || s->mesh->half_edges[half_edge ^ 1].face < 0)
        return;
    if (!lope_mesh_covered(s->mesh, half_edge ^ 1)) {
        s->best = near;
        return;
    }
    lope_point origin = lope_mesh_point(s->mesh, lope_mesh_origin(s->mesh, half_edge));
    lope_point target = lope_mesh_point(s->mesh, lope_mesh_target(s->mesh, half_edge));
    if (lope_orient(s->point, right, origin) > 0.0)
        right = origin;
    if (lope_orient(s->point, left, target) < 0.0)
        left = target;
    if (lope_orient(s->point, right, left) <= 0.0)
        return;
    if (s->count == VIEWS_MAX)
        s->overflow = true;
    else
        s->views[s->count++] = (view){half_edge, right, left};
}

static void look_from_start(search *s, int half_edge)
{
    look_at(s, half_edge, lope_mesh_point(s->mesh, lope_mesh_origin(s->mesh, half_edge)),
            lope_mesh_point(s->mesh, lope_mesh_target(s->mesh, half_edge)));
}

static void look_around(search *s)
{
    while (s->count) {
        view v = s->views[--s->count];
        int entered = v.half_edge ^ 1;
        look_at(s, lope_mesh_next(s->mesh, entered), v.right, v.left);
        look_at(s, lope_mesh_previous(s->mesh, entered), v.right, v.left);
    }
}

lope_near lope_mesh_scan_outline(const lope_mesh *mesh, lope_point point, double limit)
{
    lope_near best = {point, limit * limit};
    for (int edge = 0; edge < mesh->edge_count; edge++) {
        int h = 2 * edge;
        if (mesh->half_edges[h].origin < 0 || lope_mesh_covered(mesh, h) == lope_mesh_covered(mesh, h ^ 1))
            continue;
        lope_near near = lope_mesh_near_edge(mesh, h, point);
        if (near.square < best.square)
            best = near;
    }
    return best;
}

lope_near lope_mesh_nearest_outline(const lope_mesh *mesh, int half_edge, lope_point point, double limit)
{
    // At a vertex or on an edge, directions have no beginning to part them at.
    lope_place place = lope_mesh_place(mesh, half_edge, point);
    if (place.kind != LOPE_PLACE_FACE)
        return lope_mesh_scan_outline(mesh, point, limit);
    search s; // its views are not read before they are written
    s.mesh = mesh;
    s.point = point;
    s.best = (lope_near){point, limit * limit};
    s.count = 0;
    s.overflow = false;
    for (int i = 0, h = half_edge; i < 3; i++, h = lope_mesh_next(mesh, h))
        look_from_start(&s, h);
    look_around(&s);
    return s.overflow ? lope_mesh_scan_outline(mesh, point, limit) : s.best;
}

lope_near lope_near_rectangle(lope_point low, lope_point high, lope_point point, double limit)
{
    lope_point near = {fmin(fmax(point.x, low.x), high.x), fmin(fmax(point.z, low.z), high.z)};
    double square = lope_point_square(near, point);
    return square < limit * limit ? (lope_near){near, square} : (lope_near){point, limit * limit};
}
