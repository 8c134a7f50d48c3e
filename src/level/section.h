// SPDX-License-Identifier: MIT
// Triangles as seen from above: planes over a patch of ground, or thin ones, which are walls without a width.
#ifndef LOPE_SRC_LEVEL_SECTION_H
#define LOPE_SRC_LEVEL_SECTION_H

#include "lope/terrain.h"

typedef struct point2 {
    double x, z;
} point2;

typedef struct surface {
    point2 corners[3]; // of thin ones, from one end to the other
    double heights[3];
    double y, slope_x, slope_z; // y + slope_x * x + slope_z * z; not of thin ones
    bool flat, thin;
    int piece, triangle;
} surface;

// The part of a line that a surface covers: start + t * direction for t in [from, to], at y + slope * t.
typedef struct span {
    double from, to, y, slope;
    bool flat;
} span;

surface section_surface(const lope_terrain_triangle *triangle, double flatness);
// False where the line misses it.
bool section_span(const surface *s, point2 start, point2 direction, span *out);
// A thin surface's heights where it passes within `reach` of a point; false where it does not.
bool section_wall(const surface *s, point2 at, double reach, double *low, double *high);
// The part of a convex overlap of two surfaces where the first is `above` metres over the second: false where nowhere.
bool section_level_line(const surface *upper, const surface *lower, double above, point2 out[2]);

#endif
