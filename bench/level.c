// SPDX-License-Identifier: MIT
// `lope bench level`: floors, links and routes of levels, stage by stage.
#include "bench/level.h"

#include <stdio.h>

typedef struct stage {
    const char *name;
    lope_status (*run)(bench_run *run, lope_error *error);
} stage;

static const stage stages[] = {{"places", level_bench_places},   {"links", level_bench_links},
                               {"sizes", level_bench_sizes},     {"recast", level_bench_recast},
                               {"changes", level_bench_changes}, {"routes", level_bench_routes}};
enum { STAGES = sizeof stages / sizeof *stages };

static lope_status measure(bench_run *run, lope_error *error)
{
    const char *names[STAGES];
    for (int i = 0; i < STAGES; i++)
        names[i] = stages[i].name;
    if (bench_wants_unknown(run, names, STAGES)) {
        *error = (lope_error){.status = LOPE_BAD_DATA};
        int length =
            snprintf(error->message, sizeof error->message, "--only names a stage that 'level' does not have:");
        for (int i = 0; i < STAGES; i++)
            length += snprintf(error->message + length, sizeof error->message - (size_t)length, " %s", names[i]);
        return LOPE_BAD_DATA;
    }
    lope_status status = LOPE_OK;
    for (int i = 0; i < STAGES && status == LOPE_OK; i++)
        if (bench_wants(run, stages[i].name))
            status = stages[i].run(run, error);
    return status;
}

const bench_entry bench_level = {"level", "floors, links and routes found in levels", measure};
