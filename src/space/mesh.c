// SPDX-License-Identifier: MIT
// Storage of the triangulation and the few changes of topology that everything
// else is made of. Slots are reused through free lists; arrays only grow, so
// that a world which has seen its worst allocates nothing.
#include "space/mesh.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/memory.h"

static bool grow(void *array, int old_count, int new_count, size_t size)
{
    void *old;
    memcpy(&old, array, sizeof old); // `array` points to a pointer of any type
    void *larger = lope_grow(old, (size_t)old_count * size, (size_t)new_count * size);
    if (!larger)
        return false;
    memcpy(array, &larger, sizeof larger);
    return true;
}

// Twice as large as needed now, so that growing costs little on the whole; 0:
// too many for int.
static int next_capacity(int capacity, int needed)
{
    if (needed > INT_MAX / 8)
        return 0;
    return needed > 2 * capacity ? needed : 2 * capacity;
}

static bool reserve_vertices(lope_mesh *mesh, int needed)
{
    int old = mesh->vertex_capacity, capacity = next_capacity(old, needed);
    if (!capacity || !grow(&mesh->vertices, old, capacity, sizeof *mesh->vertices) ||
        !grow(&mesh->vertex_list, old, capacity, sizeof *mesh->vertex_list))
        return false;
    mesh->vertex_capacity = capacity;
    return true;
}

static bool reserve_edges(lope_mesh *mesh, int needed)
{
    int old = mesh->edge_capacity, capacity = next_capacity(old, needed);
    if (!capacity || !grow(&mesh->half_edges, 2 * old, 2 * capacity, sizeof *mesh->half_edges) ||
        !grow(&mesh->pieces_of, old, capacity, sizeof *mesh->pieces_of) ||
        !grow(&mesh->edge_queued, old, capacity, sizeof *mesh->edge_queued) ||
        !grow(&mesh->queue, old, capacity, sizeof *mesh->queue) ||
        !grow(&mesh->edge_list, old, capacity, sizeof *mesh->edge_list))
        return false;
    mesh->edge_capacity = capacity;
    return true;
}

static bool reserve_faces(lope_mesh *mesh, int needed)
{
    int old = mesh->face_capacity, capacity = next_capacity(old, needed);
    if (!capacity || !grow(&mesh->faces, old, capacity, sizeof *mesh->faces) ||
        !grow(&mesh->face_list, old, capacity, sizeof *mesh->face_list) ||
        !grow(&mesh->face_touched, old, capacity, sizeof *mesh->face_touched) ||
        !grow(&mesh->touched, old, capacity, sizeof *mesh->touched))
        return false;
    memset(mesh->face_touched + old, 0, (size_t)(capacity - old));
    mesh->face_capacity = capacity;
    return true;
}

static bool reserve_pieces(lope_mesh *mesh, int needed)
{
    int capacity = next_capacity(mesh->piece_capacity, needed);
    if (!capacity || !grow(&mesh->pieces, mesh->piece_capacity, capacity, sizeof *mesh->pieces))
        return false;
    mesh->piece_capacity = capacity;
    return true;
}

// Free slots are not counted: looking them through would cost more than the
// little memory is worth.
bool lope_mesh_reserve(lope_mesh *mesh, int vertices, int pieces)
{
    int vertex_need = mesh->vertex_count + vertices, edge_need = mesh->edge_count + 3 * vertices;
    int face_need = mesh->face_count + 2 * vertices, piece_need = mesh->piece_count + pieces;
    return (vertex_need <= mesh->vertex_capacity || reserve_vertices(mesh, vertex_need)) &&
           (edge_need <= mesh->edge_capacity || reserve_edges(mesh, edge_need)) &&
           (face_need <= mesh->face_capacity || reserve_faces(mesh, face_need)) &&
           (piece_need <= mesh->piece_capacity || reserve_pieces(mesh, piece_need));
}

