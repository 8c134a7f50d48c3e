// SPDX-License-Identifier: MIT
// Which edges are the only way to what is behind them. A search need not cross one behind which the goal is not: it
// would have to come back over it. So it leaves out rooms with one door, however large they are, and has nothing to
// choose where all other ways end.
//
// For discs of one size, an edge is the only way (a bridge) where no ring of edges wide enough leads over it. The
// widest such ring of every edge tells that for all sizes. Triangles merged over the widest edges first form a tree;
// every other edge closes a ring with the way through the tree between its triangles, and is the narrowest of it. So
// with the others taken from wide to narrow, an edge of the tree is first met by its widest ring.
//
// When faces change, those that are new and hang together are a piece. A bridge stays one where no piece leads from
// one of its sides to the other: then the edges between what is behind it and the rest are still those of before. Other
// bridges are forgotten, and the faces of a piece count as where its neighbours are.
#include <math.h>

#include "base/memory.h"
#include "space/passages.h"

typedef struct bridging {
    const lope_mesh *mesh;
    lope_bridges *all;
    int *up; // by face: its half-edge towards the root, -1: it is one
    int numbered;
} bridging;

static void add_branch(bridging *b, int face, int parent, int edge)
{
    b->all->tree[b->numbered] = (lope_branch){parent, b->numbered, edge, 1};
    b->all->orders[face] = b->numbered++;
}

// Numbers the faces of a tree so that those behind an edge follow each other: goes round the tree, always on to the
// next side, and over those that belong to it.
static void number(bridging *b, int root)
{
    int h = b->mesh->faces[root].half_edge;
    add_branch(b, root, -1, -1);
    b->up[root] = -1;
    for (int sides = 0;;) {
        h = lope_mesh_next(b->mesh, h);
        const int face = b->mesh->half_edges[h].face, beyond = b->mesh->half_edges[h ^ 1].face;
        if (face == root && sides++ == 3)
            return;
        lope_bridge *bridge = &b->all->edges[h >> 1];
        if (bridge->ring == HUGE_VALF)
            continue;
        if (h == b->up[face]) {
            bridge->count = b->all->tree[bridge->first].count = b->numbered - bridge->first;
        } else {
            bridge->first = b->numbered;
            bridge->down = h;
            b->up[beyond] = h ^ 1;
            add_branch(b, beyond, b->all->orders[face], h >> 1);
        }
        h ^= 1;
    }
}

static int top_of(lope_branch *tree, int order)
{
    while (tree[order].top != order)
        order = tree[order].top = tree[tree[order].top].top;
    return order;
}

// An edge that closes a ring: those of the tree that it leads over and that have none yet.
static void close_ring(bridging *b, int edge, float width)
{
    lope_branch *tree = b->all->tree;
    const lope_half_edge *sides = &b->mesh->half_edges[2 * edge];
    int one = top_of(tree, b->all->orders[sides[0].face]), other = top_of(tree, b->all->orders[sides[1].face]);
    while (one != other) {
        int *lower = one > other ? &one : &other; // not above the other one
        b->all->edges[tree[*lower].edge].ring = width;
        tree[*lower].top = tree[*lower].parent;
        *lower = top_of(tree, *lower);
    }
}

void lope_passages_forget_bridges(lope_passages *passages)
{
    lope_bridges *all = &passages->bridges;
    lope_free(all->edges), lope_free(all->orders), lope_free(all->tree);
    *all = (lope_bridges){0};
}

static bool make_room(lope_passages *passages)
{
    const lope_mesh *mesh = &passages->space.mesh;
    lope_bridges *all = &passages->bridges;
    const size_t faces = (size_t)mesh->face_count;
    lope_passages_forget_bridges(passages);
    all->face_count = mesh->face_count, all->edge_count = mesh->edge_count;
    all->edges = lope_alloc_array((size_t)mesh->edge_count, sizeof *all->edges);
    all->orders = lope_alloc_array(faces, sizeof *all->orders);
    all->tree = lope_alloc_array(faces, sizeof *all->tree);
    return all->edges && all->orders && all->tree;
}

static const lope_bridge no_bridge = {HUGE_VALF, 0, 0, -1};

bool lope_passages_find_bridges(lope_passages *passages, const lope_merge *merges, const lope_passage *list, int count)
{
    const lope_mesh *mesh = &passages->space.mesh;
    bridging b = {mesh, &passages->bridges, lope_alloc_array((size_t)mesh->face_count, sizeof *b.up), 0};
    const bool fine = make_room(passages) && b.up;
    for (int i = 0; fine && i < mesh->edge_count; i++)
        b.all->edges[i] = no_bridge;
    for (int i = 0; fine && i < count; i++)
        if (list[i].merges)
            b.all->edges[list[i].edge].ring = 0.0f;
    for (int i = 0; fine && i < mesh->face_count; i++)
        if (mesh->faces[i].half_edge >= 0 && merges[i].parent == i)
            number(&b, i);
    for (int i = 0; fine && i < count; i++)
        if (!list[i].merges)
            close_ring(&b, list[i].edge, passages->gates[2 * list[i].edge].width);
    for (int i = 0; fine && i < b.numbered; i++)
        b.all->tree[i].top = i;
    lope_free(b.up);
    if (!fine)
        lope_passages_forget_bridges(passages);
    return fine;
}

