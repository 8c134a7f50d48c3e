// SPDX-License-Identifier: MIT
// What terrain questions are measured against: every triangle one after the other, and a plain binary box tree that
// looks at one box and one triangle at a time (halves along the longest side, four triangles a leaf).
#ifndef LOPE_BENCH_TERRAIN_PLAIN_H
#define LOPE_BENCH_TERRAIN_PLAIN_H

#include "lope/terrain.h"

typedef struct plain_tree plain_tree;

// Of all triangles of a terrain. NULL: no memory.
plain_tree *plain_tree_create(const lope_terrain *terrain);
void plain_tree_destroy(plain_tree *tree);

// Squared distance to the nearest surface, or `limit` (squared) where none is nearer.
float plain_tree_nearest(const plain_tree *tree, lope_vec3 point, float limit);
float plain_scan_nearest(const plain_tree *tree, lope_vec3 point, float limit);
// Height of the highest surface below, or -INFINITY.
float plain_tree_below(const plain_tree *tree, lope_vec3 point);
float plain_scan_below(const plain_tree *tree, lope_vec3 point);

// The nearest point of a triangle (Ericson 2005, 5.1.5).
lope_vec3 plain_nearest_on_triangle(lope_vec3 p, lope_vec3 a, lope_vec3 b, lope_vec3 c);

#endif
