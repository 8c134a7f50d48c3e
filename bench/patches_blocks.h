// SPDX-License-Identifier: MIT
#ifndef LOPE_BENCH_PATCHES_BLOCKS_H
#define LOPE_BENCH_PATCHES_BLOCKS_H

#include "bench/bench.h"

// Rows of `lope bench patches` on things: a gym is annotated, desks are edited.
lope_status bench_patches_blocks(bench_run *run, lope_jobs *jobs, lope_error *error);

// patches_dense.c: junctions beside dense patches as published.
lope_status bench_patches_dense(bench_run *run, lope_jobs *jobs, lope_error *error);
// patches_captured.c: a captured stool is edited.
lope_status bench_patches_captured(bench_run *run, lope_jobs *jobs, lope_error *error);

#endif
