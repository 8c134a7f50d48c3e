// SPDX-License-Identifier: MIT
// Ways in two layers: first over areas (tiles and junctions), then over the steps that stay in the areas of that way,
// guided by how far it still is along it. Where such steps do not exist, neighbouring tiles may be used, and in the end
// all of them.
#include "blocks/route.h"

#include "base/error.h"
#include "blocks/world.h"

// Seconds that a tile takes, at least.
#define TILE_SECONDS 1.2f
// Ways of more tiles than this are searched towards their goal. Shorter ones are the quickest there are; long ones may
// take some longer than they need.
#define FAR_TILES 40.0f
// Seconds that a turn costs on long ways: of as many equal ones over tiles the straighter are taken.
#define TURN_SECONDS 0.4f
// How much more what is left counts on long ways than it takes at least, as tiles take longer.
#define FAR_WEIGHT 2.0f

typedef struct heap {
    int32_t *items;
    float *keys;
    int count, room;
} heap;

struct route_memory {
    int areas, nodes;
    uint32_t number;                 // of the search over areas
    uint32_t node_number;            // of the search over nodes, even
    uint32_t *area_mark, *node_mark; // reached in search number ...; nodes: one more, settled
    float *area_cost, *node_cost;
    int32_t *area_from, *node_from;
    float *left; // [areas] seconds that are left from there; valid where allowed
    uint32_t *allowed;
    lope_vec2 goal; // of a long way
    bool far;
    heap queue;
};

void route_destroy(struct route_memory *m)
{
    if (!m)
        return;
    void *blocks[] = {m->area_mark,
                      m->node_mark,
                      m->area_cost,
                      m->node_cost,
                      m->area_from,
                      m->node_from,
                      m->left,
                      m->allowed,
                      m->queue.items,
                      m->queue.keys,
                      m};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        lope_free(blocks[i]);
}

static lope_status make_room(lope_block_world *w, lope_error *error)
{
    int areas = w->tile_total + w->junctions.count, nodes = w->tile_nodes + w->junctions.count;
    if (w->route && w->route->areas == areas && w->route->nodes == nodes)
        return LOPE_OK;
    route_destroy(w->route);
    struct route_memory *m = w->route = lope_alloc_zero(sizeof *m);
    if (!m)
        return lope_fail_memory(error);
    m->area_mark = lope_alloc_zero(((size_t)areas + 1) * sizeof *m->area_mark);
    m->node_mark = lope_alloc_zero(((size_t)nodes + 1) * sizeof *m->node_mark);
    m->area_cost = lope_alloc_array((size_t)areas + 1, sizeof *m->area_cost);
    m->node_cost = lope_alloc_array((size_t)nodes + 1, sizeof *m->node_cost);
    m->area_from = lope_alloc_array((size_t)areas + 1, sizeof *m->area_from);
    m->node_from = lope_alloc_array((size_t)nodes + 1, sizeof *m->node_from);
    m->left = lope_alloc_array((size_t)areas + 1, sizeof *m->left);
    m->allowed = lope_alloc_zero(((size_t)areas + 1) * sizeof *m->allowed);
    if (!m->area_mark || !m->node_mark || !m->area_cost || !m->node_cost || !m->area_from || !m->node_from ||
        !m->left || !m->allowed)
        return lope_fail_memory(error);
    m->areas = areas;
    m->nodes = nodes;
    return LOPE_OK;
}

static bool push(heap *h, int item, float key)
{
    if (h->count == h->room) {
        int room = h->room ? 2 * h->room : 1024;
        int32_t *items = lope_grow(h->items, (size_t)h->room * sizeof *items, (size_t)room * sizeof *items);
        if (!items)
            return false;
        h->items = items;
        float *keys = lope_grow(h->keys, (size_t)h->room * sizeof *keys, (size_t)room * sizeof *keys);
        if (!keys)
            return false;
        h->keys = keys;
        h->room = room;
    }
    int i = h->count++;
    for (; i > 0 && key < h->keys[(i - 1) / 2]; i = (i - 1) / 2) {
        h->keys[i] = h->keys[(i - 1) / 2];
        h->items[i] = h->items[(i - 1) / 2];
    }
    h->keys[i] = key;
    h->items[i] = item;
    return true;
}

static int pop(heap *h, float *key)
{
    int top = h->items[0], last = h->items[--h->count], i = 0;
    float moved = h->keys[h->count];
    *key = h->keys[0];
    for (int child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && h->keys[child + 1] < h->keys[child])
            child++;
        if (h->keys[child] >= moved)
            break;
        h->keys[i] = h->keys[child];
        h->items[i] = h->items[child];
    }
    h->keys[i] = moved;
    h->items[i] = last;
    return top;
}

