// SPDX-License-Identifier: MIT
// Many characters that search and play.
#include "bench/maps.h"

lope_status maps_many(bench_run *run, const lope_maps *maps, lope_jobs *jobs, lope_error *error)
{
    (void)run;
    (void)maps;
    (void)jobs;
    (void)error;
    return LOPE_OK;
}
