// SPDX-License-Identifier: MIT
// Sharing work among processes. `ranks` NULL everywhere: one process, nothing to exchange.
#ifndef LOPE_SRC_GRAPH_RANKS_H
#define LOPE_SRC_GRAPH_RANKS_H

#include "lope/ranks.h"

static inline int ranks_count(const lope_ranks *ranks)
{
    return ranks ? ranks->count : 1;
}

static inline int ranks_own(const lope_ranks *ranks)
{
    return ranks ? ranks->rank : 0;
}

// Where the share of a rank begins, of `count` items in order; the share of the rank after it begins where it ends.
static inline int ranks_first(const lope_ranks *ranks, int rank, int count)
{
    return (int)((int64_t)count * rank / ranks_count(ranks));
}

// Everybody fails where anybody has failed, with the error of the lowest such rank.
LOPE_API lope_status lope_ranks_agree(const lope_ranks *ranks, lope_status status, lope_error *error);

// Bytes of all ranks in order of rank, in a block of their own (to be released with lope_free). A `status` other than
// LOPE_OK makes it fail for everybody.
LOPE_API lope_status lope_ranks_share(const lope_ranks *ranks, lope_status status, const void *mine, size_t size,
                                      void **all, size_t *all_size, lope_error *error);

// Completes a table of which every rank has filled its share of rows. `status` likewise.
LOPE_API lope_status lope_ranks_share_rows(const lope_ranks *ranks, lope_status status, void *table, size_t row_size,
                                           int rows, lope_error *error);

#endif
