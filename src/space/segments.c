// SPDX-License-Identifier: MIT
// Points and segments into and out of the triangulation.
//
// A segment is laid from vertex to vertex. Free edges in its way are flipped
// aside (Sloan 1993); at a constrained edge both are joined in a new vertex at
// their crossing, which has to be rounded. Where the rounded crossing does not
// fit into the two triangles beside the crossed edge, the segment bends to the
// end of the edge, or the edge bends to the vertex that is in the way:
// whichever moves less, and that is about the rounding. The constraints that
// were there are complete at any time, so giving up (after far more steps than
// geometry asks for) leaves them sound.
#include "space/mesh.h"

#include <assert.h>
#include <math.h>

// Crossings that wait to be reached before the end of the segment is; more
// would mean that nothing is gained.
#define GOALS_MAX 64

static double side(const lope_mesh *mesh, int from, int to, int vertex)
{
    return lope_orient(lope_mesh_point(mesh, from), lope_mesh_point(mesh, to), lope_mesh_point(mesh, vertex));
}

static double distance(lope_point a, lope_point b)
{
    double x = a.x - b.x, z = a.z - b.z;
    return sqrt(x * x + z * z);
}

int lope_mesh_insert_point(lope_mesh *mesh, lope_point point)
{
    lope_place place = lope_mesh_locate(mesh, point);
    if (place.kind == LOPE_PLACE_VERTEX)
        return lope_mesh_origin(mesh, place.half_edge);
    for (int i = 0, h = place.half_edge; i < 3; i++, h = lope_mesh_next(mesh, h))
        if (distance(lope_mesh_point(mesh, lope_mesh_origin(mesh, h)), point) <= mesh->snap)
            return lope_mesh_origin(mesh, h);
    bool on_edge = place.kind == LOPE_PLACE_EDGE;
    if (!lope_mesh_reserve(mesh, 1, on_edge ? lope_mesh_count_pieces(mesh, place.half_edge) : 0))
        return -1;
    int vertex = on_edge ? lope_mesh_split_edge(mesh, place.half_edge, point)
                         : lope_mesh_split_face(mesh, place.half_edge, point);
    lope_mesh_restore(mesh);
    lope_mesh_add_hint(mesh, vertex);
    return vertex;
}

// How far the way from -> to has to bend to lead over a vertex.
static double detour(const lope_mesh *mesh, int from, int to, int vertex)
{
    lope_point a = lope_mesh_point(mesh, from), b = lope_mesh_point(mesh, to), p = lope_mesh_point(mesh, vertex);
    if ((p.x - a.x) * (b.x - a.x) + (p.z - a.z) * (b.z - a.z) <= 0.0)
        return distance(a, p);
    if ((p.x - b.x) * (a.x - b.x) + (p.z - b.z) * (a.z - b.z) <= 0.0)
        return distance(b, p);
    return fabs(lope_orient(a, b, p)) / distance(a, b);
}

// A vertex so near to the way that it is taken to be on it, and not past its
// ends.
static bool on_way(const lope_mesh *mesh, int from, int to, int vertex, double tolerance)
{
    lope_point a = lope_mesh_point(mesh, from), b = lope_mesh_point(mesh, to), p = lope_mesh_point(mesh, vertex);
    return (p.x - a.x) * (b.x - a.x) + (p.z - a.z) * (b.z - a.z) > 0.0 &&
           (p.x - b.x) * (a.x - b.x) + (p.z - b.z) * (a.z - b.z) > 0.0 &&
           fabs(lope_orient(a, b, p)) <= tolerance * distance(a, b);
}

// What a vertex looks into towards another one.
typedef struct view {
    int along;  // half-edge that leads there, or to a vertex on the way; -1: none
    int facing; // the half-edge opposite in the triangle that the way leads
                // through, where none leads along exactly
} view;

