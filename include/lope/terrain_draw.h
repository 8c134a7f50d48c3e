// SPDX-License-Identifier: MIT
// Pictures of terrain as SVG (offline library): from above with shading and contours, and cut open along a path, with
// what walked there.
#ifndef LOPE_TERRAIN_DRAW_H
#define LOPE_TERRAIN_DRAW_H

#include "lope/skeleton.h"
#include "lope/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where a foot stood: the middle of its sole.
typedef struct lope_drawn_print {
    lope_vec3 at;
    float yaw;
    lope_side side;
} lope_drawn_print;

// A way through space, such as that of an ankle or the hips.
typedef struct lope_drawn_track {
    const lope_vec3 *points;
    int count;
    int side; // a lope_side, or -1: the middle of the body
} lope_drawn_track;

typedef struct lope_terrain_picture {
    const char *title;
    int width;     // pixels, 240 to 20000
    bool dark;     // light lines on dark ground
    bool top;      // the view from above
    bool profile;  // the cut along the path, where there is one
    float contour; // metres between contours; 0: chosen, negative: none
    const lope_vec2 *path;
    int path_count;
    float path_height; // roughly where the path begins, for ground that lies above itself; NAN: at its top
    const lope_drawn_print *prints;
    int print_count;
    const lope_drawn_track *tracks;
    int track_count;
} lope_terrain_picture;

LOPE_API lope_terrain_picture lope_terrain_picture_default(void);
// LOPE_BAD_DATA: the terrain is empty, the width out of range, or there is nothing to draw.
LOPE_API lope_status lope_draw_terrain(const lope_terrain *terrain, const lope_terrain_picture *picture,
                                       const char *file, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
