// SPDX-License-Identifier: MIT
// A* over gates: slower than the two layers of route.c by as much as there are more gates than tiles, but it finds a
// way wherever there is one.
#include "base/error.h"
#include "base/memory.h"
#include "patches/world.h"

// Seconds that crossing a tile takes at least: what the heuristic counts for each tile to go.
static float quickest(const lope_patch_world *w)
{
    float least = INFINITY;
    for (int l = 0; l < w->link_count; l++)
        least = w->def.tile->links[l].side != LOPE_TILE_INSIDE ? fminf(least, w->durations[l]) : least;
    return least;
}

typedef struct gate_search {
    const lope_patch_world *w;
    int goal;        // tile
    float per_tile;  // seconds
    float *cost;     // [nodes] INFINITY: not reached
    int32_t *link;   // [nodes] by which it is reached
    int32_t *before; // [nodes] from which
    int32_t *heap;   // nodes, by key
    float *key;
    int count, room;
} gate_search;

static float estimate(const gate_search *s, int node)
{
    const lope_patch_world *w = s->w;
    int tile = node / w->gate_count / LOPE_TILE_SIDES, columns = w->def.columns;
    int dx = tile % columns - s->goal % columns, dz = tile / columns - s->goal / columns;
    return s->per_tile * (float)((dx < 0 ? -dx : dx) + (dz < 0 ? -dz : dz));
}

static bool push(gate_search *s, int node, float key)
{
    if (s->count == s->room) {
        size_t had = (size_t)s->room, wanted = 2 * had;
        int32_t *heap = lope_grow(s->heap, had * sizeof *heap, wanted * sizeof *heap);
        s->heap = heap ? heap : s->heap;
        float *keys = heap ? lope_grow(s->key, had * sizeof *keys, wanted * sizeof *keys) : NULL;
        if (!keys)
            return false;
        s->key = keys;
        s->room = (int)wanted;
    }
    int i = s->count++;
    for (; i > 0 && key < s->key[(i - 1) / 2]; i = (i - 1) / 2) {
        s->key[i] = s->key[(i - 1) / 2];
        s->heap[i] = s->heap[(i - 1) / 2];
    }
    s->key[i] = key;
    s->heap[i] = node;
    return true;
}

static int pop(gate_search *s, float *top_key)
{
    int top = s->heap[0], last = s->heap[--s->count], i = 0;
    float key = s->key[s->count];
    *top_key = s->key[0];
    for (int child; (child = 2 * i + 1) < s->count; i = child) {
        if (child + 1 < s->count && s->key[child + 1] < s->key[child])
            child++;
        if (s->key[child] >= key)
            break;
        s->key[i] = s->key[child];
        s->heap[i] = s->heap[child];
    }
    s->key[i] = key;
    s->heap[i] = last;
    return top;
}

// All living links out of a node. False where memory ran out.
static bool expand(gate_search *s, int node)
{
    const lope_patch_world *w = s->w;
    const lope_tile *t = w->def.tile;
    int gate = node % w->gate_count, heading = node / w->gate_count % LOPE_TILE_SIDES;
    int tile = node / w->gate_count / LOPE_TILE_SIDES;
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
        if (!push(s, next, cost + estimate(s, next)))
            return false;
    }
    return true;
}

// The node of the goal's tile that is reached first; -1: none, -2: no memory.
static int run(gate_search *s, int from)
{
    s->cost[from] = 0.0f;
    s->before[from] = -1;
    if (!push(s, from, estimate(s, from)))
        return -2;
    while (s->count > 0) {
        float key;
        int node = pop(s, &key);
        if (node / s->w->gate_count / LOPE_TILE_SIDES == s->goal)
            return node;
        if (key > s->cost[node] + estimate(s, node))
            continue; // was reached more quickly since
        if (!expand(s, node))
            return -2;
    }
    return -1;
}

static int read_way(const gate_search *s, int last, lope_patch_step *steps, int room)
{
    const lope_patch_world *w = s->w;
    int count = 0, at;
    for (int node = last; s->before[node] >= 0; node = s->before[node])
        count++;
    at = count;
    for (int node = last; s->before[node] >= 0; node = s->before[node])
        if (--at < room)
            steps[at] = (lope_patch_step){s->before[node] / w->gate_count / LOPE_TILE_SIDES,
                                          s->before[node] / w->gate_count % LOPE_TILE_SIDES, s->link[node]};
    return count;
}

lope_status patch_search_gates(const lope_patch_world *w, int from, int goal, lope_patch_step *steps, int room,
                               int *count, lope_error *error)
{
    size_t nodes = (size_t)w->tile_count * LOPE_TILE_SIDES * (size_t)w->gate_count;
    gate_search s = {.w = w, .goal = goal, .per_tile = quickest(w), .room = 1024};
    s.cost = lope_alloc_array(nodes, sizeof *s.cost);
    s.link = lope_alloc_array(nodes, sizeof *s.link);
    s.before = lope_alloc_array(nodes, sizeof *s.before);
    s.heap = lope_alloc_array((size_t)s.room, sizeof *s.heap);
    s.key = lope_alloc_array((size_t)s.room, sizeof *s.key);
    bool ok = s.cost && s.link && s.before && s.heap && s.key;
    for (size_t i = 0; i < nodes && ok; i++)
        s.cost[i] = INFINITY;
    int last = ok ? run(&s, from) : -2;
    if (last >= 0)
        *count = read_way(&s, last, steps, room);
    void *blocks[] = {s.cost, s.link, s.before, s.heap, s.key};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        lope_free(blocks[i]);
    if (last == -2)
        return lope_fail_memory(error);
    return last >= 0 ? LOPE_OK : lope_fail(error, LOPE_NOT_FOUND, "no segments lead from this gate to the goal");
}
