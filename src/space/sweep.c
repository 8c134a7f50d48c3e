// SPDX-License-Identifier: MIT
// Straight ways of discs: what a disc sweeps is a capsule, and a capsule is convex like a disc. So the edges to be
// crossed are chords of it, as in clearance.c: enters triangle after triangle that the capsule reaches into, through
// free edges, and cuts the capsule off where it would touch something. What was cut off by rounding a little too late
// must not be entered from all sides, so edges are looked at with a slightly smaller radius than vertices.
#include <math.h>

#include "space/near.h"

// Edges that wait; a world that needs more is looked through as a whole.
#define WAITING_MAX 128
#define RADIUS_MIN 1e-6
#define EDGE_PART (1.0 - 1e-9)

typedef struct sweep {
    const lope_mesh *mesh;
    lope_point from, way;  // way: all of it
    double radius, square; // of the radius
    double part;           // of the way that is still free
    bool first_is_enough;  // one contact is all we want to know
    int count;
    bool overflow;
    int edges[WAITING_MAX];
} sweep;

static lope_point end_of(const sweep *s)
{
    return (lope_point){s->from.x + s->part * s->way.x, s->from.z + s->part * s->way.z};
}

static void cut(sweep *s, double part)
{
    if (part < s->part)
        s->part = part > 0.0 ? part : 0.0;
    if (s->first_is_enough)
        s->part = 0.0;
}

static bool reaches_point(const sweep *s, lope_point p)
{
    return lope_near_line(s->from, end_of(s), p).square < s->square;
}

// Cuts the way where the disc touches a point that it hits.
static void touch_point(sweep *s, lope_point p)
{
    if (!reaches_point(s, p))
        return;
    double x = p.x - s->from.x, z = p.z - s->from.z, length = s->way.x * s->way.x + s->way.z * s->way.z;
    double along = x * s->way.x + z * s->way.z, across = x * s->way.z - z * s->way.x;
    double rest = s->square * length - across * across;
    cut(s, length > 0.0 ? (along - sqrt(rest > 0.0 ? rest : 0.0)) / length : 0.0);
}

// Both ends of the edge are outside of the capsule.
static bool reaches_edge(const sweep *s, lope_point a, lope_point b)
{
    lope_point from = s->from, to = end_of(s);
    double side_a = (to.x - from.x) * (a.z - from.z) - (to.z - from.z) * (a.x - from.x);
    double side_b = (to.x - from.x) * (b.z - from.z) - (to.z - from.z) * (b.x - from.x);
    if ((side_a > 0.0) != (side_b > 0.0)) {
        double side_from = (b.x - a.x) * (from.z - a.z) - (b.z - a.z) * (from.x - a.x);
        double side_to = (b.x - a.x) * (to.z - a.z) - (b.z - a.z) * (to.x - a.x);
        if ((side_from > 0.0) != (side_to > 0.0))
            return true;
    }
    double square = EDGE_PART * s->square;
    return lope_near_line(a, b, from).square < square || lope_near_line(a, b, to).square < square;
}

// Cuts the way where the disc touches the inside of a wall that it hits.
static void touch_wall(sweep *s, lope_point a, lope_point b)
{
    double x = b.x - a.x, z = b.z - a.z, length = sqrt(x * x + z * z);
    if (lope_near_line(a, b, s->from).square < s->square) {
        cut(s, 0.0);
        return;
    }
    double height = ((s->from.z - a.z) * x - (s->from.x - a.x) * z) / length;
    double rise = (s->way.z * x - s->way.x * z) / length;
    double t = rise != 0.0 ? (copysign(s->radius, height) - height) / rise : 0.0;
    cut(s, t);
}

static void look_at_edge(sweep *s, int half_edge)
{
    // The same way from both sides.
    lope_point a = lope_mesh_point(s->mesh, lope_mesh_origin(s->mesh, half_edge & ~1));
    lope_point b = lope_mesh_point(s->mesh, lope_mesh_origin(s->mesh, half_edge | 1));
    if (!reaches_edge(s, a, b))
        return;
    if (lope_mesh_constrained(s->mesh, half_edge))
        touch_wall(s, a, b);
    else if (s->count == WAITING_MAX)
        s->overflow = true;
    else
        s->edges[s->count++] = half_edge;
}

