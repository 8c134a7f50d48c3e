// SPDX-License-Identifier: MIT
// A plain human-looking mesh for any skeleton: rounded cones around the bones, each following one joint.
#ifndef LOPE_SRC_IO_BODY_MESH_H
#define LOPE_SRC_IO_BODY_MESH_H

#include "lope/clip.h"

// As it lies in a GLB vertex buffer: 36 bytes.
typedef struct lope_body_vertex {
    lope_vec3 position; // in the rest pose's model space
    lope_vec3 normal;   // unit
    uint16_t joints[4]; // the first one moves the vertex, the others are 0
    uint8_t weights[4]; // 255, 0, 0, 0
} lope_body_vertex;

typedef struct lope_body_mesh {
    lope_body_vertex *vertices;
    uint32_t *indices; // triangles, counter-clockwise seen from outside
    size_t vertex_count;
    size_t index_count;
} lope_body_mesh;

// Builds the body of the clip's skeleton. The rest pose shapes it where that stands upright; otherwise (some files
// lay every bone along one axis) the clip's first frame tells which way the body's sides are.
lope_status lope_body_mesh_create(const lope_clip *clip, lope_body_mesh *out, lope_error *error);
void lope_body_mesh_free(lope_body_mesh *mesh);

#endif
