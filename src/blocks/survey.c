// SPDX-License-Identifier: MIT
// What there is in a world of blocks: counts, things that nothing fits, and strongly connected components by Tarjan's
// algorithm without recursion.
#include <string.h>

#include "base/error.h"
#include "blocks/world.h"

typedef struct finder {
    const lope_block_world *w;
    int32_t *order, *low, *component, *stack, *path; // [nodes]
    graph_cursor *cursors;                           // [nodes] along the path
    int stack_count, path_count, found, component_count;
} finder;

static void enter(finder *f, int node)
{
    f->order[node] = f->low[node] = ++f->found;
    f->stack[f->stack_count++] = node;
    f->cursors[f->path_count] = (graph_cursor){0, 0};
    f->path[f->path_count++] = node;
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
    enter(f, root);
    while (f->path_count > 0) {
        int node = f->path[f->path_count - 1];
        graph_step step;
        if (!graph_next(f->w, node, &f->cursors[f->path_count - 1], &step)) {
            leave(f, node);
            continue;
        }
        if (f->order[step.to] == 0)
            enter(f, step.to);
        else if (f->component[step.to] < 0 && f->order[step.to] < f->low[node])
            f->low[node] = f->order[step.to];
    }
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

static void count_steps(const finder *f, lope_block_component *all, lope_block_survey *out)
{
    const lope_block_world *w = f->w;
    int nodes = w->tile_nodes + w->junctions.count, largest = 0;
    for (int c = 1; c < f->component_count; c++)
        largest = all[c].nodes > all[largest].nodes ? c : largest;
    for (int node = 0; node < nodes; node++) {
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

static lope_status count_components(finder *f, lope_block_survey *out, lope_error *error)
{
    const lope_block_world *w = f->w;
    int nodes = w->tile_nodes + w->junctions.count;
    memset(f->component, -1, (size_t)nodes * sizeof *f->component);
    for (int node = 0; node < nodes; node++)
        if (f->order[node] == 0 && graph_node_lives(w, node))
            explore(f, node);
    lope_block_component *all = lope_alloc_zero(((size_t)f->component_count + 1) * sizeof *all);
    if (!all)
        return lope_fail_memory(error);
    for (int node = nodes - 1; node >= 0; node--) {
        if (f->component[node] < 0)
            continue;
        lope_block_component *c = &all[f->component[node]];
        c->nodes++;
        c->junctions += node >= w->tile_nodes;
        c->node = node;
    }
    count_steps(f, all, out);
    for (int c = 0; c < f->component_count; c++) {
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
        if (junction_at(w, i)->floor < 0 || (come && go))
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
    int32_t *memory = lope_alloc_zero(5 * (nodes + 1) * sizeof *memory);
    graph_cursor *cursors = lope_alloc_array(nodes + 1, sizeof *cursors);
    if (!memory || !cursors) {
        lope_free(memory);
        lope_free(cursors);
        return lope_fail_memory(error);
    }
    finder f = {w, memory, memory + nodes, memory + 2 * nodes, memory + 3 * nodes, memory + 4 * nodes, cursors, 0, 0,
                0, 0};
    status = count_components(&f, out, error);
    lope_free(memory);
    lope_free(cursors);
    return status;
}
