// SPDX-License-Identifier: MIT
// Pruning (thesis 4.2): states with too few choices go, then all that is not in the largest component of what is left,
// and again, until nothing changes. Taken to the end this can empty a map; when more than half of the states would go,
// pruning stops where it is and the report says so.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mobility/build/stages.h"

// Removes choices that lead to dropped states, and all choices of dropped states. Returns the number of states left.
static int drop_choices(choice_list *lists, int state_count, int steps, const uint8_t *keep)
{
    int left = 0;
    for (int s = 0; s < state_count; s++) {
        choice_list *list = &lists[s];
        int count = 0;
        for (int i = 0; i < list->count && keep[s]; i++) {
            if (!keep[list->items[i].state])
                continue;
            list->items[count] = list->items[i];
            memmove(list->paths + count * steps, list->paths + i * steps, (size_t)steps);
            count++;
        }
        list->count = count;
        left += count > 0;
    }
    return left;
}

static lope_status choice_graph(const choice_list *lists, int state_count, lope_digraph *out, lope_error *error)
{
    size_t edges = 0;
    for (int s = 0; s < state_count; s++)
        edges += (size_t)lists[s].count;
    lope_status status = lope_digraph_create(state_count, edges, out, error);
    if (status)
        return status;
    size_t edge = 0;
    for (int s = 0; s < state_count; s++) {
        out->offsets[s] = edge;
        for (int i = 0; i < lists[s].count; i++) {
            out->targets[edge] = lists[s].items[i].state;
            out->costs[edge++] = 1.0f;
        }
    }
    out->offsets[state_count] = edge;
    return LOPE_OK;
}

static lope_status keep_component(choice_list *lists, int state_count, int steps, uint8_t *keep, int *left,
                                  lope_error *error)
{
    lope_digraph graph;
    lope_status status = choice_graph(lists, state_count, &graph, error);
    if (status)
        return status;
    int size;
    status = lope_largest_component(&graph, keep, &size, error);
    lope_digraph_free(&graph);
    if (status == LOPE_OK)
        *left = drop_choices(lists, state_count, steps, keep);
    return status;
}

// Marks what pruning by number would keep; returns how many.
static int mark_rich(const choice_list *lists, int state_count, int min_choices, uint8_t *keep)
{
    int count = 0;
    for (int s = 0; s < state_count; s++)
        count += keep[s] = lists[s].count >= min_choices;
    return count;
}

lope_status mobility_prune(const lope_mobility_def *def, int state_count, int steps, choice_list *lists,
                           lope_mobility_report *report, lope_error *error)
{
    uint8_t *keep = lope_alloc((size_t)state_count);
    if (!keep)
        return lope_fail_memory(error);
    int left = 0, before;
    lope_status status = keep_component(lists, state_count, steps, keep, &left, error);
    int first = left;
    do {
        before = left;
        int rich = mark_rich(lists, state_count, def->min_choices, keep);
        if (rich < first / 2) {
            report->pruning_limited = rich < left;
            break;
        }
        drop_choices(lists, state_count, steps, keep);
        if (!status)
            status = keep_component(lists, state_count, steps, keep, &left, error);
        report->pruned_rounds++;
    } while (!status && left < before);
    lope_free(keep);
    report->states = left;
    if (!status && left == 0)
        status =
            lope_fail(error, LOPE_NOT_FOUND,
                      "no state has a sequence of %d steps to another one; raise the threshold or add clips", steps);
    return status;
}
