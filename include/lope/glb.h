// SPDX-License-Identifier: MIT
// GLB (binary glTF 2.0) out: a skinned body of capsules, one animation per clip (offline library).
#ifndef LOPE_GLB_H
#define LOPE_GLB_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

// Writes clips of one skeleton into one file: skin with inverse bind matrices, a capsule body that is visible
// everywhere, an animation per clip; contacts and the root's ground track are in each animation's extras.
LOPE_API lope_status lope_glb_write(const lope_clip *const *clips, int clip_count, const char *path, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
