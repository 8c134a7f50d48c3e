// SPDX-License-Identifier: MIT
// Sets of walks that benchmarks of step graphs and motion maps run on.
#ifndef LOPE_BENCH_WALK_SETS_H
#define LOPE_BENCH_WALK_SETS_H

#include "bench/bench.h"

typedef enum bench_walk_set {
    BENCH_BUILTIN,   // what `lope build --maps` takes of the built-in set
    BENCH_SUBJECT,   // CMU subject 016, clips 11 to 20: all of its walks at about 1 m/s
    BENCH_FIVE_CLIPS // 12, 13, 15, 17 and 19 of them: as many as the paper had
} bench_walk_set;
enum { BENCH_WALK_SETS = 3 };

// "built-in", "016 11-20", "016, five clips".
const char *bench_walk_set_name(bench_walk_set which);

// Reads and prepares a set at 30 frames per second. LOPE_NOT_FOUND where there are no captures.
lope_status bench_walk_set_load(const bench_run *run, bench_walk_set which, lope_jobs *jobs, lope_set **out,
                                lope_error *error);

#endif
