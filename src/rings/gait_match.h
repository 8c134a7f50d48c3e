// SPDX-License-Identifier: MIT
// Where in the rings somebody's motion can go on (gait_match.c).
#ifndef LOPE_SRC_RINGS_GAIT_MATCH_H
#define LOPE_SRC_RINGS_GAIT_MATCH_H

#include "lope/moment.h"
#include "rings/gait.h"

// A foot of somebody, in the world, and dt earlier.
typedef struct gait_seen_foot {
    lope_transform ankle[2];
    lope_quat toe[2];
    lope_vec3 ball[2], heel;
    float straight; // share of its length that the leg has now
    bool stands, on_toes;
} gait_seen_foot;

// What a moment shows of somebody, in the world: now [0] and dt earlier [1].
typedef struct gait_seen {
    lope_transform root[2];
    gait_seen_foot feet[2];
    float dt;
} gait_seen;

// A place in a ring at which that goes on.
typedef struct gait_match {
    int ring, track;
    float frame, weights[RING_SAMPLES];
    float yaw;  // of the step's frame
    float cost; // square metres
    bool standing;
} gait_match;

void gait_see(const lope_rings *rings, const lope_moment *moment, gait_seen *out);
// The nearest pose and velocity on the same supporting foot. Infinite cost where there is none.
void gait_find_match(const lope_rings *rings, const gait_seen *seen, gait_match *out);

#endif
