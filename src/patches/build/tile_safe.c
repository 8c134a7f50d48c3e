// SPDX-License-Identifier: MIT
// Which gates may stay: those from which all sides and all other gates can be reached, and of them the most useful.
#include "base/error.h"
#include "base/memory.h"
#include "graph/graph.h"
#include "patches/build/tile_build.h"

// A gate is worth its connections, those to the side it has fewest to so many times more.
#define LEAST_WEIGHT 4

int tile_count_links(const tile_build *b, int from, int side)
{
    int count = 0;
    for (int to = 0; to < b->gate_count; to++)
        count += tile_connected(b, from, side, to);
    return count;
}

int tile_kept(const tile_build *b, bool inside)
{
    int count = 0;
    for (int g = 0; g < b->gate_count; g++)
        count += b->kept[g] && (b->gates[g].inside != 0) == inside;
    return count;
}

// Drops gates from which a side cannot be reached; of those who stand, gates from which none can. Whether any was
// dropped.
static bool drop_one_sided(tile_build *b)
{
    bool dropped = false;
    for (int from = 0; from < b->gate_count; from++) {
        int sides = 0;
        for (int side = 0; side < LOPE_TILE_SIDES && b->kept[from]; side++)
            sides += tile_count_links(b, from, side) > 0;
        if (b->kept[from] && sides < (b->gates[from].inside ? 1 : LOPE_TILE_SIDES)) {
            b->kept[from] = false;
            dropped = true;
        }
    }
    return dropped;
}

// The torus: a tile whose far sides are its near ones. Nodes are gates of all four sides.
static lope_status torus_of(const tile_build *b, lope_digraph *out, lope_error *error)
{
    int n = b->gate_count, nodes = n * LOPE_TILE_SIDES;
    size_t edges = 0;
    for (int from = 0; from < n; from++)
        for (int side = 0; side < LOPE_TILE_WAYS; side++)
            edges += (size_t)tile_count_links(b, from, side);
    lope_status status = lope_digraph_create(nodes, edges * LOPE_TILE_SIDES, out, error);
    if (status)
        return status;
    size_t at = 0;
    for (int node = 0; node < nodes; node++) {
        out->offsets[node] = at;
        for (int side = 0; side < LOPE_TILE_WAYS; side++)
            for (int to = 0; to < n; to++)
                if (tile_connected(b, node % n, side, to)) {
                    out->targets[at] = (node / n + side) % LOPE_TILE_SIDES * n + to; // inside: 4, the same heading
                    out->costs[at++] = 1.0f;
                }
    }
    out->offsets[nodes] = at;
    return LOPE_OK;
}

// Drops gates that are not in the largest component of the torus on every side. Whether any was dropped.
static lope_status drop_unconnected(tile_build *b, bool *dropped, lope_error *error)
{
    lope_digraph torus;
    lope_status status = torus_of(b, &torus, error);
    if (status)
        return status;
    uint8_t *keep = lope_alloc_zero((size_t)torus.node_count);
    int size;
    status = keep ? lope_largest_component(&torus, keep, &size, error) : lope_fail_memory(error);
    for (int node = 0; node < torus.node_count && !status; node++)
        if (!keep[node] && b->kept[node % b->gate_count]) {
            b->kept[node % b->gate_count] = false;
            *dropped = true;
        }
    lope_free(keep);
    lope_digraph_free(&torus);
    return status;
}

// Both safety conditions in turn, until neither drops anything.
lope_status tile_make_safe(tile_build *b, lope_error *error)
{
    for (bool dropped = true; dropped;) {
        dropped = drop_one_sided(b);
        lope_status status = drop_unconnected(b, &dropped, error);
        if (status)
            return status;
    }
    return LOPE_OK;
}

// Connections of a gate with those that are kept; the side it has fewest to counts most.
static int worth_of(const tile_build *b, int gate)
{
    int sum = 0, least = 1 << 30;
    for (int side = 0; side < LOPE_TILE_SIDES; side++) {
        int out = 0;
        for (int other = 0; other < b->gate_count; other++) {
            out += tile_connected(b, gate, side, other);
            sum += tile_connected(b, other, side, gate);
        }
        sum += out;
        least = out < least ? out : least;
    }
    return sum + LEAST_WEIGHT * least;
}

static int least_useful(const tile_build *b)
{
    int worst = -1, worst_worth = 0;
    for (int g = 0; g < b->gate_count; g++) {
        int worth = b->kept[g] ? worth_of(b, g) : 0;
        if (b->kept[g] && (worst < 0 || worth < worst_worth)) {
            worst = g;
            worst_worth = worth;
        }
    }
    return worst;
}

lope_status tile_thin_out(tile_build *b, lope_error *error)
{
    lope_status status = tile_make_safe(b, error);
    while (status == LOPE_OK && tile_kept(b, false) > b->def->gates) {
        b->kept[least_useful(b)] = false;
        status = tile_make_safe(b, error);
    }
    return status;
}
