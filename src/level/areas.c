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

// The node before one, towards -x or -z in the block, that is connected ground of the same floor; -1: none.
static int before(const lope_floors *f, const floor_block *b, const floor_node *n, int side)
{
    const int step = side ? BLOCK_NODES : 1;
    int other;
    if ((side ? n->column / BLOCK_NODES : n->column % BLOCK_NODES) == 0 ||
        !node_near_in(b, n->column - step, n->y, f->near, &other))
        return -1;
    return b->nodes[other].walls >> side & 1 || b->nodes[other].floor != n->floor ? -1 : other;
}

void areas_find_regions(lope_floors *f, int block)
{
    floor_block *b = &f->blocks[block];
    floor_node *nodes = b->nodes;
    for (int i = 0; i < b->node_count; i++) {
        const int left = before(f, b, &nodes[i], 0), down = before(f, b, &nodes[i], 1);
        const uint16_t own = nodes[i].region = left >= 0 ? root(nodes, (uint16_t)left) : (uint16_t)i;
        if (down < 0 || nodes[down].region == own)
            continue;
        const uint16_t other = root(nodes, (uint16_t)down);
        nodes[own > other ? own : other].region = own > other ? other : own;
    }
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