bool lope_mesh_reserve_segments(lope_mesh *mesh, int segments)
{
    int needed = mesh->segment_count + segments;
    if (needed <= mesh->segment_capacity)
        return true;
    int capacity = next_capacity(mesh->segment_capacity, needed);
    if (!capacity || !grow(&mesh->segments, mesh->segment_capacity, capacity, sizeof *mesh->segments))
        return false;
    mesh->segment_capacity = capacity;
    return true;
}

static int take_vertex(lope_mesh *mesh, lope_point point)
{
    int vertex = mesh->vertex_free;
    if (vertex >= 0)
        mesh->vertex_free = mesh->vertices[vertex].references;
    else
        vertex = mesh->vertex_count++;
    assert(vertex < mesh->vertex_capacity);
    mesh->vertices[vertex] = (lope_mesh_vertex){point, -1, 0, 0, false};
    mesh->alive_vertices++;
    return vertex;
}

// Its half-edge 2e goes from `from` to `to`.
static int take_edge(lope_mesh *mesh, int from, int to)
{
    int edge = mesh->edge_free;
    if (edge >= 0)
        mesh->edge_free = mesh->half_edges[2 * edge].next;
    else
        edge = mesh->edge_count++;
    assert(edge < mesh->edge_capacity);
    mesh->half_edges[2 * edge] = (lope_half_edge){from, -1, -1};
    mesh->half_edges[2 * edge + 1] = (lope_half_edge){to, -1, -1};
    mesh->pieces_of[edge] = -1;
    mesh->edge_queued[edge] = 0;
    mesh->alive_edges++;
    return 2 * edge;
}

static int take_face(lope_mesh *mesh, int cover)
{
    int face = mesh->face_free;
    if (face >= 0)
        mesh->face_free = mesh->faces[face].cover;
    else
        face = mesh->face_count++;
    assert(face < mesh->face_capacity);
    mesh->faces[face] = (lope_mesh_face){-1, cover, 0, 0};
    mesh->alive_faces++;
    return face;
}

static void drop_edge(lope_mesh *mesh, int half_edge)
{
    int even = half_edge & ~1;
    assert(mesh->pieces_of[even >> 1] < 0);
    mesh->half_edges[even] = (lope_half_edge){-1, mesh->edge_free, -1};
    mesh->half_edges[even + 1] = (lope_half_edge){-1, -1, -1};
    mesh->edge_free = even >> 1;
    mesh->alive_edges--;
}

static void drop_face(lope_mesh *mesh, int face)
{
    lope_mesh_touch(mesh, face);
    mesh->faces[face] = (lope_mesh_face){-1, mesh->face_free, 0, 0};
    mesh->face_free = face;
    mesh->alive_faces--;
}

static void drop_vertex(lope_mesh *mesh, int vertex)
{
    mesh->vertices[vertex].half_edge = -1;
    mesh->vertices[vertex].references = mesh->vertex_free;
    mesh->vertex_free = vertex;
    mesh->alive_vertices--;
}

// Makes three half-edges the sides of a face. Their vertices take them as their
// own.
static void link_face(lope_mesh *mesh, int face, int a, int b, int c)
{
    mesh->half_edges[a].next = b;
    mesh->half_edges[b].next = c;
    mesh->half_edges[c].next = a;
    mesh->half_edges[a].face = mesh->half_edges[b].face = mesh->half_edges[c].face = face;
    mesh->faces[face].half_edge = a;
    mesh->vertices[mesh->half_edges[a].origin].half_edge = a;
    mesh->vertices[mesh->half_edges[b].origin].half_edge = b;
    mesh->vertices[mesh->half_edges[c].origin].half_edge = c;
    lope_mesh_touch(mesh, face);
}