static void enter(sweep *s, int half_edge)
{
    int next = lope_mesh_next(s->mesh, half_edge), previous = lope_mesh_next(s->mesh, next);
    touch_point(s, lope_mesh_point(s->mesh, lope_mesh_origin(s->mesh, previous)));
    look_at_edge(s, next);
    look_at_edge(s, previous);
}

// Everything there is; the plain twin.
static void scan(sweep *s)
{
    const lope_mesh *mesh = s->mesh;
    for (int i = 4; i < mesh->vertex_count; i++)
        if (mesh->vertices[i].half_edge >= 0)
            touch_point(s, mesh->vertices[i].point);
    for (int edge = 0; edge < mesh->edge_count; edge++) {
        lope_half_edge side = mesh->half_edges[2 * edge];
        if (side.origin < 0 || mesh->pieces_of[edge] < 0)
            continue;
        lope_point a = lope_mesh_point(mesh, side.origin), b = lope_mesh_point(mesh, lope_mesh_target(mesh, 2 * edge));
        if (reaches_edge(s, a, b))
            touch_wall(s, a, b);
    }
}

static void run(sweep *s, int half_edge)
{
    touch_point(s, lope_mesh_point(s->mesh, lope_mesh_origin(s->mesh, half_edge)));
    touch_point(s, lope_mesh_point(s->mesh, lope_mesh_target(s->mesh, half_edge)));
    look_at_edge(s, half_edge);
    enter(s, half_edge);
    for (int steps = 0; s->count && s->part > 0.0; steps++) {
        int h = s->edges[--s->count];
        if (steps > s->mesh->face_count) { // far from the origin rounding may still lead in circles
            s->overflow = true;
            break;
        }
        // The way may have become shorter while the edge waited.
        if (reaches_edge(s, lope_mesh_point(s->mesh, lope_mesh_origin(s->mesh, h & ~1)),
                         lope_mesh_point(s->mesh, lope_mesh_origin(s->mesh, h | 1))))
            enter(s, h ^ 1);
    }
    if (s->overflow && s->part > 0.0)
        scan(s);
}

double lope_space_scan_sweep(const lope_space *space, lope_point from, lope_point to, double radius)
{
    sweep s = {.mesh = &space->mesh, .from = from, .way = {to.x - from.x, to.z - from.z}, .radius = radius};
    s.square = radius * radius;
    s.part = 1.0;
    scan(&s);
    return s.part;
}

static void begin(sweep *s, const lope_mesh *mesh, lope_point from, lope_point to, double radius)
{
    s->mesh = mesh; // its edges are not read before they are written
    s->from = from;
    s->way = (lope_point){to.x - from.x, to.z - from.z};
    s->radius = radius;
    s->square = radius * radius;
    s->part = 1.0;
    s->count = 0;
    s->overflow = false;
}

bool lope_mesh_sweep_free(const lope_mesh *mesh, int half_edge, lope_point from, lope_point to, double radius)
{
    sweep s;
    begin(&s, mesh, from, to, radius);
    s.first_is_enough = true;
    run(&s, half_edge);
    return s.part == 1.0;
}

static double part_of_way(const lope_space *space, lope_vec2 start, lope_vec2 end, float radius, int *hint,
                          bool first_is_enough)
{
    lope_point from = {(double)start.x, (double)start.z}, to = {(double)end.x, (double)end.z};
    if (!lope_space_holds(space, from) || !isfinite(end.x) || !isfinite(end.z))
        return 0.0;
    int h = lope_mesh_face_near(&space->mesh, hint, from);
    if (lope_mesh_covered(&space->mesh, h))
        return 0.0;
    sweep s;
    begin(&s, &space->mesh, from, to, fmax((double)radius, RADIUS_MIN));
    s.first_is_enough = first_is_enough;
    run(&s, h);
    return s.part;
}

float lope_space_sweep(const lope_space *space, lope_vec2 from, lope_vec2 to, float radius, int *hint)
{
    return (float)part_of_way(space, from, to, radius, hint, false);
}

bool lope_space_sweep_free(const lope_space *space, lope_vec2 from, lope_vec2 to, float radius, int *hint)
{
    return part_of_way(space, from, to, radius, hint, true) == 1.0;
}
