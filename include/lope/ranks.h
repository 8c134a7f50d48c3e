// SPDX-License-Identifier: MIT
// Processes that build together: one build on many machines (offline library).
//
// The library needs no message passing of its own: a program that starts several processes says how they exchange
// bytes. The `lope` tool does so under mpirun where it was built with Open MPI.
#ifndef LOPE_RANKS_H
#define LOPE_RANKS_H

#include "lope/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_ranks {
    int rank;  // of this process, in [0, count)
    int count; // of processes that work together
    // Called by all ranks at once with equal sizes[count]: rank r gives sizes[r] bytes, and every rank receives those
    // of all, one behind the other in order of rank, in `all`. `mine` may lie at its own place in `all` already.
    void (*gather)(void *user, const void *mine, const size_t *sizes, void *all);
    void *user;
} lope_ranks;

#ifdef __cplusplus
}
#endif
#endif
