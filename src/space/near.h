// SPDX-License-Identifier: MIT
// What is nearest to a point, and the triangle it is asked from.
#ifndef LOPE_SRC_SPACE_NEAR_H
#define LOPE_SRC_SPACE_NEAR_H

#include "space/space.h"

typedef struct lope_near {
    lope_point point;
    double square; // of the distance
} lope_near;

static inline double lope_point_square(lope_point a, lope_point b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z);
}

// The nearest point of a line from a to b.
static inline lope_near lope_near_line(lope_point a, lope_point b, lope_point p)
{
    double x = b.x - a.x, z = b.z - a.z, length = x * x + z * z;
    double t = length > 0.0 ? ((p.x - a.x) * x + (p.z - a.z) * z) / length : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    lope_point near = {a.x + t * x, a.z + t * z};
    return (lope_near){near, lope_point_square(near, p)};
}

static inline lope_near lope_mesh_near_edge(const lope_mesh *mesh, int half_edge, lope_point p)
{
    return lope_near_line(lope_mesh_point(mesh, lope_mesh_origin(mesh, half_edge)),
                          lope_mesh_point(mesh, lope_mesh_target(mesh, half_edge)), p);
}

// A line comes nearer to a point than the root of `square`; a and b, its ends seen from the point, do not. Needs no
// division.
static inline bool lope_line_reaches(lope_point a, lope_point b, double square)
{
    const double x = b.x - a.x, z = b.z - a.z, length = x * x + z * z, across = a.x * z - a.z * x;
    const double along = -(a.x * x + a.z * z);
    return across * across < square * length && along > 0.0 && along < length;
}

// The face to the left lies under an obstacle, or there is none.
static inline bool lope_mesh_covered(const lope_mesh *mesh, int half_edge)
{
    int face = mesh->half_edges[half_edge].face;
    return face < 0 || mesh->faces[face].cover > 0;
}

// False also where the point is not a number.
static inline bool lope_space_holds(const lope_space *space, lope_point p)
{
    return p.x >= space->low.x && p.x <= space->high.x && p.z >= space->low.z && p.z <= space->high.z;
}

// clearance.c: the nearest point of any obstacle or the border from a point in the free face to the left of the
// half-edge; where nothing is nearer than the limit, the limit and the point itself.
lope_near lope_mesh_nearest_obstacle(const lope_mesh *mesh, int half_edge, lope_point point, double limit);

// Nothing is nearer to such a point than the radius, or all but.
bool lope_mesh_disc_free(const lope_mesh *mesh, int half_edge, lope_point point, double radius);

// sweep.c: a disc can go straight from a point in the free face to the left of the half-edge to another point.
bool lope_mesh_sweep_free(const lope_mesh *mesh, int half_edge, lope_point from, lope_point to, double radius);
// The same without looking at what is beyond the half-edge.
bool lope_mesh_sweep_beside(const lope_mesh *mesh, int half_edge, lope_point from, lope_point to, double radius);

// outline.c: the nearest point that is not under an obstacle, from a point in the covered face to the left of the
// half-edge; where nothing is nearer than the limit, the limit and the point itself.
lope_near lope_mesh_nearest_outline(const lope_mesh *mesh, int half_edge, lope_point point, double limit);
// By looking at every edge.
lope_near lope_mesh_scan_outline(const lope_mesh *mesh, lope_point point, double limit);
// The nearest point of a rectangle's border from a point outside of it. Where that is not nearer than the limit, or
// the point not a number, the limit and the point itself.
lope_near lope_near_rectangle(lope_point low, lope_point high, lope_point point, double limit);

#endif
