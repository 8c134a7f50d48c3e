// SPDX-License-Identifier: MIT
// What there is in a world of blocks: counts, things that nothing fits, and strongly connected components.
#include <assert.h>
#include <string.h>

#include "base/components.h"
#include "base/error.h"
#include "blocks/world.h"

static int next_node(const void *graph, int node, uint64_t *place)
{
    graph_cursor cursor;
    graph_step step;
    static_assert(sizeof cursor == sizeof *place, "a cursor is all that is remembered");
    memcpy(&cursor, place, sizeof cursor);
    bool more = graph_next(graph, node, &cursor, &step);
    memcpy(place, &cursor, sizeof cursor);
    return more ? step.to : -1;
}

static void rank(lope_block_survey *out, const lope_block_component *one)
{
    int at = LOPE_MOST_COMPONENTS;
    while (at > 0 && out->largest[at - 1].nodes < one->nodes)
        at--;
    if (at == LOPE_MOST_COMPONENTS)
        return;
    memmove(&out->largest[at + 1], &out->largest[at], (size_t)(LOPE_MOST_COMPONENTS - 1 - at) * sizeof *out->largest);
    out->largest[at] = *one;
}

static void count_steps(const lope_block_world *w, const component_search *f, lope_block_component *all,
                        lope_block_survey *out)
{
    int largest = 0;
    for (int c = 1; c < f->count; c++)
        largest = all[c].nodes > all[largest].nodes ? c : largest;
    for (int node = 0; node < f->node_count; node++) {
        graph_cursor cursor = {0, 0};
        graph_step step;
        while (f->component[node] >= 0 && graph_next(w, node, &cursor, &step)) {
            bool within = f->component[node] == f->component[step.to];
            bool in_largest = within && f->component[node] == largest;
            all[f->component[node]].steps += within;
            out->living_steps++;
            out->largest_steps += in_largest;
            out->living_block_steps += step.kind != LOPE_STEP_TILE;
            out->largest_block_steps += in_largest && step.kind != LOPE_STEP_TILE;
        }
    }
}

static lope_status count_components(const lope_block_world *w, component_search *f, lope_block_survey *out,
                                    lope_error *error)
{
    for (int node = 0; node < f->node_count; node++)
        if (graph_node_lives(w, node))
            lope_component_explore(f, node);
    lope_block_component *all = lope_alloc_zero(((size_t)f->count + 1) * sizeof *all);
    if (!all)
        return lope_fail_memory(error);
    for (int node = f->node_count - 1; node >= 0; node--) {
        if (f->component[node] < 0)
            continue;
        lope_block_component *c = &all[f->component[node]];
        c->nodes++;
        c->junctions += node >= w->tile_nodes;
        c->node = node;
    }
    count_steps(w, f, all, out);
    for (int c = 0; c < f->count; c++) {
        int pose;
        all[c].at = lope_block_node_place(w, all[c].node, &pose);
        out->components += all[c].nodes > 1;
        rank(out, &all[c]);
    }
    lope_free(all);
    return LOPE_OK;
}

// Everything that was captured for what is there, blocked or not.
static void count_captured(const lope_block_world *w, lope_block_survey *out)
{
    for (int f = 0; f < w->floors.count; f++) {
        const lope_patch_world *tiles = floor_at(w, f)->tiles;
        int present = 0;
        for (int tile = 0; tile < tiles->tile_count; tile++)
            present += tiles->present[tile];
        out->tiles += present;
        out->steps += (int64_t)present * LOPE_TILE_SIDES * tiles->link_count;
    }
    out->block_steps = w->link_total;
    for (int i = 0; i < w->junctions.count; i++) {
        const junction_state *state = state_at(w, i);
        if (state->set >= 0)
            out->block_steps += set_at(w, state->set)->come_count + set_at(w, state->set)->go_count;
    }
    out->steps += out->block_steps;
}

static void find_unreached(const lope_block_world *w, lope_block_survey *out)
{
    out->first_unreached = -1;
    for (int i = 0; i < w->junctions.count; i++) {
        const junction_state *state = state_at(w, i);
        uint64_t come = 0, go = 0;
        for (int k = 0; k < JOIN_WORDS; k++) {
            come |= state->come[k];
            go |= state->go[k];
        }
        if (junction_at(w, i)->floor < 0 || ((come || !state->begins) && (go || !state->ends)))
            continue;
        out->unreached++;
        out->first_unreached = out->first_unreached < 0 ? i : out->first_unreached;
    }
}

