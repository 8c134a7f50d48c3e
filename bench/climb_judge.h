// SPDX-License-Identifier: MIT
// How well a climb over a link is performed, measured on the clip alone: parts of the body in solids of the slice,
// hands and feet that hold, standing about. For `lope bench climb` and tests; stands on public headers alone.
#ifndef LOPE_BENCH_CLIMB_JUDGE_H
#define LOPE_BENCH_CLIMB_JUDGE_H

#include "lope/climber.h"

#define CLIMB_MOST_DEPTH 0.02 // metres that parts may be in solids

typedef struct climb_report {
    int frames, deep_frames; // of the part that is played; with a part deeper than CLIMB_MOST_DEPTH
    double deepest;          // metres
    char part[64];           // which one that was,
    int part_frame;          // and when
    double drift;            // metres that a hand or foot moves while it holds, at most
    double before, after;    // seconds of standing about
} climb_report;

// False without memory.
bool climb_judge_parts(const lope_climber_parts *parts, climb_report *out);

#endif
