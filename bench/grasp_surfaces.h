// SPDX-License-Identifier: MIT
// Rows of `lope bench grasp` about surfaces.
#ifndef LOPE_BENCH_GRASP_SURFACES_H
#define LOPE_BENCH_GRASP_SURFACES_H

#include "bench/bench.h"

lope_status bench_grasp_surfaces(bench_run *run, lope_error *error);

#endif
