// SPDX-License-Identifier: MIT
// The same questions put to Embree (LOPE_EMBREE), measured in the same run.
#ifndef LOPE_BENCH_TERRAIN_EMBREE_H
#define LOPE_BENCH_TERRAIN_EMBREE_H

#include "lope/terrain.h"

typedef struct embree_ground embree_ground;

// NULL where the tool was built without Embree.
embree_ground *embree_ground_create(const lope_terrain *terrain);
void embree_ground_destroy(embree_ground *ground);

// As plain_tree_nearest and plain_tree_below.
float embree_nearest(const embree_ground *ground, lope_vec3 point, float limit);
float embree_below(const embree_ground *ground, lope_vec3 point);

#endif
