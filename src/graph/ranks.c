// SPDX-License-Identifier: MIT
// Exchanges among processes, all made of one operation: everybody's bytes to everybody. Before bytes are exchanged all
// ranks agree that none has failed: a rank that gave up must not leave the others waiting.
#include "graph/ranks.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { MAX_RANKS = 4096 };

typedef struct rank_outcome {
    lope_status status;
    lope_error error;
} rank_outcome;

static bool gather_sizes(const lope_ranks *ranks, size_t mine, size_t *sizes)
{
    if (ranks->count > MAX_RANKS)
        return false;
    size_t each[MAX_RANKS];
    for (int r = 0; r < ranks->count; r++)
        each[r] = sizeof mine;
    ranks->gather(ranks->user, &mine, each, sizes);
    return true;
}

// Exchanges errors, which only happens after one: a few kilobytes for each rank.
static lope_status fail_together(const lope_ranks *ranks, lope_status status, lope_error *error)
{
    rank_outcome outcome = {status, {0}}, shown;
    if (status && error)
        outcome.error = *error;
    size_t sizes[MAX_RANKS];
    lope_status first = LOPE_OK;
    // One rank after the other, so that no memory is needed: there may be none.
    for (int r = 0; r < ranks->count; r++) {
        for (int k = 0; k < ranks->count; k++)
            sizes[k] = k == r ? sizeof outcome : 0;
        ranks->gather(ranks->user, &outcome, sizes, &shown);
        if (first || !shown.status)
            continue;
        first = shown.status;
        if (error)
            *error = shown.error;
    }
    return first;
}

lope_status lope_ranks_agree(const lope_ranks *ranks, lope_status status, lope_error *error)
{
    if (ranks_count(ranks) == 1)
        return status;
    size_t failed[MAX_RANKS];
    if (!gather_sizes(ranks, status != LOPE_OK, failed))
        return lope_fail(error, LOPE_UNSUPPORTED, "at most %d processes can build together, found %d", MAX_RANKS,
                         ranks->count);
    for (int r = 0; r < ranks->count; r++)
        if (failed[r])
            return fail_together(ranks, status, error);
    return LOPE_OK;
}

lope_status lope_ranks_share(const lope_ranks *ranks, lope_status status, const void *mine, size_t size, void **all,
                             size_t *all_size, lope_error *error)
{
    *all = NULL;
    *all_size = 0;
    status = lope_ranks_agree(ranks, status, error);
    if (status)
        return status;
    size_t one = size, many[MAX_RANKS], *sizes = &one, total = 0;
    if (ranks_count(ranks) > 1 && gather_sizes(ranks, size, many))
        sizes = many;
    for (int r = 0; r < ranks_count(ranks); r++)
        total += sizes[r];
    *all = lope_alloc(total > 0 ? total : 1);
    status = lope_ranks_agree(ranks, *all ? LOPE_OK : lope_fail_memory(error), error);
    if (status) {
        lope_free(*all);
        *all = NULL;
        return status;
    }
    if (ranks_count(ranks) > 1)
        ranks->gather(ranks->user, mine, sizes, *all);
    else if (size > 0)
        memcpy(*all, mine, size);
    *all_size = total;
    return LOPE_OK;
}

lope_status lope_ranks_share_rows(const lope_ranks *ranks, lope_status status, void *table, size_t row_size, int rows,
                                  lope_error *error)
{
    status = lope_ranks_agree(ranks, status, error);
    if (status || ranks_count(ranks) == 1)
        return status;
    size_t sizes[MAX_RANKS];
    for (int r = 0; r < ranks->count; r++)
        sizes[r] = row_size * (size_t)(ranks_first(ranks, r + 1, rows) - ranks_first(ranks, r, rows));
    const char *mine = (const char *)table + row_size * (size_t)ranks_first(ranks, ranks->rank, rows);
    ranks->gather(ranks->user, mine, sizes, table);
    return LOPE_OK;
}
