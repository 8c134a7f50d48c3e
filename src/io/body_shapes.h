// SPDX-License-Identifier: MIT
// The shapes a body is made of, before they become triangles.
#ifndef LOPE_SRC_IO_BODY_SHAPES_H
#define LOPE_SRC_IO_BODY_SHAPES_H

#include "lope/skeleton.h"

// The hull of two balls, stretched along `side` by `widen`.
typedef struct lope_body_shape {
    int joint;      // what it follows
    lope_vec3 a, b; // centres of the balls
    float radius_a, radius_b;
    lope_vec3 side; // any direction; what is perpendicular to the axis counts
    float widen;
} lope_body_shape;

// At most this many shapes for a skeleton.
static inline size_t lope_body_shape_limit(const lope_skeleton *skeleton)
{
    return 2 * (size_t)skeleton->joint_count + 8;
}

// Fills shapes[lope_body_shape_limit] for a body in the given pose (model space) and returns how many there are, at
// least one. `parts` is room for [joint_count] bytes.
int lope_body_shapes(const lope_skeleton *skeleton, const lope_transform *pose, uint8_t *parts,
                     lope_body_shape *shapes);

#endif
