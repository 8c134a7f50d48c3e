// SPDX-License-Identifier: MIT
// Pictures of levels as SVG (offline library): in perspective, and a plan of every storey, with links and holds.
#ifndef LOPE_LEVEL_DRAW_H
#define LOPE_LEVEL_DRAW_H

#include "lope/clip.h"
#include "lope/floors.h"
#include "lope/terrain_draw.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_level_picture {
    const char *title;
    int width;              // pixels, 240 to 20000
    bool dark;              // light lines on dark ground
    bool perspective, plan; // what is drawn; without perspective above 40,000 triangles
    float cut;              // metres: in perspective, what is above this height is cut off; INFINITY: nothing
    const lope_link *links; // may be NULL
    int link_count;
    const lope_level_hold *holds; // may be NULL
    int hold_count;
    const lope_vec3 *mark; // a place to show; may be NULL
    // Somebody's motion, drawn as a body every `interval` seconds from `start` to `end` (0.5, all of it); NULL: nobody.
    const lope_clip *clip;
    double interval, start, end;
    float around;                   // metres: only what is so near to those bodies is drawn; INFINITY: all of the level
    const lope_drawn_track *tracks; // ways, of others too; may be NULL
    int track_count;
} lope_level_picture;

LOPE_API lope_level_picture lope_level_picture_default(void);
// LOPE_BAD_DATA: the level is empty, or the width out of range.
LOPE_API lope_status lope_draw_level(const lope_level *level, const lope_floors *floors,
                                     const lope_level_picture *picture, const char *file, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
