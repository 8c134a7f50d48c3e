// SPDX-License-Identifier: MIT
// The local clearance triangulation (Kallmann 2010, 2014), the published way to paths with clearance, beside
// passages.c.
//
// Whether a disc may cross a triangle from one edge to the next depends on the pair: going around corner b of triangle
// abc, it needs 2r <= min(|ab|, |bc|, dist(b, s)), where s is the nearest wall seen through ac. That number is right
// for a whole corridor unless a corner v further on hangs over s and is nearer to it: a disturbance. Walls are split
// there, at the middle of what the circle through b, v and c cuts out of s, until there is none.
#include "space/lct.h"

#include "base/error.h"
#include "base/memory.h"
#include "space/near.h"

enum { WAITING_MAX = 256, ROUNDS_MAX = 64 };
#define LEAST_APART 1e-4 // metres between a split and the ends of its wall

typedef struct sector {
    double clearance; // metres around the corner
    int wall;         // the half-edge that bounds it, -1: none, an edge does
} sector;

static lope_point at(const lope_mesh *mesh, int vertex)
{
    return lope_mesh_point(mesh, vertex);
}

// The corner at the origin of a half-edge, in the triangle to its left.
static sector sector_of(const lope_mesh *mesh, int half_edge)
{
    int waiting[WAITING_MAX], count = 0;
    lope_point b = at(mesh, lope_mesh_origin(mesh, half_edge));
    double best = fmin(lope_point_square(b, at(mesh, lope_mesh_target(mesh, half_edge))),
                       lope_point_square(b, at(mesh, lope_mesh_apex(mesh, half_edge))));
    int wall = -1, opposite = lope_mesh_next(mesh, half_edge);
    waiting[count++] = opposite;
    while (count) {
        int h = waiting[--count];
        lope_near near = lope_mesh_near_edge(mesh, h, b);
        if (near.square >= best)
            continue;
        if (lope_mesh_constrained(mesh, h)) {
            best = near.square;
            wall = h;
            continue;
        }
        if (count + 2 > WAITING_MAX)
            return (sector){0.0, -1}; // closed rather than wrong
        waiting[count++] = lope_mesh_next(mesh, h ^ 1);
        waiting[count++] = lope_mesh_previous(mesh, h ^ 1);
    }
    return (sector){sqrt(best), wall};
}

// Coordinates along a wall and up from it.
typedef struct frame {
    lope_point origin;
    double x, z, length;
} frame;

static frame frame_of(const lope_mesh *mesh, int wall)
{
    lope_point a = at(mesh, lope_mesh_origin(mesh, wall)), b = at(mesh, lope_mesh_target(mesh, wall));
    double length = sqrt(lope_point_square(a, b));
    return (frame){a, (b.x - a.x) / length, (b.z - a.z) / length, length};
}

static lope_point in_frame(const frame *f, lope_point p)
{
    double x = p.x - f->origin.x, z = p.z - f->origin.z;
    return (lope_point){x * f->x + z * f->z, z * f->x - x * f->z};
}

// Whether an edge comes into the rectangle over the wall that is `high`, by its box.
static bool over_wall(const lope_mesh *mesh, const frame *f, int half_edge, double high)
{
    lope_point a = in_frame(f, at(mesh, lope_mesh_origin(mesh, half_edge)));
    lope_point b = in_frame(f, at(mesh, lope_mesh_target(mesh, half_edge)));
    return fmax(a.x, b.x) > 0.0 && fmin(a.x, b.x) < f->length && fmax(a.z, b.z) > 0.0 && fmin(a.z, b.z) < high;
}

// A way around a corner to look at: its clearance, the edge it leaves by and the far end of that edge.
typedef struct crossing {
    sector around;
    int leaves;  // half-edge that is crossed from its left
    int corner;  // vertex that it goes around: one end of that edge,
    int far_end; // the other
} crossing;

