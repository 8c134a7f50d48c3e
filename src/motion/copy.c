// SPDX-License-Identifier: MIT
// Copies of clips: under another name, with room for what the original does not have.
#include <string.h>

#include "lope/edit.h"

lope_status lope_clip_copy(const lope_clip *clip, const char *name, unsigned more, lope_clip **out, lope_error *error)
{
    unsigned flags =
        more | (clip->translations ? LOPE_CLIP_TRANSLATIONS : 0u) | (clip->contacts ? LOPE_CLIP_CONTACTS : 0u);
    lope_status status = lope_clip_create(clip->skeleton, name ? name : clip->name, clip->frame_count, clip->frame_rate,
                                          flags, out, error);
    if (status)
        return status;
    size_t frames = (size_t)clip->frame_count, joints = (size_t)clip->skeleton->joint_count;
    memcpy((*out)->root, clip->root, frames * sizeof *clip->root);
    memcpy((*out)->rotations, clip->rotations, frames * joints * sizeof *clip->rotations);
    if (clip->translations)
        memcpy((*out)->translations, clip->translations, frames * joints * sizeof *clip->translations);
    else if ((*out)->translations) // made at the rest pose: only the root moves
        for (size_t f = 0; f < frames; f++)
            (*out)->translations[f * joints] = clip->root[f];
    if (clip->contacts)
        memcpy((*out)->contacts, clip->contacts, frames * sizeof *clip->contacts);
    return LOPE_OK;
}
