// SPDX-License-Identifier: MIT
// Own characters: the skeleton of a skinned glTF file, and the same file with animations added (offline library).
//
// The file stays as its maker left it: nodes, meshes, materials, textures, skins, cameras, extras and every byte of
// their buffers are written back unchanged. Only animations come on top.
#ifndef LOPE_AVATAR_H
#define LOPE_AVATAR_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_avatar_def {
    const char *skin;      // which character, where a file shows several: the name of a skin; NULL: the only one
    const char *root_bone; // NULL: the hips carry the body over the ground. Otherwise a bone above the hips does, as in
                           // lope_clip_root_bone: the node of that name, or a new joint where there is none. "": the
                           // topmost joint above the hips, or a new joint "root"
    const int *roles;      // [LOPE_ROLE_COUNT] joints as the skeleton without a new root bone counts them, or -1; NULL:
                           // found by names and shape
} lope_avatar_def;
LOPE_API lope_avatar_def lope_avatar_def_default(void);

// A character in memory. Read the fields freely; threads may share it.
typedef struct lope_avatar {
    lope_skeleton *skeleton; // in metres, Y up, as it stands in the file's scene; at rest as it was bound to its skin
    const int *nodes;        // [joint_count] which node of the file each joint is; -1: the root bone that saving adds
    int root_bone;           // joint that carries the body over the ground; -1: the hips do
    int skin_count;          // skins that hang on the skeleton
    int vertex_count;        // of the meshes under these skins
    int animation_count;     // that the file has already
    struct lope_avatar_file *file; // private
} lope_avatar;

// Opens a character of a glTF 2.0 file (.glb, or .gltf with its buffers). `def` may be NULL. LOPE_BAD_DATA where the
// file is damaged, has no skin, or shows several characters and `def` names none of them; LOPE_NOT_FOUND for a skin
// that is not there; LOPE_UNSUPPORTED for a skeleton that is scaled differently along its axes; LOPE_MISMATCH where a
// root bone is asked for and the skeleton has no legs, or the node of that name is not above the hips. End it with
// lope_avatar_close.
LOPE_API lope_status lope_avatar_open(const char *path, const lope_avatar_def *def, lope_avatar **out,
                                      lope_error *error);
// The same from memory, which may go afterwards. `name` stands in messages; buffers beside the file are looked for
// where it says.
LOPE_API lope_status lope_avatar_open_memory(const void *bytes, size_t size, const char *name,
                                             const lope_avatar_def *def, lope_avatar **out, lope_error *error);
LOPE_API void lope_avatar_close(lope_avatar *avatar);

typedef struct lope_avatar_save_def {
    bool replace; // drop the animations that the file has; otherwise they stay in front of the new ones
} lope_avatar_save_def;

// Writes the character as a GLB file with one animation per clip, under the clip's name, numbered where that is taken.
// Clips must be of the character's skeleton, else LOPE_MISMATCH: lope_clip_retarget brings them there. `def` may be
// NULL. No clips: the file as it is, in one piece. LOPE_UNSUPPORTED where the file would exceed 4 GiB, or nodes scale
// the skeleton to nothing; LOPE_BAD_DATA where a new root bone's name is not UTF-8. Writes nothing on failure.
LOPE_API lope_status lope_avatar_save(const lope_avatar *avatar, const lope_clip *const *clips, int clip_count,
                                      const lope_avatar_save_def *def, const char *path, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
