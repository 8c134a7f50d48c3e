// SPDX-License-Identifier: MIT
// Polygons of climbing worlds: sidedness, distance, and what is wrong with them.
#ifndef LOPE_SRC_GRASP_POLYGON_H
#define LOPE_SRC_GRASP_POLYGON_H

#include "grasp/plane.h"

// Twice the signed area; positive where corners run counter-clockwise.
double polygon_area2(const lope_grasp_polygon *polygon);
bool polygon_contains(const lope_grasp_polygon *polygon, lope_xy at);
// Distance to the outline; `normal` (may be NULL) gets the outward normal of the nearest side, corners in
// counter-clockwise order.
double polygon_outline_distance(const lope_grasp_polygon *polygon, lope_xy at, lope_xy *normal);
// The sides that cross each other into first and second; false where none do.
bool polygon_crosses_itself(const lope_grasp_polygon *polygon, int *first, int *second);
// Whether two counter-clockwise polygons share an area, and where. Touching is no overlap.
bool polygons_overlap(const lope_grasp_polygon *a, const lope_grasp_polygon *b, lope_xy *where);

#endif
