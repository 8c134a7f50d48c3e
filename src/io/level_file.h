// SPDX-License-Identifier: MIT
// What readers of levels share.
#ifndef LOPE_SRC_IO_LEVEL_FILE_H
#define LOPE_SRC_IO_LEVEL_FILE_H

#include "io/affine.h"
#include "lope/level_file.h"

#define LEVEL_LARGEST_FILE ((size_t)1 << 31)

// Where what is read goes.
typedef struct level_target {
    lope_level_file *file;
    lope_level_read_def def;
    lope_transform at;       // of all that comes
    const char *name, *kind; // of the part that asked for the file, "" where it says none
} level_target;

// A part of a mesh file: corners in the file's units and axes, in its world.
typedef struct level_mesh {
    char name[LOPE_PART_NAME], kind[LOPE_PART_NAME];
    affine frame;            // of its node
    lope_terrain_mesh *mesh; // NULL: the usual shape of its kind
} level_mesh;

// level_meshes.c: finds unit and axis of parts that belong together and adds them. Those without area are left out.
lope_status level_add_meshes(const level_target *target, const char *path, level_mesh *meshes, int count,
                             lope_error *error);
// Any mesh file: parts of glTF, one part of others.
lope_status level_read_mesh(const level_target *target, const char *path, lope_error *error);
void level_note(lope_level_file *file, const char *format, ...) LOPE_PRINTF(2, 3);

// level_gltf.c; bytes NULL: those of the file with that name.
lope_status level_read_gltf(const level_target *target, const lope_level_bytes *file, lope_error *error);
// level_json.c
lope_status level_read_json(const level_target *target, const lope_level_bytes *file, lope_error *error);
// level_scenes.c: the other four scene formats; *known is false where it is none of them.
lope_status level_read_scene(const level_target *target, const lope_level_bytes *file, bool *known, lope_error *error);

#endif
