// SPDX-License-Identifier: MIT
// Which pieces stay: those of the largest strongly connected part, the ways into it from standing, and the ways out of
// it to standing. Standing itself does not connect: who stops and starts again to turn round is not walking on.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/graph.h"
#include "maps/build/graph_parts.h"

static lope_status make_digraph(const step_pieces *pieces, const step_links *links, lope_digraph *out,
                                lope_error *error)
{
    lope_status status = lope_digraph_create(pieces->count, links->count, out, error);
    if (status)
        return status;
    size_t edge = 0, k = 0;
    for (int p = 0; p < pieces->count; p++) {
        out->offsets[p] = edge;
        for (; k < links->count && links->items[k].from == p; k++)
            if (step_walks_on(pieces, &links->items[k])) {
                out->targets[edge] = links->items[k].to;
                out->costs[edge++] = links->items[k].cost;
            }
    }
    out->offsets[pieces->count] = edge;
    return LOPE_OK;
}

// Adds to `marks` what can be reached from it along links (or against them) over pieces that `through` allows.
static void spread(const step_pieces *pieces, const step_links *links, bool forwards, const uint8_t *through,
                   uint8_t *marks)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t k = 0; k < links->count; k++) {
            const step_link *link = &links->items[k];
            int a = forwards ? link->from : link->to, b = forwards ? link->to : link->from;
            if (step_walks_on(pieces, link) && marks[a] && !marks[b] && (!through || through[b]))
                marks[b] = 1, more = true;
        }
    }
}

// Marks, beside the core, pieces on a way from a start to the core and on a way from the core to a stop.
static bool mark_ends(const step_pieces *pieces, const step_links *links, uint8_t *keep)
{
    size_t n = (size_t)pieces->count;
    uint8_t *leads = lope_alloc(n), *from = lope_alloc_zero(n), *led = lope_alloc(n), *to = lope_alloc_zero(n);
    bool fine = leads && from && led && to;
    if (fine) {
        memcpy(leads, keep, n);
        memcpy(led, keep, n);
        spread(pieces, links, false, NULL, leads);
        spread(pieces, links, true, NULL, led);
        for (size_t p = 0; p < n; p++) {
            from[p] = leads[p] && pieces->items[p].begins == BOUND_STAND;
            to[p] = led[p] && pieces->items[p].ends == BOUND_STAND;
        }
        spread(pieces, links, true, leads, from);
        spread(pieces, links, false, led, to);
        for (size_t p = 0; p < n; p++) {
            const step_piece *piece = &pieces->items[p];
            // From standing to standing, such as turning on the spot: it is led to and from by standing.
            bool both = piece->begins == BOUND_STAND && piece->ends == BOUND_STAND;
            keep[p] = keep[p] || from[p] || to[p] || both;
        }
    }
    lope_free(leads);
    lope_free(from);
    lope_free(led);
    lope_free(to);
    return fine;
}

static lope_status keep_marked(step_pieces *pieces, step_links *links, const uint8_t *keep, lope_error *error)
{
    int *number = lope_alloc_array((size_t)pieces->count, sizeof *number);
    if (!number)
        return lope_fail_memory(error);
    int count = 0;
    for (int p = 0; p < pieces->count; p++) {
        number[p] = keep[p] ? count : -1;
        if (keep[p])
            pieces->items[count++] = pieces->items[p];
    }
    pieces->count = count;
    size_t left = 0;
    for (size_t k = 0; k < links->count; k++) {
        step_link link = links->items[k];
        if (number[link.from] < 0 || number[link.to] < 0)
            continue;
        link.from = number[link.from];
        link.to = number[link.to];
        links->items[left++] = link;
    }
    links->count = left;
    lope_free(number);
    return LOPE_OK;
}

lope_status step_keep_connected(step_pieces *pieces, step_links *links, int *component, int *core, lope_error *error)
{
    *component = *core = 0;
    if (pieces->count == 0)
        return LOPE_OK;
    lope_digraph graph;
    lope_status status = make_digraph(pieces, links, &graph, error);
    if (status)
        return status;
    uint8_t *keep = lope_alloc_zero((size_t)pieces->count);
    status = keep ? lope_largest_component(&graph, keep, component, error) : lope_fail_memory(error);
    lope_digraph_free(&graph);
    int first = 0;
    while (!status && !keep[first])
        first++;
    if (!status && !mark_ends(pieces, links, keep))
        status = lope_fail_memory(error);
    for (int p = 0; p < first && !status; p++)
        *core += keep[p];
    if (!status)
        status = keep_marked(pieces, links, keep, error);
    lope_free(keep);
    return status;
}
