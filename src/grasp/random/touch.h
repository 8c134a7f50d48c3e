// SPDX-License-Identifier: MIT
// Whether links touch obstacles, as quickly as random neighbours need it.
#ifndef LOPE_SRC_GRASP_RANDOM_TOUCH_H
#define LOPE_SRC_GRASP_RANDOM_TOUCH_H

#include "grasp/polygon.h"

// Inside where x and y times a place are more than `least`.
typedef struct touch_side {
    double x, y, least;
} touch_side;

typedef struct touch_piece {
    lope_xy low, high; // box
    int first, count;  // sides
} touch_piece;

// The obstacles of a world, each smaller by what limbs may dip into it, in convex pieces.
typedef struct touch_map {
    lope_xy low, high; // bounds, wider by as much
    touch_piece *pieces;
    touch_side *sides;
    int piece_count, side_count;
} touch_map;

// NULL without memory.
touch_map *touch_map_create(const lope_grasp_world *world, double dip);
void touch_map_destroy(touch_map *map);
// Whether a segment leaves the bounds or gets into a piece by more than `slack` metres.
bool touch_link(const touch_map *map, lope_xy a, lope_xy b, double slack);
// The same for all links of a body.
bool touch_body(const touch_map *map, const lope_grasp_points *points, double slack);

#endif
