// SPDX-License-Identifier: MIT
// Fitting pieces of clips between gates by bounded edits.
#ifndef LOPE_SRC_PATCHES_BUILD_FIT_H
#define LOPE_SRC_PATCHES_BUILD_FIT_H

#include "patches/build/passes.h"

typedef struct fit_limits {
    float max_shift, max_bend; // per metre walked
    float shift, bend;         // metres and radians that are always allowed
    int own_clips; // clips from here on are filled in and only used where others fit much worse; 0: none are
} fit_limits;

// Whether a fitted segment may be used, e.g. because it stays inside the tile.
typedef bool fit_allows(const void *user, const lope_segment *segment);

// The piece that gets from a pose of kind `from` to one of kind `to` with the given move and the least editing, as a
// segment; false where there is none that `allows` lets through.
bool fit_piece(const pose_pieces *pieces, const fit_limits *limits, int from, int to, lope_ground move,
               fit_allows *allows, const void *user, lope_segment *out, int *piece);

#endif
