// SPDX-License-Identifier: MIT
// Which reader a file belongs to.
#ifndef LOPE_SRC_IO_IMPORT_H
#define LOPE_SRC_IO_IMPORT_H

typedef enum lope_clip_format {
    LOPE_FORMAT_UNKNOWN,
    LOPE_FORMAT_BVH,
    LOPE_FORMAT_LOPE,
    LOPE_FORMAT_SCENE // FBX and glTF, through assimp
} lope_clip_format;

// By the ending of the name, in any case.
lope_clip_format lope_clip_format_of(const char *path);

#endif
