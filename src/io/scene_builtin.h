// SPDX-License-Identifier: MIT
// The files of scenes/ and its folders, as the build puts them into the library.
#ifndef LOPE_SRC_IO_SCENE_BUILTIN_H
#define LOPE_SRC_IO_SCENE_BUILTIN_H

#include "lope/base.h"

typedef struct scene_builtin {
    const char *name;
    const unsigned char *text;
    size_t size;
} scene_builtin;

extern const scene_builtin scene_builtins[];
extern const int scene_builtin_count;
extern const scene_builtin climb_builtins[];
extern const int climb_builtin_count;
extern const scene_builtin terrain_builtins[];
extern const int terrain_builtin_count;
extern const scene_builtin level_builtins[];
extern const int level_builtin_count, level_builtin_own; // worlds of blocks come after those that are levels only

// The one of that name, or NULL and an error that names those there are; `kind` is what they are, e.g. "scene".
const scene_builtin *scene_builtin_find(const scene_builtin *all, int count, const char *kind, const char *name,
                                        lope_error *error);

#endif
