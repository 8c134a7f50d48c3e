// SPDX-License-Identifier: MIT
// How far the nearest obstacle is: enters triangle after triangle around the point, through free edges, and no farther
// than the nearest found so far.
//
// Every vertex of the triangulation belongs to some obstacle, so an edge that is still to be crossed has both its ends
// outside of the disc that is looked through: it is a chord. Chords that do not cross cut a disc into parts that hang
// together like a tree, also while the disc shrinks; so no triangle is entered twice, and nothing has to be marked.
#include <math.h>

#include "space/near.h"

// Edges that wait; a world that needs more is looked through as a whole.
#define WAITING_MAX 128

typedef struct waiting {
    int half_edge; // to be crossed
    double square; // of the distance to it
} waiting;

typedef struct search {
    const lope_mesh *mesh;
    lope_point point;
    lope_near best;
    int count;
    bool overflow;
    waiting edges[WAITING_MAX];
} search;

static void look_at_vertex(search *s, int vertex)
{
    lope_point p = lope_mesh_point(s->mesh, vertex);
    double square = lope_point_square(p, s->point);
    if (square < s->best.square)
        s->best = (lope_near){p, square};
}

static void push(search *s, waiting edge)
{
    if (s->count == WAITING_MAX)
        s->overflow = true;
    else
        s->edges[s->count++] = edge;
}

static void look_at_edge(search *s, int half_edge)
{
    lope_near near = lope_mesh_near_edge(s->mesh, half_edge, s->point);
    if (near.square >= s->best.square)
        return;
    if (lope_mesh_constrained(s->mesh, half_edge))
        s->best = near;
    else
        push(s, (waiting){half_edge, near.square});
}

// The nearer of two waits on top, so that the disc shrinks early.
static void enter(search *s, int half_edge)
{
    int next = lope_mesh_next(s->mesh, half_edge), previous = lope_mesh_next(s->mesh, next), before = s->count;
    look_at_vertex(s, lope_mesh_origin(s->mesh, previous));
    look_at_edge(s, next);
    look_at_edge(s, previous);
    if (s->count == before + 2 && s->edges[before].square < s->edges[before + 1].square) {
        waiting nearer = s->edges[before];
        s->edges[before] = s->edges[before + 1];
        s->edges[before + 1] = nearer;
    }
}

// Everything there is; the plain twin of looking around.
static lope_near scan(const lope_mesh *mesh, lope_point point, lope_near best)
{
    for (int i = 4; i < mesh->vertex_count; i++) {
        double square = lope_point_square(mesh->vertices[i].point, point);
        if (mesh->vertices[i].half_edge >= 0 && square < best.square)
            best = (lope_near){mesh->vertices[i].point, square};
    }
    for (int edge = 0; edge < mesh->edge_count; edge++) {
        if (mesh->half_edges[2 * edge].origin < 0 || mesh->pieces_of[edge] < 0)
            continue;
        lope_near near = lope_mesh_near_edge(mesh, 2 * edge, point);
        if (near.square < best.square)
            best = near;
    }
    return best;
}

double lope_space_scan_clearance(const lope_space *space, lope_point point)
{
    return sqrt(scan(&space->mesh, point, (lope_near){point, HUGE_VAL}).square);
}

lope_near lope_mesh_nearest_obstacle(const lope_mesh *mesh, int half_edge, lope_point point, double limit)
{
    search s; // its edges are not read before they are written
    s.mesh = mesh;
    s.point = point;
    s.best = (lope_near){point, limit * limit};
    s.count = 0;
    s.overflow = false;
    look_at_vertex(&s, lope_mesh_origin(mesh, half_edge));
    look_at_vertex(&s, lope_mesh_target(mesh, half_edge));
    look_at_edge(&s, half_edge);
    enter(&s, half_edge);
    while (s.count) {
        waiting edge = s.edges[--s.count];
        if (edge.square < s.best.square)
            enter(&s, edge.half_edge ^ 1);
    }
    return s.overflow ? scan(mesh, point, s.best) : s.best;
}

