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

// All clips of a subject, e.g. "069". Where it is not there, `takes` of the built-in motions that `wanted` says true
// for; NULL: none. Free them also when that fails.
lope_status bench_clips_load(const bench_run *run, const char *subject, bool (*wanted)(const char *motion), int takes,
                             bench_clips *out, lope_error *error);
void bench_clips_free(bench_clips *clips);

#endif
