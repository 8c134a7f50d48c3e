// SPDX-License-Identifier: MIT
// Shortest paths from a state to all others: Dijkstra over a ring of buckets (Dial 1969). Costs are whole numbers, so
// that sums are exact, and a bucket is as wide as the cheapest action: what is taken out of the current bucket can only
// reach later ones, so it is final. Free actions stay in the current bucket and are corrected there.
//
// Of equally cheap ways the one with fewer steps wins, then the one over the lower-numbered state, then the
// lower-numbered action; so the tree is the same whatever order the buckets are worked off in.
#include "base/error.h"
#include "base/memory.h"
#include "graph/graph.h"

#define NONE (-1)
#define OUTSIDE (-2) // in `previous`: the state waits in no bucket

typedef struct path_edge {
    uint32_t cost;
    int state;
} path_edge;

static uint32_t quantise(float cost)
{
    return cost <= 0.0f ? 0u : (uint32_t)(cost * LOPE_COST_UNIT + 0.5f);
}

static void quantise_actions(const lope_state_graph *graph, lope_path_tree *tree)
{
    uint32_t least = UINT32_MAX, largest = 0;
    for (size_t a = 0; a < graph->offsets[graph->state_count]; a++) {
        uint32_t cost = quantise(graph->actions[a].cost);
        tree->edges[a] = (path_edge){cost, graph->actions[a].state};
        least = cost > 0 && cost < least ? cost : least;
        largest = cost > largest ? cost : largest;
    }
    tree->bucket_width = least == UINT32_MAX ? 1 : least;
    tree->bucket_count = (int)(largest / tree->bucket_width) + 2;
}

lope_status lope_path_tree_create(const lope_state_graph *graph, lope_path_tree *out, lope_error *error)
{
    *out = (lope_path_tree){.state_count = graph->state_count};
    size_t n = (size_t)graph->state_count;
    out->edges = lope_alloc_array(graph->offsets[n], sizeof *out->edges);
    if (out->edges)
        quantise_actions(graph, out);
    out->cost = lope_alloc_array(n, sizeof *out->cost);
    out->action = lope_alloc_array(n, sizeof(int));
    out->from = lope_alloc_array(n, sizeof(int));
    out->steps = lope_alloc_array(n, sizeof(int));
    out->order = lope_alloc_array(n, sizeof(int));
    out->previous = lope_alloc_array(n, sizeof(int));
    out->next = lope_alloc_array(n, sizeof(int));
    out->settled = lope_alloc_array(n, sizeof *out->settled);
    out->buckets = lope_alloc_array((size_t)out->bucket_count, sizeof(int));
    if (out->edges && out->cost && out->action && out->from && out->steps && out->order && out->previous && out->next &&
        out->settled && out->buckets)
        return LOPE_OK;
    lope_path_tree_free(out);
    return lope_fail_memory(error);
}

void lope_path_tree_free(lope_path_tree *tree)
{
    lope_free(tree->edges);
    lope_free(tree->cost);
    lope_free(tree->action);
    lope_free(tree->from);
    lope_free(tree->steps);
    lope_free(tree->order);
    lope_free(tree->previous);
    lope_free(tree->next);
    lope_free(tree->settled);
    lope_free(tree->buckets);
    *tree = (lope_path_tree){0};
}

static int *bucket_of(const lope_path_tree *tree, uint32_t cost)
{
    return &tree->buckets[cost / tree->bucket_width % (uint32_t)tree->bucket_count];
}

static void insert(lope_path_tree *tree, int state)
{
    int *bucket = bucket_of(tree, tree->cost[state]);
    tree->previous[state] = NONE;
    tree->next[state] = *bucket;
    if (*bucket != NONE)
        tree->previous[*bucket] = state;
    *bucket = state;
}

static void take_out(lope_path_tree *tree, int state)
{
    if (tree->previous[state] != NONE)
        tree->next[tree->previous[state]] = tree->next[state];
    else
        *bucket_of(tree, tree->cost[state]) = tree->next[state];
    if (tree->next[state] != NONE)
        tree->previous[tree->next[state]] = tree->previous[state];
}

// Whether reaching `to` over `action` from `from` beats what is known.
static bool improves(const lope_path_tree *tree, int to, uint32_t cost, int steps, int from, int action)
{
    if (cost != tree->cost[to])
        return cost < tree->cost[to];
    if (steps != tree->steps[to])
        return steps < tree->steps[to];
    if (from != tree->from[to])
        return from < tree->from[to];
    return action < tree->action[to];
}

static void reach(lope_path_tree *tree, int state, uint32_t cost, int steps, int from, int action)
{
    if (tree->previous[state] != OUTSIDE)
        take_out(tree, state);
    else
        tree->waiting++;
    tree->cost[state] = cost;
    tree->steps[state] = steps;
    tree->from[state] = from;
    tree->action[state] = action;
    insert(tree, state);
}

