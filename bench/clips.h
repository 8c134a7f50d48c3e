// SPDX-License-Identifier: MIT
// Clips that benchmarks run on: those of a captured subject, or built-in ones where there are no captures.
#ifndef LOPE_BENCH_CLIPS_H
#define LOPE_BENCH_CLIPS_H

#include "bench/bench.h"

typedef struct bench_clips {
    lope_clip **items;
    int count;
    bool captured;
} bench_clips;

// Built-in motions that stand in where there are no captures: `takes` of those that `wanted` says true for.
typedef struct bench_stand_in {
    bool (*wanted)(const char *motion); // NULL: none
    int takes;
} bench_stand_in;

// All clips of a subject, e.g. "069", or those that stand in for it. Free them also when that fails.
lope_status bench_clips_load(const bench_run *run, const char *subject, bench_stand_in otherwise, bench_clips *out,
                             lope_error *error);
void bench_clips_free(bench_clips *clips);

#endif
