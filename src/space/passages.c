// SPDX-License-Identifier: MIT
// How wide the ways through a world are, for discs of every size at once.
//
// What stops a disc on its way is a pair of obstacle points on either side of
// it that are too close. The closest pairs have nothing between them: the
// circle on their connection as diameter is empty. Such a pair is two corners,
// or a corner and its foot on a wall. Two corners with an empty circle are
// joined by an edge of the triangulation; so it is enough to split the walls at
// the feet, and every bottleneck is an edge. A disc of radius r may then go
// where it crosses edges of length 2r and more only (compare Kallmann, local
// clearance triangulations, 2014, which tests pairs of edges instead).
//
// Which edges lead from here to there matters by the shortest of them, so
// triangles are merged over the longest edges first (Kruskal): two places are
// joined at the width of the node of the merge tree where their branches meet.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "space/passages.h"

// A foot on an edge, as the part of its length from its origin.
typedef struct foot {
    int edge;
    double along;
} foot;

typedef struct strip {
    int half_edge; // to be crossed, upwards
    double low, high;
} strip;

// Coordinates along a wall and upwards from it.
typedef struct frame {
    lope_point origin;
    double x, z, length;
} frame;

typedef struct refinement {
    const lope_mesh *mesh;
    foot *feet;
    int count, capacity;
    strip *strips; // that wait
    int strip_count, strip_capacity;
    bool out_of_memory;
} refinement;

static void to_frame(const frame *f, lope_point p, double *along, double *up)
{
    double x = p.x - f->origin.x, z = p.z - f->origin.z;
    *along = x * f->x + z * f->z;
    *up = z * f->x - x * f->z;
}

// Room for one more; sets out_of_memory and says false where there is none.
static bool make_room(refinement *r, void *array, int count, int *capacity, size_t size)
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

static void add_foot(refinement *r, int half_edge, double part)
{
    if (make_room(r, &r->feet, r->count, &r->capacity, sizeof *r->feet))
        r->feet[r->count++] = (foot){half_edge >> 1, half_edge & 1 ? 1.0 - part : part};
}