static void relax(const lope_state_graph *graph, int from, lope_path_tree *tree)
{
    uint32_t base = tree->cost[from];
    int steps = tree->steps[from] + 1;
    for (size_t a = graph->offsets[from]; a < graph->offsets[from + 1]; a++) {
        path_edge edge = tree->edges[a];
        uint32_t cost = base + edge.cost;
        if (cost <= tree->cost[edge.state] && improves(tree, edge.state, cost, steps, from, (int)a))
            reach(tree, edge.state, cost, steps, from, (int)a);
    }
}

static void clear(lope_path_tree *tree)
{
    for (int s = 0; s < tree->state_count; s++) {
        tree->cost[s] = UINT32_MAX;
        tree->action[s] = tree->from[s] = tree->steps[s] = NONE;
        tree->previous[s] = OUTSIDE;
        tree->settled[s] = 0;
    }
    for (int b = 0; b < tree->bucket_count; b++)
        tree->buckets[b] = NONE;
    tree->order_count = tree->waiting = 0;
}

// Settles everything in one bucket, also what free actions bring back into it.
static void work_off(const lope_state_graph *graph, int *bucket, lope_path_tree *tree)
{
    while (*bucket != NONE) {
        int state = *bucket;
        take_out(tree, state);
        tree->previous[state] = OUTSIDE;
        tree->waiting--;
        if (!tree->settled[state]) {
            tree->settled[state] = 1;
            tree->order[tree->order_count++] = state;
        }
        relax(graph, state, tree);
    }
}

void lope_path_tree_run(const lope_state_graph *graph, int source, lope_path_tree *tree)
{
    clear(tree);
    reach(tree, source, 0, 0, NONE, NONE);
    for (int b = 0; tree->waiting > 0; b = b + 1 < tree->bucket_count ? b + 1 : 0)
        work_off(graph, &tree->buckets[b], tree);
}

typedef struct all_pairs_run {
    const lope_state_graph *graph;
    lope_path_tree *trees; // per thread
    lope_all_paths *paths;
    int first;
} all_pairs_run;

static void fill_source(void *user, int index, int thread)
{
    all_pairs_run *run = user;
    int source = run->first + index;
    lope_path_tree *tree = &run->trees[thread];
    lope_path_tree_run(run->graph, source, tree);
    uint32_t *row = run->paths->before + (size_t)source * (size_t)run->graph->state_count;
    for (int s = 0; s < run->graph->state_count; s++)
        row[s] = tree->cost[s] == UINT32_MAX ? UINT32_MAX : s == source ? (uint32_t)source : (uint32_t)tree->from[s];
}

static lope_status run_all(all_pairs_run *run, lope_jobs *jobs, const lope_progress *progress, lope_error *error)
{
    enum { AT_ONCE = 256 };
    int states = run->graph->state_count;
    for (run->first = 0; run->first < states; run->first += AT_ONCE) {
        int count = states - run->first < AT_ONCE ? states - run->first : AT_ONCE;
        lope_jobs_run(jobs, count, fill_source, run);
        if (progress &&
            !progress->report(progress->user, "shortest paths", (double)(run->first + count) / (double)states))
            return lope_fail(error, LOPE_INTERRUPTED, "interrupted while finding shortest paths");
    }
    return LOPE_OK;
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

lope_status lope_all_paths_create(const lope_state_graph *graph, lope_jobs *jobs, const lope_progress *progress,
                                  lope_all_paths *out, lope_error *error)
{
    size_t n = (size_t)graph->state_count;
    int threads = lope_jobs_thread_count(jobs);
    *out = (lope_all_paths){graph->state_count, lope_alloc_array(n, n * sizeof *out->before)};
    if (!out->before)
        return lope_fail_memory(error);
    all_pairs_run run = {graph, NULL, out, 0};
    lope_status status = lope_path_trees_create(graph, threads, &run.trees, error);
    if (!status)
        status = run_all(&run, jobs, progress, error);
    lope_path_trees_free(run.trees, threads);
    if (status)
        lope_all_paths_free(out);
    return status;
}

void lope_all_paths_free(lope_all_paths *paths)
{
    lope_free(paths->before);
    *paths = (lope_all_paths){0};
}

int lope_all_paths_sequence(const lope_all_paths *paths, int source, int target, int *out, int capacity)
{
    const uint32_t *before = paths->before + (size_t)source * (size_t)paths->state_count;
    if (before[target] == UINT32_MAX)
        return 0;
    int length = 1;
    for (int s = target; s != source; s = (int)before[s])
        length++;
    int at = length;
    for (int s = target;; s = (int)before[s]) {
        if (--at < capacity)
            out[at] = s;
        if (s == source)
            return length;
    }
}
