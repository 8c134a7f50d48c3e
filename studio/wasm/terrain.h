// SPDX-License-Identifier: MIT
// Ground to walk on: read from scene files, raised and lowered by a brush, asked and drawn.
#ifndef STUDIO_TERRAIN_H
#define STUDIO_TERRAIN_H

#include "lope/terrain_scene.h"
#include "studio.h"

// A terrain scene as the tool reads it, with the same messages. Large triangles are cut into smaller ones, or a brush
// could not shape them.
LOPE_API lope_terrain_scene *studio_ground_read(const char *text, size_t size, const char *name);
LOPE_API void studio_ground_destroy(lope_terrain_scene *scene);
LOPE_API lope_terrain *studio_ground_terrain(const lope_terrain_scene *scene);
// Where a character begins: x z yaw, and the height of the ground there.
LOPE_API void studio_ground_start(const lope_terrain_scene *scene, float *out);
// The way through: x z of each place. Returns how many there are and writes the first `capacity`.
LOPE_API int studio_ground_path(const lope_terrain_scene *scene, float *out, int capacity);

// Lifts what lies within `radius` by `height` in its middle; negative lowers.
LOPE_API lope_status studio_terrain_raise(lope_terrain *terrain, float x, float z, float radius, float height);

// All triangles: nine floats each. Returns how many there are and writes the first `capacity`.
LOPE_API int studio_terrain_triangles(const lope_terrain *terrain, float *out, int capacity);
// Corners of the box around everything, low x y z and high x y z. False where there is nothing.
LOPE_API bool studio_terrain_bounds(const lope_terrain *terrain, float *out);
// Where a ray first meets the ground: x y z.
LOPE_API bool studio_terrain_ray(const lope_terrain *terrain, float x, float y, float z, float to_x, float to_y,
                                 float to_z, float *out);
// The height of the ground below a place, looked for from `from` down; NaN where there is none.
LOPE_API float studio_terrain_below(const lope_terrain *terrain, float x, float from, float z);

#endif
