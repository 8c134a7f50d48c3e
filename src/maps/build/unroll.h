// SPDX-License-Identifier: MIT
// Unrolling one step of a graph into its motion map.
#ifndef LOPE_SRC_MAPS_BUILD_UNROLL_H
#define LOPE_SRC_MAPS_BUILD_UNROLL_H

#include "maps/maps.h"

// What all maps of a graph have in common.
typedef struct unroll_plan {
    const lope_steps *steps;
    const lope_map_move *moves; // of edges
    const uint32_t *lengths;    // of edges, millimetres: whole numbers add up the same in any order
    lope_maps_def def;
} unroll_plan;

// Memory of one thread. Zero to begin with.
typedef struct unroll_scratch unroll_scratch;
lope_status unroll_scratch_create(unroll_scratch **out, lope_error *error);
void unroll_scratch_destroy(unroll_scratch *scratch);

// One map by itself: indices begin at 0. The block holds nodes, then slots.
typedef struct unrolled {
    lope_map map;
    lope_map_node *nodes;
    uint32_t *slots;
    size_t culled;
} unrolled;

// LOPE_NO_MEMORY, or LOPE_BAD_DATA: too many nodes.
lope_status unroll(unroll_scratch *scratch, const unroll_plan *plan, uint32_t step, unrolled *out);

#endif