static lope_point seen(const lope_mesh *mesh, int vertex, lope_point from)
{
    const lope_point p = lope_mesh_point(mesh, vertex);
    return (lope_point){p.x - from.x, p.z - from.z};
}

// Edges of a disc's triangles that lead on, and how much the disc needs.
typedef struct disc {
    const lope_mesh *mesh;
    double square;
    int count, edges[WAITING_MAX];
} disc;

// The side of a triangle from a to b, as seen from the middle. False: the disc hits it, or there is no room to wait.
static bool pass_side(disc *d, int half_edge, lope_point a, lope_point b)
{
    if (!lope_line_reaches(a, b, d->square))
        return true;
    if (lope_mesh_constrained(d->mesh, half_edge) || d->count == WAITING_MAX)
        return false;
    d->edges[d->count++] = half_edge ^ 1;
    return true;
}

static bool is_outside(const disc *d, lope_point p)
{
    return p.x * p.x + p.z * p.z >= d->square;
}

bool lope_mesh_disc_free(const lope_mesh *mesh, int half_edge, lope_point point, double radius)
{
    disc d; // its edges are not read before they are written
    d.mesh = mesh;
    d.square = radius * radius * (1.0 - 1e-7);
    d.count = 0;
    bool free = is_outside(&d, seen(mesh, lope_mesh_origin(mesh, half_edge), point)) &&
                is_outside(&d, seen(mesh, lope_mesh_target(mesh, half_edge), point)) &&
                pass_side(&d, half_edge, seen(mesh, lope_mesh_origin(mesh, half_edge), point),
                          seen(mesh, lope_mesh_target(mesh, half_edge), point));
    for (int h = half_edge; free;) {
        const int next = lope_mesh_next(mesh, h), previous = lope_mesh_next(mesh, next);
        const lope_point from = seen(mesh, lope_mesh_origin(mesh, h), point),
                         to = seen(mesh, lope_mesh_origin(mesh, next), point),
                         apex = seen(mesh, lope_mesh_origin(mesh, previous), point);
        free = is_outside(&d, apex) && pass_side(&d, next, to, apex) && pass_side(&d, previous, apex, from);
        if (!d.count)
            break;
        h = d.edges[--d.count];
    }
    // So many edges are looked at one by one.
    return free || (d.count >= WAITING_MAX - 1 &&
                    lope_mesh_nearest_obstacle(mesh, half_edge, point, radius).square >= d.square);
}

float lope_space_distance(const lope_space *space, lope_vec2 at, float limit, int *hint, lope_vec2 *nearest)
{
    lope_point point = {(double)at.x, (double)at.z};
    lope_near near = {point, (double)limit * (double)limit};
    float sign = 1.0f;
    if (!lope_space_holds(space, point)) { // also where it is not a number
        sign = -1.0f;
        near = lope_near_rectangle(space->low, space->high, point, (double)limit);
    } else {
        int h = lope_mesh_face_near(&space->mesh, hint, point);
        if (lope_mesh_covered(&space->mesh, h)) {
            sign = -1.0f;
            near = lope_mesh_nearest_outline(&space->mesh, h, point, (double)limit);
        } else {
            near = lope_mesh_nearest_obstacle(&space->mesh, h, point, (double)limit);
        }
    }
    if (nearest)
        *nearest = (lope_vec2){(float)near.point.x, (float)near.point.z};
    return near.square > 0.0 ? sign * (float)sqrt(near.square) : 0.0f;
}

bool lope_space_disc_free(const lope_space *space, lope_vec2 at, float radius, int *hint)
{
    lope_point point = {(double)at.x, (double)at.z};
    if (!lope_space_holds(space, point))
        return false;
    int h = lope_mesh_face_near(&space->mesh, hint, point);
    if (lope_mesh_covered(&space->mesh, h)) // but maybe on its outline
        return radius == 0.0f && !lope_space_blocked(space, at);
    return lope_mesh_disc_free(&space->mesh, h, point, (double)radius);
}

float lope_space_clearance(const lope_space *space, lope_vec2 at)
{
    return fmaxf(0.0f, lope_space_distance(space, at, INFINITY, NULL, NULL));
}
