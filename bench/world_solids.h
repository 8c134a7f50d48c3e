// SPDX-License-Identifier: MIT
// How deep points are in the solids of a level, by brute force: its own arithmetic over the triangles of the parts,
// nothing of what floors or planners know. What is inside of a part is told by the solid angle that its triangles fill.
#ifndef LOPE_BENCH_WORLD_SOLIDS_H
#define LOPE_BENCH_WORLD_SOLIDS_H

#include "lope/level.h"

typedef struct world_solids world_solids;

// NULL without memory. The level may go afterwards.
world_solids *world_solids_create(const lope_level *level);
void world_solids_destroy(world_solids *solids);
// Metres to the surface of the part that a point is deepest in; 0 outside of all.
double world_solids_depth(const world_solids *solids, lope_vec3 point);
// Whether a surface is nearer to a point than so many metres.
bool world_solids_near(const world_solids *solids, lope_vec3 point, double distance);

#endif
