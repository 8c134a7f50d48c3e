// SPDX-License-Identifier: MIT
#include "patches/lines.h"

#include "base/error.h"
#include "base/memory.h"
#include "patches/segment.h"
#include "patches/tracks.h"

static void lay(const lope_tile *tile, const patch_tracks *tracks, int link, const patch_lines *out)
{
    const lope_segment *segment = &tile->segments[tile->links[link].segment];
    const lope_ground *track = patch_track(tracks, segment->clip, segment->first);
    lope_ground gate = tile->gates[tile->links[link].from].at;
    segment_cursor cursor = lope_segment_begin(segment);
    for (int frame = 0; frame < segment->frames; frame++) {
        lope_ground at = lope_ground_mul(gate, cursor.at);
        ground_move source = ground_move_of(track[frame]);
        out->grounds[out->first[link] + frame] = at;
        out->placings[out->first[link] + frame] = ground_move_mul(ground_move_of(at), ground_move_inverse(source));
        if (frame + 1 < segment->frames)
            lope_segment_advance(segment, track, &cursor);
    }
}

lope_status patch_lines_create(const lope_tile *tile, patch_lines *out, lope_error *error)
{
    size_t links = (size_t)tile->link_count, frames = 0;
    for (size_t l = 0; l < links; l++)
        frames += (size_t)tile->segments[tile->links[l].segment].frames;
    *out =
        (patch_lines){lope_alloc_array(links + 1, sizeof *out->first), lope_alloc_array(frames, sizeof *out->grounds),
                      lope_alloc_array(frames, sizeof *out->placings)};
    if (frames > INT32_MAX || !out->first || !out->grounds || !out->placings)
        return lope_fail_memory(error);
    patch_tracks tracks;
    lope_status status = lope_patch_tracks_create(tile->set, &tracks, error);
    if (status)
        return status;
    out->first[0] = 0;
    for (int l = 0; l < tile->link_count; l++) {
        out->first[l + 1] = out->first[l] + tile->segments[tile->links[l].segment].frames;
        lay(tile, &tracks, l, out);
    }
    lope_patch_tracks_destroy(&tracks);
    return LOPE_OK;
}

void patch_lines_destroy(patch_lines *lines)
{
    lope_free(lines->first);
    lope_free(lines->grounds);
    lope_free(lines->placings);
    *lines = (patch_lines){NULL, NULL, NULL};
}