static int area_of(const lope_block_world *w, int node)
{
    if (node >= w->tile_nodes)
        return w->tile_total + node - w->tile_nodes;
    return node / (LOPE_TILE_SIDES * w->blocks->tile->gate_count);
}

static const floor_tiles *floor_of_tile(const lope_block_world *w, int tile)
{
    int f = 0, end = w->floors.count;
    while (end - f > 1) {
        int middle = (f + end) / 2;
        *(floor_at(w, middle)->first_tile <= tile ? &f : &end) = middle;
    }
    return floor_at(w, f);
}

static bool leads_on(const lope_patch_world *t, int next, int heading)
{
    for (int gate = 0; gate < t->gate_count; gate++)
        if (t->ways[node_of(t, next, heading, gate)] > 0)
            return true;
    return false;
}

static lope_vec2 middle_of(const lope_block_world *w, int area)
{
    if (area >= w->tile_total) {
        lope_spot at = junction_at(w, area - w->tile_total)->at;
        return (lope_vec2){at.x, at.z};
    }
    const floor_tiles *floor = floor_of_tile(w, area);
    int tile = area - floor->first_tile, columns = floor->def.columns;
    float size = w->blocks->tile->size;
    return (lope_vec2){floor->def.corner.x + ((float)(tile % columns) + 0.5f) * size,
                       floor->def.corner.z + ((float)(tile / columns) + 0.5f) * size};
}

static float tiles_between(const lope_block_world *w, lope_vec2 a, lope_vec2 b)
{
    return (fabsf(a.x - b.x) + fabsf(a.z - b.z)) / w->blocks->tile->size;
}

// Seconds that are left from an area, going from tile to tile; 0 on short ways. A little less than that, so that of
// equal ways the one that has come farther is followed.
static float guess(const lope_block_world *w, const struct route_memory *m, int area)
{
    return m->far ? 1.001f * TILE_SECONDS * tiles_between(w, middle_of(w, area), m->goal) : 0.0f;
}

static bool reach(const lope_block_world *w, struct route_memory *m, int from, int to, float cost)
{
    if (m->area_mark[to] == m->number && m->area_cost[to] <= cost)
        return true;
    m->area_mark[to] = m->number;
    m->area_cost[to] = cost;
    m->area_from[to] = from;
    return push(&m->queue, to, cost + guess(w, m, to));
}

static bool expand_tile(const lope_block_world *w, struct route_memory *m, int area)
{
    const floor_tiles *floor = floor_of_tile(w, area);
    int tile = area - floor->first_tile;
    float cost = m->area_cost[area];
    bool ok = true;
    for (int heading = 0; heading < LOPE_TILE_SIDES && ok; heading++) {
        int next = patch_neighbour(floor->tiles, tile, heading);
        bool turns = m->far && m->area_from[area] >= 0 && m->area_from[area] != 2 * area - floor->first_tile - next;
        if (next >= 0 && floor->tiles->present[next] && leads_on(floor->tiles, next, heading))
            ok = reach(w, m, area, floor->first_tile + next, cost + TILE_SECONDS + (turns ? TURN_SECONDS : 0.0f));
    }
    const come_ref *refs = w->comes.items;
    for (int i = w->come_first[area]; i < w->come_first[area + 1] && ok; i++)
        ok = reach(w, m, area, w->tile_total + refs[i].junction, cost + join_at(w, refs[i].join)->seconds);
    return ok;
}

static bool expand_junction(const lope_block_world *w, struct route_memory *m, int area)
{
    graph_cursor cursor = {0, 0};
    graph_step step;
    bool ok = true;
    while (ok && graph_next(w, w->tile_nodes + area - w->tile_total, &cursor, &step))
        ok = reach(w, m, area, area_of(w, step.to), m->area_cost[area] + step.seconds);
    return ok;
}

// Quickest way over areas; marks those along it, with the time that is left from each.
static lope_status find_areas(lope_block_world *w, int from, int to, lope_error *error)
{
    struct route_memory *m = w->route;
    int goal = area_of(w, to), start = area_of(w, from);
    m->number++;
    m->queue.count = 0;
    m->goal = middle_of(w, goal);
    m->far = tiles_between(w, middle_of(w, start), m->goal) > FAR_TILES;
    bool ok = reach(w, m, -1, start, 0.0f), found = false;
    while (ok && m->queue.count > 0 && !found) {
        float key;
        int area = pop(&m->queue, &key);
        found = area == goal;
        if (key > m->area_cost[area] + guess(w, m, area) || found)
            continue;
        ok = area < w->tile_total ? expand_tile(w, m, area) : expand_junction(w, m, area);
    }
    if (!ok)
        return lope_fail_memory(error);
    if (!found)
        return lope_fail(error, LOPE_NOT_FOUND, "no way leads from node %d to node %d", from, to);
    for (int area = goal; area >= 0; area = m->area_from[area]) {
        m->allowed[area] = m->number;
        m->left[area] = m->area_cost[goal] - m->area_cost[area];
    }
    return LOPE_OK;
}

