// SPDX-License-Identifier: MIT
// The neighbour grid: cells hashed into about twice as many buckets as there can be characters.
#include "crowd/grid.h"

#include <string.h>

#include "base/memory.h"

void crowd_grid_free(crowd_grid *grid)
{
    lope_free(grid->first);
    lope_free(grid->entries);
    *grid = (crowd_grid){0};
}

bool crowd_grid_reserve(crowd_grid *grid, int capacity)
{
    if (capacity <= grid->capacity)
        return true;
    uint32_t buckets = 64;
    while (buckets < 2u * (uint32_t)capacity)
        buckets *= 2;
    crowd_grid larger = {.first = lope_alloc_array((size_t)buckets + 1, sizeof *larger.first),
                         .entries = lope_alloc_array((size_t)capacity, sizeof *larger.entries),
                         .buckets = buckets,
                         .capacity = capacity};
    if (!larger.first || !larger.entries) {
        crowd_grid_free(&larger);
        return false;
    }
    memset(larger.first, 0, ((size_t)buckets + 1) * sizeof *larger.first);
    crowd_grid_free(grid);
    *grid = larger;
    return true;
}

void crowd_grid_build(crowd_grid *grid, const crowd_grid_bodies *bodies)
{
    const lope_vec2 *places = bodies->places;
    memset(grid->first, 0, ((size_t)grid->buckets + 1) * sizeof *grid->first);
    for (int i = 0; i < bodies->count; i++)
        if (bodies->alive[i])
            grid->first[crowd_grid_bucket(grid, crowd_grid_cell(places[i].x), crowd_grid_cell(places[i].z))]++;
    uint32_t sum = 0;
    for (uint32_t b = 0; b <= grid->buckets; b++) { // ends of the buckets; filling from behind turns them into starts
        sum += grid->first[b];
        grid->first[b] = sum;
    }
    for (int i = bodies->count - 1; i >= 0; i--) {
        if (!bodies->alive[i])
            continue;
        int32_t x = crowd_grid_cell(places[i].x), z = crowd_grid_cell(places[i].z);
        grid->entries[--grid->first[crowd_grid_bucket(grid, x, z)]] =
            (crowd_grid_entry){i, x, z, places[i], bodies->heights[i]};
    }
}
