// SPDX-License-Identifier: MIT
// Lists of choices as bytes: for each state the number of choices, then choices and paths as they are in memory. The
// bytes of ranges of states that follow each other can simply be joined.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mobility/build/stages.h"

lope_status choice_lists_pack(const choice_list *lists, int first, int end, int steps, void **bytes, size_t *size,
                              lope_error *error)
{
    size_t each = sizeof(mobility_choice) + (size_t)steps, total = 0;
    for (int s = first; s < end; s++)
        total += sizeof(int32_t) + (size_t)lists[s].count * each;
    char *at = *bytes = lope_alloc(total > 0 ? total : 1);
    *size = total;
    if (!at)
        return lope_fail_memory(error);
    for (int s = first; s < end; s++) {
        int32_t count = lists[s].count;
        size_t items = (size_t)count * sizeof(mobility_choice), paths = (size_t)count * (size_t)steps;
        memcpy(at, &count, sizeof count);
        if (count > 0) {
            memcpy(at + sizeof count, lists[s].items, items);
            memcpy(at + sizeof count + items, lists[s].paths, paths);
        }
        at += sizeof count + items + paths;
    }
    return LOPE_OK;
}

// Paths lead over actions that exist to the states that the choices name.
static bool leads_there(const lope_state_graph *graph, int state, const mobility_choice *choice, const uint8_t *path,
                        int steps)
{
    for (int k = 0; k < steps; k++) {
        size_t first = graph->offsets[state];
        if (path[k] >= graph->offsets[state + 1] - first)
            return false;
        state = graph->actions[first + path[k]].state;
    }
    return choice->state == state;
}

static lope_status unpack_list(const char *at, int32_t count, const lope_state_graph *graph, int state, int steps,
                               choice_list *list, lope_error *error)
{
    size_t items = (size_t)count * sizeof(mobility_choice), paths = (size_t)count * (size_t)steps;
    list->items = lope_alloc(items > 0 ? items : 1);
    list->paths = lope_alloc(paths > 0 ? paths : 1);
    if (!list->items || !list->paths)
        return lope_fail_memory(error);
    memcpy(list->items, at, items);
    memcpy(list->paths, at + items, paths);
    list->count = count;
    for (int i = 0; i < count; i++)
        if (!leads_there(graph, state, &list->items[i], list->paths + i * steps, steps))
            return lope_fail(error, LOPE_BAD_DATA, "kept choices lead to where they should not");
    return LOPE_OK;
}

lope_status choice_lists_unpack(const void *bytes, size_t size, const lope_state_graph *graph, int steps,
                                choice_list *lists, lope_error *error)
{
    const char *at = bytes, *end = at + size;
    size_t each = sizeof(mobility_choice) + (size_t)steps;
    for (int s = 0; s < graph->state_count; s++) {
        int32_t count = -1;
        if ((size_t)(end - at) >= sizeof count) {
            memcpy(&count, at, sizeof count);
            at += sizeof count;
        }
        if (count < 0 || (size_t)count > (size_t)(end - at) / each)
            return lope_fail(error, LOPE_BAD_DATA, "kept choices end at state %d of %d", s, graph->state_count);
        lope_status status = unpack_list(at, count, graph, s, steps, &lists[s], error);
        if (status)
            return status;
        at += (size_t)count * each;
    }
    if (at != end)
        return lope_fail(error, LOPE_BAD_DATA, "kept choices are more than the states have");
    return LOPE_OK;
}
