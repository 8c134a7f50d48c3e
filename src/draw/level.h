// SPDX-License-Identifier: MIT
// What the files of the level picture share.
#ifndef LOPE_SRC_DRAW_LEVEL_H
#define LOPE_SRC_DRAW_LEVEL_H

#include "base/list.h"
#include "draw/strobe.h"
#include "lope/level_draw.h"

// Somebody at one moment.
typedef struct level_body {
    strobe_body body;
    lope_vec3 feet; // the lowest place of the body
} level_body;

typedef struct level_page {
    picture page; // its theme, text and top
    const lope_level *level;
    const lope_floors *floors;
    const lope_level_picture *asked;
    lope_vec3 low, high;
    float piece;          // metres: the longest side of what triangles are drawn in
    float smallest_piece; // the same of what is hidden in part
    strobe_camera camera;
    level_body *bodies; // [body_count]
    int body_count;
    body_shape *shapes; // of all bodies
    // plans
    double scale;
    float cell;
    int columns, rows;
    list cells;  // of plan_cell
    int *storey; // [floor count] -1: none yet
} level_page;

// level_bodies.c: makes the bodies of the clip, and narrows `low` and `high` to what is around them where that is
// asked.
lope_status level_bodies_make(level_page *p, lope_error *error);
void level_bodies_free(level_page *p);

#endif
