// SPDX-License-Identifier: MIT
// Borders that stand for something in another world: what came, what stayed and what went since the last time.
#ifndef LOPE_SRC_LEVEL_BORDER_LINES_H
#define LOPE_SRC_LEVEL_BORDER_LINES_H

#include "base/list.h"
#include "lope/floors.h"

typedef struct border_line {
    lope_vec3 from, to; // what is in the way lies to the right, as of lope_floor_border
    float height;       // of what is in the way, metres
    uint64_t handle;    // what stands for it; 0: nothing yet
} border_line;

typedef struct border_lines {
    list now, next; // border_line; `next` is where the caller gathers those that should be there
} border_lines;

// How a world takes lines. Handles are not 0.
typedef struct border_world {
    lope_status (*add)(void *user, const border_line *line, uint64_t *handle, lope_error *error);
    void (*remove)(void *user, uint64_t handle);
    void *user;
} border_world;

// Removes what is not among the next lines, adds what is new, and empties `next`. What cannot be added is left out, and
// is new the next time.
lope_status border_lines_update(border_lines *lines, const border_world *world, lope_error *error);
void border_lines_free(border_lines *lines);

#endif