// The vertex beyond the edge that is nearest to the wall of the crossing and disturbs it, -1: none.
static int disturbance(lope_mesh *mesh, const crossing *c, const frame *f)
{
    int waiting[WAITING_MAX], count = 0, found = -1;
    double least = c->around.clearance * (1.0 - 1e-9);
    lope_mesh_next_stamp(mesh);
    waiting[count++] = c->leaves ^ 1;
    while (count) {
        int h = waiting[--count], face = mesh->half_edges[h].face, v = lope_mesh_apex(mesh, h);
        mesh->faces[face].stamp = mesh->stamp;
        lope_point p = in_frame(f, at(mesh, v));
        double corner = sqrt(lope_point_square(at(mesh, v), at(mesh, c->far_end)));
        if (p.x > LEAST_APART && p.x < f->length - LEAST_APART && p.z > 0.0 && p.z < least &&
            p.z < corner * (1.0 - 1e-9)) {
            found = v;
            least = p.z;
        }
        for (int k = 0, e = lope_mesh_next(mesh, h); k < 2; k++, e = lope_mesh_next(mesh, e)) {
            int beyond = mesh->half_edges[e ^ 1].face;
            if (!lope_mesh_constrained(mesh, e) && beyond >= 0 && mesh->faces[beyond].stamp != mesh->stamp &&
                count < WAITING_MAX && over_wall(mesh, f, e, c->around.clearance)) {
                mesh->faces[beyond].stamp = mesh->stamp;
                waiting[count++] = e ^ 1;
            }
        }
    }
    return found;
}

// Where to split a wall for a disturbance, along it: the middle of what the circle through the three points cuts out of
// the wall; the foot of the disturbance where it cuts out nothing, or nothing of the wall.
static double split_place(const lope_mesh *mesh, const frame *f, const crossing *c, int v)
{
    lope_point p = in_frame(f, at(mesh, c->corner)), q = in_frame(f, at(mesh, v)),
               r = in_frame(f, at(mesh, c->far_end));
    double d = 2.0 * (p.x * (q.z - r.z) + q.x * (r.z - p.z) + r.x * (p.z - q.z));
    double pp = p.x * p.x + p.z * p.z, qq = q.x * q.x + q.z * q.z, rr = r.x * r.x + r.z * r.z;
    double x = (pp * (q.z - r.z) + qq * (r.z - p.z) + rr * (p.z - q.z)) / d; // of the centre; the middle of its chord
    bool fits = isfinite(x) && x > LEAST_APART && x < f->length - LEAST_APART;
    double z = (pp * (r.x - q.x) + qq * (p.x - r.x) + rr * (q.x - p.x)) / d, square = (x - p.x) * (x - p.x);
    bool cuts = fits && z * z < square + (z - p.z) * (z - p.z);
    return cuts ? x : q.x;
}

// Splits the wall of a crossing where something disturbs it. *again grows then. False: no memory.
static bool settle(lope_mesh *mesh, const crossing *c, int *splits)
{
    if (c->around.wall < 0 || lope_mesh_constrained(mesh, c->leaves))
        return true;
    frame f = frame_of(mesh, c->around.wall);
    if (in_frame(&f, at(mesh, c->corner)).z < 0.0) // the corner is above the wall
        f = frame_of(mesh, c->around.wall ^ 1);
    int v = disturbance(mesh, c, &f);
    if (v < 0)
        return true;
    double along = split_place(mesh, &f, c, v);
    lope_point p = {f.origin.x + along * f.x, f.origin.z + along * f.z};
    int before = mesh->alive_vertices;
    if (!lope_mesh_split_wall(mesh, c->around.wall, lope_mesh_snap(mesh, p)))
        return false;
    *splits += mesh->alive_vertices - before;
    return true;
}

static bool is_free(const lope_mesh *mesh, int half_edge)
{
    return mesh->half_edges[half_edge].origin >= 0 && !lope_mesh_covered(mesh, half_edge);
}

