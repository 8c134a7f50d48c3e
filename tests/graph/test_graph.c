// SPDX-License-Identifier: MIT
// Components, states and shortest paths against brute force on random graphs.
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graph/graph.h"
#include "support/support.h"

enum { MAX_NODES = 40 };

static lope_digraph random_graph(lope_random *random, int nodes, float density)
{
    lope_error error;
    lope_digraph graph;
    assert_ok(lope_digraph_create(nodes, (size_t)(nodes * nodes), &graph, &error));
    size_t edge = 0;
    for (int a = 0; a < nodes; a++) {
        graph.offsets[a] = edge;
        for (int b = 0; b < nodes; b++)
            if (lope_random_range(random, 0.0f, 1.0f) < density) {
                graph.targets[edge] = b;
                // Some free edges, many equal ones: where ties and zero-cost cycles hide mistakes.
                graph.costs[edge++] = (float)lope_random_below(random, 5) * 0.01f;
            }
    }
    graph.offsets[nodes] = edge;
    return graph;
}

static void reachability(const lope_digraph *graph, bool reach[MAX_NODES][MAX_NODES])
{
    int n = graph->node_count;
    memset(reach, 0, sizeof(bool[MAX_NODES][MAX_NODES]));
    for (int a = 0; a < n; a++) {
        reach[a][a] = true;
        for (size_t e = graph->offsets[a]; e < graph->offsets[a + 1]; e++)
            reach[a][graph->targets[e]] = true;
    }
    for (int k = 0; k < n; k++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                reach[a][b] = reach[a][b] || (reach[a][k] && reach[k][b]);
}

static void components_are_mutual_reach(void **state)
{
    (void)state;
    lope_error error;
    lope_random random = lope_random_seed(5);
    for (int round = 0; round < 300; round++) {
        int nodes = 1 + lope_random_below(&random, MAX_NODES);
        lope_digraph graph = random_graph(&random, nodes, lope_random_range(&random, 0.0f, 0.12f));
        int component[MAX_NODES], count;
        bool reach[MAX_NODES][MAX_NODES];
        assert_ok(lope_components(&graph, component, &count, &error));
        reachability(&graph, reach);
        for (int a = 0; a < nodes; a++)
            for (int b = 0; b < nodes; b++)
                assert_int_equal(component[a] == component[b], reach[a][b] && reach[b][a]);
        lope_digraph_free(&graph);
    }
}

static void a_million_nodes_in_a_row_need_no_deep_stack(void **state)
{
    (void)state;
    lope_error error;
    int n = 1000000, size;
    lope_digraph graph;
    assert_ok(lope_digraph_create(n, (size_t)n, &graph, &error));
    for (int v = 0; v < n; v++) {
        graph.offsets[v] = (size_t)v;
        graph.targets[v] = v + 1 < n ? v + 1 : 0;
        graph.costs[v] = 1.0f;
    }
    graph.offsets[n] = (size_t)n;
    uint8_t *keep = malloc((size_t)n);
    assert_ok(lope_largest_component(&graph, keep, &size, &error));
    assert_int_equal(size, n);
    free(keep);
    lope_digraph_free(&graph);
}

// Every step of the state graph, replayed on the poses, is a kept edge; costs add up; states have a choice.
static void check_states(const lope_digraph *poses, const uint8_t *keep, const lope_state_graph *states)
{
    for (int s = 0; s < states->state_count; s++) {
        assert_int_equal(states->state_of_pose[states->pose_of_state[s]], s);
        for (size_t a = states->offsets[s]; a < states->offsets[s + 1]; a++) {
            lope_action action = states->actions[a];
            int pose = action.first_pose;
            for (int k = 1; k < action.length; k++) {
                assert_true(keep[pose]);
                assert_int_equal(states->state_of_pose[pose], -1);
                pose = states->next[pose];
            }
            assert_int_equal(pose, states->pose_of_state[action.state]);
        }
    }
    (void)poses;
}

static uint32_t units(float cost)
{
    uint32_t whole = (uint32_t)(cost * LOPE_COST_UNIT + 0.5f);
    return whole > 0 ? whole : 1;
}

static void floyd(const lope_state_graph *graph, uint32_t *cost)
{
    int n = graph->state_count;
    for (int i = 0; i < n * n; i++)
        cost[i] = UINT32_MAX;
    for (int s = 0; s < n; s++) {
        for (size_t a = graph->offsets[s]; a < graph->offsets[s + 1]; a++) {
            uint32_t c = units(graph->actions[a].cost);
            uint32_t *entry = &cost[s * n + graph->actions[a].state];
            *entry = c < *entry ? c : *entry;
        }
        cost[s * n + s] = 0;
    }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (cost[i * n + k] != UINT32_MAX && cost[k * n + j] != UINT32_MAX &&
                    cost[i * n + k] + cost[k * n + j] < cost[i * n + j])
                    cost[i * n + j] = cost[i * n + k] + cost[k * n + j];
}

static uint32_t cheapest_action(const lope_state_graph *graph, int from, int to)
{
    uint32_t best = UINT32_MAX;
    for (size_t a = graph->offsets[from]; a < graph->offsets[from + 1]; a++) {
        uint32_t cost = units(graph->actions[a].cost);
        if (graph->actions[a].state == to && cost < best)
            best = cost;
    }
    return best;
}

static void check_paths(const lope_state_graph *graph)
{
    lope_error error;
    int n = graph->state_count, sequence[MAX_NODES];
    uint32_t *expected = malloc(sizeof *expected * (size_t)(n * n) + 1);
    floyd(graph, expected);
    lope_path_tree tree;
    lope_all_paths all;
    assert_ok(lope_path_tree_create(graph, &tree, &error));
    assert_ok(lope_all_paths_create(graph, NULL, NULL, &all, &error));
    for (int s = 0; s < n; s++) {
        lope_path_tree_run(graph, s, &tree);
        for (int t = 0; t < n; t++) {
            assert_int_equal(tree.labels[t].cost, expected[s * n + t]);
            int length = lope_all_paths_sequence(&all, s, t, sequence, MAX_NODES);
            if (tree.labels[t].cost == UINT32_MAX) {
                assert_int_equal(length, 0);
                continue;
            }
            assert_int_equal(length, tree.labels[t].steps + 1);
            uint32_t sum = 0;
            for (int k = 1; k < length; k++)
                sum += cheapest_action(graph, sequence[k - 1], sequence[k]);
            assert_int_equal(sum, tree.labels[t].cost);
        }
    }
    lope_all_paths_free(&all);
    lope_path_tree_free(&tree);
    free(expected);
}

// A limit of steps changes nothing about the labels within it, and lets no other state seem to be within it.
static void check_limited_paths(const lope_state_graph *graph)
{
    lope_error error;
    lope_path_tree full, limited;
    assert_ok(lope_path_tree_create(graph, &full, &error));
    assert_ok(lope_path_tree_create(graph, &limited, &error));
    for (limited.step_limit = 1; limited.step_limit <= 6; limited.step_limit++)
        for (int s = 0; s < graph->state_count; s++) {
            lope_path_tree_run(graph, s, &full);
            lope_path_tree_run(graph, s, &limited);
            for (int t = 0; t < graph->state_count; t++) {
                bool within = full.labels[t].steps >= 0 && full.labels[t].steps <= limited.step_limit;
                if (within)
                    assert_memory_equal(&limited.labels[t], &full.labels[t], sizeof full.labels[t]);
                else
                    assert_true(limited.labels[t].steps < 0 || limited.labels[t].steps > limited.step_limit);
            }
        }
    lope_path_tree_free(&full);
    lope_path_tree_free(&limited);
}

static void shortest_paths_are_shortest(void **state)
{
    (void)state;
    lope_error error;
    lope_random random = lope_random_seed(9);
    for (int round = 0; round < 300; round++) {
        int nodes = 2 + lope_random_below(&random, MAX_NODES - 2);
        lope_digraph graph = random_graph(&random, nodes, lope_random_range(&random, 0.05f, 0.2f));
        uint8_t keep[MAX_NODES];
        int size;
        assert_ok(lope_largest_component(&graph, keep, &size, &error));
        if (size > 1) {
            lope_state_graph states;
            assert_ok(lope_state_graph_create(&graph, keep, &states, &error));
            check_states(&graph, keep, &states);
            check_paths(&states);
            check_limited_paths(&states);
            lope_state_graph_free(&states);
        }
        lope_digraph_free(&graph);
    }
}

static void all_paths_do_not_depend_on_threads(void **state)
{
    (void)state;
    lope_error error;
    lope_random random = lope_random_seed(11);
    lope_digraph graph = random_graph(&random, MAX_NODES, 0.15f);
    uint8_t keep[MAX_NODES];
    int size;
    assert_ok(lope_largest_component(&graph, keep, &size, &error));
    lope_state_graph states;
    assert_ok(lope_state_graph_create(&graph, keep, &states, &error));
    uint64_t first = 0;
    for (int threads = 1; threads <= 4; threads++) {
        lope_jobs *jobs;
        lope_all_paths all;
        assert_ok(lope_jobs_create(threads, &jobs, &error));
        assert_ok(lope_all_paths_create(&states, jobs, NULL, &all, &error));
        size_t n = (size_t)states.state_count;
        uint64_t hash = lope_hash(all.before, n * n * sizeof *all.before, 0);
        first = first ? first : hash;
        assert_true(hash == first);
        lope_all_paths_free(&all);
        lope_jobs_destroy(jobs);
    }
    lope_state_graph_free(&states);
    lope_digraph_free(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_mutual_reach),
        cmocka_unit_test(a_million_nodes_in_a_row_need_no_deep_stack),
        cmocka_unit_test(shortest_paths_are_shortest),
        cmocka_unit_test(all_paths_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
