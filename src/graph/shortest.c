// SPDX-License-Identifier: MIT
// Shortest paths from a state to all others: Dijkstra over a ring of buckets (Dial 1969). Costs are whole numbers, so
// that sums are exact, and a bucket is as wide as the cheapest action: what is taken out of the current bucket can only
// reach later ones, so it is final.
//
// Of equally cheap ways the one with fewer steps wins, then the one over the lower-numbered state, then the
// lower-numbered action; so the tree is the same whatever order the buckets are worked off in.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/graph.h"

#define NONE (-1)

typedef struct path_edge {
    uint32_t cost;
    int state;
} path_edge;

// A state waiting in a bucket. When its label improves it is entered again, and the old entry is skipped when met.
typedef struct path_entry {
    uint32_t cost;
    int state;
    int next; // in the bucket, or NONE
} path_entry;

static uint32_t quantise(float cost)
{
    uint32_t units = cost <= 0.0f ? 0u : (uint32_t)(cost * LOPE_COST_UNIT + 0.5f);
    return units > 0 ? units : 1;
}

static void quantise_actions(const lope_state_graph *graph, lope_path_tree *tree)
{
    uint32_t least = UINT32_MAX, largest = 0;
    for (size_t a = 0; a < graph->offsets[graph->state_count]; a++) {
        uint32_t cost = quantise(graph->actions[a].cost);
        tree->edges[a] = (path_edge){cost, graph->actions[a].state};
        least = cost < least ? cost : least;
        largest = cost > largest ? cost : largest;
    }
    tree->bucket_width = least == UINT32_MAX ? 1 : least;
    tree->bucket_count = (int)(largest / tree->bucket_width) + 2;
}

lope_status lope_path_tree_create(const lope_state_graph *graph, lope_path_tree *out, lope_error *error)
{
    *out = (lope_path_tree){.state_count = graph->state_count};
    size_t n = (size_t)graph->state_count, actions = graph->offsets[n];
    out->edges = lope_alloc_array(actions, sizeof *out->edges);
    if (out->edges)
        quantise_actions(graph, out);
    out->labels = lope_alloc_array(n, sizeof *out->labels);
    out->settled = lope_alloc_array(n, sizeof *out->settled);
    out->buckets = lope_alloc_array((size_t)out->bucket_count, sizeof(int));
    out->entries = lope_alloc_array(actions + 1, sizeof *out->entries); // each action enters its target once at most
    if (out->edges && out->labels && out->settled && out->buckets && out->entries)
        return LOPE_OK;
    lope_path_tree_free(out);
    return lope_fail_memory(error);
}

void lope_path_tree_free(lope_path_tree *tree)
{
    lope_free(tree->edges);
    lope_free(tree->labels);
    lope_free(tree->settled);
    lope_free(tree->buckets);
    lope_free(tree->entries);
    *tree = (lope_path_tree){0};
}

uint32_t lope_path_action_cost(const lope_path_tree *tree, int action)
{
    return tree->edges[action].cost;
}

static void insert(lope_path_tree *tree, int state, uint32_t cost)
{
    int *bucket = &tree->buckets[cost / tree->bucket_width % (uint32_t)tree->bucket_count];
    tree->entries[tree->entry_count] = (path_entry){cost, state, *bucket};
    *bucket = tree->entry_count++;
}

static bool better(lope_path_label a, const lope_path_label *b)
{
    if (a.cost != b->cost)
        return a.cost < b->cost;
    if (a.steps != b->steps)
        return a.steps < b->steps;
    return a.from != b->from ? a.from < b->from : a.action < b->action;
}

static bool within_limit(const lope_path_tree *tree, int steps)
{
    return steps >= 0 && steps <= tree->step_limit;
}

// Offers all ways on from a settled state. Returns how many entries were added.
static int relax(const lope_state_graph *graph, int from, lope_path_tree *tree)
{
    lope_path_label here = tree->labels[from];
    int added = 0;
    for (size_t a = graph->offsets[from]; a < graph->offsets[from + 1]; a++) {
        path_edge edge = tree->edges[a];
        lope_path_label *label = &tree->labels[edge.state];
        uint32_t cost = here.cost + edge.cost;
        if (cost > label->cost)
            continue;
        lope_path_label offer = {cost, here.steps + 1, from, (int)a};
        if (!better(offer, label))
            continue;
        // An entry at this cost waits already when only the tie was broken anew.
        if (cost < label->cost) {
            insert(tree, edge.state, cost);
            added++;
        }
        tree->near_count += within_limit(tree, offer.steps) - within_limit(tree, label->steps);
        *label = offer;
    }
    return added;
}

// Settles everything in a bucket. Returns by how much the number of waiting entries changed.
static int work_off(const lope_state_graph *graph, int *bucket, lope_path_tree *tree)
{
    int change = 0;
    while (*bucket != NONE) {
        path_entry entry = tree->entries[*bucket];
        *bucket = entry.next;
        change--;
        if (tree->settled[entry.state] || entry.cost != tree->labels[entry.state].cost)
            continue;
        tree->settled[entry.state] = 1;
        tree->near_count -= within_limit(tree, tree->labels[entry.state].steps);
        change += relax(graph, entry.state, tree);
    }
    return change;
}

void lope_path_tree_run(const lope_state_graph *graph, int source, lope_path_tree *tree)
{
    for (int s = 0; s < tree->state_count; s++)
        tree->labels[s] = (lope_path_label){UINT32_MAX, NONE, NONE, NONE};
    for (int b = 0; b < tree->bucket_count; b++)
        tree->buckets[b] = NONE;
    memset(tree->settled, 0, (size_t)tree->state_count);
    tree->entry_count = 0;
    tree->labels[source] = (lope_path_label){0, 0, NONE, NONE};
    insert(tree, source, 0);
    tree->near_count = 1;
    int waiting = 1;
    // A label within the limit comes from a state whose label is within it: without any of those waiting, all are
    // known.
    for (int b = 0; waiting > 0 && (tree->near_count > 0 || tree->step_limit == 0);
         b = b + 1 < tree->bucket_count ? b + 1 : 0)
        waiting += work_off(graph, &tree->buckets[b], tree);
}

lope_status lope_path_trees_create(const lope_state_graph *graph, int count, lope_path_tree **out, lope_error *error)
{
    lope_status status = LOPE_OK;
    *out = lope_alloc_zero((size_t)count * sizeof **out);
    if (!*out)
        return lope_fail_memory(error);
    for (int t = 0; t < count && !status; t++)
        status = lope_path_tree_create(graph, &(*out)[t], error);
    if (status) {
        lope_path_trees_free(*out, count);
        *out = NULL;
    }
    return status;
}

void lope_path_trees_free(lope_path_tree *trees, int count)
{
    for (int t = 0; trees && t < count; t++)
        lope_path_tree_free(&trees[t]);
    lope_free(trees);
}
