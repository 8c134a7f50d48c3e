// SPDX-License-Identifier: MIT
// Seams between floors, and the fringe beyond them: ground of the next floor, a few steps far, that a floor's space
// holds as well, so that bodies at a seam have their clearance. A fringe never lies over its own floor.
#include "level/floors.h"

static bool find_in_block(lope_floors *f, int block, plan_rect columns)
{
    floor_block *b = &f->blocks[block];
    floor_seam *s = b->seams.items;
    int kept = 0;
    for (int i = 0; i < b->seams.count; i++) {
        int x = s[i].column % BLOCK_NODES, z = s[i].column / BLOCK_NODES;
        if (x < columns.x0 || x > columns.x1 || z < columns.z0 || z > columns.z1)
            s[kept++] = s[i];
    }
    b->seams.count = kept;
    for (int z = columns.z0; z <= columns.z1; z++)
        for (int i = b->first[z * BLOCK_NODES + columns.x0]; i < b->first[z * BLOCK_NODES + columns.x1 + 1]; i++)
            for (int side = 0; side < 2; side++) {
                node_ref next;
                const floor_node *n = &b->nodes[i];
                if (!nodes_next(f, (node_ref){block, i}, side, &next) || node_at(f, next)->floor == n->floor)
                    continue;
                floor_seam seam = {n->column, side, n->floor, node_at(f, next)->floor, n->y};
                if (!list_add(&b->seams, &seam, sizeof seam))
                    return false;
            }
    return true;
}

bool fringe_find_seams(lope_floors *f, plan_rect columns)
{
    bool fine = true;
    for (int z = div_down(columns.z0, BLOCK_NODES); z <= div_down(columns.z1, BLOCK_NODES); z++)
        for (int x = div_down(columns.x0, BLOCK_NODES); x <= div_down(columns.x1, BLOCK_NODES); x++) {
            int block = floors_find_block(f, x, z);
            if (block >= 0 && fine)
                fine = find_in_block(f, block, plan_within_block(columns, x, z, BLOCK_NODES));
        }
    return fine;
}

bool fringe_has(const lope_floors *f, node_ref node, int floor)
{
    const floor_beyond *e = f->blocks[node.block].fringe.items;
    for (int i = node_at(f, node)->fringe; i > 0; i = e[i - 1].next)
        if (e[i - 1].floor == floor)
            return true;
    return false;
}

static bool add(lope_floors *f, node_ref node, int floor, int steps)
{
    floor_block *b = &f->blocks[node.block];
    floor_node *n = &b->nodes[node.node];
    if (!b->renewed || n->floor == floor || fringe_has(f, node, floor) || b->fringe.count == UINT16_MAX)
        return true;
    for (int i = b->first[n->column]; i < b->first[n->column + 1]; i++)
        if (b->nodes[i].floor == floor)
            return true;
    if (!list_add(&b->fringe, &(floor_beyond){node.node, floor, steps, n->fringe}, sizeof(floor_beyond)))
        return false;
    n->fringe = (uint16_t)b->fringe.count;
    return true;
}

static bool begin(lope_floors *f, int block)
{
    const list *seams = &f->blocks[block].seams;
    const floor_seam *s = seams->items;
    bool fine = true;
    for (int i = 0; i < seams->count && fine; i++) {
        const floor_block *b = &f->blocks[block];
        node_ref at, next;
        if (nodes_near(f, b->x * BLOCK_NODES + s[i].column % BLOCK_NODES,
                       b->z * BLOCK_NODES + s[i].column / BLOCK_NODES, s[i].y, &at) &&
            nodes_next(f, at, s[i].side, &next))
            fine = add(f, next, s[i].floor, 1) && add(f, at, s[i].other_floor, 1);
    }
    return fine;
}

static bool go_on(lope_floors *f, int block, int steps)
{
    const list *fringe = &f->blocks[block].fringe;
    for (int i = 0; i < fringe->count; i++) {
        floor_beyond e = ((floor_beyond *)fringe->items)[i];
        node_ref next;
        for (int side = 0; side < 4 && e.steps == steps; side++)
            if (nodes_next(f, (node_ref){block, e.node}, side, &next) && !add(f, next, e.floor, steps + 1))
                return false;
    }
    return true;
}

bool fringe_spread(lope_floors *f, const list *blocks, const list *around)
{
    const list *both[2] = {blocks, around};
    bool fine = true;
    for (int i = 0; i < blocks->count; i++) {
        floor_block *b = &f->blocks[((int *)blocks->items)[i]];
        for (int k = 0; k < b->node_count && b->fringe.count; k++)
            b->nodes[k].fringe = 0;
        b->fringe.count = 0;
        b->renewed = true;
    }
    for (int steps = 0; steps < FLOOR_FRINGE; steps++)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < both[k]->count && fine; i++) {
                int block = ((int *)both[k]->items)[i];
                fine = steps ? go_on(f, block, steps) : begin(f, block);
            }
    for (int i = 0; i < blocks->count; i++)
        f->blocks[((int *)blocks->items)[i]].renewed = false;
    return fine;
}
