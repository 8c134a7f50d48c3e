// SPDX-License-Identifier: MIT
// Regions: connected ground of one floor within a block. Gates lead from a region to those of the next blocks. Routes
// are searched over them.
#include "level/floors.h"

static uint16_t root(uint16_t *parents, uint16_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

void areas_find_regions(lope_floors *f, int block)
{
    floor_block *b = &f->blocks[block];
    uint16_t parents[UINT16_MAX], count = 0;
    for (int i = 0; i < b->node_count; i++) {
        floor_node *n = &b->nodes[i];
        bool known = false;
        for (int side = 2; side < 4; side++) {
            node_ref next;
            if ((side == 2 ? n->column % BLOCK_NODES : n->column / BLOCK_NODES) == 0 ||
                !nodes_next(f, (node_ref){block, i}, side, &next) || b->nodes[next.node].floor != n->floor)
                continue;
            uint16_t other = root(parents, b->nodes[next.node].region);
            if (known)
                parents[root(parents, n->region)] = other;
            n->region = other, known = true;
        }
        if (!known) {
            parents[count] = count;
            n->region = count++;
        }
    }
    uint16_t numbers[UINT16_MAX], used = 0;
    for (uint16_t i = 0; i < count; i++)
        if (root(parents, i) == i)
            numbers[i] = used++;
    for (int i = 0; i < b->node_count; i++)
        b->nodes[i].region = numbers[root(parents, b->nodes[i].region)];
    b->region_count = used;
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
