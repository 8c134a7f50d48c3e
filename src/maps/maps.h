// SPDX-License-Identifier: MIT
// What the parts of motion maps share: cells, moves, and how a table of cells is searched.
#ifndef LOPE_SRC_MAPS_MAPS_H
#define LOPE_SRC_MAPS_MAPS_H

#include "asset/built.h"
#include "lope/maps.h"

// Clips, graph and maps as chunks of a file.
lope_chunk_adder lope_maps_add_chunks;

// Cells of place and heading around the root of a map. Places beyond the largest cell share it.
#define CELL_HALF 2048 // cells on one side of the root

typedef struct map_cell {
    int x, z, turn;
} map_cell;

static inline int map_clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

// Rounds towards minus infinity; for values that fit into int.
static inline int map_floor(float value)
{
    int whole = (int)value;
    return whole - (value < (float)whole);
}

static inline int map_round(float value)
{
    return map_floor(value + 0.5f);
}

// Places as maps hold them: units and 1/256 of a turn. Cells are taken from these, so that what is stored says which
// cell it is in.
typedef struct map_spot {
    int x, z, yaw;
} map_spot;

static inline map_spot map_spot_of(float x, float z, float yaw, float unit)
{
    const float furthest = 1e6f;
    float u = x / unit, v = z / unit;
    u = u < -furthest ? -furthest : u > furthest ? furthest : u;
    v = v < -furthest ? -furthest : v > furthest ? furthest : v;
    return (map_spot){map_round(u), map_round(v), map_round(yaw * (float)(128.0 / LOPE_PI)) & 255};
}

static inline map_spot map_node_spot(const lope_map_node *node)
{
    return (map_spot){node->x, node->z, (int)(node->parent_yaw & 255)};
}

static inline int map_floor_div(int a, int b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

// Headings of cell t lie around t * 30 degrees, so that walking straight ahead is the middle of a cell.
static inline map_cell map_cell_of(map_spot spot, int units)
{
    return (map_cell){map_clamp(map_floor_div(spot.x, units), -CELL_HALF, CELL_HALF - 1),
                      map_clamp(map_floor_div(spot.z, units), -CELL_HALF, CELL_HALF - 1),
                      (spot.yaw * LOPE_MAP_TURNS + 128) / 256 % LOPE_MAP_TURNS};
}

// Units on a side of a cell.
static inline int map_cell_units(float cell, float unit)
{
    int units = map_round(cell / unit);
    return units > 1 ? units : 1;
}

static inline uint32_t map_key(map_cell cell)
{
    return (uint32_t)(cell.x + CELL_HALF) << 16 | (uint32_t)(cell.z + CELL_HALF) << 4 | (uint32_t)cell.turn;
}

// Where the search for a key begins, in a table of any size; and the mark that tells most other keys apart, never 0.
static inline uint32_t map_slot(uint32_t key, uint32_t slot_count)
{
    return (uint32_t)((uint64_t)(key * 2654435769u) * slot_count >> 32);
}
static inline uint32_t map_mark(uint32_t key)
{
    return key * 0x85EBCA6Bu >> 24 | 1u;
}

// A map with what asking it needs.
typedef struct map_view {
    const lope_map_node *nodes;
    const uint32_t *slots;
    uint32_t node_count, slot_count;
    int units; // of a cell
} map_view;

static inline map_view map_view_of(const lope_maps *maps, uint32_t step)
{
    const lope_map *map = &maps->maps[step];
    return (map_view){maps->nodes + map->node_first, maps->slots + map->slot_first, map->node_count, map->slot_count,
                      map_cell_units(maps->cell, map->unit)};
}

static inline uint32_t map_node_key(const map_view *view, uint32_t node)
{
    return map_key(map_cell_of(map_node_spot(&view->nodes[node]), view->units));
}

// First node of a cell, or node_count. Those that follow belong to it while their key is the same.
static inline uint32_t map_look(const map_view *view, uint32_t key)
{
    if (view->slot_count == 0)
        return view->node_count;
    uint32_t mark = map_mark(key);
    for (uint32_t s = map_slot(key, view->slot_count); view->slots[s]; s = s + 1 == view->slot_count ? 0 : s + 1)
        if ((view->slots[s] & 255) == mark && map_node_key(view, view->slots[s] >> 8) == key)
            return view->slots[s] >> 8;
    return view->node_count;
}

static inline lope_map_move map_move_mul(lope_map_move a, lope_map_move b)
{
    return (lope_map_move){a.x + a.cosine * b.x + a.sine * b.z,   a.z - a.sine * b.x + a.cosine * b.z,
                           a.cosine * b.cosine - a.sine * b.sine, a.sine * b.cosine + a.cosine * b.sine,
                           lope_wrap_angle(a.yaw + b.yaw),        a.length + b.length};
}

LOPE_API lope_map_move lope_map_move_of(lope_ground ground, float length);

// All moves of a graph, into out[2 * edge_count + step_count]: of edges, of their joins, of steps.
LOPE_API void lope_map_moves(const lope_steps *steps, lope_map_move *out);

#endif
