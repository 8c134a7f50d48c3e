// SPDX-License-Identifier: MIT
// A* over gates: slower than the two layers of route.c by as much as there are more gates than tiles, but it finds a
// way wherever there is one.
#include "base/error.h"
#include "base/memory.h"
#include "patches/world.h"

lope_status patch_search_create(lope_patch_world *w, lope_error *error)
{
    patch_search *s = &w->search;
    size_t nodes = (size_t)w->tile_count * LOPE_TILE_SIDES * (size_t)w->gate_count;
    if (s->cost)
        return LOPE_OK;
    patch_search made = {lope_alloc_array(nodes, sizeof *s->cost),
                         lope_alloc_array(nodes, sizeof *s->link),
                         lope_alloc_array(nodes, sizeof *s->before),
                         lope_alloc_array(nodes, sizeof *s->heap),
                         lope_alloc_array(nodes, sizeof *s->at),
                         0,
                         0,
                         INFINITY};
    if (!made.cost || !made.link || !made.before || !made.heap || !made.at) {
        patch_search_destroy(&made);
        return lope_fail_memory(error);
    }
    // Seconds that crossing a tile takes at least: what is counted for each tile to go.
    for (int l = 0; l < w->link_count; l++)
        if (w->def.tile->links[l].side != LOPE_TILE_INSIDE)
            made.per_tile = fminf(made.per_tile, w->durations[l]);
    *s = made;
    return LOPE_OK;
}

void patch_search_destroy(patch_search *s)
{
    void *blocks[] = {s->cost, s->link, s->before, s->heap, s->at};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        lope_free(blocks[i]);
    *s = (patch_search){0};
}

static int tile_of(const lope_patch_world *w, int node)
{
    return node / w->gate_count / LOPE_TILE_SIDES;
}

static float key_of(const lope_patch_world *w, int node)
{
    const patch_search *s = &w->search;
    int tile = tile_of(w, node), columns = w->def.columns;
    int dx = tile % columns - s->goal % columns, dz = tile / columns - s->goal / columns;
    return s->cost[node] + s->per_tile * (float)((dx < 0 ? -dx : dx) + (dz < 0 ? -dz : dz));
}

static void put(patch_search *s, int place, int node)
{
    s->heap[place] = node;
    s->at[node] = place;
}

// A node that is new in the heap, or whose cost fell.
static void rise(lope_patch_world *w, int node)
{
    patch_search *s = &w->search;
    int i = s->at[node] >= 0 ? s->at[node] : s->count++;
    for (float key = key_of(w, node); i > 0 && key < key_of(w, s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        put(s, i, s->heap[(i - 1) / 2]);
    put(s, i, node);
}

static int take_first(lope_patch_world *w)
{
    patch_search *s = &w->search;
    int first = s->heap[0], last = s->heap[--s->count], i = 0;
    s->at[first] = -1;
    if (s->count == 0)
        return first;
    float key = key_of(w, last);
    for (int child; (child = 2 * i + 1) < s->count; i = child) {
        if (child + 1 < s->count && key_of(w, s->heap[child + 1]) < key_of(w, s->heap[child]))
            child++;
        if (key_of(w, s->heap[child]) >= key)
            break;
        put(s, i, s->heap[child]);
    }
    put(s, i, last);
    return first;
}

// All living links out of a node.
static void expand(lope_patch_world *w, int node)
{
    patch_search *s = &w->search;
    const lope_tile *t = w->def.tile;
    int gate = node % w->gate_count, heading = node / w->gate_count % LOPE_TILE_SIDES, tile = tile_of(w, node);
    for (int l = t->link_first[gate * LOPE_TILE_WAYS]; l < t->link_first[(gate + 1) * LOPE_TILE_WAYS]; l++) {
        if (!link_lives(w, tile, heading, l))
            continue;
        int next =
            node_of(w, patch_tile_after(w, tile, heading, l), patch_heading_after(w, heading, l), t->links[l].to);
        float cost = s->cost[node] + w->durations[l];
        if (cost >= s->cost[next])
            continue;
        s->cost[next] = cost;
        s->link[next] = l;
        s->before[next] = node;
        rise(w, next);
    }
}

static int read_way(const lope_patch_world *w, int last, lope_patch_step *steps, int room)
{
    const patch_search *s = &w->search;
    int count = 0, at;
    for (int node = last; s->before[node] >= 0; node = s->before[node])
        count++;
    at = count;
    for (int node = last; s->before[node] >= 0; node = s->before[node])
        if (--at < room)
            steps[at] = (lope_patch_step){tile_of(w, s->before[node]),
                                          s->before[node] / w->gate_count % LOPE_TILE_SIDES, s->link[node]};
    return count;
}

lope_status patch_search_gates(lope_patch_world *w, int from, int goal, lope_patch_step *steps, int room, int *count,
                               lope_error *error)
{
    patch_search *s = &w->search;
    size_t nodes = (size_t)w->tile_count * LOPE_TILE_SIDES * (size_t)w->gate_count;
    for (size_t i = 0; i < nodes; i++) {
        s->cost[i] = INFINITY;
        s->at[i] = -1;
    }
    s->count = 0;
    s->goal = goal;
    s->cost[from] = 0.0f;
    s->before[from] = -1;
    rise(w, from);
    while (s->count > 0) {
        int node = take_first(w);
        if (tile_of(w, node) == goal) {
            *count = read_way(w, node, steps, room);
            return LOPE_OK;
        }
        expand(w, node);
    }
    return lope_fail(error, LOPE_NOT_FOUND, "no way leads there from this gate: segments end before");
}
