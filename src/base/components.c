// SPDX-License-Identifier: MIT
#include "base/components.h"

#include <string.h>

#define ARRAYS 5 // of 32 bits, behind one of 64

size_t lope_component_memory(int node_count)
{
    return ((size_t)node_count + 1) * (sizeof(uint64_t) + ARRAYS * sizeof(int32_t));
}

component_search lope_component_begin(const void *graph, component_next *next, int node_count, void *memory)
{
    size_t n = (size_t)node_count;
    uint64_t *places = memory;
    int32_t *rest = (int32_t *)(places + n + 1);
    component_search s = {.graph = graph,
                          .next = next,
                          .node_count = node_count,
                          .component = rest,
                          .order = rest + n,
                          .low = rest + 2 * n,
                          .stack = rest + 3 * n,
                          .path = rest + 4 * n,
                          .places = places};
    memset(s.component, -1, n * sizeof *s.component);
    memset(s.order, 0, n * sizeof *s.order); // of entering, from 1; 0: not entered
    return s;
}

static void enter(component_search *s, int node)
{
    s->order[node] = s->low[node] = ++s->entered;
    s->stack[s->stack_count++] = node;
    s->places[s->path_count] = 0;
    s->path[s->path_count++] = node;
}

static void leave(component_search *s, int node)
{
    if (s->low[node] == s->order[node]) {
        int member;
        do {
            member = s->stack[--s->stack_count];
            s->component[member] = s->count;
        } while (member != node);
        s->count++;
    }
    if (--s->path_count > 0) {
        int caller = s->path[s->path_count - 1];
        s->low[caller] = s->low[node] < s->low[caller] ? s->low[node] : s->low[caller];
    }
}

void lope_component_explore(component_search *s, int root)
{
    if (s->order[root] != 0)
        return;
    enter(s, root);
    while (s->path_count > 0) {
        int node = s->path[s->path_count - 1], to = s->next(s->graph, node, &s->places[s->path_count - 1]);
        if (to < 0)
            leave(s, node);
        else if (s->order[to] == 0)
            enter(s, to);
        else if (s->component[to] < 0 && s->order[to] < s->low[node])
            s->low[node] = s->order[to];
    }
}
