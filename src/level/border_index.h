// SPDX-License-Identifier: MIT
// Borders of floors by place, for the search for links.
#ifndef LOPE_SRC_LEVEL_BORDER_INDEX_H
#define LOPE_SRC_LEVEL_BORDER_INDEX_H

#include "level/floors.h"
#include "terrain/terrain.h"

#define BORDER_TILES (BLOCK_TILES * BLOCK_TILES)

typedef struct links_border {
    lope_vec3 from, to; // as of lope_floor_border
    int tile;           // of its block
} links_border;

typedef struct border_block {
    list borders; // links_border, tile by tile
    int starts[BORDER_TILES + 1];
    bool failed; // no memory: they are not all
} border_block;

typedef struct border_index {
    const lope_floors *floors;
    border_block *blocks; // by number of the floors' blocks
    int count;
} border_index;

// Makes room for all blocks of the floors. False: no memory.
bool border_index_reserve(border_index *index);
// Copies the borders of a block; different ones may be copied at once. Those that are new or gone widen *changed, which
// may be NULL. False: no memory.
bool border_index_renew(border_index *index, int block, terrain_box *changed);
void border_index_free(border_index *index);
// The borders that meet a rectangle in plan, as const links_border * in *out, in an order that does not depend on
// numbers of borders. False: no memory.
bool border_index_find(const border_index *index, point2 low, point2 high, list *out);

#endif
