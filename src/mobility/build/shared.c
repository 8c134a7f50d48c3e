// SPDX-License-Identifier: MIT
// The two long stages: taken from what an earlier run left where that fits; otherwise every process works on its share,
// all get everything, and the first one keeps it.
#include "mobility/build/shared.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/ranks.h"
#include "graph/transitions.h"
#include "mobility/build/select.h"

// What was kept of a stage, handed from the first process to all; NULL and 0 where there is nothing.
static lope_status recall(build_state *b, uint32_t stage, uint64_t key, void **bytes, size_t *size, lope_error *error)
{
    size_t found;
    const void *kept = stage_keeper_find(&b->keeper, stage, key, &found);
    lope_status status = lope_ranks_share(b->help->ranks, LOPE_OK, kept, found, bytes, size, error);
    if (!status && *size == 0) {
        lope_free(*bytes);
        *bytes = NULL;
    }
    return status;
}

static bool sane_transitions(const lope_transitions *transitions)
{
    for (size_t t = 0; t < transitions->count; t++) {
        const lope_transition *item = &transitions->items[t];
        if (item->from < 0 || item->from >= transitions->pose_count || item->to < 0 ||
            item->to >= transitions->pose_count || (t > 0 && item->from < item[-1].from))
            return false;
    }
    return true;
}

// Takes over bytes that hold transitions.
static bool take_transitions(build_state *b, void *bytes, size_t size)
{
    b->transitions = (lope_transitions){lope_set_pose_count(b->set), size / sizeof(lope_transition), bytes};
    return size % sizeof(lope_transition) == 0 && sane_transitions(&b->transitions);
}

// The share of this process.
static lope_status search_share(const build_state *b, lope_transitions *out, lope_error *error)
{
    *out = (lope_transitions){0};
    transition_search search;
    lope_status status = transition_search_begin(b->set, &b->wanted, &search, error);
    if (!status)
        status = transition_search_run(&search, ranks_own(b->help->ranks), ranks_count(b->help->ranks), b->help->jobs,
                                       b->help->progress, out, error);
    transition_search_end(&search);
    return status;
}

lope_status shared_transitions(build_state *b, lope_error *error)
{
    void *bytes;
    size_t size;
    b->wanted = select_candidates(b->set, b->def);
    b->key = stage_key_transitions(b->set, &b->wanted);
    lope_status status = recall(b, STAGE_TRANSITIONS, b->key, &bytes, &size, error);
    if (status)
        return status;
    if (bytes && take_transitions(b, bytes, size)) {
        b->report->stages_reused++;
    } else {
        lope_transitions_free(&b->transitions);
        lope_transitions own;
        status = search_share(b, &own, error);
        status =
            lope_ranks_share(b->help->ranks, status, own.items, own.count * sizeof *own.items, &bytes, &size, error);
        lope_transitions_free(&own);
        if (status)
            return status;
        take_transitions(b, bytes, size);
        lope_transitions_sort(&b->transitions);
    }
    stage_keeper_add(&b->keeper, STAGE_TRANSITIONS, b->key, b->transitions.items, size);
    return LOPE_OK;
}

static void empty_lists(build_state *b, int first, int end)
{
    for (int s = first; s < end; s++) {
        lope_free(b->lists[s].items);
        lope_free(b->lists[s].paths);
        b->lists[s] = (choice_list){0};
    }
}

// Finds the lists of this process' states and, where others need them or they are to be kept, exchanges all as bytes.
static lope_status choose_share(build_state *b, choice_task *task, void **bytes, size_t *size, lope_error *error)
{
    const lope_ranks *ranks = b->help->ranks;
    int states = b->graph.state_count, steps = b->def->steps;
    task->first = ranks_first(ranks, ranks_own(ranks), states);
    task->end = ranks_first(ranks, ranks_own(ranks) + 1, states);
    lope_status status = mobility_choices(task, b->help->jobs, b->help->progress, b->lists, error);
    if (ranks_count(ranks) == 1 && !b->keeper.path)
        return status;
    void *own = NULL;
    size_t own_size = 0;
    if (!status)
        status = choice_lists_pack(b->lists, task->first, task->end, steps, &own, &own_size, error);
    status = lope_ranks_share(ranks, status, own, own_size, bytes, size, error);
    lope_free(own);
    if (!status && ranks_count(ranks) > 1) {
        empty_lists(b, task->first, task->end);
        status = choice_lists_unpack(*bytes, *size, &b->graph, steps, b->lists, error);
    }
    return lope_ranks_agree(ranks, status, error);
}

lope_status shared_choices(build_state *b, choice_task *task, lope_error *error)
{
    void *bytes;
    size_t size;
    uint64_t key = stage_key_choices(b->key, &b->transitions, &b->graph, b->def);
    empty_lists(b, 0, b->graph.state_count);
    lope_status status = recall(b, STAGE_CHOICES, key, &bytes, &size, error);
    if (status)
        return status;
    bool known = false;
    if (bytes) {
        status = choice_lists_unpack(bytes, size, &b->graph, b->def->steps, b->lists, error);
        known = status == LOPE_OK;
        status = lope_ranks_agree(b->help->ranks, status == LOPE_BAD_DATA ? LOPE_OK : status, error);
    }
    if (!status && !known) {
        lope_free(bytes);
        bytes = NULL;
        empty_lists(b, 0, b->graph.state_count);
        status = choose_share(b, task, &bytes, &size, error);
    }
    b->report->stages_reused += known;
    if (!status)
        stage_keeper_add(&b->keeper, STAGE_CHOICES, key, bytes, size);
    lope_free(bytes);
    return status;
}