static view look(const lope_mesh *mesh, int from, int to, double tolerance)
{
    lope_point a = lope_mesh_point(mesh, from), b = lope_mesh_point(mesh, to);
    int start = mesh->vertices[from].half_edge, h = start;
    view near = {-1, -1};
    double right = lope_orient(a, b, lope_mesh_point(mesh, lope_mesh_target(mesh, h)));
    do {
        int turned = lope_mesh_turn(mesh, h);
        lope_point p = lope_mesh_point(mesh, lope_mesh_target(mesh, h));
        double left = lope_orient(a, b, lope_mesh_point(mesh, lope_mesh_target(mesh, turned)));
        if (right == 0.0 && (p.x - a.x) * (b.x - a.x) + (p.z - a.z) * (b.z - a.z) > 0.0)
            return (view){h, -1};
        if (on_way(mesh, from, to, lope_mesh_target(mesh, h), tolerance))
            near.along = h;
        if (right < 0.0 && left > 0.0)
            near.facing = lope_mesh_next(mesh, h);
        right = left;
        h = turned;
    } while (h != start);
    return near;
}

// Edges between `from` and `to`, beginning with `facing`, into edge_list. Ends
// at a constrained edge (wall), or at a vertex on the way (reached), be it near
// it only.
typedef struct crossing {
    int count; // edges in edge_list
    int wall, reached;
} crossing;

static crossing cross_over(lope_mesh *mesh, int from, int to, int facing, double tolerance)
{
    int count = 0, h = facing;
    for (;;) {
        if (lope_mesh_constrained(mesh, h)) {
            return (crossing){count, h, -1};
        }
        mesh->edge_list[count++] = h >> 1;
        int across = h ^ 1, apex = lope_mesh_apex(mesh, across);
        double apex_side = side(mesh, from, to, apex);
        if (apex_side == 0.0 || on_way(mesh, from, to, apex, tolerance)) {
            return (crossing){count, -1, apex};
        }
        // `across` runs from the left of the way to its right; keep the side of the
        // triangle that the way leaves by.
        h = apex_side > 0.0 ? lope_mesh_next(mesh, across) : lope_mesh_previous(mesh, across);
    }
}

static bool flippable(const lope_mesh *mesh, int half_edge)
{
    int a = lope_mesh_origin(mesh, half_edge), b = lope_mesh_target(mesh, half_edge);
    int c = lope_mesh_apex(mesh, half_edge), d = lope_mesh_apex(mesh, half_edge ^ 1);
    return side(mesh, d, c, a) > 0.0 && side(mesh, d, c, b) < 0.0;
}

// Flips the free edges in edge_list out of the way. Those that cannot be
// flipped yet are tried again after others.
static void clear_way(lope_mesh *mesh, int count, int from, int to)
{
    while (count) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int edge = mesh->edge_list[i], h = 2 * edge;
            if (!flippable(mesh, h)) {
                mesh->edge_list[kept++] = edge;
                continue;
            }
            lope_mesh_flip(mesh, h);
            int a = lope_mesh_origin(mesh, h), b = lope_mesh_target(mesh, h);
            bool at_end = a == from || a == to || b == from || b == to;
            if (!at_end && (side(mesh, from, to, a) > 0.0) != (side(mesh, from, to, b) > 0.0))
                mesh->edge_list[kept++] = edge;
            else
                lope_mesh_enqueue(mesh, h);
        }
        count = kept;
    }
}

// p strictly inside the two triangles beside the edge, so that splitting the
// edge there turns none of them over.
static bool fits(const lope_mesh *mesh, int half_edge, lope_point p)
{
    lope_point a = lope_mesh_point(mesh, lope_mesh_origin(mesh, half_edge));
    lope_point b = lope_mesh_point(mesh, lope_mesh_target(mesh, half_edge));
    lope_point c = lope_mesh_point(mesh, lope_mesh_apex(mesh, half_edge));
    return lope_orient(p, b, c) > 0.0 && lope_orient(p, c, a) > 0.0;
}

