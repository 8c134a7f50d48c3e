// SPDX-License-Identifier: MIT
// Exchanging bytes under Open MPI: rank after rank sends its part to all, in pieces that MPI can count.
#include "cli/ranks.h"

#include <stdlib.h>
#include <string.h>

bool cli_ranks_speaks(const lope_ranks *ranks)
{
    return !ranks || ranks->rank == 0;
}

int cli_ranks_agree(const lope_ranks *ranks, const cli_command *command, int exit_code)
{
    if (!ranks)
        return exit_code;
    size_t count = (size_t)ranks->count;
    int *codes = cli_alloc(count * sizeof *codes), worst = CLI_OK;
    size_t *sizes = cli_alloc(count * sizeof *sizes), failed = 0;
    for (size_t r = 0; r < count; r++)
        sizes[r] = sizeof exit_code;
    ranks->gather(ranks->user, &exit_code, sizes, codes);
    for (size_t r = count; r-- > 0;) {
        worst = cli_worse(worst, codes[r]);
        failed = codes[r] ? r : failed;
    }
    if (ranks->rank == 0 && worst && !exit_code)
        fprintf(stderr, "lope %s: process %zu failed; all processes must see the same files\n", command->name, failed);
    free(codes);
    free(sizes);
    return worst;
}

// How many processes mpirun started; 1 where it was not mpirun. Known without asking MPI, which takes a while to begin.
static int processes_started(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && atoi(value) > 1)
            return atoi(value);
    }
    return 1;
}

#ifdef LOPE_HAVE_MPI
#include <mpi.h>

static void gather(void *user, const void *mine, const size_t *sizes, void *all)
{
    const lope_ranks *ranks = user;
    const size_t piece = (size_t)1 << 28;
    char *at = all;
    for (int r = 0; r < ranks->count; at += sizes[r], r++) {
        if (r == ranks->rank && at != mine && sizes[r] > 0)
            memcpy(at, mine, sizes[r]);
        for (size_t sent = 0; sent < sizes[r]; sent += piece) {
            size_t left = sizes[r] - sent;
            MPI_Bcast(at + sent, (int)(left < piece ? left : piece), MPI_BYTE, r, MPI_COMM_WORLD);
        }
    }
}

const lope_ranks *cli_ranks_begin(const cli_command *command, int *exit_code)
{
    (void)command;
    static lope_ranks ranks = {.gather = gather, .user = &ranks};
    *exit_code = CLI_OK;
    if (processes_started() == 1)
        return NULL;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    // What goes wrong goes wrong everywhere, or the first process says where; one message is enough.
    if (ranks.rank > 0 && (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout)))
        *exit_code = CLI_FAILED;
    return &ranks;
}

void cli_ranks_end(const lope_ranks *ranks)
{
    if (ranks)
        MPI_Finalize();
}

int cli_ranks_here(const lope_ranks *ranks)
{
    if (!ranks)
        return 1;
    MPI_Comm here;
    int count;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &count);
    MPI_Comm_free(&here);
    return count;
}

#else

const lope_ranks *cli_ranks_begin(const cli_command *command, int *exit_code)
{
    int count = processes_started();
    *exit_code = CLI_OK;
    if (count > 1) {
        fprintf(stderr, "lope %s: started as one of %d processes, but this tool was built without MPI\n", command->name,
                count);
        *exit_code = CLI_FAILED;
    }
    return NULL;
}

void cli_ranks_end(const lope_ranks *ranks)
{
    (void)ranks;
}

int cli_ranks_here(const lope_ranks *ranks)
{
    (void)ranks;
    return 1;
}
#endif
