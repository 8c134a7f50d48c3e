// SPDX-License-Identifier: MIT
// Where a body can stand on triangles, and where that ends. Seen from above, ground is free at a point where a surface
// is flat enough, nothing is in the way between knee and head above it, and no other ground lies on top of it within a
// step. Free ground ends along borders: walls, low ceilings, ledges. They are found without a grid: classification can
// change only across edges of triangles, and along lines where two surfaces are a step or a body apart. Along each of
// those, the columns of surfaces on its two sides are compared.
#ifndef LOPE_SRC_LEVEL_GROUND_H
#define LOPE_SRC_LEVEL_GROUND_H

#include "base/list.h"
#include "lope/terrain.h"

#define GROUND_SIDE 5e-4 // metres from a line to the columns on its sides
#define GROUND_SAME 1e-4 // heights that count as one surface

typedef struct ground_body {
    float height;   // metres, of what must be free above the ground
    float step;     // metres, what feet rise over
    float flatness; // least y of a ground's normal
} ground_body;

// A surface above a point.
typedef struct ground_layer {
    double y;
    bool flat; // enough to stand on
} ground_layer;

// A piece of the rim of free ground.
typedef struct ground_border {
    lope_vec2 from, to;   // free ground lies to the left: seen from above with x to the right and z up the page
    float from_y, to_y;   // height of the ground there
    float other;          // beyond it: height of the nearest free ground, NaN where there is none
    int piece, triangle;  // whose edge it is
} ground_border;

// Sorts layers from the lowest, puts those within GROUND_SAME together and returns how many are left.
int ground_sort(ground_layer *layers, int count);
// Whether layer i of sorted ones is free ground.
bool ground_is_free(const ground_body *body, const ground_layer *layers, int count, int i);

// column.c: layers of the terrain at a place within [low, high], sorted; at most `capacity`, the lowest.
int ground_column(const lope_terrain *terrain, const ground_body *body, lope_vec3 low_point, float high,
                  ground_layer *out, int capacity);

// borders.c: all borders of the terrain's free ground within a box, as ground_border in *out, which the caller frees.
lope_status ground_borders(const lope_terrain *terrain, const ground_body *body, lope_vec3 low, lope_vec3 high,
                           list *out);

#endif
