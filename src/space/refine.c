// SPDX-License-Identifier: MIT
// Makes every bottleneck an edge of the triangulation, and keeps it so while the triangulation changes.
//
// What stops a disc on its way is a pair of obstacle points on either side of it that are too close. The closest pairs
// have nothing between them: the circle on their connection as diameter is empty. Such a pair is two corners, or a
// corner and its foot on a wall. Two corners with an empty circle are joined by an edge of the triangulation; so it is
// enough to split the walls at the feet (compare Kallmann, local clearance triangulations, 2014, which tests pairs of
// edges instead). A foot too many does no harm: it is a point of an obstacle like any other.
//
// A wall finds the corners above it by looking through the triangles there, and leaves its name in each. What it found
// depends on these triangles only; so when one of them changes, the walls named in it look again, and nobody else.
#include "space/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "space/near.h"

// Feet are at least so far from the ends of their wall, in metres: nearer, the end itself serves, and walls that meet
// at a very small angle would be split without end.
#define LEAST_APART 1e-4

// Coordinates along a wall and upwards from it.
typedef struct frame {
    lope_point origin;
    double x, z, length, farthest;
} frame;

static void to_frame(const frame *f, lope_point p, double *along, double *up)
{
    double x = p.x - f->origin.x, z = p.z - f->origin.z;
    *along = x * f->x + z * f->z;
    *up = z * f->x - x * f->z;
}

// Room for one more; sets out_of_memory and says false where there is none.
static bool make_room(lope_refiner *r, void *array, int count, int *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    void *old;
    memcpy(&old, array, sizeof old);
    int larger_capacity = *capacity ? 2 * *capacity : 256;
    void *larger = lope_grow(old, (size_t)count * size, (size_t)larger_capacity * size);
    if (!larger) {
        r->out_of_memory = true;
        return false;
    }
    memcpy(array, &larger, sizeof larger);
    *capacity = larger_capacity;
    return true;
}

static bool has_name(const lope_visit *v, int wall)
{
    bool has = false;
    for (int k = 0; k < LOPE_VISIT_WALLS; k++)
        has |= v->walls[k] == wall;
    return has;
}

// The visits of a face that have room for one more name: its latest ones, or new ones before them. -1: no memory.
static int visits_with_room(lope_refiner *r, int face)
{
    const int latest = r->visits_of[face];
    if (latest >= 0 && r->visits[latest].walls[LOPE_VISIT_WALLS - 1] < 0)
        return latest;
    int fresh = r->visit_free;
    if (fresh >= 0)
        r->visit_free = r->visits[fresh].next;
    else if (make_room(r, &r->visits, r->visit_count, &r->visit_capacity, sizeof *r->visits))
        fresh = r->visit_count++;
    else
        return -1;
    memset(r->visits[fresh].walls, 0xff, sizeof r->visits[fresh].walls);
    r->visits[fresh].next = latest;
    return r->visits_of[face] = fresh;
}

static void leave_name(lope_refiner *r, int face, int wall)
{
    for (int i = r->visits_of[face]; i >= 0; i = r->visits[i].next)
        if (has_name(&r->visits[i], wall))
            return;
    const int visits = visits_with_room(r, face);
    for (int k = 0; visits >= 0 && k < LOPE_VISIT_WALLS; k++)
        if (r->visits[visits].walls[k] < 0) {
            r->visits[visits].walls[k] = wall;
            return;
        }
}

static void add_foot(lope_refiner *r, int half_edge, double part)
{
    if (make_room(r, &r->feet, r->foot_count, &r->foot_capacity, sizeof *r->feet))
        r->feet[r->foot_count++] = (lope_foot){half_edge >> 1, half_edge & 1 ? 1.0 - part : part};
}

// The part of a strip that leaves through an edge with o on the right and t on the left, without those feet whose
// circles would hold the lower end of the edge whatever is beyond it.
static lope_strip narrow(const lope_mesh *mesh, const frame *f, int half_edge, lope_strip from)
{
    double o_along, o_up, t_along, t_up;
    to_frame(f, lope_mesh_point(mesh, lope_mesh_origin(mesh, half_edge)), &o_along, &o_up);
    to_frame(f, lope_mesh_point(mesh, lope_mesh_target(mesh, half_edge)), &t_along, &t_up);
    lope_strip result = {half_edge, fmax(from.low, t_along), fmin(from.high, o_along)};
    if (o_up > f->farthest && t_up > f->farthest)
        result.high = result.low;
    if (o_along > t_along) {
        double slope = (o_up - t_up) / (o_along - t_along);
        if (slope < 0.0)
            result.high = fmin(result.high, o_along + slope * o_up);
        else
            result.low = fmax(result.low, t_along + slope * t_up);
    }
    return result;
}