static lope_status find_unmatched(const lope_block_world *w, lope_block_survey *out, lope_error *error)
{
    const lope_placed_unit *objects = w->objects.items;
    uint8_t *matched = lope_alloc_zero((size_t)w->objects.count + 1);
    uint8_t *used = lope_alloc_zero((size_t)w->units.count + 1);
    if (!matched || !used) {
        lope_free(matched);
        lope_free(used);
        return lope_fail_memory(error);
    }
    for (int i = 0; i < w->instance_objects.count; i++)
        matched[((const int32_t *)w->instance_objects.items)[i]] = 1;
    for (int i = 0; i < w->blocks->placed_count; i++)
        used[w->blocks->placed[i].unit] = 1;
    out->first_unmatched = -1;
    for (int i = 0; i < w->objects.count; i++) {
        out->objects += objects[i].unit >= 0;
        if (objects[i].unit < 0 || matched[i] || !used[objects[i].unit])
            continue;
        out->unmatched++;
        out->first_unmatched = out->first_unmatched < 0 ? i : out->first_unmatched;
    }
    lope_free(matched);
    lope_free(used);
    return LOPE_OK;
}

static uint64_t hash_of(const lope_block_world *w)
{
    uint64_t hash = 0;
    for (int f = 0; f < w->floors.count; f++) {
        const lope_patch_world *tiles = floor_at(w, f)->tiles;
        hash = lope_hash(tiles->dead, (size_t)tiles->tile_count * 4 * (size_t)tiles->words * sizeof *tiles->dead, hash);
    }
    hash = lope_hash(w->instances.items, (size_t)w->instances.count * sizeof(lope_block_instance), hash);
    hash = lope_hash(w->link_lives, ((size_t)w->link_total / 64 + 1) * sizeof *w->link_lives, hash);
    for (int i = 0; i < w->junctions.count; i++) {
        const junction_state *state = state_at(w, i);
        hash = lope_hash(junction_at(w, i), sizeof(lope_junction), hash);
        hash = lope_hash(state->come, sizeof state->come, hash);
        hash = lope_hash(state->go, sizeof state->go, hash);
    }
    return hash;
}

static size_t bytes_of(const lope_block_world *w)
{
    size_t sum = (size_t)w->link_total * 2 / 8 +
                 (size_t)w->junctions.count * (sizeof(lope_junction) + sizeof(junction_state)) +
                 (size_t)w->instances.count * sizeof(lope_block_instance) +
                 (size_t)w->link_total * 2 * sizeof(int32_t) + (size_t)w->comes.count * sizeof(come_ref) +
                 (size_t)w->joins.count * sizeof(join) + (size_t)w->boxes.count * sizeof(world_box) +
                 (size_t)w->tracks.first[w->blocks->set->clip_count] * (size_t)w->balls.count * sizeof(lope_vec3);
    for (int f = 0; f < w->floors.count; f++) {
        const lope_patch_world *t = floor_at(w, f)->tiles;
        size_t nodes = (size_t)t->tile_count * 4 * (size_t)t->gate_count;
        sum += 2 * (size_t)t->tile_count * 4 * (size_t)t->words * sizeof *t->dead +
               nodes * (sizeof *t->ways + sizeof *t->worklist);
    }
    return sum;
}

lope_status lope_block_world_survey(const lope_block_world *w, lope_block_survey *out, lope_error *error)
{
    memset(out, 0, sizeof *out);
    if (w->changed)
        return lope_fail(error, LOPE_MISMATCH, "the world was edited: update it first");
    size_t nodes = (size_t)(w->tile_nodes + w->junctions.count);
    out->nodes = (int64_t)nodes;
    out->instances = w->instances.count;
    out->junctions = w->junctions.count;
    count_captured(w, out);
    find_unreached(w, out);
    out->hash = hash_of(w);
    out->bytes = bytes_of(w);
    lope_status status = find_unmatched(w, out, error);
    if (status)
        return status;
    void *memory = lope_alloc(lope_component_memory((int)nodes));
    if (!memory)
        return lope_fail_memory(error);
    component_search search = lope_component_begin(w, next_node, (int)nodes, memory);
    status = count_components(w, &search, out, error);
    lope_free(memory);
    return status;
}