// One look at every corner; *splits: how many walls were split.
static bool refine_once(lope_mesh *mesh, int *splits)
{
    for (int h = 0; h < 2 * mesh->edge_count; h++) {
        if (!is_free(mesh, h))
            continue;
        int before = *splits, corner = lope_mesh_origin(mesh, h), previous = lope_mesh_previous(mesh, h);
        sector around = sector_of(mesh, h);
        crossing one = {around, h, corner, lope_mesh_target(mesh, h)};
        crossing other = {around, previous, corner, lope_mesh_origin(mesh, previous)};
        if (!settle(mesh, &one, splits) || (*splits == before && !settle(mesh, &other, splits)))
            return false;
    }
    return true;
}

lope_status lope_lct_create(const lope_space *space, lope_lct **out, lope_error *error)
{
    lope_lct *lct = *out = lope_alloc_zero(sizeof *lct);
    bool fine = lct && lope_space_copy(&lct->ways.space, space);
    lope_mesh *mesh = fine ? &lct->ways.space.mesh : NULL;
    for (int round = 0, splits = 1; fine && splits > 0 && round < ROUNDS_MAX; round++) {
        splits = 0;
        fine = refine_once(mesh, &splits);
        lct->splits += splits;
    }
    lct = *out;
    if (fine) {
        lct->around = lope_alloc_zero(2 * (size_t)mesh->edge_capacity * sizeof *lct->around);
        fine = lct->around && lope_passages_make_gates(&lct->ways);
    }
    if (!fine) {
        lope_lct_destroy(lct);
        *out = NULL;
        return lope_fail_memory(error);
    }
    for (int h = 0; h < 2 * mesh->edge_count; h++)
        if (is_free(mesh, h))
            lct->around[h] = (float)sector_of(mesh, h).clearance;
    lope_face_table_make(&lct->ways.faces, mesh);
    return LOPE_OK;
}

void lope_lct_destroy(lope_lct *lct)
{
    if (!lct)
        return;
    lope_passages_clear(&lct->ways);
    lope_free(lct->around);
    lope_free(lct);
}

int lope_lct_splits(const lope_lct *lct)
{
    return lct->splits;
}

int lope_lct_triangles(const lope_lct *lct, lope_space_triangle *out, int capacity)
{
    return lope_space_triangles(&lct->ways.space, out, capacity);
}

// --- paths

// Goes over a half-edge after another one (-1: from the start), from middle to middle.
static void reach(lope_path_finder *finder, const lope_path_query *query, int from, int half_edge)
{
    const lope_mesh *mesh = query->mesh;
    lope_path_step *step = &finder->steps[half_edge];
    if (lope_mesh_constrained(mesh, half_edge) || step->stamp > finder->stamp)
        return;
    lope_point a = at(mesh, lope_mesh_origin(mesh, half_edge)), b = at(mesh, lope_mesh_target(mesh, half_edge));
    lope_pair middle = {0.5 * (a.x + b.x), 0.5 * (a.z + b.z)};
    lope_pair before = from < 0 ? (lope_pair){query->start.x, query->start.z} : finder->nodes[from].root;
    double walked = (from < 0 ? 0.0 : finder->nodes[from].walked) + pair_distance(before, middle);
    if (step->stamp == finder->stamp && finder->nodes[half_edge].walked <= walked)
        return;
    *step = (lope_path_step){.parent = from, .stamp = finder->stamp};
    finder->nodes[half_edge] = (lope_path_node){.root = middle, .walked = walked};
    lope_path_push(finder, (lope_path_entry){walked + pair_distance(middle, (lope_pair){query->goal.x, query->goal.z}),
                                             half_edge});
}

// Lists the corridor that ends with a half-edge.
static void trace(lope_path_finder *finder, int last)
{
    int count = 0;
    for (int h = last; h >= 0; h = finder->steps[h].parent)
        count++;
    finder->crossed_count = finder->kept_count = count;
    for (int h = last; h >= 0; h = finder->steps[h].parent) {
        finder->crossed[--count] = h;
        finder->kept[count] = count;
    }
}

// Edges of the triangles of start and goal that a disc does not get through to the end itself.
typedef struct shut {
    int edges[6];
    int count;
} shut;

