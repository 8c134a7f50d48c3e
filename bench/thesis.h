// SPDX-License-Identifier: MIT
// Parts of the benchmark of the thesis' own ways beside ours.
#ifndef LOPE_BENCH_THESIS_H
#define LOPE_BENCH_THESIS_H

#include "bench/crowds.h"

typedef struct thesis_bench {
    bench_run *run;
    lope_jobs *jobs;
    bench_map of; // of the captured subject, or of the built-in set
} thesis_bench;

// thesis_scale.c: Figure 6.4, frames per second by the number of characters.
lope_status thesis_scale(thesis_bench *bench, lope_error *error);
// thesis_builds.c: maps with one of its ways at a time, and all of them.
lope_status thesis_builds(thesis_bench *bench, lope_error *error);

#endif