static bool in_circle_of(const lope_mesh *mesh, const frame *f, int vertex, double along, double height)
{
    double x, up;
    to_frame(f, lope_mesh_point(mesh, vertex), &x, &up);
    return (x - along) * (x - along) + up * up < up * height * (1.0 - 1e-9);
}

// Nothing is in the circle between a corner and its foot.
static bool is_clear(const lope_mesh *mesh, const frame *f, int corner, int face_side, double along, double height)
{
    lope_point p = lope_mesh_point(mesh, corner);
    lope_point middle = {0.5 * (p.x + f->origin.x + along * f->x), 0.5 * (p.z + f->origin.z + along * f->z)};
    int hint = face_side + 1, h = lope_mesh_face_near(mesh, &hint, middle);
    double radius = 0.5 * height * (1.0 - 1e-7);
    return lope_mesh_nearest_obstacle(mesh, h, middle, radius).square >= radius * radius;
}

static void push(lope_refiner *r, const lope_mesh *mesh, const frame *f, lope_strip from, int half_edge)
{
    lope_strip next = narrow(mesh, f, half_edge, from);
    if (next.high <= next.low || lope_mesh_constrained(mesh, half_edge))
        return;
    if (make_room(r, &r->strips, r->strip_count, &r->strip_capacity, sizeof *r->strips))
        r->strips[r->strip_count++] = next;
}

static void visit(lope_refiner *r, const lope_mesh *mesh, const frame *f, int wall, lope_strip s)
{
    int entered = s.half_edge ^ 1, apex = lope_mesh_apex(mesh, entered);
    double along, up;
    leave_name(r, mesh->half_edges[entered].face, wall);
    to_frame(f, lope_mesh_point(mesh, apex), &along, &up);
    if (along > s.low && along < s.high && along > LEAST_APART && along < f->length - LEAST_APART &&
        !in_circle_of(mesh, f, lope_mesh_origin(mesh, entered), along, up) &&
        !in_circle_of(mesh, f, lope_mesh_target(mesh, entered), along, up) && !lope_mesh_is_foot(mesh, apex) &&
        is_clear(mesh, f, apex, entered, along, up))
        add_foot(r, wall, along / f->length);
    push(r, mesh, f, s, lope_mesh_next(mesh, entered));
    push(r, mesh, f, s, lope_mesh_previous(mesh, entered));
}

// Finds the corners straight above a wall that see their foot on it with nothing in the circle between.
static void look_up(lope_refiner *r, const lope_mesh *mesh, int wall)
{
    lope_point a = lope_mesh_point(mesh, lope_mesh_origin(mesh, wall));
    lope_point b = lope_mesh_point(mesh, lope_mesh_target(mesh, wall));
    double length = sqrt(lope_point_square(a, b));
    frame f = {a, (b.x - a.x) / length, (b.z - a.z) / length, length, r->farthest > 0.0 ? r->farthest : HUGE_VAL};
    r->strip_count = 0;
    visit(r, mesh, &f, wall, (lope_strip){wall ^ 1, 0.0, length});
    while (r->strip_count)
        visit(r, mesh, &f, wall, r->strips[--r->strip_count]);
}

// By edge, and from the far end of each to its origin: splitting leaves its number to the part at the origin.
static int compare_feet(const void *left, const void *right)
{
    const lope_foot *a = left, *b = right;
    if (a->edge != b->edge)
        return a->edge < b->edge ? -1 : 1;
    return (a->along < b->along) - (a->along > b->along);
}