// The part of a strip that leaves through an edge with o on the right and t on
// the left, without those feet whose circles would hold the lower end of the
// edge whatever is beyond it.
static strip narrow(const lope_mesh *mesh, const frame *f, int half_edge, strip from)
{
    double o_along, o_up, t_along, t_up;
    to_frame(f, lope_mesh_point(mesh, lope_mesh_origin(mesh, half_edge)), &o_along, &o_up);
    to_frame(f, lope_mesh_point(mesh, lope_mesh_target(mesh, half_edge)), &t_along, &t_up);
    strip result = {half_edge, fmax(from.low, t_along), fmin(from.high, o_along)};
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

static void push(refinement *r, const frame *f, strip from, int half_edge)
{
    strip next = narrow(r->mesh, f, half_edge, from);
    if (next.high <= next.low || lope_mesh_constrained(r->mesh, half_edge))
        return;
    if (make_room(r, &r->strips, r->strip_count, &r->strip_capacity, sizeof *r->strips))
        r->strips[r->strip_count++] = next;
}

static void visit(refinement *r, const frame *f, int wall, strip s)
{
    const lope_mesh *mesh = r->mesh;
    int entered = s.half_edge ^ 1;
    double along, up;
    to_frame(f, lope_mesh_point(mesh, lope_mesh_apex(mesh, entered)), &along, &up);
    if (along > s.low && along < s.high && along > 1e-6 * f->length && along < (1.0 - 1e-6) * f->length &&
        !in_circle_of(mesh, f, lope_mesh_origin(mesh, entered), along, up) &&
        !in_circle_of(mesh, f, lope_mesh_target(mesh, entered), along, up))
        add_foot(r, wall, along / f->length);
    push(r, f, s, lope_mesh_next(mesh, entered));
    push(r, f, s, lope_mesh_previous(mesh, entered));
}

// Finds the corners straight above a wall that see their foot on it with
// nothing in the circle between.
static void look_up(refinement *r, int wall)
{
    lope_point a = lope_mesh_point(r->mesh, lope_mesh_origin(r->mesh, wall));
    lope_point b = lope_mesh_point(r->mesh, lope_mesh_target(r->mesh, wall));
    double length = sqrt((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z));
    frame f = {a, (b.x - a.x) / length, (b.z - a.z) / length, length};
    r->strip_count = 0;
    visit(r, &f, wall, (strip){wall ^ 1, 0.0, length});
    while (r->strip_count)
        visit(r, &f, wall, r->strips[--r->strip_count]);
}

// By edge, and from the far end of each to its origin: splitting leaves its
// number to the part at the origin.
static int compare_feet(const void *left, const void *right)
{
    const foot *a = left, *b = right;
    if (a->edge != b->edge)
        return a->edge < b->edge ? -1 : 1;
    return (a->along < b->along) - (a->along > b->along);
}

static bool split_walls(lope_mesh *mesh, const foot *feet, int count)
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

static bool is_free(const lope_mesh *mesh, int half_edge)
{
    int face = mesh->half_edges[half_edge].face;
    return face >= 0 && mesh->faces[face].cover == 0;
}

static bool refine(lope_mesh *mesh)
{
    refinement r = {.mesh = mesh};
    for (int h = 0; h < 2 * mesh->edge_count && !r.out_of_memory; h++)
        if (mesh->half_edges[h].origin >= 0 && lope_mesh_constrained(mesh, h) && is_free(mesh, h))
            look_up(&r, h);
    if (r.count)
        qsort(r.feet, (size_t)r.count, sizeof *r.feet, compare_feet);
    bool done = !r.out_of_memory && split_walls(mesh, r.feet, r.count);
    lope_free(r.feet);
    lope_free(r.strips);
    return done;
}

typedef struct passage {
    double width;
    int edge;
} passage;

static int compare_passages(const void *left, const void *right)
{
    const passage *a = left, *b = right;
    if (a->width != b->width)
        return a->width > b->width ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

static int list_passages(const lope_mesh *mesh, passage *list)
{
    int count = 0;
    for (int edge = 0; edge < mesh->edge_count; edge++) {
        int h = 2 * edge;
        if (mesh->half_edges[h].origin < 0 || mesh->pieces_of[edge] >= 0 || !is_free(mesh, h))
            continue;
        lope_point a = lope_mesh_point(mesh, lope_mesh_origin(mesh, h)),
                   b = lope_mesh_point(mesh, lope_mesh_target(mesh, h));
        list[count++] = (passage){sqrt((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z)), edge};
    }
    qsort(list, (size_t)count, sizeof *list, compare_passages);
    return count;
}

static int root_of(const lope_passages *passages, int face)
{
    while (passages->merges[face].parent != face)
        face = passages->merges[face].parent;
    return face;
}

// The smaller tree goes under the larger, so that branches stay short without
// being shortened.
static void merge_all(lope_passages *passages, const passage *list, int count)
{
    const lope_mesh *mesh = &passages->space.mesh;
    for (int i = 0; i < mesh->face_count; i++)
        passages->merges[i] = (lope_merge){i, INT_MAX, 1, 0.0};
    for (int i = 0; i < count; i++) {
        int a = root_of(passages, mesh->half_edges[2 * list[i].edge].face);
        int b = root_of(passages, mesh->half_edges[2 * list[i].edge + 1].face);
        if (a == b)
            continue;
        int small = passages->merges[a].size < passages->merges[b].size ? a : b, large = a + b - small;
        passages->merges[large].size += passages->merges[small].size;
        passages->merges[small].parent = large;
        passages->merges[small].time = i;
        passages->merges[small].width = list[i].width;
    }
}

static bool measure(lope_passages *passages)
{
    const lope_mesh *mesh = &passages->space.mesh;
    passages->merges = lope_alloc_array((size_t)mesh->face_count, sizeof *passages->merges);
    passage *list = lope_alloc_array((size_t)mesh->edge_count, sizeof *list);
    if (passages->merges && list)
        merge_all(passages, list, list_passages(mesh, list));
    lope_free(list);
    return passages->merges && list;
}

lope_status lope_passages_create(const lope_space *space, lope_passages **out, lope_error *error)
{
    lope_passages *passages = *out = lope_alloc_zero(sizeof *passages);
    if (!passages)
        return lope_fail_memory(error);
    passages->space.low = space->low;
    passages->space.high = space->high;
    if (lope_mesh_clone(&passages->space.mesh, &space->mesh) && refine(&passages->space.mesh) && measure(passages))
        return LOPE_OK;
    lope_passages_destroy(passages);
    *out = NULL;
    return lope_fail_memory(error);
}

void lope_passages_destroy(lope_passages *passages)
{
    if (!passages)
        return;
    lope_mesh_release(&passages->space.mesh);
    lope_free(passages->merges);
    lope_free(passages);
}

// Climbs the tree from both sides, always where the earlier merge is; the last
// one is the narrowest.
double lope_passages_width(const lope_passages *passages, int a, int b)
{
    double width = HUGE_VAL;
    while (a != b) {
        const lope_merge *at_a = &passages->merges[a], *at_b = &passages->merges[b];
        if (at_a->parent == a && at_b->parent == b)
            return 0.0;
        const lope_merge *earlier = at_a->time < at_b->time ? at_a : at_b;
        width = earlier->width;
        if (earlier == at_a)
            a = at_a->parent;
        else
            b = at_b->parent;
    }
    return width;
}

float lope_passages_widest(const lope_passages *passages, lope_vec2 start, lope_vec2 goal)
{
    const lope_mesh *mesh = &passages->space.mesh;
    float radius = fminf(lope_space_clearance(&passages->space, start), lope_space_clearance(&passages->space, goal));
    if (radius <= 0.0f)
        return 0.0f;
    int from = lope_mesh_locate(mesh, (lope_point){(double)start.x, (double)start.z}).half_edge;
    int to = lope_mesh_locate(mesh, (lope_point){(double)goal.x, (double)goal.z}).half_edge;
    double width = lope_passages_width(passages, mesh->half_edges[from].face, mesh->half_edges[to].face);
    return fminf(radius, (float)(0.5 * width));
}
