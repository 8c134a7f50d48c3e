// SPDX-License-Identifier: MIT
// Which reader a file belongs to.
#ifndef LOPE_SRC_IO_IMPORT_H
#define LOPE_SRC_IO_IMPORT_H

#include "io/body_evidence.h"
#include "io/bvh_read.h"

typedef enum lope_clip_format {
    LOPE_FORMAT_UNKNOWN,
    LOPE_FORMAT_BVH,
    LOPE_FORMAT_LOPE,
    LOPE_FORMAT_SCENE // FBX and glTF, through assimp
} lope_clip_format;

// By the ending of the name, in any case.
lope_clip_format lope_clip_format_of(const char *path);

// FBX and glTF files of a library, as lope_bvh_look and lope_bvh_read_decided. What is seen is already in metres, and Y
// is up where the file or the caller says so. A rig without animation shows nothing: its evidence has no skeleton.
typedef struct scene_look {
    lope_evidence evidence;
    lope_read_report report;
} scene_look;
lope_status lope_scene_look(const char *path, const lope_read_def *def, const char *roles_path, scene_look *out,
                            lope_error *error);
lope_status lope_scene_read_decided(const char *path, const read_job *job, lope_clip ***clips, int *clip_count,
                                    lope_error *error);

#endif
