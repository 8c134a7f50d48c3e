// SPDX-License-Identifier: MIT
// `lope bench level`: floors, links and routes of levels, stage by stage.
#include "bench/level.h"

static const bench_stage stages[] = {{"places", level_bench_places},   {"links", level_bench_links},
                                     {"sizes", level_bench_sizes},     {"recast", level_bench_recast},
                                     {"changes", level_bench_changes}, {"routes", level_bench_routes}};

static lope_status measure(bench_run *run, lope_error *error)
{
    return bench_stages(run, stages, sizeof stages / sizeof *stages, error);
}

const bench_entry bench_level = {"level", "floors, links and routes found in levels", measure};
