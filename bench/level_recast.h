// SPDX-License-Identifier: MIT
// The same triangles given to Recast (LOPE_RECAST), measured in the same run.
#ifndef LOPE_BENCH_LEVEL_RECAST_H
#define LOPE_BENCH_LEVEL_RECAST_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct recast_body {
    float cell, height, step, slope, radius; // metres, slope in degrees
} recast_body;

// Seconds that Recast takes from triangles (nine numbers each) to a mesh of polygons with heights, in tiles of 256
// cells; below 0 where the tool was built without Recast, or where it fails.
double recast_build_seconds(const float *triangles, int count, const recast_body *body);

#ifdef __cplusplus
}
#endif
#endif
