// SPDX-License-Identifier: MIT
// Stages of `lope bench world`.
#ifndef LOPE_BENCH_WORLD_H
#define LOPE_BENCH_WORLD_H

#include "bench/bench.h"
#include "lope/world.h"

#define WORLD_BENCH_DT (1.0f / 60.0f)

// The moves that all stages share; there while the benchmark runs.
const lope_moves *world_bench_moves(void);

lope_status world_bench_errands(bench_run *run, lope_error *error); // heroes on errands over levels, judged
lope_status world_bench_links(bench_run *run, lope_error *error);   // every kind of link, both ways, judged
lope_status world_bench_people(bench_run *run, lope_error *error);  // a hero among 2,000 people: time of steps
lope_status world_bench_changes(bench_run *run, lope_error *error); // boxes that come and go while they walk
lope_status world_bench_threads(bench_run *run, lope_error *error); // the same for any number of threads

#endif
