// SPDX-License-Identifier: MIT
// Where a body can stand on triangles, and where that ends. Seen from above, ground is free at a point where a surface
// is flat enough, nothing is in the way between a step and the body's height above it, no other ground lies on it
// within a step, and no closed solid is around it. Free ground ends along borders: walls, low ceilings, ledges. They
// are found without a grid: what is free can change only across edges of triangles, and along lines where two surfaces
// are a step or a body's height apart. Along each of those, the columns of surfaces on its two sides are compared.
//
// The plan is cut into square tiles. Borders end at the sides of tiles, and those of a tile depend on the triangles
// that reach into it and on nothing else: so tiles are worked on in parallel, and after a change only those that it
// touches are done again, with the same result, bit by bit, as if everything were.
#ifndef LOPE_SRC_LEVEL_GROUND_H
#define LOPE_SRC_LEVEL_GROUND_H

#include "base/list.h"
#include "level/section.h"

#define GROUND_TILE 2.0      // metres: side of a tile
#define GROUND_SHIFT 0.01373 // metres: where tile 0 begins; off the round numbers at which levels have their walls
#define GROUND_SIDE 4.87e-4  // metres from a line to the columns on its sides
#define GROUND_SAME 1e-4     // heights that count as equal
#define GROUND_CRACK 1e-4    // metres: solids that are thinner do not count at a point

typedef struct ground_body {
    float height;   // metres, of what must be free above the ground
    float step;     // metres, what feet rise over
    float flatness; // least y of a ground's normal
} ground_body;

// A surface at a point of the plan.
typedef struct ground_layer {
    double y;
    int64_t solid; // closed solid that it is part of; -1: none
    int surface;   // triangle of the piece; for borders, the place in the tile's surfaces
    bool flat;     // enough to stand on
    bool odd;      // this layer and those above cross its solid an odd number of times: set by ground_sort
    int piece;     // of the terrain; 0 for borders
    int open;      // how many solids they cross so: set by ground_sort
} ground_layer;

// Whose ground of what is asked for.
typedef struct ground_view {
    const lope_terrain *terrain;
    const ground_body *body;
} ground_view;

// All surfaces over a point of the plan, from some height up to the sky, sorted. Takes memory where there are more than
// 64 of them. Must not be copied, for `layers` may be its own `near`.
typedef struct ground_column {
    ground_layer *layers;
    int count, room;
    ground_layer near[64];
} ground_column;

// A piece of the rim of free ground.
typedef struct ground_border {
    lope_vec2 from, to;  // free ground lies to the left: seen from above with x to the right and z up the page
    float from_y, to_y;  // height of the ground there
    float other;         // beyond it: height of the nearest free ground, NaN where there is none
    int piece, triangle; // whose edge it is
} ground_border;

// A rectangle of tiles.
typedef struct ground_tiles {
    int x, z, columns, rows;
} ground_tiles;

// One tile being looked at: the memory of one thread, used again for the next tile. Begins as {0}.
typedef struct ground_tile {
    const ground_body *body;
    double low_x, low_z, high_x, high_z;
    list triangles;       // lope_terrain_triangle: scratch
    list keys, gathered;  // for sorting those
    list surfaces;        // surface: all that reach into the tile, in the order of their places
    struct look *scratch; // of borders.c
} ground_tile;

// ---- column.c

// Sorts layers from the lowest, equal ones by piece and surface, and tells which are inside of solids. They must be all
// that there are at the point, up to the sky.
void ground_sort(ground_layer *layers, int count);
// Whether layer i of sorted ones is free ground.
bool ground_is_free(const ground_body *body, const ground_layer *layers, int count, int i);
// Whether sorted layers from `first` on, up to the sky, cross a closed solid that begins below them: an odd number of
// times. What is crossed twice at one height, as along the edge of two triangles or where one is doubled, counts once.
static inline bool ground_is_inside(const ground_layer *layers, int count, int first)
{
    return first < count && layers[first].open > 0;
}
// Finds the surfaces at a point that are not below `low`. False: no memory, and there are none. Close it in any case.
bool ground_column_open(ground_column *column, const ground_view *view, point2 at, double low);
void ground_column_close(ground_column *column);
// The free ground at a point whose height is nearest to y, at most `reach` off. False where there is none.
bool ground_nearest(const ground_view *view, point2 at, double y, double reach, ground_layer *out);

// ---- tile.c

// The tile that a point belongs to.
void ground_tile_at(double x, double z, int *tile_x, int *tile_z);
// All tiles whose borders can change when something within the box does.
ground_tiles ground_tiles_of(lope_vec3 low, lope_vec3 high);
// Gathers the surfaces of a tile. `body` must stay. False: no memory.
bool ground_tile_open(ground_tile *tile, const lope_terrain *terrain, const ground_body *body, int x, int z);
void ground_tile_free(ground_tile *tile);

// ---- borders.c

// Adds the borders of an open tile to *out (ground_border). False: no memory.
bool ground_tile_borders(ground_tile *tile, list *out);

#endif
