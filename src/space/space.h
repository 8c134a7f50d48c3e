// SPDX-License-Identifier: MIT
// A world of obstacles: the triangulation and who owns which of its segments.
#ifndef LOPE_SRC_SPACE_SPACE_H
#define LOPE_SRC_SPACE_SPACE_H

#include "lope/paths.h"
#include "space/mesh.h"

// Obstacle 0 is the border of the world. Its inside is the free ground; what is
// beyond has cover 1.
#define LOPE_SPACE_BORDER 0
// Changes that are remembered.
#define LOPE_SPACE_LOG 1024

typedef struct lope_space_obstacle {
    int first_segment; // -1: none
    int next_free;     // -1: in use, or the last free one
    bool alive;
} lope_space_obstacle;

// Where something came or went: the box around its outline then.
typedef struct lope_space_change {
    int obstacle;
    lope_point low, high;
} lope_space_change;

struct lope_space {
    lope_mesh mesh;
    lope_point low, high;
    lope_space_obstacle *obstacles;
    int obstacle_count, obstacle_capacity, obstacle_free, obstacles_alive;
    lope_point *corners[2]; // a polygon while it is clipped
    int corner_capacity[2];
    lope_space_change *log; // number n, counted from 1, is in slot (n - 1) % LOPE_SPACE_LOG; NULL in copies
    uint64_t changes;       // so far
};

// space.c: an equal space with storage of its own, without the log. On failure it may be released.
bool lope_space_copy(lope_space *space, const lope_space *from);
void lope_space_release(lope_space *space);
// Makes an obstacle of a copy what it is in the original now.
lope_status lope_space_follow(lope_space *space, const lope_space *from, int obstacle, lope_error *error);

// changes.c
// Notes where the obstacle is now, before it goes or after it came.
void lope_space_note(lope_space *space, int obstacle);
// The first change after number `since` that is still in the log; changes + 1: none; 0: some are forgotten.
uint64_t lope_space_first_change(const lope_space *space, uint64_t since);

// clip.c: room in corners[which]; what was there is lost. False: no memory.
bool lope_space_reserve_corners(lope_space *space, int which, int needed);
// The polygon as far as it is inside the world, on the grid, without
// repeated corners, into corners[0]. Returns how many corners are left, -1: no
// memory.
int lope_space_clip(lope_space *space, const lope_vec2 *corners, int count);

// clearance.c: lope_space_clearance of a point that is not blocked, by looking at every obstacle.
double lope_space_scan_clearance(const lope_space *space, lope_point point);
// sweep.c: lope_space_sweep from a point that is not blocked, by looking at every obstacle.
double lope_space_scan_sweep(const lope_space *space, lope_point from, lope_point to, double radius);

#endif
