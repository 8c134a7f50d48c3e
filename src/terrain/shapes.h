// SPDX-License-Identifier: MIT
// Writing the meshes of shapes: a pen that appends quads, and the kinds that need more than one.
#ifndef LOPE_SRC_TERRAIN_SHAPES_H
#define LOPE_SRC_TERRAIN_SHAPES_H

#include "lope/terrain_shapes.h"

typedef struct shape_pen {
    lope_terrain_mesh *mesh;
    int vertices, triangles; // written so far
} shape_pen;

// Appends a vertex (its index) or triangle.
int shape_vertex(shape_pen *pen, lope_vec3 at);
void shape_triangle(shape_pen *pen, int a, int b, int c);
// Four corners in a row around it, counter-clockwise seen from below: two triangles that face up where it is level.
void shape_quad(shape_pen *pen, lope_vec3 a, lope_vec3 b, lope_vec3 c, lope_vec3 d);

void shape_bumps(const lope_terrain_shape *shape, shape_pen *pen);

void shape_stairs_count(const lope_terrain_shape *shape, double *vertices, double *triangles);
void shape_stairs(const lope_terrain_shape *shape, shape_pen *pen);
lope_vec3 shape_stairs_end(const lope_terrain_shape *shape);

void shape_stones_count(const lope_terrain_shape *shape, double *vertices, double *triangles);
void shape_stones(const lope_terrain_shape *shape, shape_pen *pen);

float shape_spiral_turn(const lope_terrain_shape *shape); // radians per step
void shape_spiral(const lope_terrain_shape *shape, shape_pen *pen);

#endif
