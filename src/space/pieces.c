// SPDX-License-Identifier: MIT
// Which segments run along which edges: short lists in one pool. They are what
// lets an obstacle be taken out of a triangulation in which edges are shared,
// overlap and were split.
#include "space/mesh.h"

#include <assert.h>

int lope_mesh_add_segment(lope_mesh *mesh, int obstacle, int from, int to)
{
    int segment = mesh->segment_free;
    if (segment >= 0)
        mesh->segment_free = mesh->segments[segment].next;
    else
        segment = mesh->segment_count++;
    assert(segment < mesh->segment_capacity);
    mesh->segments[segment] = (lope_mesh_segment){obstacle, from, to, 0, -1};
    mesh->vertices[from].references++;
    mesh->vertices[to].references++;
    return segment;
}

void lope_mesh_free_segment(lope_mesh *mesh, int segment)
{
    lope_mesh_segment *it = &mesh->segments[segment];
    assert(it->pieces == 0);
    mesh->vertices[it->from].references--;
    mesh->vertices[it->to].references--;
    *it = (lope_mesh_segment){-1, -1, -1, 0, mesh->segment_free};
    mesh->segment_free = segment;
}

// What runs along an edge decides what may pass it.
static void touch_edge(lope_mesh *mesh, int edge)
{
    lope_mesh_touch(mesh, mesh->half_edges[2 * edge].face);
    lope_mesh_touch(mesh, mesh->half_edges[2 * edge + 1].face);
}

static void free_piece(lope_mesh *mesh, int piece)
{
    mesh->segments[mesh->pieces[piece].segment].pieces--;
    mesh->pieces[piece] = (lope_mesh_piece){-1, mesh->piece_free, false};
    mesh->piece_free = piece;
}

// A segment that goes along an edge and back again does not go there. Says
// whether it came the other way before.
static bool cancel_piece(lope_mesh *mesh, int edge, int segment, bool reversed)
{
    for (int *link = &mesh->pieces_of[edge]; *link >= 0; link = &mesh->pieces[*link].next) {
        int piece = *link;
        if (mesh->pieces[piece].segment != segment || mesh->pieces[piece].reversed == reversed)
            continue;
        *link = mesh->pieces[piece].next;
        free_piece(mesh, piece);
        touch_edge(mesh, edge);
        lope_mesh_enqueue(mesh, 2 * edge); // unless others run there
        mesh->frayed = true;
        return true;
    }
    return false;
}

static void push_piece(lope_mesh *mesh, int edge, int segment, bool reversed)
{
    if (cancel_piece(mesh, edge, segment, reversed))
        return;
    int piece = mesh->piece_free;
    if (piece >= 0)
        mesh->piece_free = mesh->pieces[piece].next;
    else
        piece = mesh->piece_count++;
    assert(piece < mesh->piece_capacity);
    mesh->pieces[piece] = (lope_mesh_piece){segment, mesh->pieces_of[edge], reversed};
    mesh->pieces_of[edge] = piece;
    mesh->segments[segment].pieces++;
    touch_edge(mesh, edge);
}

void lope_mesh_add_piece(lope_mesh *mesh, int half_edge, int segment)
{
    push_piece(mesh, half_edge >> 1, segment, half_edge & 1);
}

void lope_mesh_copy_pieces(lope_mesh *mesh, int from_half_edge, int to_half_edge)
{
    bool turned = (from_half_edge ^ to_half_edge) & 1;
    for (int i = mesh->pieces_of[from_half_edge >> 1]; i >= 0; i = mesh->pieces[i].next)
        push_piece(mesh, to_half_edge >> 1, mesh->pieces[i].segment, mesh->pieces[i].reversed != turned);
}

void lope_mesh_move_pieces(lope_mesh *mesh, int from_half_edge, int to_half_edge)
{
    bool turned = (from_half_edge ^ to_half_edge) & 1;
    for (int i = mesh->pieces_of[from_half_edge >> 1]; i >= 0;) {
        lope_mesh_piece piece = mesh->pieces[i];
        free_piece(mesh, i);
        push_piece(mesh, to_half_edge >> 1, piece.segment, piece.reversed != turned);
        i = piece.next;
    }
    mesh->pieces_of[from_half_edge >> 1] = -1;
    touch_edge(mesh, from_half_edge >> 1);
}