bool lope_mesh_create(lope_mesh *mesh, lope_point low, lope_point high, double grid)
{
    *mesh = (lope_mesh){.vertex_free = -1, .edge_free = -1, .face_free = -1, .piece_free = -1, .segment_free = -1};
    mesh->low = low;
    mesh->high = high;
    mesh->grid = grid;
    mesh->snap = 1024.0 * grid;
    if (!lope_mesh_reserve(mesh, 16, 16) || !lope_mesh_reserve_segments(mesh, 16))
        return false;
    int a = take_vertex(mesh, low), b = take_vertex(mesh, (lope_point){high.x, low.z});
    int c = take_vertex(mesh, high), d = take_vertex(mesh, (lope_point){low.x, high.z});
    int ab = take_edge(mesh, a, b), bc = take_edge(mesh, b, c), cd = take_edge(mesh, c, d);
    int da = take_edge(mesh, d, a), ac = take_edge(mesh, a, c);
    link_face(mesh, take_face(mesh, 1), ab, bc, ac ^ 1);
    link_face(mesh, take_face(mesh, 1), ac, cd, da);
    return true;
}

bool lope_mesh_clone(lope_mesh *mesh, const lope_mesh *from)
{
    lope_mesh copy = {0};
    bool room = lope_mesh_reserve(&copy, from->vertex_count, from->piece_count) &&
                (from->edge_count <= copy.edge_capacity || reserve_edges(&copy, from->edge_count)) &&
                (from->face_count <= copy.face_capacity || reserve_faces(&copy, from->face_count)) &&
                lope_mesh_reserve_segments(&copy, from->segment_count);
    *mesh = copy;
    if (!room)
        return false;
    memcpy(copy.vertices, from->vertices, (size_t)from->vertex_count * sizeof *copy.vertices);
    memcpy(copy.half_edges, from->half_edges, 2 * (size_t)from->edge_count * sizeof *copy.half_edges);
    memcpy(copy.pieces_of, from->pieces_of, (size_t)from->edge_count * sizeof *copy.pieces_of);
    memset(copy.edge_queued, 0, (size_t)from->edge_count);
    memcpy(copy.faces, from->faces, (size_t)from->face_count * sizeof *copy.faces);
    memcpy(copy.pieces, from->pieces, (size_t)from->piece_count * sizeof *copy.pieces);
    memcpy(copy.segments, from->segments, (size_t)from->segment_count * sizeof *copy.segments);
    *mesh = *from;
    mesh->vertices = copy.vertices;
    mesh->vertex_list = copy.vertex_list;
    mesh->half_edges = copy.half_edges;
    mesh->pieces_of = copy.pieces_of;
    mesh->edge_queued = copy.edge_queued;
    mesh->queue = copy.queue;
    mesh->edge_list = copy.edge_list;
    mesh->faces = copy.faces;
    mesh->face_list = copy.face_list;
    mesh->face_touched = copy.face_touched;
    mesh->touched = copy.touched;
    mesh->touched_count = 0;
    mesh->tracks = false;
    mesh->pieces = copy.pieces;
    mesh->segments = copy.segments;
    mesh->vertex_capacity = copy.vertex_capacity;
    mesh->edge_capacity = copy.edge_capacity;
    mesh->face_capacity = copy.face_capacity;
    mesh->piece_capacity = copy.piece_capacity;
    mesh->segment_capacity = copy.segment_capacity;
    mesh->hints = NULL;
    mesh->hint_side = 0;
    lope_mesh_make_hints(mesh);
    return true;
}

void lope_mesh_release(lope_mesh *mesh)
{
    lope_free(mesh->vertices);
    lope_free(mesh->vertex_list);
    lope_free(mesh->half_edges);
    lope_free(mesh->pieces_of);
    lope_free(mesh->edge_queued);
    lope_free(mesh->queue);
    lope_free(mesh->edge_list);
    lope_free(mesh->faces);
    lope_free(mesh->face_list);
    lope_free(mesh->face_touched);
    lope_free(mesh->touched);
    lope_free(mesh->pieces);
    lope_free(mesh->segments);
    lope_free(mesh->hints);
}

