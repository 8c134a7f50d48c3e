// SPDX-License-Identifier: MIT
// Clips from any file or folder the library knows: BVH and .lope always, FBX and glTF where assimp was there at
// build time (offline library).
#ifndef LOPE_IMPORT_H
#define LOPE_IMPORT_H

#include "lope/bvh.h"
#include "lope/set.h"

#ifdef __cplusplus
extern "C" {
#endif

// True when FBX and glTF can be read.
LOPE_API bool lope_import_has_assimp(void);

// Reads all clips of one file, by its ending (any case): at least one. A BVH holds one, an FBX or GLB one per
// animation, or without animation its rest pose as a clip of one frame (`report` says so), a .lope file all of its set.
// `def` and `report` may be NULL. Of `def`, a .lope file heeds frame_rate and roles: it is in metres with Y up, and
// what it should not hold was left out when it was made. T-poses are looked for in BVH files only; LOPE_TPOSE_DROP
// drops frame 0 of FBX and glTF too. LOPE_UNSUPPORTED where this build cannot read such files. Release everything with
// lope_clips_free.
LOPE_API lope_status lope_import(const char *path, const lope_read_def *def, lope_clip ***clips, int *clip_count,
                                 lope_read_report *report, lope_error *error);
// Destroys the clips and the array.
LOPE_API void lope_clips_free(lope_clip **clips, int clip_count);

// Paths of the clip files under a folder, sorted by name, subfolders included; or the path itself if it is a file.
// LOPE_NOT_FOUND where there is none. Release with lope_paths_free.
LOPE_API lope_status lope_find_clips(const char *path, char ***paths, int *count, lope_error *error);
LOPE_API void lope_paths_free(char **paths, int count);

// Reads {"hips": "Pelvis", "left knee": "LeftShin", ...} for a skeleton into roles[LOPE_ROLE_COUNT]; roles that the
// file does not name keep what `skeleton` found.
LOPE_API lope_status lope_roles_read(const char *path, const lope_skeleton *skeleton, int roles[LOPE_ROLE_COUNT],
                                     lope_error *error);
// The same from memory; `text` ends with a zero byte behind its `size`. `name` stands in messages.
LOPE_API lope_status lope_roles_read_memory(const char *text, size_t size, const char *name,
                                            const lope_skeleton *skeleton, int roles[LOPE_ROLE_COUNT],
                                            lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
