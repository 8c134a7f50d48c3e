// SPDX-License-Identifier: MIT
// The parts of `lope bench maps`.
#ifndef LOPE_BENCH_MAPS_H
#define LOPE_BENCH_MAPS_H

#include "bench/maps_trials.h"

// A graph with its maps, and the set behind them.
typedef struct maps_world {
    lope_set *set; // owned elsewhere
    lope_steps *steps;
    lope_steps_report steps_report;
    lope_maps *maps;
    lope_maps_report report;
} maps_world;

lope_status maps_world_build(const lope_set *set, const lope_steps_def *steps, const lope_maps_def *maps,
                             lope_jobs *jobs, maps_world *out, lope_error *error);
void maps_world_free(maps_world *world);

// Builds the same maps three times; the report of the quickest.
lope_status maps_best_build(const lope_steps *steps, const lope_maps_def *def, lope_jobs *jobs, lope_maps_report *best,
                            lope_error *error);
// A set of clips, and threads.
typedef struct maps_source {
    const char *name;
    const lope_set *set;
    lope_jobs *jobs;
} maps_source;
// Tables 1 to 4 of the paper, or 5 and 6: searches.
lope_status maps_tables(bench_run *run, const maps_source *source, bool compare, lope_error *error);
// One change at a time.
lope_status maps_changes(bench_run *run, const maps_source *source, lope_error *error);
// Many characters that search and play.
lope_status maps_many(bench_run *run, const lope_maps *maps, lope_jobs *jobs, lope_error *error);

#endif
