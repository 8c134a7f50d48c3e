// SPDX-License-Identifier: MIT
// Ground on a grid, looked at where it is asked for: to follow passages and uneven ground, which have no straight
// edges.
#ifndef LOPE_SRC_LEVEL_CELLS_H
#define LOPE_SRC_LEVEL_CELLS_H

#include "level/links.h"

typedef struct cell {
    int x, z;
    float y, headroom;    // y is NaN where a column has no ground
    float tilt_x, tilt_z; // metres that it rises per metre, of grids with tilt
    float cost;           // of searches
    int next, from;       // of the same column; of searches
    int region;           // that it was put into, or -1
    int beside[8];        // once looked at, else CELLS_UNKNOWN
    bool low;             // too low to walk
    int8_t wide;          // whether a disc has room: 1 or 0, -1 not known yet
    int8_t clear;         // see cells_is_clear: the same
} cell;

#define CELLS_TOO_MANY (-2) // a region that is too large to look at
#define CELLS_UNKNOWN (-2)

typedef struct cells {
    const links_source *source;
    double size; // metres
    bool with_tilt;
    list all;   // cell
    int *table; // columns by hash: the first cell of each
    int room;
    bool failed;
} cells;

bool cells_create(const links_source *source, double size, bool with_tilt, cells *out);
void cells_destroy(cells *g);
static inline cell *cells_at(const cells *g, int i)
{
    return &((cell *)g->all.items)[i];
}
static inline int cells_index(const cells *g, double x)
{
    const double i = x / g->size;
    return (int)(i < 0.0 ? i - 1.0 : i);
}
point2 cells_middle(const cells *g, int x, int z);
// The lowest ground of a column, which the others follow by `next`; -1: no memory.
int cells_first(cells *g, int x, int z);
// The ground of a column nearest to y, at most a step off; -1: none.
int cells_find(cells *g, int x, int z, double y);
// The ground beside a cell in one of eight directions, even numbers straight, that no wall is in front of; -1: none.
int cells_beside(cells *g, int from, int direction);

// Whether there is nothing at knee height around a cell, a little farther than to the cells beside it.
bool cells_is_clear(cells *g, int i);

// Puts cells into the order of their places. False: no memory.
bool cells_sort(const cells *g, list *ids);
// Gives up a region.
void cells_leave(const cells *g, const list *region);
// The place, at most `reach` from a cell, where a disc can stand: walking ground nearest to it. False: none.
bool cells_landing(cells *g, int from, double reach, lope_vec3 *out);
// The direction in which the least rectangle around sorted cells lies; *from and *to are its corners in that frame.
point2 cells_rectangle(cells *g, const list *region, point2 *from, point2 *to);

#endif
