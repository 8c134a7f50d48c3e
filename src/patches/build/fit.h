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

// What a piece has to lead over.
typedef struct fit_gap {
    int from, to; // kinds of poses
    lope_ground move;
    fit_allows *allows; // NULL: everything
    const void *user;
} fit_gap;

// The piece that leads over a gap with the least editing, as a segment; false where there is none that `allows` lets
// through.
bool fit_piece(const pose_pieces *pieces, const fit_limits *limits, const fit_gap *gap, lope_segment *out);

#endif
