// SPDX-License-Identifier: MIT
// Borders of many tiles at once, in parallel, for tests; floors look at tiles by themselves.
#ifndef LOPE_TESTS_GROUND_BORDERS_H
#define LOPE_TESTS_GROUND_BORDERS_H

#include "level/ground.h"
#include "lope/jobs.h"

// Borders of many tiles, row by row. Those of tile i are borders[first[i]] to borders[first[i + 1] - 1].
typedef struct ground_border_set {
    ground_tiles tiles;
    ground_border *borders;
    int *first; // [tiles.columns * tiles.rows + 1]
    int count;
} ground_border_set;
lope_status ground_borders(const lope_terrain *terrain, const ground_body *body, ground_tiles tiles, lope_jobs *jobs,
                           ground_border_set *out);
void ground_borders_free(ground_border_set *set);

#endif
