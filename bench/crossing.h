// SPDX-License-Identifier: MIT
// Somebody walks up to a link of a level, is carried over it by a gait, and walks on: one trial, and what was seen of
// it. For `lope bench crossings` and tests; stands on public headers alone.
#ifndef LOPE_BENCH_CROSSING_H
#define LOPE_BENCH_CROSSING_H

#include "lope/link_way.h"
#include "lope/rings.h"
#include "lope/walker.h"

#define CROSSING_MOST_DEPTH 0.02 // metres that parts may be in solids

// The character that crosses: walks and rings of one skeleton, and its state on them.
typedef struct crossing_cast {
    const lope_mobility *map; // entries learnt
    const lope_rings *rings;
    lope_vec3 *velocities;
    lope_transform *last;
    bool *inside;
    void *memory[2];
    lope_walker *walker;
    lope_gait *gait;
    lope_handover *body;
    lope_path_finder *finder;
    float usual_step; // metres per second: 99.9 % of the steps of joints' velocities in the clips are below
} crossing_cast;
lope_status crossing_cast_open(const lope_mobility *map, const lope_rings *rings, crossing_cast *out,
                               lope_error *error);
void crossing_cast_close(crossing_cast *cast);

typedef struct crossing_report {
    bool moving[2];             // it was handed over in motion, on the way in and out
    bool arrived;               // walks behind it
    double seconds;             // of the gait
    double stuck;               // seconds: the longest that it got no 30 cm farther
    double still;               // seconds: the longest that hips hardly moved on while the gait was in charge
    double fit[2];              // at the hand-overs
    double step[2];             // largest change of a joint's velocity in one frame there, as a multiple of the usual
    double slowest[2];          // hips after each hand-over, as a share of the slower side
    double step_most;           // likewise at any time
    double slip_most, slip_sum; // metres that feet slide while they hold
    int slips;
    double deepest; // metres that a part of the body was in solids
    char part[32];
    lope_vec3 deep_at;
    double deep_when; // seconds since the beginning
    int frames, deep_frames;
    bool through;       // hips went through something,
    bool fell;          // or had no ground below them
    const char *failed; // why it did not arrive; NULL
} crossing_report;

typedef struct crossing_def {
    const lope_floors *floors;
    const lope_terrain *terrain;
    int link;
    uint64_t seed; // where it comes from
    // Called after each frame; NULL: not.
    void (*frame)(void *user, const lope_moment *shown, bool gait);
    void *user;
} crossing_def;
void crossing_run(crossing_cast *cast, const crossing_def *def, crossing_report *out);

#endif
