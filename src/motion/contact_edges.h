// SPDX-License-Identifier: MIT
// The very frame in which a point comes to rest or starts to move.
#ifndef LOPE_SRC_MOTION_CONTACT_EDGES_H
#define LOPE_SRC_MOTION_CONTACT_EDGES_H

#include "lope/math.h"

typedef struct lope_edge_search {
    const lope_vec3 *points; // [frame_count]
    int frame_count;
    double frame_rate;
    double creep; // metres per second: slower than this, a point that rests has not left; 0 for points exactly at rest
} lope_edge_search;

// The last frame of rest near `edge`, a rough guess: of the end of the rest with step 1, of its start with step -1.
// `core` is a frame inside the rest; `limit` lies beyond the edge and is the last frame that may be looked at.
int lope_edge_refine(const lope_edge_search *search, int edge, int step, int core, int limit);

// That many seconds in frames, at least one.
int lope_frames_in(double seconds, double frame_rate);

#endif
