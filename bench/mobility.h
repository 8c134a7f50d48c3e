// SPDX-License-Identifier: MIT
// Parts of the benchmark of mobility maps.
#ifndef LOPE_BENCH_MOBILITY_H
#define LOPE_BENCH_MOBILITY_H

#include "bench/motion.h"

// Sends walkers to random goals and reports how they get there. `promises`: the map is of the captured subject.
lope_status bench_walks(bench_run *run, const lope_mobility *map, lope_jobs *jobs, bool promises, lope_error *error);

// Percent of so many random goals that walkers of this kind come within 25 cm of in 60 s; NAN without memory.
double bench_goals_reached(const lope_mobility *map, const lope_walker_def *def, int goals, uint64_t seed,
                           lope_jobs *jobs);
// Grades of 24 walks of 30 s from random goal to random goal by walkers of this kind.
lope_status bench_walk_grades(const lope_mobility *map, const lope_walker_def *def, uint64_t seed, lope_jobs *jobs,
                              bench_grades *out, lope_error *error);

#endif