// Tiles beside those of the way may be used, too.
static void widen(const lope_block_world *w, int goal)
{
    struct route_memory *m = w->route;
    for (int area = goal; area >= 0; area = m->area_from[area]) {
        if (area >= w->tile_total)
            continue;
        const floor_tiles *floor = floor_of_tile(w, area);
        for (int heading = 0; heading < LOPE_TILE_SIDES; heading++) {
            int next = patch_neighbour(floor->tiles, area - floor->first_tile, heading);
            if (next < 0 || m->allowed[floor->first_tile + next] == m->number)
                continue;
            m->allowed[floor->first_tile + next] = m->number;
            m->left[floor->first_tile + next] = m->far ? m->left[area] : fmaxf(m->left[area] - TILE_SECONDS, 0.0f);
        }
    }
}

// A* over nodes. `all`: not only those in allowed areas, and without guidance.
static lope_status search_nodes(const lope_block_world *w, int from, int to, bool all, bool *found, lope_error *error)
{
    struct route_memory *m = w->route;
    float weight = all ? 0.0f : m->far ? FAR_WEIGHT : 1.0f;
    uint32_t open = m->node_number += 2, settled = open + 1;
    m->queue.count = 0;
    m->node_mark[from] = open;
    m->node_cost[from] = 0.0f;
    m->node_from[from] = -1;
    *found = false;
    if (!push(&m->queue, from, 0.0f))
        return lope_fail_memory(error);
    while (m->queue.count > 0) {
        float key;
        int node = pop(&m->queue, &key);
        if (m->node_mark[node] == settled)
            continue;
        m->node_mark[node] = settled;
        if (node == to) {
            *found = true;
            break;
        }
        graph_cursor cursor = {0, 0};
        graph_step step;
        while (graph_next(w, node, &cursor, &step)) {
            int area = area_of(w, step.to);
            float cost = m->node_cost[node] + step.seconds;
            if (!all && m->allowed[area] != m->number)
                continue;
            if (m->node_mark[step.to] == settled || (m->node_mark[step.to] == open && m->node_cost[step.to] <= cost))
                continue;
            m->node_mark[step.to] = open;
            m->node_cost[step.to] = cost;
            m->node_from[step.to] = node;
            if (!push(&m->queue, step.to, all ? cost : cost + weight * m->left[area]))
                return lope_fail_memory(error);
        }
    }
    return LOPE_OK;
}

// The quickest of the steps between two nodes.
static lope_block_step step_between(const lope_block_world *w, int from, int to)
{
    graph_cursor cursor = {0, 0};
    graph_step step, best = {.seconds = INFINITY};
    while (graph_next(w, from, &cursor, &step))
        if (step.to == to && step.seconds < best.seconds)
            best = step;
    return graph_describe(w, from, &best);
}

lope_status lope_block_path(lope_block_world *w, int from, int to, lope_block_step *steps, int room, int *count,
                            lope_error *error)
{
    int nodes = w->tile_nodes + w->junctions.count;
    *count = 0;
    if (w->changed)
        return lope_fail(error, LOPE_MISMATCH, "the world was edited: update it first");
    if (from < 0 || from >= nodes || to < 0 || to >= nodes)
        return lope_fail(error, LOPE_BAD_DATA, "there are nodes 0 to %d, found %d and %d", nodes - 1, from, to);
    lope_status status = make_room(w, error);
    if (!status)
        status = find_areas(w, from, to, error);
    if (status)
        return status;
    bool found = false;
    // Long ways have room beside them from the start: somewhere along them the narrow one will not do.
    for (int attempt = w->route->far; attempt < 3 && !found && !status; attempt++) {
        if (attempt == 1)
            widen(w, area_of(w, to));
        status = search_nodes(w, from, to, attempt == 2, &found, error);
    }
    if (!status && !found)
        status = lope_fail(error, LOPE_NOT_FOUND, "no way leads from node %d to node %d", from, to);
    for (int node = to; !status && node != from; node = w->route->node_from[node])
        (*count)++;
    int at = *count;
    for (int node = to; !status && node != from; node = w->route->node_from[node])
        if (--at < room)
            steps[at] = step_between(w, w->route->node_from[node], node);
    return status;
}
