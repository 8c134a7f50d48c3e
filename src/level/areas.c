// SPDX-License-Identifier: MIT
// Regions: connected ground of one floor within a block. Gates lead from a region to those of the next blocks. Routes
// are searched over them.
#include "level/floors.h"

// The first node of those that are known to be connected. Until regions have numbers, `region` leads there.
static uint16_t root(floor_node *nodes, uint16_t i)
{
    while (nodes[i].region != i)
        i = nodes[i].region = nodes[nodes[i].region].region;
    return i;
}

// The column before another one, towards -x or -z, whose nodes are gone through upwards together with those of it.
typedef struct column_before {
    int at, end, side;
} column_before;

// The node there that is connected ground of the same floor; -1: none.
static int before(const lope_floors *f, const floor_node *nodes, const floor_node *n, column_before *c)
{
    while (c->at < c->end && nodes[c->at].y <= n->y - f->near)
        c->at++;
    if (c->at == c->end)
        return -1;
    const floor_node *other = &nodes[c->at];
    return other->y >= n->y + f->near || other->walls >> c->side & 1 || other->floor != n->floor ? -1 : c->at;
}

static void join_column(lope_floors *f, floor_block *b, int column)
{
    floor_node *nodes = b->nodes;
    column_before left = {0, 0, 0}, down = {0, 0, 1};
    if (column % BLOCK_NODES)
        left.at = b->first[column - 1], left.end = b->first[column];
    if (column >= BLOCK_NODES)
        down.at = b->first[column - BLOCK_NODES], down.end = b->first[column - BLOCK_NODES + 1];
    for (int i = b->first[column]; i < b->first[column + 1]; i++) {
        const int on_left = before(f, nodes, &nodes[i], &left), below = before(f, nodes, &nodes[i], &down);
        const uint16_t own = nodes[i].region = on_left >= 0 ? root(nodes, (uint16_t)on_left) : (uint16_t)i;
        if (below < 0 || nodes[below].region == own)
            continue;
        const uint16_t other = root(nodes, (uint16_t)below);
        nodes[own > other ? own : other].region = own > other ? other : own;
    }
}

void areas_find_regions(lope_floors *f, int block)
{
    floor_block *b = &f->blocks[block];
    for (int column = 0; column < BLOCK_COLUMNS; column++)
        join_column(f, b, column);
    b->region_count = 0;
    for (int i = 0; i < b->node_count; i++) { // what a node leads to comes before it and has its number
        floor_node *n = &b->nodes[i];
        n->region = n->region == i ? (uint16_t)b->region_count++ : b->nodes[n->region].region;
    }
}

// Goes on with the last gate of these regions where a node beside was part of it, or begins one.
static bool add_to_gate(floor_block *b, const floor_gate *gate)
{
    floor_gate *g = b->gates.items;
    for (int i = b->gates.count - 1; i >= 0; i--) {
        float x = g[i].to.x - gate->from.x, z = g[i].to.z - gate->from.z;
        if (g[i].side == gate->side && g[i].region == gate->region && g[i].other == gate->other &&
            x * x + z * z < 1.2f * (float)(NODE_CELL * NODE_CELL)) {
            g[i].to = gate->from;
            g[i].width++;
            return true;
        }
    }
    return list_add(&b->gates, gate, sizeof *gate);
}

bool areas_find_gates(lope_floors *f, int block)
{
    floor_block *b = &f->blocks[block];
    bool fine = true;
    b->gates.count = 0;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < BLOCK_NODES; k++) {
            int column = side ? (BLOCK_NODES - 1) * BLOCK_NODES + k : k * BLOCK_NODES + BLOCK_NODES - 1;
            for (int i = b->first[column]; i < b->first[column + 1] && fine; i++) {
                node_ref next;
                if (!nodes_next(f, (node_ref){block, i}, side, &next) || node_at(f, next)->floor != b->nodes[i].floor)
                    continue;
                lope_vec3 at = {node_place(node_x(b, &b->nodes[i])), b->nodes[i].y,
                                node_place(node_z(b, &b->nodes[i]))};
                fine = add_to_gate(b, &(floor_gate){b->nodes[i].region, node_at(f, next)->region, side, at, at, 1});
            }
        }
    return fine;
}
