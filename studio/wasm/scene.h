// SPDX-License-Identifier: MIT
// Scenes on flat ground, described piece by piece: the page reads the JSON files.
#ifndef STUDIO_SCENE_H
#define STUDIO_SCENE_H

#include "lope/scene.h"
#include "studio.h"

// Bounded between two corners, and room for as many things as follow.
LOPE_API lope_scene *studio_scene_create(float low_x, float low_z, float high_x, float high_z, int obstacles,
                                         int corners, int areas, int flows);
LOPE_API void studio_scene_destroy(lope_scene *scene);
LOPE_API void studio_scene_box(lope_scene *scene, float x, float z, float width, float depth, float yaw);
LOPE_API void studio_scene_cylinder(lope_scene *scene, float x, float z, float radius);
// `corners`: x z of each.
LOPE_API void studio_scene_polygon(lope_scene *scene, const float *corners, int count);
LOPE_API void studio_scene_area(lope_scene *scene, float low_x, float low_z, float high_x, float high_z);
// From one area to another, by way of up to LOPE_SCENE_MAX_VIA places.
LOPE_API void studio_scene_flow(lope_scene *scene, int from, int to, const float *via, int via_count, float weight,
                                bool stop, float pause);
LOPE_API void studio_scene_spawn_anywhere(lope_scene *scene, bool anywhere);

#endif