// ---- changes

// Room for new edges and faces. False: no memory.
static bool follow_mesh(lope_bridges *all, const lope_mesh *mesh)
{
    if (mesh->edge_count > all->edge_count) {
        lope_bridge *edges =
            lope_grow(all->edges, (size_t)all->edge_count * sizeof *edges, (size_t)mesh->edge_capacity * sizeof *edges);
        if (!edges)
            return false;
        for (int i = all->edge_count; i < mesh->edge_capacity; i++)
            edges[i] = no_bridge;
        all->edges = edges, all->edge_count = mesh->edge_capacity;
    }
    if (mesh->face_count > all->face_count) {
        int *orders = lope_grow(all->orders, (size_t)all->face_count * sizeof *orders,
                                (size_t)mesh->face_capacity * sizeof *orders);
        if (!orders)
            return false;
        all->orders = orders, all->face_count = mesh->face_capacity;
    }
    return true;
}

// The edge of a branch may be no bridge any more.
static void forget(lope_bridges *all, int order)
{
    lope_branch *branch = &all->tree[order];
    lope_bridge *bridge = branch->edge >= 0 ? &all->edges[branch->edge] : NULL;
    if (branch->parent >= 0)
        branch->top = branch->parent;
    if (bridge && bridge->first == order) {
        *bridge = no_bridge;
        all->forgotten++;
    }
}

static void forget_edge(lope_bridges *all, int edge)
{
    if (all->edges[edge].ring < HUGE_VALF)
        forget(all, all->edges[edge].first);
}

// A piece of what changed: its faces in mesh->face_list, and the orders of the faces around it in
// mesh->edge_list.
typedef struct changed_piece {
    int face_count, around_count;
    int least, most; // of those orders
} changed_piece;

// Faces that were looked at are marked by a 2.
static changed_piece take_piece(lope_mesh *mesh, lope_refiner *refiner, lope_bridges *all, int first)
{
    changed_piece piece = {1, 0, 0, 0};
    mesh->face_list[0] = first;
    refiner->is_changed[first] = 2;
    for (int i = 0; i < piece.face_count; i++) {
        int h = mesh->faces[mesh->face_list[i]].half_edge;
        for (int k = 0; k < 3; k++, h = lope_mesh_next(mesh, h)) {
            const int beyond = mesh->half_edges[h ^ 1].face;
            forget_edge(all, h >> 1);
            if (beyond < 0 || refiner->is_changed[beyond] == 2 || lope_mesh_constrained(mesh, h))
                continue;
            if (refiner->is_changed[beyond]) {
                refiner->is_changed[beyond] = 2;
                mesh->face_list[piece.face_count++] = beyond;
                continue;
            }
            const int order = all->orders[beyond], n = piece.around_count++;
            mesh->edge_list[n] = order;
            piece.least = n == 0 || order < piece.least ? order : piece.least;
            piece.most = n == 0 || order > piece.most ? order : piece.most;
        }
    }
    return piece;
}

// Forgets the bridges that have only some of the faces around a piece behind them.
static void part_piece(const lope_mesh *mesh, lope_bridges *all, const changed_piece *piece)
{
    lope_branch *tree = all->tree;
    for (int i = 0; i < piece->around_count; i++)
        for (int order = top_of(tree, mesh->edge_list[i]);
             order > piece->least || piece->most >= order + tree[order].count;) {
            forget(all, order);
            if (tree[order].parent < 0)
                break;
            order = top_of(tree, order);
        }
    for (int i = 0; i < piece->face_count; i++) // one that leads nowhere may count as anywhere
        all->orders[mesh->face_list[i]] = piece->around_count > 0 ? mesh->edge_list[0] : 0;
}

void lope_passages_keep_bridges(lope_passages *passages)
{
    lope_mesh *mesh = &passages->space.mesh;
    lope_refiner *refiner = &passages->refiner;
    lope_bridges *all = &passages->bridges;
    if (all->edges && !follow_mesh(all, mesh))
        lope_passages_forget_bridges(passages);
    for (int i = 0; all->edges && i < refiner->changed_count; i++) {
        const int face = refiner->changed[i];
        if (mesh->faces[face].half_edge < 0 || refiner->is_changed[face] == 2)
            continue;
        const changed_piece piece = take_piece(mesh, refiner, all, face);
        part_piece(mesh, all, &piece);
    }
}
