// SPDX-License-Identifier: MIT
// Pruning (thesis 4.2): states with too few choices go, then all that is not in the largest component of what is left,
// and again, until nothing changes. On sets that offer less this can empty a map: when more than half of the states
// would go, pruning begins anew with a lower number of choices, and the report says with which it ended.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mobility/build/stages.h"

typedef struct pruning {
    int state_count, steps;
    choice_list *lists;
    uint8_t *keep; // [state_count]
    int left;      // states that are kept
    int rounds;
} pruning;

// Choices of a kept state that lead to kept states.
static int count_choices(const pruning *p, int state)
{
    int count = 0;
    for (int i = 0; i < p->lists[state].count && p->keep[state]; i++)
        count += p->keep[p->lists[state].items[i].state] != 0;
    return count;
}

static lope_status choice_graph(const pruning *p, lope_digraph *out, lope_error *error)
{
    size_t edges = 0;
    for (int s = 0; s < p->state_count; s++)
        edges += (size_t)count_choices(p, s);
    lope_status status = lope_digraph_create(p->state_count, edges, out, error);
    if (status)
        return status;
    size_t edge = 0;
    for (int s = 0; s < p->state_count; s++) {
        out->offsets[s] = edge;
        for (int i = 0; i < p->lists[s].count && p->keep[s]; i++) {
            if (!p->keep[p->lists[s].items[i].state])
                continue;
            out->targets[edge] = p->lists[s].items[i].state;
            out->costs[edge++] = 1.0f;
        }
    }
    out->offsets[p->state_count] = edge;
    return LOPE_OK;
}

// Keeps the largest component of what is kept; a single state is none.
static lope_status keep_component(pruning *p, lope_error *error)
{
    lope_digraph graph;
    lope_status status = choice_graph(p, &graph, error);
    if (status)
        return status;
    status = lope_largest_component(&graph, p->keep, &p->left, error);
    lope_digraph_free(&graph);
    if (!status && p->left == 1) {
        memset(p->keep, 0, (size_t)p->state_count);
        p->left = 0;
    }
    return status;
}

// Unmarks states with fewer choices; returns whether there were any.
static bool drop_poor(pruning *p, int min_choices)
{
    // All are counted before any goes, so that the order of states does not matter.
    int dropped = 0;
    for (int s = 0; s < p->state_count; s++)
        if (p->keep[s] && count_choices(p, s) < min_choices)
            dropped++, p->keep[s] = 2;
    for (int s = 0; s < p->state_count; s++)
        p->keep[s] = p->keep[s] == 1;
    return dropped > 0;
}

static lope_status prune_to(pruning *p, int min_choices, int least, lope_error *error)
{
    lope_status status = LOPE_OK;
    memset(p->keep, 1, (size_t)p->state_count);
    p->rounds = 0;
    do {
        status = keep_component(p, error);
        p->rounds++;
    } while (!status && p->left > least && drop_poor(p, min_choices));
    return status;
}

// Removes choices that lead to dropped states, and all choices of dropped states.
static void drop_choices(pruning *p)
{
    size_t steps = (size_t)p->steps;
    for (int s = 0; s < p->state_count; s++) {
        choice_list *list = &p->lists[s];
        int count = 0;
        for (int i = 0; i < list->count && p->keep[s]; i++) {
            if (!p->keep[list->items[i].state])
                continue;
            list->items[count] = list->items[i];
            memmove(list->paths + (size_t)count * steps, list->paths + (size_t)i * steps, steps);
            count++;
        }
        list->count = count;
    }
}

static lope_status prune(pruning *p, int min_choices, lope_mobility_report *report, lope_error *error)
{
    lope_status status = prune_to(p, 0, 0, error);
    int first = p->left;
    report->min_choices = min_choices;
    while (!status) {
        status = prune_to(p, report->min_choices, first / 2, error);
        if (status || p->left > first / 2 || report->min_choices <= 1)
            break;
        report->min_choices = report->min_choices * 3 / 4;
    }
    report->pruning_limited = report->min_choices < min_choices;
    report->pruned_rounds = p->rounds;
    report->states = p->left;
    if (!status && p->left == 0)
        status = lope_fail(
            error, LOPE_NOT_FOUND,
            "the clips offer no choice: no state leads to another one in %d steps and back; give more clips, or a "
            "higher threshold",
            p->steps);
    return status;
}

lope_status mobility_prune(const lope_mobility_def *def, int state_count, choice_list *lists,
                           lope_mobility_report *report, lope_error *error)
{
    pruning p = {state_count, def->steps, lists, lope_alloc((size_t)state_count), 0, 0};
    if (!p.keep)
        return lope_fail_memory(error);
    lope_status status = prune(&p, def->min_choices, report, error);
    if (!status)
        drop_choices(&p);
    lope_free(p.keep);
    return status;
}
