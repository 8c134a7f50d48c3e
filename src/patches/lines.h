// SPDX-License-Identifier: MIT
// The segments of a tile laid into it once, frame by frame, for all who walk there and all who plan to: where the body
// is, and what takes the clip there.
#ifndef LOPE_SRC_PATCHES_LINES_H
#define LOPE_SRC_PATCHES_LINES_H

#include "lope/patches.h"
#include "math/move.h"

typedef struct patch_lines {
    int32_t *first;        // [link_count + 1] of the frames of a link
    lope_ground *grounds;  // where the body is, seen from the middle of the tile by those who came in by side 0
    ground_move *placings; // to there from the clip's world
} patch_lines;

lope_status patch_lines_create(const lope_tile *tile, patch_lines *out, lope_error *error);
void patch_lines_destroy(patch_lines *lines);

#endif
