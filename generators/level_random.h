// SPDX-License-Identifier: MIT
// Random levels whose links are known. Plots of 12 m stand side by side; each holds one thing to do, at a random size
// and heading: storeys with stairs, a platform with regular or irregular stairs, a ramp, rubble, a wall, a fence, a low
// tunnel (straight or with a bend), a gap, bars over a gap, a ladder, a slide, seats, an overhang, pillars, kerbs. What
// stands on different plots is farther apart than a jump, so the links of each plot are those that it says. Storeys of
// neighbouring plots are joined by bridges.
//
// For tests, benchmarks and `lope level --random`; stands on public headers alone.
#ifndef LOPE_GENERATORS_LEVEL_RANDOM_H
#define LOPE_GENERATORS_LEVEL_RANDOM_H

#include "lope/floors.h"

#define LEVEL_RANDOM_PLOT 12.0f // metres

typedef struct level_random_def {
    uint64_t seed;
    int columns, rows; // of plots, from the origin towards +X and +Z; default 5 by 4: every kind at least once
    int storeys;       // at most, 4
    int triangles;     // at least so many, by finer ground; 0: as few as will do
    bool hills;        // ground between plots goes up and down, gently
    bool soup;         // all solids as one mesh: no shared corners, any order and direction, a few doubled
    int only;          // >= 0: all plots hold this one of level_random_kind_name
} level_random_def;
level_random_def level_random_def_default(uint64_t seed);
// NULL after the last.
const char *level_random_kind_name(int kind);

// A link that is there by construction, for the default lope_floors_def. Ways that can be gone both ways are two.
typedef struct level_known {
    lope_link_kind kind;
    lope_vec3 from, to;           // places on the ground before and after, near the link
    lope_vec3 left, right;        // the edge that is crossed; of seats, ladders and slides a point
    float rise, across, headroom; // metres; 0 where it does not matter
    int treads;                   // of stairs: risers
    int part;                     // ladders, slides, seats; -1
} level_known;

typedef struct level_random {
    lope_level *level;
    level_known *known;
    int known_count;
} level_random;

lope_status level_random_create(const level_random_def *def, level_random *out, lope_error *error);
void level_random_destroy(level_random *made);

#endif
