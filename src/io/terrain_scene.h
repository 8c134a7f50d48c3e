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
    // Takes a mesh or field, the other is NULL; where this is not there, the scene's terrain does.
    lope_status (*take)(struct ground_reader *reader, const lope_terrain_mesh *mesh, const lope_terrain_field *field,
                        lope_error *error);
    void *user;
} ground_reader;

// Reads a shape, a mesh or a field and adds it to the scene's terrain.
bool terrain_read_piece(ground_reader *reader);
// Pieces by number: what they are called, in the order of numbers, and reading what follows that word.
enum { TERRAIN_PIECE_FIELD = LOPE_SHAPE_COUNT, TERRAIN_PIECE_MESH, TERRAIN_PIECE_KINDS };
const char *terrain_piece_name(int kind);
bool terrain_read_kind(ground_reader *reader, int kind);
// Repeats what another part of the library said, at a mark. Returns false.
bool json_refused(json_reader *json, size_t mark, lope_status status, const lope_error *why);
// The name of a file beside the one that is read. False where it is too long.
bool json_beside(const json_reader *json, const char *file, char *out, size_t size);

#endif
