// SPDX-License-Identifier: MIT
// Triangles as seen from above: planes over a patch of ground, or thin ones, which are walls without a width.
#ifndef LOPE_SRC_LEVEL_SECTION_H
#define LOPE_SRC_LEVEL_SECTION_H

#include "lope/terrain.h"

typedef struct point2 {
    double x, z;
} point2;

// A rectangle of the plan.
typedef struct frame {
    double low_x, low_z, high_x, high_z;
} frame;

// Plain comparisons: fmin and fmax are calls, and look for NaN.
static inline double section_least(double a, double b)
{
    return a < b ? a : b;
}
static inline double section_most(double a, double b)
{
    return a > b ? a : b;
}

typedef struct surface {
    point2 corners[3]; // in the order of their places; of thin ones, from one end to the other
    double heights[3];
    double low, high;           // least and greatest height
    frame around;               // the plan of it
    double y, slope_x, slope_z; // y + slope_x * x + slope_z * z; not of thin ones
    int64_t solid;              // closed solid that it is part of; -1: none
    int piece, triangle;
    bool flat, thin;
    bool doubled; // there is another one just like it
    bool rim[3];  // whether ground may end at the edge from corner i to the next
} surface;

// The part of a line that a surface covers: start + t * direction for t in [from, to], at y + slope * t.
typedef struct span {
    double from, to, y, slope;
    int surface;
    bool flat;
    bool live; // see part_surface
} span;

// False where there is nothing to see of it: narrower than a hair, and no wall.
bool section_surface(const lope_terrain_triangle *triangle, double flatness, surface *s);
// Height of a surface that is not thin, where it were if it went on.
static inline double section_height(const surface *s, double x, double z)
{
    return s->y + s->slope_x * x + s->slope_z * z;
}
static inline double section_cross(point2 a, point2 b, point2 c)
{
    return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}
// Whether a point lies under or over a surface that is not thin, its rim included.
static inline bool section_covers(const surface *s, double x, double z)
{
    const point2 at = {x, z};
    if (x < s->around.low_x || x > s->around.high_x || z < s->around.low_z || z > s->around.high_z)
        return false;
    const double a = section_cross(s->corners[0], s->corners[1], at),
                 b = section_cross(s->corners[1], s->corners[2], at),
                 c = section_cross(s->corners[2], s->corners[0], at);
    return (a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0);
}
static inline bool section_apart(const frame *a, const frame *b)
{
    return a->high_x < b->low_x || b->high_x < a->low_x || a->high_z < b->low_z || b->high_z < a->low_z;
}
// Whether it reaches into a frame.
bool section_meets(const surface *s, const frame *f);
// False where the line misses it.
bool section_span(const surface *s, point2 start, point2 direction, span *out);
// A thin surface's heights where it passes within `reach` of a point; false where it does not.
bool section_wall(const surface *s, point2 at, double reach, double *low, double *high);
// The part of a convex overlap of two surfaces where the first is `above` metres over the second: false where nowhere.
bool section_level_line(const surface *upper, const surface *lower, double above, point2 out[2]);
// Cuts a line to what lies in a frame; its low sides belong to it, the high ones do not. False where nothing is left.
bool section_clip(const frame *f, point2 ends[2]);

#endif
