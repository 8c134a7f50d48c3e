// SPDX-License-Identifier: MIT
// Straight ways of discs: what a disc sweeps is a capsule, and a capsule is convex like a disc. So the edges to be
// crossed are chords of it, as in clearance.c: enters triangle after triangle that the capsule reaches into, through
// free edges, and cuts the capsule off where it would touch something. What was cut off by rounding a little too late
// must not be entered from all sides, so edges are looked at with a slightly smaller radius than vertices.
//
// Everything is seen from the way: x along it from where it begins, z across.
#include <math.h>

#include "space/near.h"

// Edges that wait; a world that needs more is looked through as a whole.
#define WAITING_MAX 64
#define RADIUS_MIN 1e-6
#define EDGE_PART (1.0 - 1e-9)

typedef struct waiting {
    int half_edge;
    lope_point origin, target;
} waiting;

typedef struct sweep {
    const lope_mesh *mesh;
    lope_point from, direction; // direction: of length 1
    double length;              // of the way that is still free
    double radius, square;      // of the radius
    bool touched;
    bool first_is_enough; // one contact is all we want to know
    int count;
    bool overflow;
    waiting edges[WAITING_MAX];
} sweep;

static lope_point seen(const sweep *s, int vertex)
{
    lope_point p = lope_mesh_point(s->mesh, vertex), u = s->direction;
    double x = p.x - s->from.x, z = p.z - s->from.z;
    return (lope_point){u.x * x + u.z * z, u.x * z - u.z * x};
}

static void cut(sweep *s, double length)
{
    s->touched = true;
    if (length < s->length)
        s->length = length > 0.0 ? length : 0.0;
}

// Cuts the way where the disc touches a point that it hits.
static void touch_point(sweep *s, lope_point p)
{
    double across = p.z * p.z, beyond = p.x < 0.0 ? p.x : p.x > s->length ? p.x - s->length : 0.0;
    if (across + beyond * beyond < s->square)
        cut(s, p.x - sqrt(s->square - across));
}

// The edge is beside, before or behind the capsule: mostly enough to tell.
static bool is_off(const sweep *s, lope_point a, lope_point b)
{
    double r = s->radius, far = s->length + r;
    return (a.z > r && b.z > r) || (a.z < -r && b.z < -r) || (a.x < -r && b.x < -r) || (a.x > far && b.x > far);
}

// Both ends of the edge are outside of the capsule.
static bool reaches_edge(const sweep *s, lope_point a, lope_point b)
{
    if (is_off(s, a, b))
        return false;
    if ((a.z > 0.0) != (b.z > 0.0)) {
        double x = (a.x * b.z - b.x * a.z) / (b.z - a.z);
        if (x >= 0.0 && x <= s->length)
            return true;
    }
    const double square = EDGE_PART * s->square;
    return lope_line_reaches(a, b, square) ||
           lope_line_reaches((lope_point){a.x - s->length, a.z}, (lope_point){b.x - s->length, b.z}, square);
}

// Cuts the way where the disc touches the inside of a wall that it hits.
static void touch_wall(sweep *s, lope_point a, lope_point b)
{
    lope_point from = {0.0, 0.0};
    if (lope_near_line(a, b, from).square < s->square) {
        cut(s, 0.0);
        return;
    }
    double x = b.x - a.x, z = b.z - a.z, length = sqrt(x * x + z * z);
    double height = (z * a.x - x * a.z) / length, fall = z / length; // of the beginning over the wall, and on the way
    cut(s, fall != 0.0 ? (height - copysign(s->radius, height)) / fall : 0.0);
}

static void look_at_edge(sweep *s, int half_edge, lope_point origin, lope_point target)
{
    if (!reaches_edge(s, origin, target))
        return;
    if (lope_mesh_constrained(s->mesh, half_edge))
        touch_wall(s, origin, target);
    else if (s->count == WAITING_MAX)
        s->overflow = true;
    else
        s->edges[s->count++] = (waiting){half_edge, origin, target};
}

// Into the face of a half-edge.
static void enter(sweep *s, int half_edge, lope_point origin, lope_point target)
{
    int next = lope_mesh_next(s->mesh, half_edge), previous = lope_mesh_next(s->mesh, next);
    lope_point apex = seen(s, lope_mesh_origin(s->mesh, previous));
    touch_point(s, apex);
    look_at_edge(s, next, target, apex);
    look_at_edge(s, previous, apex, origin);
}

