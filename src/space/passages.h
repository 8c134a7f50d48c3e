// SPDX-License-Identifier: MIT
// The refined triangulation in which every bottleneck is an edge, its edges as a search wants them, and its tree of
// merges.
#ifndef LOPE_SRC_SPACE_PASSAGES_H
#define LOPE_SRC_SPACE_PASSAGES_H

#include "space/pair.h"
#include "space/refine.h"
#include "space/space.h"

// A face on its way into a component.
typedef struct lope_merge {
    int parent; // itself: the last of its component
    int time;   // order of the merge into the parent
    int size;   // faces below, while building
    double width;
} lope_merge;

// An edge between faces while the tree is made.
typedef struct lope_passage {
    double width;
    int edge;
    bool merges; // it joins what was apart before
} lope_passage;

// Of an edge: whether it is the only way for a disc, and what is behind it then.
typedef struct lope_bridge {
    float ring;       // metres, the least width of the widest ring over the edge; 0: none
    int first, count; // orders of the faces behind half-edge `down`, if it is the only way
    int down;
} lope_bridge;

// A face in the tree that widest edges form, by its order: those behind its edge towards the root follow it.
typedef struct lope_branch {
    int parent; // order of the face above; -1: it is a root
    int top;    // the first one above, or itself, whose edge is still a bridge, or one below that
    int edge;   // towards the parent
    int count;  // faces behind that
} lope_branch;

// bridges.c: which edges are the only way to what is behind them. Begins as {0}.
typedef struct lope_bridges {
    lope_bridge *edges; // by edge; NULL: not known
    int *orders;        // by face
    lope_branch *tree;  // by order
    int edge_count, face_count;
    int forgotten; // bridges, since they were found
} lope_bridges;

// Half-edges that a gate looks on over.
#define LOPE_GATE_FAR 8
#define LOPE_GATE_DEAD (-2)

// A half-edge to be crossed from its left to its right, in one line of cache. Seen that way, its origin is on the right
// in the sense of the triangulation. Widths are rounded down to floats, which twice a disc's radius is one of: no
// answer differs for it.
typedef struct lope_gate {
    lope_pair right;
    float across[2];     // of length 1, from right to left
    float width;         // metres, 0: a wall
    float next_width[2]; // of the two beyond
    int next[2];         // half-edges of the face beyond that it can be left by
    int beyond;          // that face
    int far;         // where walls leave no choice: a half-edge farther on with nothing between that matters; else -1
    float far_width; // the least on the way there
} lope_gate;

// face_table.c: begins as {0}; without cells a walk begins farther away.
typedef struct lope_face_table {
    int *cells; // by row and column: hints of lope_mesh_face_near
    int columns, rows;
    lope_point low, scale; // cells per metre
} lope_face_table;
void lope_face_table_make(lope_face_table *table, const lope_mesh *mesh);
// A side of the face that a point of the world is in.
int lope_face_table_near(const lope_face_table *table, const lope_mesh *mesh, lope_point point);

struct lope_passages {
    lope_space space; // refined copy; its obstacles change by following the original
    lope_refiner refiner;
    lope_gate *gates; // by half-edge
    int gate_capacity;
    lope_merge *merges;    // by face; NULL: not measured since the last change
    lope_bridges bridges;  // measured with them, and kept where nothing changed
    lope_face_table faces; // as they were when ways were measured last
    uint64_t changes;      // of the original that are in the picture
    bool broken;           // an update failed: there are no ways until one succeeds
};

// Passages with a space of their own instead of a copy: obstacles come and go in `space` itself, then
// lope_passages_finish makes the ways right. Its walls are split opposite to corners, so an obstacle may meet others
// too finely where it would not in a space of its own: then the caller makes everything anew. Ways are exact for discs
// no wider than `widest` metres; wider ones find none.
lope_status lope_passages_open(lope_vec2 low, lope_vec2 high, float widest, lope_passages **out, lope_error *error);
// Frees everything in them.
void lope_passages_clear(lope_passages *passages);
// After a failure there are no ways.
lope_status lope_passages_finish(lope_passages *passages, lope_error *error);

// gates.c
bool lope_passages_make_gates(lope_passages *passages);
// Those of the faces that refining listed as changed. False: no memory.
bool lope_passages_update_gates(lope_passages *passages);

// The half-edge after another one where walls leave no choice.
static inline int lope_gate_on(const lope_gate *gate)
{
    return gate->next[gate->next_width[1] > 0.0f];
}

// The half-edge before another one on a way that walls leave no choice on, -1: there is a choice, or none.
static inline int lope_gate_before(const lope_mesh *mesh, const lope_gate *gates, int half_edge)
{
    const int next = lope_mesh_next(mesh, half_edge), previous = lope_mesh_next(mesh, next);
    const bool first = gates[next].width > 0.0f, second = gates[previous].width > 0.0f;
    return first == second ? -1 : (first ? next : previous) ^ 1;
}

// bridges.c: finds all; `list` is the edges between faces, from wide to narrow. False: no memory.
bool lope_passages_find_bridges(lope_passages *passages, const lope_merge *merges, const lope_passage *list, int count);
// Forgets those that changes may have led around. Without memory, all of them.
void lope_passages_keep_bridges(lope_passages *passages);
void lope_passages_forget_bridges(lope_passages *passages);

// Length of the shortest edge that has to be crossed between two faces, on the way where it is longest. Infinite from a
// face to itself, 0: no way. The passages are measured.
double lope_passages_width(const lope_passages *passages, int from_face, int to_face);

#endif
