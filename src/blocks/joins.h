// SPDX-License-Identifier: MIT
// Walks between gates of tiles and a place in a tile.
#ifndef LOPE_SRC_BLOCKS_JOINS_H
#define LOPE_SRC_BLOCKS_JOINS_H

#include "blocks/world.h"

// Places and headings in a tile are told apart by these steps (metres, radians).
#define JOIN_STEP 0.001f
#define JOIN_TURN 0.001f

typedef struct fitted {
    join j;
    float cost;
} fitted;

typedef struct join_list {
    fitted *items;
    int count, room;
} join_list;

// Walks to (come) or from a place, at most MOST_JOINS: those that need least editing first, unless there are several of
// their tile and heading before, so that few of them lead everywhere. False where there is no memory; `out` has to be
// freed in any case.
bool joins_fit(const lope_block_world *w, const join_set *key, bool come, join_list *out);
// Where the gate of a walk is, seen from the middle of the junction's tile.
lope_ground join_gate(const lope_block_world *w, const join *j);

#endif
