// SPDX-License-Identifier: MIT
// Boxes around floors and their areas, from nodes and borders.
#include "level/floors.h"

static void widen(lope_floor_extent *e, lope_vec3 at)
{
    e->low = lope_v3_min(e->low, at);
    e->high = lope_v3_max(e->high, at);
}

void lope_floors_extents(const lope_floors *f, lope_floor_extent *out)
{
    for (int i = 0; i < f->space_count; i++)
        out[i] = (lope_floor_extent){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0f};
    for (int i = 0; i < f->block_count; i++)
        for (int k = 0; k < f->blocks[i].node_count; k++) {
            const floor_node *n = &f->blocks[i].nodes[k];
            if (n->floor < 0 || n->floor >= f->space_count)
                continue;
            widen(&out[n->floor],
                  lope_v3(node_place(node_x(&f->blocks[i], n)), n->y, node_place(node_z(&f->blocks[i], n))));
            out[n->floor].area += (float)(NODE_CELL * NODE_CELL);
        }
    for (int i = 0; i < f->border_count; i++)
        if (f->borders[i].floor >= 0 && f->borders[i].floor < f->space_count) {
            widen(&out[f->borders[i].floor], f->borders[i].from);
            widen(&out[f->borders[i].floor], f->borders[i].to);
        }
}
