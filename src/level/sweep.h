// SPDX-License-Identifier: MIT
// Stretches of a line along which something is possible: what stands in the way cuts them, exactly.
#ifndef LOPE_SRC_LEVEL_SWEEP_H
#define LOPE_SRC_LEVEL_SWEEP_H

#include "level/links.h"

// A straight edge of free ground. Places near it are told by s metres along it from its start, t metres out from it
// (the ground itself has negative ones) and y.
typedef struct sweep_edge {
    point2 start, along, out; // unit directions
    double length, y, slope;  // the ground along it: y + slope * s
} sweep_edge;

static inline point2 sweep_place(const sweep_edge *e, double s, double t)
{
    return (point2){e->start.x + s * e->along.x + t * e->out.x, e->start.z + s * e->along.z + t * e->out.z};
}

static inline point2 sweep_from_place(const sweep_edge *e, double x, double z)
{
    const double dx = x - e->start.x, dz = z - e->start.z;
    return (point2){dx * e->along.x + dz * e->along.z, dx * e->out.x + dz * e->out.z}; // s and t
}

// A straight line beside the edge, over s: t + lean * s, at height y + slope * s.
typedef struct sweep_line {
    double t, lean, y, slope;
} sweep_line;

// A body's way between two lines of s, in heights from low + fall * t to high.
typedef struct sweep_zone {
    sweep_line near, far;          // only t and lean count
    double low, slope, fall, high; // low + slope * s + fall * t
} sweep_zone;

// Cuts where a disc of that radius on the line comes too near a border at its height.
// `origin` depends on those borders then.
bool sweep_borders(const links_source *source, const sweep_edge *e, const sweep_line *line, ranges *r,
                   links_origin *origin);
// A triangle as seen along an edge: s, t and y of its corners, and the box around them.
typedef struct sweep_corner {
    double at[3];
} sweep_corner;
typedef struct sweep_triangle {
    sweep_corner corners[3];
    double low[3], high[3];
} sweep_triangle;
// Turns lope_terrain_triangle into sweep_triangle. False: no memory.
bool sweep_take(const sweep_edge *e, const list *triangles, list *out);
// Cuts where a triangle reaches into the zone, grown by the radius.
void sweep_triangles(const list *triangles, const sweep_zone *zone, double radius, ranges *r);
// The part of a triangle within a zone and s in [from, to]: its least and greatest s and y. False where it is outside.
typedef struct sweep_extent {
    double s[2], y[2];
} sweep_extent;
bool sweep_extent_of(const sweep_triangle *triangle, const sweep_zone *zone, sweep_extent *out);

#endif