// Lets what runs along a half-edge run over the apex of its triangle instead: a
// triangle changes sides.
static lope_status bend(lope_mesh *mesh, int half_edge)
{
    int second = lope_mesh_next(mesh, half_edge) ^ 1, first = lope_mesh_previous(mesh, half_edge) ^ 1;
    if (!lope_mesh_reserve(mesh, 0, lope_mesh_count_pieces(mesh, half_edge)))
        return LOPE_NO_MEMORY;
    lope_mesh_copy_pieces(mesh, half_edge, first);
    lope_mesh_move_pieces(mesh, half_edge, second);
    mesh->faces[mesh->half_edges[half_edge].face].cover = mesh->faces[mesh->half_edges[half_edge ^ 1].face].cover;
    lope_mesh_touch(mesh, mesh->half_edges[half_edge].face);
    lope_mesh_enqueue(mesh, half_edge);
    lope_mesh_restore(mesh);
    return LOPE_OK;
}

static lope_status split_wall(lope_mesh *mesh, int wall, lope_point p, int *joint)
{
    if (!lope_mesh_reserve(mesh, 1, lope_mesh_count_pieces(mesh, wall)))
        return LOPE_NO_MEMORY;
    *joint = lope_mesh_split_edge(mesh, wall, p);
    lope_mesh_restore(mesh);
    lope_mesh_add_hint(mesh, *joint);
    return LOPE_OK;
}

// Where the rounded crossing fits nowhere: the smaller of two evils, each about
// as small as the rounding.
static lope_status join_roughly(lope_mesh *mesh, int from, int to, int wall, int *joint)
{
    int a = lope_mesh_origin(mesh, wall), b = lope_mesh_target(mesh, wall);
    double to_a = detour(mesh, from, to, a), to_b = detour(mesh, from, to, b);
    double bending = fabs(side(mesh, a, b, lope_mesh_apex(mesh, wall))) /
                     distance(lope_mesh_point(mesh, a), lope_mesh_point(mesh, b));
    *joint = to_a <= to_b ? a : b;
    if (bending > to_a || bending > to_b)
        return LOPE_OK;
    *joint = -1;
    return bend(mesh, wall);
}

// Moves a point by a few steps of the grid to where the edge can be split, if
// there is such a place: beside a triangle thinner than the grid it is in the
// other one.
static bool make_fit(const lope_mesh *mesh, int wall, lope_point *p)
{
    for (int reach = 0; reach <= 8; reach = reach ? 2 * reach : 1)
        for (int direction = 0; direction < 9; direction++) {
            lope_point moved = {p->x + mesh->grid * reach * (direction % 3 - 1),
                                p->z + mesh->grid * reach * (direction / 3 - 1)};
            if (fits(mesh, wall, moved) && fits(mesh, wall ^ 1, moved)) {
                *p = moved;
                return true;
            }
        }
    return false;
}

bool lope_mesh_split_wall(lope_mesh *mesh, int half_edge, lope_point point)
{
    int vertex;
    if (!make_fit(mesh, half_edge, &point))
        return true;
    if (split_wall(mesh, half_edge, point, &vertex) != LOPE_OK)
        return false;
    mesh->vertices[vertex].foot = true;
    return true;
}

// Joins the way from -> to and the constrained edge it crosses in a vertex:
// *joint, or -1 where the edge was bent and the way has to be looked for again.
static lope_status join(lope_mesh *mesh, int from, int to, int wall, int *joint)
{
    for (int end = 0; end < 2; end++) {
        *joint = lope_mesh_origin(mesh, wall ^ end);
        if (on_way(mesh, from, to, *joint, mesh->snap))
            return LOPE_OK;
    }
    int a = lope_mesh_origin(mesh, wall), b = lope_mesh_target(mesh, wall);
    lope_point pa = lope_mesh_point(mesh, a), pb = lope_mesh_point(mesh, b);
    double a_side = fabs(side(mesh, from, to, a)), b_side = fabs(side(mesh, from, to, b));
    double t = a_side / (a_side + b_side);
    lope_point p = lope_mesh_snap(mesh, (lope_point){pa.x + t * (pb.x - pa.x), pa.z + t * (pb.z - pa.z)});
    *joint = -1;
    for (int other = 0; other < 2; other++)
        if (distance(p, lope_mesh_point(mesh, lope_mesh_apex(mesh, wall ^ other))) <= mesh->snap)
            return bend(mesh, wall ^ other);
    if (make_fit(mesh, wall, &p))
        return split_wall(mesh, wall, p, joint);
    return join_roughly(mesh, from, to, fits(mesh, wall, p) ? wall ^ 1 : wall, joint);
}

