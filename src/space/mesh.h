// SPDX-License-Identifier: MIT
// A constrained Delaunay triangulation that changes: points and segments come
// and go, each with local work.
//
// Half-edges 2e and 2e + 1 are the two sides of edge e, so that the twin of h
// is h ^ 1 and edges keep their numbers while they are flipped. Coordinates lie
// on a grid of 2^-48 of the largest: differences of coordinates are then exact,
// and nothing is ever too small for the predicates. What is nearer than 1,024
// cells is taken to be the same place.
//
// A constrained edge lists its pieces: which segments run along it, and in
// which direction. An edge without pieces is free and may be flipped. Vertices
// count the segments that end there; a vertex nobody needs is taken out again.
#ifndef LOPE_SRC_SPACE_MESH_H
#define LOPE_SRC_SPACE_MESH_H

#include "space/predicates.h"

#define LOPE_MESH_GRID_BITS 48

typedef struct lope_mesh_vertex {
    lope_point point;
    int half_edge;  // one that starts here; -1: this slot is free
    int references; // segments that start or end here; next free slot
    uint32_t stamp; // equal to the mesh's: marked
    bool foot;      // came in to split a wall; it may have become more since
} lope_mesh_vertex;

typedef struct lope_half_edge {
    int origin; // vertex; -1: this slot is free
    int next;   // counter-clockwise in its face; next free edge
    int face;   // to its left; -1: outside of everything
} lope_half_edge;

typedef struct lope_mesh_face {
    int half_edge;  // one of its three; -1: this slot is free
    int cover;      // how many obstacles lie over it; next free slot
    int winding;    // scratch of lope_mesh_cover
    uint32_t stamp; // equal to the mesh's: marked
} lope_mesh_face;

typedef struct lope_mesh_piece {
    int segment;
    int next;      // on the same edge, or in the free list; -1: the last
    bool reversed; // runs along half-edge 2e + 1
} lope_mesh_piece;

typedef struct lope_mesh_segment {
    int obstacle; // -1: this slot is free
    int from, to; // vertices
    int pieces;   // how many edges it runs along
    int next;     // of the same obstacle, or in the free list
} lope_mesh_segment;

typedef struct lope_mesh {
    lope_mesh_vertex *vertices;
    int *vertex_list; // scratch: vertices of an obstacle
    lope_half_edge *half_edges;
    int *pieces_of;       // by edge: first piece, -1: free edge
    uint8_t *edge_queued; // by edge: waits in `queue`
    int *queue;           // edges to make Delaunay
    int *edge_list;       // scratch: edges of an obstacle, edges a segment crosses
    lope_mesh_face *faces;
    int *face_list;        // scratch
    uint8_t *face_touched; // by face: is in `touched`
    int *touched;          // faces that changed since somebody looked, some of them gone
    int touched_count;
    bool tracks; // touched faces are listed
    lope_mesh_piece *pieces;
    lope_mesh_segment *segments;
    int vertex_count, vertex_capacity, vertex_free;
    int edge_count, edge_capacity, edge_free;
    int face_count, face_capacity, face_free;
    int piece_count, piece_capacity, piece_free;
    int segment_count, segment_capacity, segment_free;
    int queue_count;
    bool frayed; // a course was shortened, so there may be vertices that nobody
                 // needs
    int alive_vertices, alive_edges, alive_faces;
    uint32_t stamp;
    lope_point low,
        high;    // the outer rectangle, whose corners are vertices 0 to 3
    double grid; // coordinates are multiples of this
    double snap; // what is nearer than this is the same place
    int *hints;  // by cell: a vertex that was inserted there
    int hint_side;
    lope_point hint_scale; // cells per metre
} lope_mesh;

// Where a point is. `half_edge` starts at the vertex, lies on the edge, or
// belongs to the face.
typedef enum lope_place_kind { LOPE_PLACE_FACE, LOPE_PLACE_EDGE, LOPE_PLACE_VERTEX } lope_place_kind;
typedef struct lope_place {
    lope_place_kind kind;
    int half_edge;
} lope_place;

static inline lope_point lope_mesh_point(const lope_mesh *mesh, int vertex)
{
    return mesh->vertices[vertex].point;
}
static inline int lope_mesh_next(const lope_mesh *mesh, int half_edge)
{
    return mesh->half_edges[half_edge].next;
}
static inline int lope_mesh_previous(const lope_mesh *mesh, int half_edge)
{
    return mesh->half_edges[mesh->half_edges[half_edge].next].next;
}
static inline int lope_mesh_origin(const lope_mesh *mesh, int half_edge)
{
    return mesh->half_edges[half_edge].origin;
}
static inline int lope_mesh_target(const lope_mesh *mesh, int half_edge)
{
    return mesh->half_edges[half_edge ^ 1].origin;
}
// The third vertex of the triangle to the left.
static inline int lope_mesh_apex(const lope_mesh *mesh, int half_edge)
{
    return lope_mesh_origin(mesh, lope_mesh_previous(mesh, half_edge));
}
// The next half-edge from the same vertex, counter-clockwise. The vertex is not
// a corner of the outer rectangle.
static inline int lope_mesh_turn(const lope_mesh *mesh, int half_edge)
{
    return lope_mesh_previous(mesh, half_edge) ^ 1;
}
static inline bool lope_mesh_constrained(const lope_mesh *mesh, int half_edge)
{
    return mesh->pieces_of[half_edge >> 1] >= 0;
}

