// SPDX-License-Identifier: MIT
// Shortest paths of all pairs of states in one matrix (thesis 3.4): at (i, j) the state before j on the way from i, so
// that a path is a chain that is followed backwards. It grows with the square of the states; mobility maps need paths
// of a few steps only, and find them without it.
#include "base/error.h"
#include "base/memory.h"
#include "graph/graph.h"

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
        row[s] = tree->labels[s].cost == UINT32_MAX ? UINT32_MAX
                 : s == source                      ? (uint32_t)source
                                                    : (uint32_t)tree->labels[s].from;
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

// The action that leads from one state to another: of several the cheapest, of equals the first.
static int action_between(const lope_state_graph *graph, const lope_path_tree *tree, int from, int to)
{
    int best = -1;
    uint32_t least = UINT32_MAX;
    for (size_t a = graph->offsets[from]; a < graph->offsets[from + 1]; a++)
        if (graph->actions[a].state == to && lope_path_action_cost(tree, (int)a) < least) {
            least = lope_path_action_cost(tree, (int)a);
            best = (int)a;
        }
    return best;
}

// Follows the chain back from a state to one whose steps are known, then comes again and counts.
static void count_steps(lope_path_tree *tree, int state)
{
    int back = 0, at = state;
    for (; tree->labels[at].steps < 0; at = tree->labels[at].from)
        back++;
    int steps = tree->labels[at].steps + back;
    for (at = state; tree->labels[at].steps < 0; at = tree->labels[at].from)
        tree->labels[at].steps = steps--;
}

void lope_all_paths_tree(const lope_state_graph *graph, const lope_all_paths *paths, int source, lope_path_tree *tree)
{
    const uint32_t *before = paths->before + (size_t)source * (size_t)paths->state_count;
    for (int s = 0; s < paths->state_count; s++)
        tree->labels[s] = (lope_path_label){UINT32_MAX, -1, before[s] == UINT32_MAX ? -1 : (int)before[s], -1};
    tree->labels[source] = (lope_path_label){0, 0, -1, -1};
    for (int s = 0; s < paths->state_count; s++) {
        lope_path_label *label = &tree->labels[s];
        if (label->from < 0)
            continue;
        count_steps(tree, s);
        if (label->steps <= tree->step_limit || tree->step_limit == 0)
            label->action = action_between(graph, tree, label->from, s);
    }
}
