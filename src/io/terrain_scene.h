// SPDX-License-Identifier: MIT
// What scenes from files and scenes made around a mesh share.
#ifndef LOPE_SRC_IO_TERRAIN_SCENE_H
#define LOPE_SRC_IO_TERRAIN_SCENE_H

#include "lope/terrain_scene.h"

// Finds the height of the ground at the start; the terrain's top where there is none.
void terrain_scene_settle(lope_terrain_scene *scene);

#endif
