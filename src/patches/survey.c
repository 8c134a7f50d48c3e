// SPDX-License-Identifier: MIT
// What there is in a world: counts, and strongly connected components by Tarjan's algorithm without recursion.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "patches/world.h"

typedef struct finder {
    const lope_patch_world *w;
    int32_t *order;     // [nodes] when it was found, from 1; 0: not yet
    int32_t *low;       // [nodes]
    int32_t *component; // [nodes] -1: not known yet
    int32_t *stack, *path, *next_link;
    int stack_count, path_count, found, component_count;
} finder;

static int target_of(const lope_patch_world *w, int node, int link)
{
    int heading = node / w->gate_count % 4, tile = node / w->gate_count / 4;
    return node_of(w, patch_tile_after(w, tile, heading, link), patch_heading_after(w, heading, link),
                   w->def.tile->links[link].to);
}

static void enter(finder *f, int node)
{
    const lope_patch_world *w = f->w;
    f->order[node] = f->low[node] = ++f->found;
    f->stack[f->stack_count++] = node;
    f->path[f->path_count] = node;
    f->next_link[f->path_count++] = w->def.tile->link_first[node % w->gate_count * LOPE_TILE_WAYS];
}

static void leave(finder *f, int node)
{
    if (f->low[node] == f->order[node]) {
        int member;
        do {
            member = f->stack[--f->stack_count];
            f->component[member] = f->component_count;
        } while (member != node);
        f->component_count++;
    }
    if (--f->path_count > 0) {
        int parent = f->path[f->path_count - 1];
        f->low[parent] = f->low[node] < f->low[parent] ? f->low[node] : f->low[parent];
    }
}

static void explore(finder *f, int root)
{
    const lope_patch_world *w = f->w;
    enter(f, root);
    while (f->path_count > 0) {
        int node = f->path[f->path_count - 1], *link = &f->next_link[f->path_count - 1];
        int end = w->def.tile->link_first[(node % w->gate_count + 1) * LOPE_TILE_WAYS];
        int tile = node / w->gate_count / 4, heading = node / w->gate_count % 4;
        while (*link < end && !link_lives(w, tile, heading, *link))
            (*link)++;
        if (*link == end) {
            leave(f, node);
            continue;
        }
        int to = target_of(w, node, (*link)++);
        if (f->order[to] == 0)
            enter(f, to);
        else if (f->component[to] < 0 && f->order[to] < f->low[node])
            f->low[node] = f->order[to];
    }
}

static void count_links(const finder *f, lope_patch_survey *out, int largest)
{
    const lope_patch_world *w = f->w;
    for (int tile = 0; tile < w->tile_count; tile++)
        for (int heading = 0; heading < LOPE_TILE_SIDES; heading++)
            for (int l = 0; l < w->link_count; l++) {
                if (!link_lives(w, tile, heading, l))
                    continue;
                out->live_links++;
                int node = node_of(w, tile, heading, w->def.tile->links[l].from);
                out->largest_links += f->component[node] == largest && f->component[target_of(w, node, l)] == largest;
            }
}

static lope_status count_components(finder *f, int nodes, lope_patch_survey *out, lope_error *error)
{
    const lope_patch_world *w = f->w;
    memset(f->component, -1, (size_t)nodes * sizeof *f->component);
    for (int node = 0; node < nodes; node++)
        if (w->ways[node] > 0 && f->order[node] == 0)
            explore(f, node);
    int32_t *sizes = lope_alloc_zero(((size_t)f->component_count + 1) * sizeof *sizes);
    if (!sizes)
        return lope_fail_memory(error);
    int largest = 0;
    for (int node = 0; node < nodes; node++)
        if (f->component[node] >= 0)
            sizes[f->component[node]]++;
    for (int c = 0; c < f->component_count; c++) {
        out->components += sizes[c] > 1;
        largest = sizes[c] > sizes[largest] ? c : largest;
    }
    out->largest_gates = sizes[largest];
    count_links(f, out, largest);
    lope_free(sizes);
    return LOPE_OK;
}

static size_t bytes_of(const lope_patch_world *w)
{
    size_t nodes = (size_t)w->tile_count * 4 * (size_t)w->gate_count;
    size_t bits = (size_t)w->tile_count * 4 * (size_t)w->words * sizeof *w->dead;
    size_t planning = (size_t)w->tile_count *
                      (sizeof *w->plan_mark + sizeof *w->plan_cost + sizeof *w->path_tiles +
                       4 * (sizeof *w->plan_heap + sizeof *w->plan_key) + (size_t)w->gate_count * sizeof *w->path_link);
    size_t reserving = (size_t)w->tile_count * (sizeof *w->tile_entry + sizeof *w->tile_owner);
    size_t body = sizeof *w->characters + shown_body_bytes(w->def.tile->set->skeleton->joint_count) +
                  RESERVE_SLOTS * sizeof *w->places + PATCH_ENTRIES * sizeof *w->entries;
    size_t lines = (size_t)w->lines.first[w->link_count] * (sizeof *w->lines.grounds + sizeof *w->lines.placings);
    return 2 * bits + nodes * (sizeof *w->ways + sizeof *w->worklist) + 4 * (size_t)w->link_count * sizeof *w->masks +
           planning + reserving + lines + (size_t)w->character_room * body;
}

lope_status lope_patch_world_survey(const lope_patch_world *w, lope_patch_survey *out, lope_error *error)
{
    int nodes = w->tile_count * 4 * w->gate_count;
    memset(out, 0, sizeof *out);
    for (int tile = 0; tile < w->tile_count; tile++)
        out->tiles += w->present[tile];
    out->gates = (int64_t)out->tiles * 4 * w->gate_count;
    out->links = (int64_t)out->tiles * 4 * w->link_count;
    for (int node = 0; node < nodes; node++)
        out->live_gates += w->ways[node] > 0;
    out->hash = lope_hash(w->dead, (size_t)w->tile_count * 4 * (size_t)w->words * sizeof *w->dead, 0);
    out->bytes = bytes_of(w);
    int32_t *memory = lope_alloc_zero(6 * (size_t)nodes * sizeof *memory);
    if (!memory)
        return lope_fail_memory(error);
    size_t n = (size_t)nodes;
    finder f = {.w = w,
                .order = memory,
                .low = memory + n,
                .component = memory + 2 * n,
                .stack = memory + 3 * n,
                .path = memory + 4 * n,
                .next_link = memory + 5 * n};
    lope_status status = count_components(&f, nodes, out, error);
    lope_free(memory);
    return status;
}
