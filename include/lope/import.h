// SPDX-License-Identifier: MIT
// Clips from any file or folder the library knows: BVH and .lope always, FBX and glTF where assimp was there at
// build time (offline library).
#ifndef LOPE_IMPORT_H
#define LOPE_IMPORT_H

#include "lope/bvh.h"
#include "lope/jobs.h"
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

// Files that are read as one library: what they do not say is decided together, so that clips of one skeleton cannot be
// read with different axes, units or feet. Files are looked at once when the library is made, and read one by one
// later.
typedef struct lope_library lope_library;

typedef struct lope_library_def {
    const char *const *paths;      // [path_count] files, as lope_import takes them; copied
    int path_count;                // >= 1
    lope_read_def read;            // what is known; roles stay NULL
    const char *roles_path;        // NULL, or a file for lope_roles_read that holds for all; the name is copied
    lope_jobs *jobs;               // NULL: one thread. Results are the same for any number of them
    const lope_progress *progress; // NULL: no reports
} lope_library_def;

// What was decided about files that show one body: the same joints, names and lengths of bones. BVH files and scenes
// (FBX, glTF) are bodies apart; what a scene states of its axes and its unit stands.
typedef struct lope_library_body {
    int first_file; // index of the first of them
    int file_count;
    float scale; // metres per unit
    bool scale_guessed;
    lope_axis up; // decided for all files with the same joints and names, whatever their sizes
    bool up_guessed;
    int other_axis; // files that would have been read with another axis up if alone
    bool stood_up;  // the rest pose is no stance and was replaced by how the body stands
    bool feet_found;
    lope_role_source role_source;
} lope_library_body;

// Looks at all files. Files that cannot be read do not count: reading them fails again, and says why. LOPE_NOT_FOUND
// where there are no paths, LOPE_BAD_DATA where a number of `def->read` is impossible, LOPE_INTERRUPTED where progress
// says so. `def` may go afterwards.
LOPE_API lope_status lope_library_create(const lope_library_def *def, lope_library **out, lope_error *error);
LOPE_API void lope_library_destroy(lope_library *library);

// What was decided, body by body; the pointer lives as long as the library.
LOPE_API const lope_library_body *lope_library_bodies(const lope_library *library, int *count);

// Reads file number `file` as lope_import does, but as was decided. Threads may share the library. LOPE_BAD_DATA where
// the file shows another body than when the library was made.
LOPE_API lope_status lope_library_read(const lope_library *library, int file, lope_clip ***clips, int *clip_count,
                                       lope_read_report *report, lope_error *error);

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