// One step of the way: *at moves on to the next vertex, or *goal_count grows by
// a crossing to be reached before.
static lope_status advance(lope_mesh *mesh, int segment, int *at, int *goals, int *goal_count)
{
    if (!lope_mesh_reserve(mesh, 0, 1))
        return LOPE_NO_MEMORY;
    int to = goals[*goal_count - 1];
    view seen = look(mesh, *at, to, mesh->snap);
    if (seen.along >= 0) {
        *at = lope_mesh_target(mesh, seen.along);
        lope_mesh_add_piece(mesh, seen.along, segment);
        lope_mesh_restore(mesh);
        return LOPE_OK;
    }
    crossing crossed = cross_over(mesh, *at, to, seen.facing, mesh->snap);
    int joint = crossed.reached;
    if (crossed.wall < 0 && side(mesh, *at, to, joint) == 0.0) {
        clear_way(mesh, crossed.count, *at, joint);
        seen = look(mesh, *at, joint, 0.0);
        assert(seen.along >= 0 && lope_mesh_target(mesh, seen.along) == joint);
        lope_mesh_add_piece(mesh, seen.along, segment);
        lope_mesh_restore(mesh);
        *at = joint;
        return LOPE_OK;
    }
    if (*goal_count == GOALS_MAX)
        return LOPE_BAD_DATA;
    lope_status status = crossed.wall < 0 ? LOPE_OK : join(mesh, *at, to, crossed.wall, &joint);
    if (status == LOPE_OK && joint >= 0)
        goals[(*goal_count)++] = joint;
    return status;
}

lope_status lope_mesh_insert_segment(lope_mesh *mesh, int segment)
{
    int at = mesh->segments[segment].from, goals[GOALS_MAX] = {mesh->segments[segment].to}, goal_count = 1;
    int64_t steps_max = 8 * (int64_t)mesh->edge_count + 1000;
    for (int64_t step = 0; step < steps_max; step++) {
        while (goal_count && at == goals[goal_count - 1])
            goal_count--;
        if (!goal_count)
            return LOPE_OK;
        lope_status status = advance(mesh, segment, &at, goals, &goal_count);
        if (status != LOPE_OK)
            return status;
    }
    return LOPE_BAD_DATA;
}

// The two constrained half-edges that start at a vertex, if it has just two and
// they carry the same segments through.
static bool passes_through(const lope_mesh *mesh, int vertex, int out[2])
{
    int start = mesh->vertices[vertex].half_edge, h = start, count = 0;
    do {
        if (lope_mesh_constrained(mesh, h)) {
            if (count == 2)
                return false;
            out[count++] = h;
        }
        h = lope_mesh_turn(mesh, h);
    } while (h != start);
    return count == 2 && lope_mesh_same_pieces(mesh, out[0] ^ 1, out[1]);
}

bool lope_mesh_is_foot(const lope_mesh *mesh, int vertex)
{
    int out[2];
    const lope_mesh_vertex *v = &mesh->vertices[vertex];
    return v->foot && v->half_edge >= 0 && v->references == 0 && passes_through(mesh, vertex, out);
}

// The straight way between the far ends of two half-edges from one vertex stays
// within the ring of its neighbours.
static bool chord_is_clear(const lope_mesh *mesh, const int out[2])
{
    int u = lope_mesh_target(mesh, out[0]), w = lope_mesh_target(mesh, out[1]);
    if (u == w)
        return false;
    for (int h = lope_mesh_turn(mesh, out[0]); h != out[1]; h = lope_mesh_turn(mesh, h))
        if (side(mesh, u, w, lope_mesh_target(mesh, h)) >= 0.0)
            return false;
    for (int h = lope_mesh_turn(mesh, out[1]); h != out[0]; h = lope_mesh_turn(mesh, h))
        if (side(mesh, u, w, lope_mesh_target(mesh, h)) <= 0.0)
            return false;
    return true;
}

