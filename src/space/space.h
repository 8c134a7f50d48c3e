// SPDX-License-Identifier: MIT
// A world of obstacles: the triangulation and who owns which of its segments.
#ifndef LOPE_SRC_SPACE_SPACE_H
#define LOPE_SRC_SPACE_SPACE_H

#include "lope/paths.h"
#include "space/mesh.h"

// Obstacle 0 is the border of the world. Its inside is the free ground; what is
// beyond has cover 1.
#define LOPE_SPACE_BORDER 0

typedef struct lope_space_obstacle {
    int first_segment; // -1: none
    int next_free;     // -1: in use, or the last free one
    bool alive;
} lope_space_obstacle;

struct lope_space {
    lope_mesh mesh;
    lope_point low, high;
    lope_space_obstacle *obstacles;
    int obstacle_count, obstacle_capacity, obstacle_free, obstacles_alive;
    lope_point *corners[2]; // a polygon while it is clipped
    int corner_capacity[2];
};

// clip.c: the polygon as far as it is inside the world, on the grid, without
// repeated corners, into corners[0]. Returns how many corners are left, -1: no
// memory.
int lope_space_clip(lope_space *space, const lope_vec2 *corners, int count);

// clearance.c: lope_space_clearance of a point that is not blocked, by looking at every obstacle.
double lope_space_scan_clearance(const lope_space *space, lope_point point);
// sweep.c: lope_space_sweep from a point that is not blocked, by looking at every obstacle.
double lope_space_scan_sweep(const lope_space *space, lope_point from, lope_point to, double radius);

#endif
