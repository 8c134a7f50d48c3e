// SPDX-License-Identifier: MIT
// Recast and Detour on given triangles, where the tool was built with them (LOPE_RECAST).
#ifndef LOPE_BENCH_LEVEL_RECAST_H
#define LOPE_BENCH_LEVEL_RECAST_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct recast_body {
    float cell, height, step, slope, radius; // metres, slope in degrees
} recast_body;

typedef struct recast_level recast_level;

// Whether the tool was built with Recast.
bool recast_is_there(void);
// From triangles (nine numbers each) to a mesh that paths can be asked of, in tiles of 256 cells. NULL: it failed.
recast_level *recast_create(const float *triangles, int count, const recast_body *body);
void recast_destroy(recast_level *level);
// The way from one place to another, pulled tight: writes up to `capacity` points of three numbers, returns how many.
// 0: there is none.
int recast_path(recast_level *level, const float from[3], const float to[3], float *points, int capacity);

#ifdef __cplusplus
}
#endif
#endif
