// SPDX-License-Identifier: MIT
// Finds neighbours: a hashed grid over all characters, rebuilt every step by counting; entries of a cell lie in the
// order of their slots, so what is found does not depend on threads or history.
#ifndef LOPE_SRC_CROWD_GRID_H
#define LOPE_SRC_CROWD_GRID_H

#include "lope/math.h"

#define CROWD_CELL 2.0f     // metres
#define CROWD_FURTHEST 1e9f // metres; characters farther away share the last cell

typedef struct crowd_grid_entry {
    int32_t slot, cell_x, cell_z;
    lope_vec2 place;
    float height;
} crowd_grid_entry;

// Where members are.
typedef struct crowd_grid_bodies {
    const lope_vec2 *places;
    const float *heights;
    const uint8_t *alive;
    int count;
} crowd_grid_bodies;

typedef struct crowd_grid {
    uint32_t *first;           // [buckets + 1]
    crowd_grid_entry *entries; // [capacity]
    uint32_t buckets;          // a power of two
    int capacity;
} crowd_grid;

bool crowd_grid_reserve(crowd_grid *grid, int capacity);
void crowd_grid_free(crowd_grid *grid);
// Sorts in those slots of [0, count) that are alive.
void crowd_grid_build(crowd_grid *grid, const crowd_grid_bodies *bodies);

static inline int32_t crowd_grid_cell(float coordinate)
{
    float within = coordinate < CROWD_FURTHEST ? coordinate : CROWD_FURTHEST;
    float cell = (within > -CROWD_FURTHEST ? within : -CROWD_FURTHEST) * (1.0f / CROWD_CELL);
    int32_t whole = (int32_t)cell; // towards 0
    return whole - ((float)whole > cell);
}

static inline uint32_t crowd_grid_bucket(const crowd_grid *grid, int32_t x, int32_t z)
{
    uint32_t h = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)z * 0x85EBCA77u;
    return (h ^ h >> 15) & (grid->buckets - 1);
}

#endif
