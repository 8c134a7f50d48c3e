// SPDX-License-Identifier: MIT
// What scenes from files and scenes made around a mesh share.
#ifndef LOPE_SRC_IO_TERRAIN_SCENE_H
#define LOPE_SRC_IO_TERRAIN_SCENE_H

#include "io/json_values.h"
#include "lope/terrain_scene.h"

// Finds the height of the ground at the start; the terrain's top where there is none.
void terrain_scene_settle(lope_terrain_scene *scene);

// While a scene is read.
typedef struct ground_reader {
    json_reader json;
    lope_terrain_scene *scene;
    lope_transform end; // of the last shape
    int triangles, path_capacity;
} ground_reader;

// Reads a shape, a mesh or a field and adds it to the scene's terrain.
bool terrain_read_piece(ground_reader *reader);

#endif