static bool split_walls(lope_mesh *mesh, const lope_foot *feet, int count)
{
    lope_point a = {0, 0}, b = {0, 0};
    for (int i = 0; i < count; i++) {
        int h = 2 * feet[i].edge;
        bool same_edge = i > 0 && feet[i - 1].edge == feet[i].edge;
        if (!same_edge) {
            a = lope_mesh_point(mesh, lope_mesh_origin(mesh, h));
            b = lope_mesh_point(mesh, lope_mesh_target(mesh, h));
        }
        if (same_edge && feet[i - 1].along - feet[i].along < 1e-7)
            continue;
        lope_point p = {a.x + feet[i].along * (b.x - a.x), a.z + feet[i].along * (b.z - a.z)};
        if (!lope_mesh_split_wall(mesh, h, lope_mesh_snap(mesh, p)))
            return false;
    }
    return true;
}

// Storage for a mesh of this capacity.
static bool reserve(lope_refiner *r, const lope_mesh *mesh)
{
    int old = r->face_capacity, faces = mesh->face_capacity, walls = 2 * mesh->edge_capacity;
    if (old < faces) {
        int *visits_of = lope_grow(r->visits_of, (size_t)old * sizeof *visits_of, (size_t)faces * sizeof *visits_of);
        if (visits_of)
            r->visits_of = visits_of;
        int *changed = lope_grow(r->changed, (size_t)old * sizeof *changed, (size_t)faces * sizeof *changed);
        if (changed)
            r->changed = changed;
        uint8_t *is_changed = lope_grow(r->is_changed, (size_t)old, (size_t)faces);
        if (is_changed)
            r->is_changed = is_changed;
        if (!visits_of || !changed || !is_changed)
            return false;
        memset(visits_of + old, 0xff, (size_t)(faces - old) * sizeof *visits_of);
        memset(is_changed + old, 0, (size_t)(faces - old));
        r->face_capacity = faces;
    }
    if (r->wall_capacity < walls) {
        size_t before = (size_t)r->wall_capacity;
        uint8_t *queued = lope_grow(r->queued, before, (size_t)walls);
        if (queued)
            r->queued = queued;
        int *list = lope_grow(r->walls, before * sizeof *list, (size_t)walls * sizeof *list);
        if (list)
            r->walls = list;
        int *looking = lope_grow(r->looking, before * sizeof *looking, (size_t)walls * sizeof *looking);
        if (looking)
            r->looking = looking;
        if (!queued || !list || !looking)
            return false;
        memset(queued + before, 0, (size_t)walls - before);
        r->wall_capacity = walls;
    }
    return true;
}

// A half-edge that an obstacle runs along, with free ground to its left.
static bool is_wall(const lope_mesh *mesh, int half_edge)
{
    return mesh->half_edges[half_edge].origin >= 0 && lope_mesh_constrained(mesh, half_edge) &&
           !lope_mesh_covered(mesh, half_edge);
}

static void enqueue(lope_refiner *r, int half_edge)
{
    if (r->queued[half_edge])
        return;
    r->queued[half_edge] = 1;
    r->walls[r->wall_count++] = half_edge;
}

// The walls that looked into a face, and those at it, have to look again.
static void enqueue_face(lope_refiner *r, const lope_mesh *mesh, int face)
{
    for (int i = r->visits_of[face]; i >= 0;) {
        int next = r->visits[i].next;
        for (int k = LOPE_VISIT_WALLS - 1; k >= 0; k--)
            if (r->visits[i].walls[k] >= 0)
                enqueue(r, r->visits[i].walls[k]);
        r->visits[i].next = r->visit_free;
        r->visit_free = i;
        i = next;
    }
    r->visits_of[face] = -1;
    int h = mesh->faces[face].half_edge;
    for (int k = 0; k < 3 && h >= 0; k++, h = lope_mesh_next(mesh, h))
        if (is_wall(mesh, h))
            enqueue(r, h);
}

static bool take_touched(lope_refiner *r, lope_mesh *mesh)
{
    if (!reserve(r, mesh))
        return false;
    for (int i = 0; i < mesh->touched_count; i++) {
        int face = mesh->touched[i];
        mesh->face_touched[face] = 0;
        enqueue_face(r, mesh, face);
        if (!r->is_changed[face])
            r->changed[r->changed_count++] = face;
        r->is_changed[face] = 1;
    }
    mesh->touched_count = 0;
    return true;
}

