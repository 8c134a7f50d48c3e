// SPDX-License-Identifier: MIT
// Where every frame of every clip of a set stands: what following segments reads, instead of poses.
#ifndef LOPE_SRC_PATCHES_TRACKS_H
#define LOPE_SRC_PATCHES_TRACKS_H

#include "lope/set.h"

typedef struct patch_tracks {
    lope_ground *grounds; // of all frames, clip after clip
    int32_t *first;       // [clip_count + 1]
} patch_tracks;

LOPE_API lope_status lope_patch_tracks_create(const lope_set *set, patch_tracks *out, lope_error *error);
LOPE_API void lope_patch_tracks_destroy(patch_tracks *tracks);

static inline const lope_ground *patch_track(const patch_tracks *tracks, int clip, int frame)
{
    return tracks->grounds + tracks->first[clip] + frame;
}

#endif
