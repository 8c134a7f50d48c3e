// SPDX-License-Identifier: MIT
// Several processes of the tool that work as one, under mpirun; where it was built without MPI, one process.
#ifndef LOPE_CLI_RANKS_H
#define LOPE_CLI_RANKS_H

#include "cli/cli.h"
#include "lope/ranks.h"

// Joins the other processes. NULL: there are none. Prints a message and sets *exit_code where the tool was started by
// mpirun but cannot talk to the others.
const lope_ranks *cli_ranks_begin(const cli_command *command, int *exit_code);
// Leaves them; all must do so.
void cli_ranks_end(const lope_ranks *ranks);

// This process speaks: the only one, or the first.
bool cli_ranks_speaks(const lope_ranks *ranks);
// Of the processes, how many run on this machine and share its cores.
int cli_ranks_here(const lope_ranks *ranks);
// The worst exit code of all: where one failed all give up. The first says which, unless it failed itself.
int cli_ranks_agree(const lope_ranks *ranks, const cli_command *command, int exit_code);

#endif
