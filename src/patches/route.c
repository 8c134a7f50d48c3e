// SPDX-License-Identifier: MIT
// Ways in two layers: first over tiles, then over the segments in them. Where the segments along the shortest way in
// tiles do not fit together, ways that avoid the tile where they ended are tried; then all gates are searched.
#include <string.h>

#include "base/error.h"
#include "patches/world.h"

// Ways in tiles that are tried before all gates are searched.
#define MOST_DETOURS 8

// Whether anybody who comes into the tile can leave it in a heading: from some gate of any side.
static bool leads_on(const lope_patch_world *w, int tile, int heading)
{
    int next = patch_neighbour(w, tile, heading);
    if (next < 0 || !w->present[next])
        return false;
    for (int gate = 0; gate < w->gate_count; gate++)
        if (w->ways[node_of(w, next, heading, gate)] > 0)
            return true;
    return false;
}

static void heap_push(lope_patch_world *w, int *count, int tile, float key)
{
    int i = (*count)++;
    for (; i > 0 && key < w->plan_key[(i - 1) / 2]; i = (i - 1) / 2) {
        w->plan_key[i] = w->plan_key[(i - 1) / 2];
        w->plan_heap[i] = w->plan_heap[(i - 1) / 2];
    }
    w->plan_key[i] = key;
    w->plan_heap[i] = tile;
}

static int heap_pop(lope_patch_world *w, int *count)
{
    int top = w->plan_heap[0], last = w->plan_heap[--*count], i = 0;
    float key = w->plan_key[*count];
    for (int child; (child = 2 * i + 1) < *count; i = child) {
        if (child + 1 < *count && w->plan_key[child + 1] < w->plan_key[child])
            child++;
        if (w->plan_key[child] >= key)
            break;
        w->plan_key[i] = w->plan_key[child];
        w->plan_heap[i] = w->plan_heap[child];
    }
    w->plan_key[i] = key;
    w->plan_heap[i] = last;
    return top;
}

// Tiles to go at least.
static float tiles_between(const lope_patch_world *w, int a, int b)
{
    int columns = w->def.columns, dx = a % columns - b % columns, dz = a / columns - b / columns;
    return (float)((dx < 0 ? -dx : dx) + (dz < 0 ? -dz : dz));
}

static void reach(lope_patch_world *w, int tile, int heading, float cost, int goal, int *count)
{
    if (w->plan_mark[tile] == w->plan_number && w->plan_cost[tile] <= cost)
        return;
    w->plan_mark[tile] = w->plan_number;
    w->plan_cost[tile] = cost;
    w->plan_from[tile] = (uint8_t)heading;
    heap_push(w, count, tile, cost + tiles_between(w, tile, goal));
}

// A* over tiles, entering `tile` in a heading. Turning costs a little, so that ways are straight where they can be.
static bool search_tiles(lope_patch_world *w, int tile, int heading, int goal)
{
    int count = 0;
    w->plan_number++;
    reach(w, tile, heading, 0.0f, goal, &count);
    while (count > 0) {
        int at = heap_pop(w, &count);
        if (at == goal)
            return true;
        if (w->plan_avoid[at] == w->plan_round && at != tile)
            continue;
        for (int out = 0; out < LOPE_TILE_SIDES; out++) {
            int turn = (out - (int)w->plan_from[at] + 4) % 4;
            float cost = w->plan_cost[at] + (turn == 0 ? 1.0f : turn == 2 ? 1.3f : 1.05f);
            int next = patch_neighbour(w, at, out);
            bool known = next >= 0 && w->plan_mark[next] == w->plan_number && w->plan_cost[next] <= cost;
            if (next >= 0 && !known && leads_on(w, at, out) && count < 4 * w->tile_count)
                reach(w, next, out, cost, goal, &count);
        }
    }
    return false;
}

// Tiles of the way that was found, from its first to the goal, into path_tiles; headings they are entered by.
static int unwind(lope_patch_world *w, int tile, int goal)
{
    int count = 0;
    for (int at = goal;; at = patch_neighbour(w, at, (w->plan_from[at] + 2) % 4)) {
        w->path_tiles[count] = at;
        w->path_headings[count++] = w->plan_from[at];
        if (at == tile)
            break;
    }
    for (int i = 0; i < count / 2; i++) {
        int32_t t = w->path_tiles[i];
        uint8_t h = w->path_headings[i];
        w->path_tiles[i] = w->path_tiles[count - 1 - i];
        w->path_headings[i] = w->path_headings[count - 1 - i];
        w->path_tiles[count - 1 - i] = t;
        w->path_headings[count - 1 - i] = h;
    }
    return count;
}