// Round after round: walls look, are split, and those that looked at what changed look again. Every foot belongs to a
// corner and a wall, so it ends.
static bool look_and_split(lope_refiner *r, lope_mesh *mesh)
{
    while (r->wall_count) {
        int count = r->wall_count;
        memcpy(r->looking, r->walls, (size_t)count * sizeof *r->walls);
        r->wall_count = r->foot_count = 0;
        for (int i = 0; i < count; i++)
            r->queued[r->looking[i]] = 0;
        for (int i = 0; i < count && !r->out_of_memory; i++)
            if (is_wall(mesh, r->looking[i]))
                look_up(r, mesh, r->looking[i]);
        if (r->foot_count)
            qsort(r->feet, (size_t)r->foot_count, sizeof *r->feet, compare_feet);
        if (r->out_of_memory || !split_walls(mesh, r->feet, r->foot_count) || !take_touched(r, mesh))
            return false;
    }
    return true;
}

// Some corner is opposite to the foot, and joined to it.
static bool is_needed(const lope_mesh *mesh, int foot)
{
    int start = mesh->vertices[foot].half_edge, h = start;
    lope_point p = lope_mesh_point(mesh, foot), wall = p;
    while (!lope_mesh_constrained(mesh, h))
        h = lope_mesh_turn(mesh, h);
    wall = lope_mesh_point(mesh, lope_mesh_target(mesh, h));
    double wall_x = wall.x - p.x, wall_z = wall.z - p.z, length = sqrt(wall_x * wall_x + wall_z * wall_z);
    start = h;
    do {
        lope_point c = lope_mesh_point(mesh, lope_mesh_target(mesh, h));
        double x = c.x - p.x, z = c.z - p.z, along = fabs(x * wall_x + z * wall_z);
        if (along <= length * (1e-7 * sqrt(x * x + z * z) + mesh->snap) && !lope_mesh_constrained(mesh, h) &&
            !lope_mesh_is_foot(mesh, lope_mesh_target(mesh, h)))
            return true;
        h = lope_mesh_turn(mesh, h);
    } while (h != start);
    return false;
}

// Feet at the ends of walls that have to look again: those whose corner went away, or is hidden now, go too. They are
// listed before, because taking one out gives walls other numbers.
static void remove_needless_feet(lope_refiner *r, lope_mesh *mesh)
{
    int count = 0;
    lope_mesh_next_stamp(mesh);
    for (int i = 0; i < 2 * r->wall_count; i++) {
        int vertex = mesh->half_edges[r->walls[i / 2] ^ (i & 1)].origin;
        if (vertex < 0 || !mesh->vertices[vertex].foot || mesh->vertices[vertex].stamp == mesh->stamp)
            continue;
        mesh->vertices[vertex].stamp = mesh->stamp;
        mesh->vertex_list[count++] = vertex;
    }
    for (int i = 0; i < count; i++) {
        int vertex = mesh->vertex_list[i];
        if (lope_mesh_is_foot(mesh, vertex) && !is_needed(mesh, vertex))
            lope_mesh_tidy_vertex(mesh, vertex);
    }
}

static void forget_changed(lope_refiner *r)
{
    for (int i = 0; i < r->changed_count; i++)
        r->is_changed[r->changed[i]] = 0;
    r->changed_count = 0;
}

bool lope_refine_changed(lope_refiner *r, lope_mesh *mesh)
{
    r->out_of_memory = false;
    forget_changed(r);
    if (!take_touched(r, mesh))
        return false;
    remove_needless_feet(r, mesh);
    return take_touched(r, mesh) && look_and_split(r, mesh);
}

bool lope_refine_all(lope_refiner *r, lope_mesh *mesh)
{
    r->out_of_memory = false;
    r->visit_free = -1;
    mesh->tracks = true;
    if (!reserve(r, mesh))
        return false;
    for (int h = 0; h < 2 * mesh->edge_count; h++)
        if (is_wall(mesh, h))
            enqueue(r, h);
    return look_and_split(r, mesh);
}

void lope_refiner_release(lope_refiner *r)
{
    lope_free(r->visits_of);
    lope_free(r->visits);
    lope_free(r->queued);
    lope_free(r->walls);
    lope_free(r->looking);
    lope_free(r->changed);
    lope_free(r->is_changed);
    lope_free(r->feet);
    lope_free(r->strips);
    *r = (lope_refiner){0};
}
