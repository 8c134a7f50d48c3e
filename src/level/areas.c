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

void areas_find_regions(lope_floors *f, int block)
{
    floor_block *b = &f->blocks[block];
    for (int i = 0; i < b->node_count; i++) {
        floor_node *n = &b->nodes[i];
        n->region = (uint16_t)i;
        for (int side = 0; side < 2; side++) {
            int other;
            if ((side ? n->column / BLOCK_NODES : n->column % BLOCK_NODES) == 0 ||
                !node_near_in(b, n->column - (side ? BLOCK_NODES : 1), n->y, f->near, &other))
                continue;
            const floor_node *before = &b->nodes[other];
            if (before->walls >> side & 1 || before->floor != n->floor || before->region == n->region)
                continue;
            uint16_t own_root = root(b->nodes, (uint16_t)i), other_root = root(b->nodes, (uint16_t)other);
            b->nodes[own_root > other_root ? own_root : other_root].region =
                own_root > other_root ? other_root : own_root;
        }
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
