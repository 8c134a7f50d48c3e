// SPDX-License-Identifier: MIT
// Parts of the benchmark of mobility maps.
#ifndef LOPE_BENCH_MOBILITY_H
#define LOPE_BENCH_MOBILITY_H

#include "bench/bench.h"

// Sends walkers to random goals and reports how they get there. `promises`: the map is of the captured subject.
lope_status bench_walks(bench_run *run, const lope_mobility *map, lope_jobs *jobs, bool promises, lope_error *error);

#endif