void lope_mesh_next_stamp(lope_mesh *mesh)
{
    if (++mesh->stamp)
        return;
    // Once in four thousand million times: no old stamp may look like a new one.
    for (int i = 0; i < mesh->vertex_count; i++)
        mesh->vertices[i].stamp = 0;
    for (int i = 0; i < mesh->face_count; i++)
        mesh->faces[i].stamp = 0;
    mesh->stamp = 1;
}

int lope_mesh_split_face(lope_mesh *mesh, int half_edge, lope_point point)
{
    int ab = half_edge, bc = lope_mesh_next(mesh, ab), ca = lope_mesh_next(mesh, bc);
    int face = mesh->half_edges[ab].face, cover = mesh->faces[face].cover;
    int vertex = take_vertex(mesh, point);
    int to_a = take_edge(mesh, vertex, lope_mesh_origin(mesh, ab));
    int to_b = take_edge(mesh, vertex, lope_mesh_origin(mesh, bc));
    int to_c = take_edge(mesh, vertex, lope_mesh_origin(mesh, ca));
    link_face(mesh, face, to_a, ab, to_b ^ 1);
    link_face(mesh, take_face(mesh, cover), to_b, bc, to_c ^ 1);
    link_face(mesh, take_face(mesh, cover), to_c, ca, to_a ^ 1);
    lope_mesh_enqueue(mesh, ab);
    lope_mesh_enqueue(mesh, bc);
    lope_mesh_enqueue(mesh, ca);
    return vertex;
}

// The edge a-b keeps its number and becomes a-p; p-b is new and carries the
// same pieces. The edge is not an outer one.
int lope_mesh_split_edge(lope_mesh *mesh, int half_edge, lope_point point)
{
    int ab = half_edge & ~1, ba = ab + 1;
    int left = mesh->half_edges[ab].face, right = mesh->half_edges[ba].face;
    int bc = lope_mesh_next(mesh, ab), ca = lope_mesh_next(mesh, bc);
    int ad = lope_mesh_next(mesh, ba), db = lope_mesh_next(mesh, ad);
    int vertex = take_vertex(mesh, point), b = lope_mesh_origin(mesh, ba);
    int pb = take_edge(mesh, vertex, b);
    int pc = take_edge(mesh, vertex, lope_mesh_origin(mesh, ca)),
        pd = take_edge(mesh, vertex, lope_mesh_origin(mesh, db));
    mesh->half_edges[ba].origin = vertex;
    link_face(mesh, left, ab, pc, ca);
    link_face(mesh, take_face(mesh, mesh->faces[left].cover), pb, bc, pc ^ 1);
    link_face(mesh, right, ba, ad, pd ^ 1);
    link_face(mesh, take_face(mesh, mesh->faces[right].cover), pd, db, pb ^ 1);
    lope_mesh_copy_pieces(mesh, ab, pb);
    const int around[] = {bc, ca, ad, db, pc, pd, ab, pb};
    for (int i = 0; i < 8; i++)
        lope_mesh_enqueue(mesh, around[i]);
    return vertex;
}

// The other diagonal of the two triangles beside a free edge.
void lope_mesh_flip(lope_mesh *mesh, int half_edge)
{
    int ab = half_edge, ba = half_edge ^ 1;
    int bc = lope_mesh_next(mesh, ab), ca = lope_mesh_next(mesh, bc);
    int ad = lope_mesh_next(mesh, ba), db = lope_mesh_next(mesh, ad);
    int left = mesh->half_edges[ab].face, right = mesh->half_edges[ba].face;
    mesh->half_edges[ab].origin = lope_mesh_origin(mesh, db); // now d-c
    mesh->half_edges[ba].origin = lope_mesh_origin(mesh, ca);
    link_face(mesh, left, ab, ca, ad);
    link_face(mesh, right, ba, db, bc);
}