// Sets the cover of the faces on one side of a chord, as far as free edges lead
// to faces that are not marked.
static void cover_side(lope_mesh *mesh, int chord, int cover)
{
    int count = 0, first = mesh->half_edges[chord].face;
    if (mesh->faces[first].stamp == mesh->stamp)
        return; // the chord is part of the ring, nothing is left on this side
    mesh->face_list[count++] = first;
    mesh->faces[first].stamp = mesh->stamp;
    for (int i = 0; i < count; i++) {
        mesh->faces[mesh->face_list[i]].cover = cover;
        lope_mesh_touch(mesh, mesh->face_list[i]);
        int h = mesh->faces[mesh->face_list[i]].half_edge;
        for (int j = 0; j < 3; j++, h = lope_mesh_next(mesh, h)) {
            int face = mesh->half_edges[h ^ 1].face;
            if (face < 0 || lope_mesh_constrained(mesh, h) || mesh->faces[face].stamp == mesh->stamp)
                continue;
            mesh->faces[face].stamp = mesh->stamp;
            mesh->face_list[count++] = face;
        }
    }
}

// Marks the faces around the ring of a vertex's neighbours.
static void stamp_outside(lope_mesh *mesh, int vertex)
{
    lope_mesh_next_stamp(mesh);
    int start = mesh->vertices[vertex].half_edge, h = start;
    do {
        int face = mesh->half_edges[lope_mesh_next(mesh, h) ^ 1].face;
        if (face >= 0)
            mesh->faces[face].stamp = mesh->stamp;
        h = lope_mesh_turn(mesh, h);
    } while (h != start);
}

// Takes out a vertex u-v-w of a course of segments and lays them along u-w.
static void straighten(lope_mesh *mesh, int vertex, const int out[2])
{
    int u = lope_mesh_target(mesh, out[0]), w = lope_mesh_target(mesh, out[1]);
    int right_cover = mesh->faces[mesh->half_edges[out[0]].face].cover;
    int left_cover = mesh->faces[mesh->half_edges[out[1]].face].cover;
    int course = lope_mesh_detach_pieces(mesh, out[1]);
    lope_mesh_clear_pieces(mesh, out[0]);
    stamp_outside(mesh, vertex);
    lope_mesh_remove_vertex(mesh, vertex);
    view seen = look(mesh, u, w, 0.0);
    if (seen.along < 0) {
        crossing crossed = cross_over(mesh, u, w, seen.facing, 0.0);
        assert(crossed.wall < 0 && crossed.reached == w);
        clear_way(mesh, crossed.count, u, w);
        seen = look(mesh, u, w, 0.0);
    }
    assert(seen.along >= 0 && lope_mesh_target(mesh, seen.along) == w);
    lope_mesh_attach_pieces(mesh, seen.along, course);
    if (left_cover != right_cover) {
        cover_side(mesh, seen.along, left_cover);
        cover_side(mesh, seen.along ^ 1, right_cover);
    }
    lope_mesh_restore(mesh);
}

void lope_mesh_tidy_vertex(lope_mesh *mesh, int vertex)
{
    if (mesh->vertices[vertex].half_edge < 0 || mesh->vertices[vertex].references > 0 || vertex < 4)
        return;
    int start = mesh->vertices[vertex].half_edge, h = start, out[2];
    bool constrained = false;
    do {
        constrained = constrained || lope_mesh_constrained(mesh, h);
        h = lope_mesh_turn(mesh, h);
    } while (h != start);
    if (!constrained) {
        lope_mesh_remove_vertex(mesh, vertex);
        lope_mesh_restore(mesh);
    } else if (passes_through(mesh, vertex, out) && chord_is_clear(mesh, out)) {
        straighten(mesh, vertex, out);
    }
}
