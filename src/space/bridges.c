// SPDX-License-Identifier: MIT
// Which edges are the only way to what is behind them. A search need not cross one behind which the goal is not: it
// would have to come back over it. So it leaves out rooms with one door, however large they are, and has nothing to
// choose where all other ways end.
//
// For discs of one size, an edge is the only way (a bridge) where no ring of edges wide enough leads over it. The
// widest such ring of every edge tells that for all sizes. Triangles merged over the widest edges first form a tree;
// every other edge closes a ring with the way through the tree between its triangles, and is the narrowest of it. So
// with the others taken from wide to narrow, an edge of the tree is first met by its widest ring.
#include <math.h>

#include "base/memory.h"
#include "space/passages.h"

typedef struct bridging {
    const lope_mesh *mesh;
    lope_merge *merges;
    lope_bridge *bridges;
    int *top; // by face: the first face above whose edge upwards has no ring yet, or one below that
    int *up;  // by face: its half-edge towards the root, -1: it is one
    int numbered;
} bridging;

// Numbers the faces of a tree so that those behind an edge follow each other: goes round the tree, always on to the
// next side, and over those that belong to it.
static void number(bridging *b, int root)
{
    int h = b->mesh->faces[root].half_edge;
    b->merges[root].order = b->numbered++;
    b->up[root] = -1;
    for (int sides = 0;;) {
        h = lope_mesh_next(b->mesh, h);
        const int face = b->mesh->half_edges[h].face, beyond = b->mesh->half_edges[h ^ 1].face;
        if (face == root && sides++ == 3)
            return;
        lope_bridge *bridge = &b->bridges[h >> 1];
        if (bridge->ring == HUGE_VALF)
            continue;
        if (h == b->up[face]) {
            bridge->count = b->numbered - bridge->first;
        } else {
            bridge->first = b->numbered;
            bridge->down = h;
            b->up[beyond] = h ^ 1;
            b->merges[beyond].order = b->numbered++;
        }
        h ^= 1;
    }
}

static int top_of(bridging *b, int face)
{
    while (b->top[face] != face)
        face = b->top[face] = b->top[b->top[face]];
    return face;
}

// An edge that closes a ring: those of the tree that it leads over and that have none yet.
static void close_ring(bridging *b, int edge, float width)
{
    int one = top_of(b, b->mesh->half_edges[2 * edge].face), other = top_of(b, b->mesh->half_edges[2 * edge + 1].face);
    while (one != other) {
        int *lower = b->merges[one].order > b->merges[other].order ? &one : &other; // not above the other one
        const int up = b->up[*lower];
        b->bridges[up >> 1].ring = width;
        b->top[*lower] = b->mesh->half_edges[up ^ 1].face;
        *lower = top_of(b, *lower);
    }
}

lope_bridge *lope_passages_find_bridges(const lope_passages *passages, lope_merge *merges, const lope_passage *list,
                                        int count)
{
    const lope_mesh *mesh = &passages->space.mesh;
    const size_t faces = (size_t)mesh->face_count, edges = (size_t)mesh->edge_count;
    int *memory = lope_alloc_array(2 * faces, sizeof *memory);
    lope_bridge *bridges = lope_alloc_array(edges, sizeof *bridges);
    bridging b = {mesh, merges, bridges, memory, memory ? memory + faces : NULL, 0};
    if (memory && bridges) {
        for (size_t i = 0; i < edges; i++)
            bridges[i] = (lope_bridge){HUGE_VALF, 0, 0, -1};
        for (int i = 0; i < count; i++)
            if (list[i].merges)
                bridges[list[i].edge].ring = 0.0f;
        for (int i = 0; i < mesh->face_count; i++) {
            b.top[i] = i;
            if (mesh->faces[i].half_edge >= 0 && merges[i].parent == i)
                number(&b, i);
        }
        for (int i = 0; i < count; i++)
            if (!list[i].merges)
                close_ring(&b, list[i].edge, passages->gates[2 * list[i].edge].width);
    } else {
        lope_free(bridges);
        bridges = NULL;
    }
    lope_free(memory);
    return bridges;
}
