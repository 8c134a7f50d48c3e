// SPDX-License-Identifier: MIT
// Meshes as boxes: units of blocks are made of boxes, whatever they looked like before.
#ifndef LOPE_SRC_IO_MESH_BOXES_H
#define LOPE_SRC_IO_MESH_BOXES_H

#include "base/list.h"
#include "lope/blocks.h"
#include "lope/terrain.h"

typedef struct mesh_boxes {
    list boxes;  // of lope_box
    float cell;  // metres: side of the columns that they were made of
    float error; // metres that the mesh is outside of them at most
} mesh_boxes;

// Fills a closed mesh, and lays boxes of a few centimetres under the surfaces of an open one. Columns are as narrow as
// 3 cm, and wider where that would take more than MESH_MOST_BOXES. LOPE_BAD_DATA where the mesh has no size or is
// larger than 20 m.
#define MESH_MOST_BOXES 160
lope_status mesh_boxes_fill(const lope_terrain_mesh *mesh, mesh_boxes *out, lope_error *error);

#endif
