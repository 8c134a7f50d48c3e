// SPDX-License-Identifier: MIT
// How deep a body is in the solids of a level, measured against their triangles.
#ifndef LOPE_TESTS_LEVEL_DEPTH_H
#define LOPE_TESTS_LEVEL_DEPTH_H

#include "lope/level.h"
#include "motion/body_balls.h"

// What is near a place. All meshes must be closed, and their triangles run the same way around.
typedef struct level_near {
    const lope_level *level;
    lope_terrain_triangle *triangles;
    int count;
} level_near;
void level_near_gather(level_near *near, const lope_level *level, lope_vec3 low, lope_vec3 high);
void level_near_free(level_near *near);

typedef struct level_depth {
    float metres;
    int joint, part; // whose, and what it is in
    lope_vec3 at;
} level_depth;
// The deepest ball of the body, given its joints in the world. Outside of everything: 0.
level_depth level_body_depth(const level_near *near, const body_balls *body, const lope_transform *model);
// Metres from a point to the nearest surface.
float level_surface_distance(const level_near *near, lope_vec3 point);

#endif
