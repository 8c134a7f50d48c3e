// SPDX-License-Identifier: MIT
// Benchmarks that look at one level after the other: the built-in ones, then random ones.
#ifndef LOPE_BENCH_OVER_LEVELS_H
#define LOPE_BENCH_OVER_LEVELS_H

#include "bench/bench.h"

typedef struct bench_over {
    bench_run *run; // once it is stopped, no further random level is made
    bool builtin;   // yard, house and ruin first
    uint64_t first; // seed of the first random level; the next ones follow it
    int count;      // of random levels
    // `name` stays valid as long as the run.
    lope_status (*measure)(void *user, const lope_level *level, const char *name, lope_error *error);
    void *user;
} bench_over;
// Ends with the first level that fails.
lope_status bench_over_levels(const bench_over *over, lope_error *error);

#endif
