// SPDX-License-Identifier: MIT
// Directed graphs with costs, and what motion graphs need of them: components, states and actions, shortest paths.
#ifndef LOPE_SRC_GRAPH_GRAPH_H
#define LOPE_SRC_GRAPH_GRAPH_H

#include "lope/graph.h"

// Compressed rows: the edges of node v are targets[offsets[v]] .. targets[offsets[v + 1] - 1].
typedef struct lope_digraph {
    int node_count;
    size_t *offsets; // [node_count + 1]
    int *targets;
    float *costs;
} lope_digraph;

LOPE_API lope_status lope_digraph_create(int node_count, size_t edge_count, lope_digraph *out, lope_error *error);
LOPE_API void lope_digraph_free(lope_digraph *graph);

// The pose graph: natural steps at `frame_cost` each, and transitions at their cost plus `frame_cost`.
LOPE_API lope_status lope_pose_graph(const lope_set *set, const lope_transitions *transitions, float frame_cost,
                                     lope_digraph *out, lope_error *error);

// Strongly connected components (Tarjan 1972, without recursion): component[v] in [0, count), numbered in the order in
// which they are completed.
LOPE_API lope_status lope_components(const lope_digraph *graph, int *component, int *count, lope_error *error);

// Marks the nodes of the largest component (the lowest-numbered of equals) in keep[node_count]; returns its size.
LOPE_API lope_status lope_largest_component(const lope_digraph *graph, uint8_t *keep, int *size, lope_error *error);

// States and actions: a state is a pose with several ways on; an action leads from a state over poses without a
// choice to the next state.
typedef struct lope_action {
    int state;      // where it leads
    int first_pose; // first pose after the state it starts from
    int length;     // poses from first_pose up to and including the pose of `state`
    float cost;
} lope_action;

typedef struct lope_state_graph {
    int pose_count;
    int state_count;
    int *pose_of_state; // [state_count]
    int *state_of_pose; // [pose_count] or -1
    int *next;          // [pose_count] the only way on from a pose that is no state; -1 elsewhere
    size_t *offsets;    // [state_count + 1] into actions
    lope_action *actions;
} lope_state_graph;

// Collapses the kept part of a pose graph. Where nothing offers a choice (a single loop), its first pose is a state.
LOPE_API lope_status lope_state_graph_create(const lope_digraph *poses, const uint8_t *keep, lope_state_graph *out,
                                             lope_error *error);
LOPE_API void lope_state_graph_free(lope_state_graph *graph);

// How a state is reached from the source. Labels are compared as they stand: cheaper first, then fewer steps, then the
// lower-numbered state and action.
typedef struct lope_path_label {
    uint32_t cost; // quantised; UINT32_MAX: not reached
    int steps;     // number of actions on the way; -1: not reached
    int from;      // state the last action starts from, -1 at the source and where not reached
    int action;    // index of the last action, -1 likewise
} lope_path_label;

// Shortest paths from one state to all others. Reuse it for the next source.
typedef struct lope_path_tree {
    int state_count;
    int step_limit; // 0: none. Otherwise only labels of up to so many steps are certain to be right and complete,
                    // and the search ends as soon as they are
    lope_path_label *labels; // [state_count]
    // private
    struct path_edge *edges; // [action_count] quantised
    int bucket_count;
    uint32_t bucket_width;
    int *buckets;               // [bucket_count] first entry of each, or -1
    struct path_entry *entries; // what waits in the buckets; outdated entries are skipped
    int entry_count;
    int near_count;   // states that are labelled within the limit of steps and not settled
    uint8_t *settled; // [state_count]
} lope_path_tree;

LOPE_API lope_status lope_path_tree_create(const lope_state_graph *graph, lope_path_tree *out, lope_error *error);
LOPE_API void lope_path_tree_free(lope_path_tree *tree);
// One tree per thread.
LOPE_API lope_status lope_path_trees_create(const lope_state_graph *graph, int count, lope_path_tree **out,
                                            lope_error *error);
LOPE_API void lope_path_trees_free(lope_path_tree *trees, int count);
// Quantised cost of an action.
uint32_t lope_path_action_cost(const lope_path_tree *tree, int action);
LOPE_API void lope_path_tree_run(const lope_state_graph *graph, int source, lope_path_tree *tree);

// Cost units of lope_path_tree: LOPE_COST_UNIT per 1.0. No action is free: the least that one costs is one unit.
#define LOPE_COST_UNIT 65536.0f

// All pairs in the thesis' chained storage: for each source and target the state before the target on the way.
typedef struct lope_all_paths {
    int state_count;
    uint32_t *before; // [state_count * state_count]; the source itself on the diagonal, UINT32_MAX: no way
} lope_all_paths;

LOPE_API lope_status lope_all_paths_create(const lope_state_graph *graph, lope_jobs *jobs,
                                           const lope_progress *progress, lope_all_paths *out, lope_error *error);
LOPE_API void lope_all_paths_free(lope_all_paths *paths);
// The tree of one source as the matrix has it: steps, states and actions, but no costs.
LOPE_API void lope_all_paths_tree(const lope_state_graph *graph, const lope_all_paths *paths, int source,
                                  lope_path_tree *tree);
// States from `source` to `target`, both included, into out[capacity]; returns how many there are (0: no way).
LOPE_API int lope_all_paths_sequence(const lope_all_paths *paths, int source, int target, int *out, int capacity);

#endif
