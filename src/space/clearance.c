// SPDX-License-Identifier: MIT
// How far the nearest obstacle is: looks around from the point, triangle by
// triangle, through free edges, and no farther than the nearest found so far.
// What is nearest can be seen, so only what is within view is entered; then no
// triangle is entered twice for the same view. Every vertex of the
// triangulation belongs to some obstacle.
#include <math.h>

#include "space/space.h"

// Views that wait; a world that needs more is looked through as a whole.
#define VIEWS_MAX 128

typedef struct view {
    int half_edge; // to be crossed; the point is to its left
    lope_point right, left;
} view;

typedef struct search {
    const lope_mesh *mesh;
    lope_point point;
    double best; // squared
    int count;
    bool overflow;
    view views[VIEWS_MAX];
} search;

static double squared(lope_point a, lope_point b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z);
}

static double squared_to_edge(const lope_mesh *mesh, int half_edge, lope_point p)
{
    lope_point a = lope_mesh_point(mesh, lope_mesh_origin(mesh, half_edge));
    lope_point b = lope_mesh_point(mesh, lope_mesh_target(mesh, half_edge));
    double t = ((p.x - a.x) * (b.x - a.x) + (p.z - a.z) * (b.z - a.z)) / squared(a, b);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return squared((lope_point){a.x + t * (b.x - a.x), a.z + t * (b.z - a.z)}, p);
}

// A side of a triangle that can be left through it, as far as it is seen
// between `right` and `left`.
static void look_at(search *s, int half_edge, lope_point right, lope_point left)
{
    double distance = squared_to_edge(s->mesh, half_edge, s->point);
    if (distance >= s->best)
        return;
    if (lope_mesh_constrained(s->mesh, half_edge)) {
        s->best = distance;
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
    lope_point a = lope_mesh_point(s->mesh, lope_mesh_origin(s->mesh, half_edge));
    lope_point b = lope_mesh_point(s->mesh, lope_mesh_target(s->mesh, half_edge));
    s->best = fmin(s->best, squared(a, s->point));
    look_at(s, half_edge, a, b);
}

static void look_around(search *s)
{
    while (s->count) {
        view v = s->views[--s->count];
        if (squared_to_edge(s->mesh, v.half_edge, s->point) >= s->best)
            continue;
        int entered = v.half_edge ^ 1;
        int sides[2] = {lope_mesh_next(s->mesh, entered), lope_mesh_previous(s->mesh, entered)};
        s->best = fmin(s->best, squared(lope_mesh_point(s->mesh, lope_mesh_origin(s->mesh, sides[1])), s->point));
        for (int i = 0; i < 2; i++)
            look_at(s, sides[i], v.right, v.left);
    }
}

// Everything there is; the plain twin of looking around.
double lope_space_scan_clearance(const lope_space *space, lope_point point)
{
    const lope_mesh *mesh = &space->mesh;
    double best = HUGE_VAL;
    for (int i = 4; i < mesh->vertex_count; i++)
        if (mesh->vertices[i].half_edge >= 0)
            best = fmin(best, squared(mesh->vertices[i].point, point));
    for (int edge = 0; edge < mesh->edge_count; edge++)
        if (mesh->half_edges[2 * edge].origin >= 0 && mesh->pieces_of[edge] >= 0)
            best = fmin(best, squared_to_edge(mesh, 2 * edge, point));
    return sqrt(best);
}

double lope_space_clearance_at(const lope_space *space, lope_place place, lope_point point, double limit)
{
    const lope_mesh *mesh = &space->mesh;
    if (place.kind == LOPE_PLACE_VERTEX ||
        (place.kind == LOPE_PLACE_EDGE && lope_mesh_constrained(mesh, place.half_edge)))
        return 0.0;
    search s; // its views are not read before they are written
    s.mesh = mesh;
    s.point = point;
    s.best = limit * limit;
    s.count = 0;
    s.overflow = false;
    // A point on a free edge looks from both triangles, and not through that
    // edge.
    bool on_edge = place.kind == LOPE_PLACE_EDGE;
    for (int side = 0; side <= on_edge; side++) {
        int h = place.half_edge ^ side;
        if (!on_edge)
            look_from_start(&s, h);
        look_from_start(&s, lope_mesh_next(mesh, h));
        look_from_start(&s, lope_mesh_previous(mesh, h));
    }
    look_around(&s);
    return s.overflow ? fmin(limit, lope_space_scan_clearance(space, point)) : sqrt(s.best);
}

float lope_space_clearance(const lope_space *space, lope_vec2 at)
{
    lope_point point = {(double)at.x, (double)at.z};
    if (lope_space_blocked(space, at))
        return 0.0f;
    return (float)lope_space_clearance_at(space, lope_mesh_locate(&space->mesh, point), point, HUGE_VAL);
}
