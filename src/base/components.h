// SPDX-License-Identifier: MIT
// Strongly connected components of any directed graph (Tarjan 1972), without recursion: the stack of calls is an array,
// and so is everything else that is remembered about nodes. The caller has the graph and the memory.
#ifndef LOPE_SRC_BASE_COMPONENTS_H
#define LOPE_SRC_BASE_COMPONENTS_H

#include "lope/base.h"

// The next node that `node` leads to, -1 after the last one. `*place` is 0 at first and the callee's own afterwards:
// the edges of a node are gone through once.
typedef int component_next(const void *graph, int node, uint64_t *place);

typedef struct component_search {
    const void *graph;
    component_next *next;
    int node_count;
    int32_t *component; // [node_count] numbered in the order in which they are completed; -1: not known
    int count;          // of components
    // private
    int32_t *order, *low, *stack, *path; // [node_count]
    uint64_t *places;                    // [node_count] along the path
    int stack_count, path_count, entered;
} component_search;

// Bytes for a graph of so many nodes.
LOPE_API size_t lope_component_memory(int node_count);

// Nothing is known yet. `memory` holds lope_component_memory bytes, aligned for uint64_t; `component` lies in it.
LOPE_API component_search lope_component_begin(const void *graph, component_next *next, int node_count, void *memory);

// Components of `root` and of everything that it leads to, unless they are known.
LOPE_API void lope_component_explore(component_search *search, int root);

#endif