static void turn_pieces(lope_mesh *mesh, int first)
{
    for (int i = first; i >= 0; i = mesh->pieces[i].next)
        mesh->pieces[i].reversed = !mesh->pieces[i].reversed;
}

// Detached pieces are kept as if they had come from an even half-edge.
int lope_mesh_detach_pieces(lope_mesh *mesh, int half_edge)
{
    int first = mesh->pieces_of[half_edge >> 1];
    mesh->pieces_of[half_edge >> 1] = -1;
    touch_edge(mesh, half_edge >> 1);
    if (half_edge & 1)
        turn_pieces(mesh, first);
    return first;
}

void lope_mesh_attach_pieces(lope_mesh *mesh, int half_edge, int pieces)
{
    if (half_edge & 1)
        turn_pieces(mesh, pieces);
    int *link = &mesh->pieces_of[half_edge >> 1]; // others may run there already
    while (*link >= 0)
        link = &mesh->pieces[*link].next;
    *link = pieces;
    touch_edge(mesh, half_edge >> 1);
}

void lope_mesh_clear_pieces(lope_mesh *mesh, int half_edge)
{
    for (int i = mesh->pieces_of[half_edge >> 1]; i >= 0;) {
        int next = mesh->pieces[i].next;
        free_piece(mesh, i);
        i = next;
    }
    mesh->pieces_of[half_edge >> 1] = -1;
    touch_edge(mesh, half_edge >> 1);
}

int lope_mesh_count_pieces(const lope_mesh *mesh, int half_edge)
{
    int count = 0;
    for (int i = mesh->pieces_of[half_edge >> 1]; i >= 0; i = mesh->pieces[i].next)
        count++;
    return count;
}

static int count_equal(const lope_mesh *mesh, int edge, int segment, bool reversed)
{
    int count = 0;
    for (int i = mesh->pieces_of[edge]; i >= 0; i = mesh->pieces[i].next)
        count += mesh->pieces[i].segment == segment && mesh->pieces[i].reversed == reversed;
    return count;
}

bool lope_mesh_same_pieces(const lope_mesh *mesh, int a, int b)
{
    bool turned = (a ^ b) & 1;
    if (lope_mesh_count_pieces(mesh, a) != lope_mesh_count_pieces(mesh, b))
        return false;
    for (int i = mesh->pieces_of[a >> 1]; i >= 0; i = mesh->pieces[i].next) {
        int segment = mesh->pieces[i].segment;
        bool reversed = mesh->pieces[i].reversed;
        if (count_equal(mesh, a >> 1, segment, reversed) != count_equal(mesh, b >> 1, segment, reversed != turned))
            return false;
    }
    return true;
}

void lope_mesh_remove_pieces(lope_mesh *mesh, int edge, int obstacle)
{
    int *link = &mesh->pieces_of[edge];
    touch_edge(mesh, edge);
    while (*link >= 0) {
        int piece = *link;
        if (mesh->segments[mesh->pieces[piece].segment].obstacle == obstacle) {
            *link = mesh->pieces[piece].next;
            free_piece(mesh, piece);
        } else {
            link = &mesh->pieces[piece].next;
        }
    }
}

int lope_mesh_net_pieces(const lope_mesh *mesh, int half_edge, int obstacle)
{
    int net = 0;
    for (int i = mesh->pieces_of[half_edge >> 1]; i >= 0; i = mesh->pieces[i].next)
        if (mesh->segments[mesh->pieces[i].segment].obstacle == obstacle)
            net += mesh->pieces[i].reversed == (half_edge & 1) ? 1 : -1;
    return net;
}

bool lope_mesh_carries(const lope_mesh *mesh, int edge, int segment)
{
    for (int i = mesh->pieces_of[edge]; i >= 0; i = mesh->pieces[i].next)
        if (mesh->pieces[i].segment == segment)
            return true;
    return false;
}
