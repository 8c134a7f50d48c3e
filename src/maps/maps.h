// SPDX-License-Identifier: MIT
// What the parts of motion maps share: cells, moves, and how a table of cells is searched.
#ifndef LOPE_SRC_MAPS_MAPS_H
#define LOPE_SRC_MAPS_MAPS_H

#include "lope/maps.h"

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

// Headings of cell t lie around t * 30 degrees, so that walking straight ahead is the middle of a cell.
static inline int map_turn(float yaw)
{
    int turn = map_floor(yaw * (float)(LOPE_MAP_TURNS / (2.0 * LOPE_PI)) + 0.5f) % LOPE_MAP_TURNS;
    return turn < 0 ? turn + LOPE_MAP_TURNS : turn;
}

static inline map_cell map_cell_of(float x, float z, float yaw, float per_cell)
{
    const float furthest = CELL_HALF - 1;
    float u = x * per_cell, v = z * per_cell;
    u = u < -furthest ? -furthest : u > furthest ? furthest : u;
    v = v < -furthest ? -furthest : v > furthest ? furthest : v;
    return (map_cell){map_floor(u), map_floor(v), map_turn(yaw)};
}

// Never 0.
static inline uint32_t map_key(map_cell cell)
{
    return ((uint32_t)(cell.x + CELL_HALF) << 16 | (uint32_t)(cell.z + CELL_HALF) << 4 | (uint32_t)cell.turn) + 1;
}

// Where the search for a key begins, in a table of any size.
static inline uint32_t map_slot(uint32_t key, uint32_t slot_count)
{
    return (uint32_t)((uint64_t)(key * 2654435769u) * slot_count >> 32);
}

static inline const lope_map_slot *map_look(const lope_map_slot *slots, uint32_t slot_count, uint32_t key)
{
    if (slot_count == 0)
        return NULL;
    for (uint32_t s = map_slot(key, slot_count); slots[s].key; s = s + 1 == slot_count ? 0 : s + 1)
        if (slots[s].key == key)
            return &slots[s];
    return NULL;
}

static inline lope_map_move map_move_mul(lope_map_move a, lope_map_move b)
{
    return (lope_map_move){a.x + a.cosine * b.x + a.sine * b.z,   a.z - a.sine * b.x + a.cosine * b.z,
                           a.cosine * b.cosine - a.sine * b.sine, a.sine * b.cosine + a.cosine * b.sine,
                           lope_wrap_angle(a.yaw + b.yaw),        a.length + b.length};
}

lope_map_move map_move_of(lope_ground ground, float length);

// All moves of a graph, into out[2 * edge_count + step_count]: of edges, of their joins, of steps.
void map_moves(const lope_steps *steps, lope_map_move *out);

#endif