static bool is_shut(const shut *s, int half_edge)
{
    bool found = false;
    for (int i = 0; i < s->count; i++)
        found = found || s->edges[i] == half_edge;
    return found;
}

// A* over pairs of edges.
static bool search(lope_path_finder *finder, const lope_lct *lct, const lope_path_query *query, const shut *ends)
{
    const lope_mesh *mesh = query->mesh;
    lope_path_begin(finder);
    if (query->start_face == query->goal_face)
        return true;
    int h = mesh->faces[query->start_face].half_edge;
    for (int i = 0; i < 3; i++, h = lope_mesh_next(mesh, h))
        if (query->gates[h].width >= query->diameter && !is_shut(ends, h))
            reach(finder, query, -1, h);
    while (finder->heap_count) {
        h = lope_path_pop(finder);
        if (finder->steps[h].stamp > finder->stamp)
            continue;
        finder->steps[h].stamp++;
        if (mesh->half_edges[h ^ 1].face == query->goal_face && !is_shut(ends, h)) {
            trace(finder, h);
            return true;
        }
        int next = lope_mesh_next(mesh, h ^ 1), previous = lope_mesh_previous(mesh, h ^ 1);
        if (lct->around[next] >= query->diameter)
            reach(finder, query, h, next);
        if (lct->around[h ^ 1] >= query->diameter)
            reach(finder, query, h, previous);
    }
    return false;
}

// How far from an end its triangle reaches, and the disc beyond.
static double end_reach(const lope_path_query *query, int face, lope_point end)
{
    double square = 0.0;
    int h = query->mesh->faces[face].half_edge;
    for (int k = 0; k < 3; k++, h = lope_mesh_next(query->mesh, h))
        square = fmax(square, lope_point_square(end, at(query->mesh, lope_mesh_origin(query->mesh, h))));
    return sqrt(square) + 2.0 * query->radius;
}

// Pairs of edges say nothing of the triangles that a path begins and ends in: there the disc itself is held against the
// walls. True: the lines of the path near an end keep clear.
static bool end_is_clear(const lope_path_finder *finder, const lope_lct *lct, const lope_path_query *query,
                         bool at_goal)
{
    lope_point end = at_goal ? query->goal : query->start;
    double near = end_reach(query, at_goal ? query->goal_face : query->start_face, end);
    float radius = (float)(query->radius - fmax(0.00026, 0.00052 * query->radius));
    int count = finder->point_count, hint = 0;
    for (int i = 0; i + 1 < count; i++) {
        const lope_vec2 *a = &finder->points[at_goal ? count - 1 - i : i], *b = at_goal ? a - 1 : a + 1;
        if (lope_point_square(end, (lope_point){(double)a->x, (double)a->z}) > near * near)
            break;
        if (!lope_space_sweep_free(&lct->ways.space, *a, *b, radius, &hint))
            return false;
    }
    return true;
}

lope_status lope_lct_find(lope_path_finder *finder, const lope_lct *lct, lope_vec2 start, lope_vec2 goal,
                          float clearance, lope_path *out, lope_error *error)
{
    lope_path_query query;
    shut ends = {.count = 0};
    lope_status status =
        lope_path_ask(finder, &lct->ways, &(lope_path_ends){start, goal, clearance}, &query, out, error);
    while (!status && ends.count < 6 && search(finder, lct, &query, &ends)) {
        status = lope_path_answer(finder, &query, out, error);
        bool leaves = end_is_clear(finder, lct, &query, false), arrives = end_is_clear(finder, lct, &query, true);
        if (status || (leaves && arrives))
            return status;
        if (finder->crossed_count == 0)
            break;
        ends.edges[ends.count++] = finder->crossed[leaves ? finder->crossed_count - 1 : 0];
    }
    if (status)
        return status;
    *out = (lope_path){.outcome = LOPE_PATH_NONE};
    return lope_fail(error, LOPE_NOT_FOUND, "no way is wide enough");
}