// Everything there is; the plain twin.
static void scan(sweep *s)
{
    const lope_mesh *mesh = s->mesh;
    for (int i = 4; i < mesh->vertex_count; i++)
        if (mesh->vertices[i].half_edge >= 0)
            touch_point(s, seen(s, i));
    for (int edge = 0; edge < mesh->edge_count; edge++) {
        int h = 2 * edge;
        if (mesh->half_edges[h].origin < 0 || mesh->pieces_of[edge] < 0)
            continue;
        lope_point a = seen(s, lope_mesh_origin(mesh, h)), b = seen(s, lope_mesh_target(mesh, h));
        if (reaches_edge(s, a, b))
            touch_wall(s, a, b);
    }
}

static bool is_done(const sweep *s)
{
    return s->touched && (s->first_is_enough || s->length <= 0.0);
}

static void run(sweep *s, int half_edge, bool beyond)
{
    lope_point origin = seen(s, lope_mesh_origin(s->mesh, half_edge));
    lope_point target = seen(s, lope_mesh_target(s->mesh, half_edge));
    touch_point(s, origin);
    touch_point(s, target);
    if (beyond)
        look_at_edge(s, half_edge, origin, target);
    enter(s, half_edge, origin, target);
    for (int steps = 0; s->count && !is_done(s); steps++) {
        waiting edge = s->edges[--s->count];
        if (steps > s->mesh->face_count) { // far from the origin rounding may still lead in circles
            s->overflow = true;
            break;
        }
        // The way may have become shorter while the edge waited.
        if (!s->touched || reaches_edge(s, edge.origin, edge.target))
            enter(s, edge.half_edge ^ 1, edge.target, edge.origin);
    }
    if (s->overflow && !is_done(s))
        scan(s);
}

static void begin(sweep *s, const lope_mesh *mesh, lope_point from, lope_point to, double radius)
{
    double x = to.x - from.x, z = to.z - from.z;
    s->mesh = mesh; // its edges are not read before they are written
    s->from = from;
    s->length = sqrt(x * x + z * z);
    s->direction = s->length > 0.0 ? (lope_point){x / s->length, z / s->length} : (lope_point){1.0, 0.0};
    s->radius = radius;
    s->square = radius * radius;
    s->touched = false;
    s->first_is_enough = false;
    s->count = 0;
    s->overflow = false;
}

// The free part of a way that had this length.
static double part_of(const sweep *s, double length)
{
    return !s->touched ? 1.0 : length > 0.0 ? s->length / length : 0.0;
}

double lope_space_scan_sweep(const lope_space *space, lope_point from, lope_point to, double radius)
{
    sweep s;
    begin(&s, &space->mesh, from, to, radius);
    double length = s.length;
    scan(&s);
    return part_of(&s, length);
}

static bool is_free(const lope_mesh *mesh, int half_edge, const lope_point ends[2], double radius, bool beyond)
{
    sweep s;
    begin(&s, mesh, ends[0], ends[1], radius);
    s.first_is_enough = true;
    run(&s, half_edge, beyond);
    return !s.touched;
}

bool lope_mesh_sweep_free(const lope_mesh *mesh, int half_edge, lope_point from, lope_point to, double radius)
{
    return is_free(mesh, half_edge, (lope_point[2]){from, to}, radius, true);
}

bool lope_mesh_sweep_beside(const lope_mesh *mesh, int half_edge, lope_point from, lope_point to, double radius)
{
    return is_free(mesh, half_edge, (lope_point[2]){from, to}, radius, false);
}

// A side of the free face that a way begins in, -1: it cannot.
static int find_beginning(const lope_space *space, lope_vec2 start, lope_vec2 end, int *hint)
{
    lope_point from = {(double)start.x, (double)start.z};
    if (!lope_space_holds(space, from) || !isfinite(end.x) || !isfinite(end.z))
        return -1;
    int h = lope_mesh_face_near(&space->mesh, hint, from);
    return lope_mesh_covered(&space->mesh, h) ? -1 : h;
}

float lope_space_sweep(const lope_space *space, lope_vec2 from, lope_vec2 to, float radius, int *hint)
{
    int h = find_beginning(space, from, to, hint);
    if (h < 0)
        return 0.0f;
    sweep s;
    begin(&s, &space->mesh, (lope_point){(double)from.x, (double)from.z}, (lope_point){(double)to.x, (double)to.z},
          fmax((double)radius, RADIUS_MIN));
    double length = s.length;
    run(&s, h, true);
    return (float)part_of(&s, length);
}

bool lope_space_sweep_free(const lope_space *space, lope_vec2 from, lope_vec2 to, float radius, int *hint)
{
    int h = find_beginning(space, from, to, hint);
    return h >= 0 && lope_mesh_sweep_free(&space->mesh, h, (lope_point){(double)from.x, (double)from.z},
                                          (lope_point){(double)to.x, (double)to.z}, fmax((double)radius, RADIUS_MIN));
}
