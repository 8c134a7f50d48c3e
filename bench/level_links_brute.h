// SPDX-License-Identifier: MIT
// Questions to triangles by brute force, to grade links and holds with: no header of the library, its own arithmetic.
#ifndef LOPE_BENCH_LEVEL_LINKS_BRUTE_H
#define LOPE_BENCH_LEVEL_LINKS_BRUTE_H

#include <stdbool.h>

typedef struct link_brute link_brute;

typedef struct brute_point {
    double x, y, z;
} brute_point;

// Triangles as nine numbers each, and the part that each belongs to (>= 0). flat: least y of a ground's normal.
link_brute *link_brute_create(const float *triangles, const int *parts, int count, double flat);
void link_brute_destroy(link_brute *brute);

// The flat surface at x, z nearest to y, at most `reach` off.
bool link_brute_ground(const link_brute *brute, brute_point at, double reach, double *y);
// Rise per metre of the surface nearest to y there, flat or not; -1: none within reach.
double link_brute_tilt(const link_brute *brute, brute_point at, double reach);
// Whether nothing reaches into an upright cylinder from `at` up.
bool link_brute_free(const link_brute *brute, brute_point at, double height, double radius);
// Whether something lies on the straight way between two points.
bool link_brute_blocked(const link_brute *brute, brute_point from, brute_point to);
// Distance to the nearest triangle, at most `limit`.
double link_brute_distance(const link_brute *brute, brute_point at, double limit);
// Whether a point lies in a closed part.
bool link_brute_inside(const link_brute *brute, brute_point at);

#endif
