// SPDX-License-Identifier: MIT
#include "patches/tracks.h"

#include "base/error.h"
#include "base/memory.h"
#include "lope/ground.h"

lope_status lope_patch_tracks_create(const lope_set *set, patch_tracks *out, lope_error *error)
{
    size_t clips = (size_t)set->clip_count, frames = 0;
    for (size_t c = 0; c < clips; c++)
        frames += (size_t)set->clips[c]->frame_count;
    patch_tracks made = {lope_alloc_array(frames, sizeof *made.grounds),
                         lope_alloc_array(clips + 1, sizeof *made.first)};
    if (!made.grounds || !made.first) {
        lope_patch_tracks_destroy(&made);
        return lope_fail_memory(error);
    }
    int32_t at = 0;
    for (size_t c = 0; c < clips; c++) {
        made.first[c] = at;
        for (int frame = 0; frame < set->clips[c]->frame_count; frame++)
            made.grounds[at++] = lope_clip_ground(set->clips[c], frame);
    }
    made.first[clips] = at;
    *out = made;
    return LOPE_OK;
}

void lope_patch_tracks_destroy(patch_tracks *tracks)
{
    lope_free(tracks->grounds);
    lope_free(tracks->first);
    *tracks = (patch_tracks){NULL, NULL};
}
