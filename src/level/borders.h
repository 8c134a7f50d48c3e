// SPDX-License-Identifier: MIT
// Parts of tiles, while their borders are looked for.
#ifndef LOPE_SRC_LEVEL_BORDERS_H
#define LOPE_SRC_LEVEL_BORDERS_H

#include <math.h>

#include "level/ground.h"

#define BORDERS_TAKEN (-2) // piece of a border that another one goes on as

// A surface of a part.
typedef struct part_surface {
    int surface;       // of the tile
    bool live;         // may be free ground somewhere in the part
    bool covers;       // all of the part
    double low, high;  // within the part
    double heights[4]; // at the part's corners; not of thin ones
} part_surface;

// Keeps those surfaces of a part, given by their numbers, on which its borders depend. Returns how many; -1: no memory.
// `ranges` is scratch.
int borders_thin(const ground_tile *tile, const frame *part, part_surface *surfaces, int count, list *ranges);
// Whether two heights beyond a border are one; NaN: none.
static inline bool borders_same_other(double a, double b)
{
    return fabs(a - b) < 0.01 || (isnan(a) && isnan(b));
}
// Lets borders take in those that go on as they do. False: no memory.
bool borders_join(ground_border *borders, int count, list *scratch);

#endif