// mesh.c: storage and changes of topology. Nothing but lope_mesh_reserve
// allocates; it is to be called before. An outer rectangle of two triangles,
// both of cover 1. On failure the mesh is empty and may be released.
bool lope_mesh_create(lope_mesh *mesh, lope_point low, lope_point high, double grid);
// An equal mesh with storage of its own. On failure the mesh may be released.
bool lope_mesh_clone(lope_mesh *mesh, const lope_mesh *from);
void lope_mesh_release(lope_mesh *mesh);
// Room for this many more vertices, each with 3 edges and 2 faces, and pieces;
// false: no memory, nothing changed.
bool lope_mesh_reserve(lope_mesh *mesh, int vertices, int pieces);
bool lope_mesh_reserve_segments(lope_mesh *mesh, int segments);
int lope_mesh_split_face(lope_mesh *mesh, int half_edge, lope_point point);
int lope_mesh_split_edge(lope_mesh *mesh, int half_edge, lope_point point);
void lope_mesh_flip(lope_mesh *mesh, int half_edge);
// Takes out a vertex without constrained edges; its neighbours wait in the
// queue afterwards.
void lope_mesh_remove_vertex(lope_mesh *mesh, int vertex);
void lope_mesh_enqueue(lope_mesh *mesh, int half_edge);
// Flips what waits in the queue, and what that disturbs, until every free edge
// is Delaunay.
void lope_mesh_restore(lope_mesh *mesh);
void lope_mesh_next_stamp(lope_mesh *mesh);
// Lists the face as touched: its sides, what runs along them, or its cover changed.
static inline void lope_mesh_touch(lope_mesh *mesh, int face)
{
    if (!mesh->tracks || face < 0 || mesh->face_touched[face])
        return;
    mesh->face_touched[face] = 1;
    mesh->touched[mesh->touched_count++] = face;
}

// pieces.c: which segments run along which edges.
int lope_mesh_add_segment(lope_mesh *mesh, int obstacle, int from, int to);
void lope_mesh_free_segment(lope_mesh *mesh, int segment);
// Along the half-edge in its direction. There is room for one more piece.
void lope_mesh_add_piece(lope_mesh *mesh, int half_edge, int segment);
// Same segments in the same direction along b as along a; there is room.
void lope_mesh_copy_pieces(lope_mesh *mesh, int from_half_edge, int to_half_edge);
void lope_mesh_move_pieces(lope_mesh *mesh, int from_half_edge, int to_half_edge);
// Takes the pieces off a half-edge, and lays them along another in the same
// direction.
int lope_mesh_detach_pieces(lope_mesh *mesh, int half_edge);
void lope_mesh_attach_pieces(lope_mesh *mesh, int half_edge, int pieces);
void lope_mesh_clear_pieces(lope_mesh *mesh, int half_edge);
int lope_mesh_count_pieces(const lope_mesh *mesh, int half_edge);
bool lope_mesh_same_pieces(const lope_mesh *mesh, int a, int b);
void lope_mesh_remove_pieces(lope_mesh *mesh, int edge, int obstacle);
// How often the obstacle runs along the half-edge in its direction, less how
// often against it.
int lope_mesh_net_pieces(const lope_mesh *mesh, int half_edge, int obstacle);
bool lope_mesh_carries(const lope_mesh *mesh, int edge, int segment);

// locate.c
lope_place lope_mesh_locate(const lope_mesh *mesh, lope_point point);
// Where in the face to the left of the half-edge, which holds the point, it is.
lope_place lope_mesh_place(const lope_mesh *mesh, int half_edge, lope_point point);
// A side of the face, or of one of the faces, that the point is in. *hint: such a side found before, plus 1, as a place
// to start from, 0: none; what is found now replaces it. It may be NULL, and stay while the mesh changes.
int lope_mesh_face_near(const lope_mesh *mesh, int *hint, lope_point point);
// Remembers a vertex as a place to start from; may make the table of hints
// larger (and does without if it cannot).
void lope_mesh_add_hint(lope_mesh *mesh, int vertex);
// A table of hints for all vertices at once.
void lope_mesh_make_hints(lope_mesh *mesh);
lope_point lope_mesh_snap(const lope_mesh *mesh, lope_point point);

// segments.c
// The vertex at a point, new or not; -1: no memory. The mesh is Delaunay before
// and after.
int lope_mesh_insert_point(lope_mesh *mesh, lope_point point);
// Lays a segment through the mesh. Crossed constraints are split.
// LOPE_BAD_DATA: it meets others too finely.
lope_status lope_mesh_insert_segment(lope_mesh *mesh, int segment);
// Splits a constrained edge at a point on it, or a few steps of the grid beside
// where that does not fit; where nothing fits, the edge stays whole. False: no
// memory.
bool lope_mesh_split_wall(lope_mesh *mesh, int half_edge, lope_point point);
// A vertex that does nothing but split a straight wall.
bool lope_mesh_is_foot(const lope_mesh *mesh, int vertex);
// Takes out a vertex that no segment ends at: it is in the open, or in the
// course of segments that can do without.
void lope_mesh_tidy_vertex(lope_mesh *mesh, int vertex);

// cover.c
// Edges along which the obstacle runs, each once, into edge_list; returns how
// many. `first` is its first segment.
int lope_mesh_collect(lope_mesh *mesh, int obstacle, int first);
// Adds `change` to the cover of every face that the obstacle winds around;
// `count` edges of it are in edge_list.
void lope_mesh_cover(lope_mesh *mesh, int obstacle, int count, int change);

#endif
