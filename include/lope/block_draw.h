// SPDX-License-Identifier: MIT
// Pictures of worlds of blocks as SVG, seen at an angle from above (offline library).
#ifndef LOPE_BLOCK_DRAW_H
#define LOPE_BLOCK_DRAW_H

#include "lope/block_world.h"

#ifdef __cplusplus
extern "C" {
#endif

// A way through the world, along the ground.
typedef struct lope_block_way {
    const lope_vec3 *points;
    int count;
} lope_block_way;

typedef struct lope_block_picture {
    const char *title;
    int width;                    // pixels, 240 to 20000
    bool dark;                    // light lines on dark ground
    float yaw;                    // radians the world is turned by before one looks at it
    float tilt;                   // radians that one looks down; 0.5 or so
    const lope_transform *bodies; // [body_count * joints] poses in the world
    int body_count;
    bool one_body;              // bodies are the same one at several moments
    const lope_block_way *ways; // drawn in the colours of the bodies with the same numbers
    int way_count;
} lope_block_picture;
LOPE_API lope_block_picture lope_block_picture_default(void);

// Floors, things, ways and bodies; what is nearer covers what is farther.
LOPE_API lope_status lope_draw_block_world(const lope_block_world *world, const lope_block_picture *picture,
                                           const char *file, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