static lope_status find_tiles(lope_patch_world *w, int tile, int heading, lope_vec2 goal, int *count, lope_error *error)
{
    int goal_tile = patch_tile_at(w, goal);
    if (goal_tile < 0 || !w->present[goal_tile])
        return lope_fail(error, LOPE_BAD_DATA, "there is no tile at (%g, %g)", (double)goal.x, (double)goal.z);
    if (!search_tiles(w, tile, heading, goal_tile))
        return lope_fail(error, LOPE_NOT_FOUND, "no way leads to (%g, %g)", (double)goal.x, (double)goal.z);
    *count = unwind(w, tile, goal_tile);
    return LOPE_OK;
}

// Quickest segments through the tiles of the way: one row of gates after the other. Returns the number of tiles, or of
// those up to where no segment leads on.
static int search_segments(lope_patch_world *w, int tiles, int gate)
{
    const lope_tile *t = w->def.tile;
    float *cost = w->path_cost, *next_cost = w->path_cost + w->gate_count;
    for (int g = 0; g < w->gate_count; g++)
        cost[g] = g == gate ? 0.0f : INFINITY;
    for (int i = 0; i + 1 < tiles; i++) {
        int tile = w->path_tiles[i], heading = w->path_headings[i], side = (w->path_headings[i + 1] - heading + 4) % 4;
        bool any = false;
        for (int g = 0; g < w->gate_count; g++)
            next_cost[g] = INFINITY;
        for (int g = 0; g < w->gate_count; g++)
            for (int l = t->link_first[g * LOPE_TILE_WAYS + side];
                 l < t->link_first[g * LOPE_TILE_WAYS + side + 1] && cost[g] < INFINITY; l++) {
                float sum = cost[g] + w->durations[l];
                if (sum >= next_cost[t->links[l].to] || !link_lives(w, tile, heading, l))
                    continue;
                next_cost[t->links[l].to] = sum;
                w->path_link[(size_t)i * (size_t)w->gate_count + (size_t)t->links[l].to] = l;
                any = true;
            }
        if (!any)
            return i;
        float *swap = cost;
        cost = next_cost;
        next_cost = swap;
    }
    if (cost != w->path_cost)
        memcpy(w->path_cost, cost, (size_t)w->gate_count * sizeof *cost);
    return tiles;
}

// The steps along the tiles of the way, from the last one back.
static void read_steps(const lope_patch_world *w, int tiles, lope_patch_step *steps, int room)
{
    int best = 0;
    for (int g = 1; g < w->gate_count; g++)
        best = w->path_cost[g] < w->path_cost[best] ? g : best;
    for (int i = tiles - 2; i >= 0; i--) {
        int link = w->path_link[(size_t)i * (size_t)w->gate_count + (size_t)best];
        if (i < room)
            steps[i] = (lope_patch_step){w->path_tiles[i], w->path_headings[i], link};
        best = w->def.tile->links[link].from;
    }
}

lope_status patch_way(lope_patch_world *w, int node, lope_vec2 goal, lope_patch_step *steps, int room, int *count,
                      lope_error *error)
{
    int gate = node % w->gate_count, heading = node / w->gate_count % LOPE_TILE_SIDES;
    int tile = node / w->gate_count / LOPE_TILE_SIDES;
    w->plan_round++; // nothing is avoided yet
    for (int attempt = 0; attempt < MOST_DETOURS; attempt++) {
        int tiles = 0;
        lope_status status = find_tiles(w, tile, heading, goal, &tiles, error);
        if (status && attempt == 0)
            return status;
        if (status)
            break;
        int reached = search_segments(w, tiles, gate);
        if (reached == tiles) {
            *count = tiles - 1;
            read_steps(w, tiles, steps, room);
            return LOPE_OK;
        }
        if (reached == 0)
            break; // the first tile cannot be avoided
        w->plan_avoid[w->path_tiles[reached]] = w->plan_round;
    }
    if (w->search.cost)
        return patch_search_gates(w, node, patch_tile_at(w, goal), steps, room, count, error);
    return lope_fail(error, LOPE_NOT_FOUND, "no segments lead to (%g, %g) along the shortest ways in tiles",
                     (double)goal.x, (double)goal.z);
}

lope_status lope_patch_path(lope_patch_world *w, int tile, int heading, int gate, lope_vec2 goal,
                            lope_patch_step *steps, int room, int *count, lope_error *error)
{
    if (tile < 0 || tile >= w->tile_count || heading < 0 || heading > 3 || gate < 0 || gate >= w->gate_count)
        return lope_fail(error, LOPE_BAD_DATA, "no gate %d of tile %d in heading %d", gate, tile, heading);
    lope_status status = patch_way(w, node_of(w, tile, heading, gate), goal, steps, room, count, error);
    if (status != LOPE_NOT_FOUND || w->search.cost)
        return status;
    status = patch_search_create(w, error);
    return status ? status : patch_way(w, node_of(w, tile, heading, gate), goal, steps, room, count, error);
}
