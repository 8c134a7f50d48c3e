// SPDX-License-Identifier: MIT
// Terrain questions answered the slow way: every triangle, one after the other, in double precision.
#ifndef LOPE_TESTS_TERRAIN_CHECK_H
#define LOPE_TESTS_TERRAIN_CHECK_H

#include "lope/terrain.h"
#include "support/support.h"

// All triangles of a terrain; the caller frees them with free().
lope_terrain_triangle *test_all_triangles(const lope_terrain *terrain, int *count);

// Distance to the nearest of the triangles; INFINITY where there are none.
double test_nearest(const lope_terrain_triangle *triangles, int count, lope_vec3 point);
// Height of the highest surface below a point; -INFINITY where there is none. *sure: no triangle's rim is so near that
// rounding could decide.
double test_below(const lope_terrain_triangle *triangles, int count, lope_vec3 point, bool *sure);
// First hit from `from` to `to` in metres, INFINITY where there is none; *sure as above.
double test_ray(const lope_terrain_triangle *triangles, int count, lope_vec3 from, lope_vec3 to, bool *sure);

// Triangles of all sizes and shapes in a cube of 10 m, some of them slivers.
lope_terrain_mesh *test_soup(lope_random *random, int triangles);
// Heights of gentle hills, [columns * rows].
void test_hills(lope_random *random, int columns, int rows, float *heights);

#endif
