// SPDX-License-Identifier: MIT
// Following a segment frame by frame: its source's steps, bent and shifted.
#ifndef LOPE_SRC_PATCHES_SEGMENT_H
#define LOPE_SRC_PATCHES_SEGMENT_H

#include "lope/patches.h"

typedef struct segment_cursor {
    int frame;      // of the segment
    float walked;   // metres of the source up to here
    lope_ground at; // where the segment is, seen from the gate it begins in
} segment_cursor;

// `track`: ground frames of the segment's source from its first frame on, in the clip's world.
LOPE_API segment_cursor lope_segment_begin(const lope_segment *segment);
// One frame on; not past the last.
LOPE_API void lope_segment_advance(const lope_segment *segment, const lope_ground *track, segment_cursor *cursor);
// The same without a track, from the ground frames of the segment's first frame, of this one and of the next one.
LOPE_API void lope_segment_step(const lope_segment *segment, lope_ground first, lope_ground now, lope_ground next,
                                segment_cursor *cursor);

#endif