void lope_mesh_enqueue(lope_mesh *mesh, int half_edge)
{
    int edge = half_edge >> 1;
    if (mesh->edge_queued[edge] || mesh->pieces_of[edge] >= 0)
        return;
    mesh->edge_queued[edge] = 1;
    mesh->queue[mesh->queue_count++] = edge;
}

static void enqueue_around(lope_mesh *mesh, int half_edge)
{
    lope_mesh_enqueue(mesh, lope_mesh_next(mesh, half_edge));
    lope_mesh_enqueue(mesh, lope_mesh_previous(mesh, half_edge));
}

// Lawson's flips. Each one brings the triangulation nearer to the Delaunay one,
// so they end.
void lope_mesh_restore(lope_mesh *mesh)
{
    while (mesh->queue_count) {
        int edge = mesh->queue[--mesh->queue_count], ab = 2 * edge, ba = ab + 1;
        mesh->edge_queued[edge] = 0;
        if (mesh->half_edges[ab].face < 0 || mesh->half_edges[ba].face < 0 || mesh->pieces_of[edge] >= 0)
            continue;
        lope_point a = lope_mesh_point(mesh, lope_mesh_origin(mesh, ab));
        lope_point b = lope_mesh_point(mesh, lope_mesh_origin(mesh, ba));
        lope_point c = lope_mesh_point(mesh, lope_mesh_apex(mesh, ab));
        lope_point d = lope_mesh_point(mesh, lope_mesh_apex(mesh, ba));
        if (lope_incircle(a, b, c, d) <= 0.0)
            continue;
        lope_mesh_flip(mesh, ab);
        enqueue_around(mesh, ab);
        enqueue_around(mesh, ba);
    }
}

// Cuts ears off the ring of neighbours, by flips, until three are left. An ear
// abc may go when it is convex and the vertex v is not inside of it: then it
// lies within the triangles vab and vbc. A ring that v sees as a whole always
// has such an ear: of two ears of any triangulation of it, v is inside one at
// most. The face vac may have no area for a while (v in line with a and c), and
// goes away before the end.
void lope_mesh_remove_vertex(lope_mesh *mesh, int vertex)
{
    assert(mesh->queue_count == 0); // or the edges that go away might wait in it
    lope_point v = lope_mesh_point(mesh, vertex);
    int h = mesh->vertices[vertex].half_edge, degree = 0, start = h;
    do {
        lope_mesh_enqueue(mesh, lope_mesh_next(mesh, h));
        degree++;
        h = lope_mesh_turn(mesh, h);
    } while (h != start);
    while (degree > 3) {
        int vb = lope_mesh_turn(mesh, h), vc = lope_mesh_turn(mesh, vb);
        lope_point a = lope_mesh_point(mesh, lope_mesh_target(mesh, h));
        lope_point b = lope_mesh_point(mesh, lope_mesh_target(mesh, vb));
        lope_point c = lope_mesh_point(mesh, lope_mesh_target(mesh, vc));
        if (lope_orient(a, b, c) > 0.0 && lope_orient(a, c, v) >= 0.0) {
            lope_mesh_flip(mesh, vb);
            lope_mesh_enqueue(mesh, vb);
            degree--;
        } else {
            h = vb;
        }
    }
    int va = h, vb = lope_mesh_turn(mesh, va), vc = lope_mesh_turn(mesh, vb);
    int ab = lope_mesh_next(mesh, va), bc = lope_mesh_next(mesh, vb), ca = lope_mesh_next(mesh, vc);
    int face = mesh->half_edges[va].face;
    drop_face(mesh, mesh->half_edges[vb].face);
    drop_face(mesh, mesh->half_edges[vc].face);
    link_face(mesh, face, ab, bc, ca);
    drop_edge(mesh, va);
    drop_edge(mesh, vb);
    drop_edge(mesh, vc);
    drop_vertex(mesh, vertex);
}
