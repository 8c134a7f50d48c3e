// SPDX-License-Identifier: MIT
// What readers of levels share.
#ifndef LOPE_SRC_IO_LEVEL_FILE_H
#define LOPE_SRC_IO_LEVEL_FILE_H

#include "io/affine.h"
#include "lope/level_file.h"

#define LEVEL_LARGEST_FILE ((size_t)1 << 31)
#define LEVEL_MOST_TRIANGLES (1 << 25)

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

// level_gltf.c
lope_status level_read_gltf(const level_target *target, const void *bytes, size_t size, const char *path,
                            lope_error *error);
// level_json.c
lope_status level_read_json(const level_target *target, const char *text, size_t size, const char *path,
                            lope_error *error);
// level_scenes.c: the other four scene formats; *known is false where it is none of them.
typedef struct level_text {
    const char *text;
    size_t size;
    const char *path;
} level_text;
lope_status level_read_scene(const level_target *target, const level_text *t, bool *known, lope_error *error);

#endif
