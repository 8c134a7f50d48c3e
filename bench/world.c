// SPDX-License-Identifier: MIT
// `lope bench world`: one world, stage by stage.
#include "bench/world.h"

#include <stdlib.h>

#include "lope/moves_build.h"

static const bench_stage stages[] = {{"errands", world_bench_errands},
                                     {"links", world_bench_links},
                                     {"people", world_bench_people},
                                     {"changes", world_bench_changes},
                                     {"threads", world_bench_threads}};

static lope_moves *moves;

const lope_moves *world_bench_moves(void)
{
    return moves;
}

static lope_status measure(bench_run *run, lope_error *error)
{
    const char *made = getenv("LOPE_MOVES"); // those of a file instead of the built-in ones, which are built here
    lope_status status = made ? lope_moves_open(made, &moves, error) : lope_moves_builtin(NULL, NULL, &moves, error);
    if (!status)
        status = bench_stages(run, stages, sizeof stages / sizeof *stages, error);
    lope_moves_close(moves);
    moves = NULL;
    return status;
}

const bench_entry bench_world = {"world", "one world: errands over levels, a hero among thousands of people", measure};
