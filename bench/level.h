// SPDX-License-Identifier: MIT
// Stages of `lope bench level`. Each adds its figures.
#ifndef LOPE_BENCH_LEVEL_H
#define LOPE_BENCH_LEVEL_H

#include "bench/bench.h"

lope_status level_bench_places(bench_run *run, lope_error *error);  // standing places against brute force
lope_status level_bench_links(bench_run *run, lope_error *error);   // links and holds against brute force
lope_status level_bench_sizes(bench_run *run, lope_error *error);   // levels of many triangles
lope_status level_bench_recast(bench_run *run, lope_error *error);  // the same triangles here and in Recast and Detour
lope_status level_bench_changes(bench_run *run, lope_error *error); // boxes that come, move and go
lope_status level_bench_routes(bench_run *run, lope_error *error);  // over storeys and links

#endif
