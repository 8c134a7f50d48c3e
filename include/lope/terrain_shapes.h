// SPDX-License-Identifier: MIT
// Ground to walk on, made from a few numbers: bumps, stairs, stones. The same numbers give the same mesh everywhere.
#ifndef LOPE_TERRAIN_SHAPES_H
#define LOPE_TERRAIN_SHAPES_H

#include "lope/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lope_terrain_shape_kind {
    LOPE_SHAPE_FLAT,   // a rectangle
    LOPE_SHAPE_RAMP,   // a rectangle that climbs by `height` along its length
    LOPE_SHAPE_BUMPS,  // rolling ground, `columns` x `rows` cells of two triangles
    LOPE_SHAPE_STAIRS, // flights of steps, up and down in turn, with landings between them
    LOPE_SHAPE_STONES, // flat stones with nothing between them
    LOPE_SHAPE_SPIRAL, // stairs around an axis, counter-clockwise seen from above as they climb
    LOPE_SHAPE_COUNT
} lope_terrain_shape_kind;

// Shapes begin at `place`, the middle of their near edge, and go towards +Z, turned by `yaw`. A spiral stands around
// `place` and begins on its +X side.
typedef struct lope_terrain_shape {
    lope_terrain_shape_kind kind;
    lope_vec3 place;
    float yaw;
    uint64_t seed;       // of bumps, stairs and stones
    float width, length; // metres; the length of stairs follows from their steps
    float height;        // ramp: climb; bumps: from the deepest to the highest, about; stones: likewise
    float irregular;     // stairs and stones: 0 all alike, 1 wild
    int columns, rows;   // bumps
    float wavelength;    // bumps: metres from bump to bump
    int steps;           // stairs: of a flight; spiral: all
    int flights;         // stairs
    float rise, tread;   // stairs and spiral: height and depth of a step; of a spiral at its outer rim
    float landing;       // stairs: metres of level ground before, between and after flights
    float gap, radius;   // stones: between their rims, and of them
    float inner, outer;  // spiral: radii
} lope_terrain_shape;

// Sensible numbers of each kind: bumps of 10,000 triangles, stones 0.3 m apart.
LOPE_API lope_terrain_shape lope_terrain_shape_default(lope_terrain_shape_kind kind);
// "flat", "ramp", "bumps", "stairs", "stones", "spiral".
LOPE_API const char *lope_terrain_shape_name(lope_terrain_shape_kind kind);
// Where the next shape may follow on: the middle of the far edge (of a spiral: of the last step), and the yaw there.
LOPE_API lope_transform lope_terrain_shape_end(const lope_terrain_shape *shape);
// LOPE_BAD_DATA names the number that is out of its range.
LOPE_API lope_status lope_terrain_shape_mesh(const lope_terrain_shape *shape, lope_terrain_mesh **out,
                                             lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
