// SPDX-License-Identifier: MIT
// Pictures of worlds of blocks as SVG, seen at an angle from above (offline library).
#ifndef LOPE_BLOCK_DRAW_H
#define LOPE_BLOCK_DRAW_H

#include "lope/block_world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_block_picture {
    const char *title;
    int width;                    // pixels, 240 to 20000
    bool dark;                    // light lines on dark ground
    float yaw;                    // radians the world is turned by before one looks at it
    float tilt;                   // radians that one looks down; 0.5 or so
    const lope_transform *bodies; // [body_count * joints] poses in the world
    int body_count;
} lope_block_picture;
LOPE_API lope_block_picture lope_block_picture_default(void);

// Floors, things and bodies; what is nearer covers what is farther.
LOPE_API lope_status lope_draw_block_world(const lope_block_world *world, const lope_block_picture *picture,
                                           const char *file, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
