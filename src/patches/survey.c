// SPDX-License-Identifier: MIT
// What there is in a world: counts, and strongly connected components.
#include <string.h>

#include "base/components.h"
#include "base/error.h"
#include "base/memory.h"
#include "patches/world.h"

static int target_of(const lope_patch_world *w, int node, int link)
{
    int heading = node / w->gate_count % 4, tile = node / w->gate_count / 4;
    return node_of(w, patch_tile_after(w, tile, heading, link), patch_heading_after(w, heading, link),
                   w->def.tile->links[link].to);
}

// Living segments out of a gate; the place counts all of them.
static int next_gate(const void *graph, int node, uint64_t *place)
{
    const lope_patch_world *w = graph;
    const int32_t *first = &w->def.tile->link_first[node % w->gate_count * LOPE_TILE_WAYS];
    int link = first[0] + (int)*place, end = first[LOPE_TILE_WAYS];
    int tile = node / w->gate_count / 4, heading = node / w->gate_count % 4;
    while (link < end && !link_lives(w, tile, heading, link))
        link++;
    *place = (uint64_t)(link + 1 - first[0]);
    return link < end ? target_of(w, node, link) : -1;
}

static void count_links(const lope_patch_world *w, const int32_t *component, int largest, lope_patch_survey *out)
{
    for (int tile = 0; tile < w->tile_count; tile++)
        for (int heading = 0; heading < LOPE_TILE_SIDES; heading++)
            for (int l = 0; l < w->link_count; l++) {
                if (!link_lives(w, tile, heading, l))
                    continue;
                out->live_links++;
                int node = node_of(w, tile, heading, w->def.tile->links[l].from);
                out->largest_links += component[node] == largest && component[target_of(w, node, l)] == largest;
            }
}

static lope_status count_components(const lope_patch_world *w, component_search *search, lope_patch_survey *out,
                                    lope_error *error)
{
    for (int node = 0; node < search->node_count; node++)
        if (w->ways[node] > 0)
            lope_component_explore(search, node);
    int32_t *sizes = lope_alloc_zero(((size_t)search->count + 1) * sizeof *sizes);
    if (!sizes)
        return lope_fail_memory(error);
    int largest = 0;
    for (int node = 0; node < search->node_count; node++)
        if (search->component[node] >= 0)
            sizes[search->component[node]]++;
    for (int c = 0; c < search->count; c++) {
        out->components += sizes[c] > 1;
        largest = sizes[c] > sizes[largest] ? c : largest;
    }
    out->largest_gates = sizes[largest];
    count_links(w, search->component, largest, out);
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
    void *memory = lope_alloc(lope_component_memory(nodes));
    if (!memory)
        return lope_fail_memory(error);
    component_search search = lope_component_begin(w, next_gate, nodes, memory);
    lope_status status = count_components(w, &search, out, error);
    lope_free(memory);
    return status;
}
