// SPDX-License-Identifier: MIT
// States and actions (Lee and Lee 2004, as used by the thesis, section 3.3): poses without a choice collapse into the
// actions between those that have one.
#include "base/error.h"
#include "base/memory.h"
#include "graph/graph.h"

typedef struct collapse {
    const lope_digraph *poses;
    const uint8_t *keep;
    lope_state_graph *graph;
} collapse;

static int kept_edges(const collapse *c, int pose, size_t *first)
{
    int count = 0;
    for (size_t e = c->poses->offsets[pose + 1]; e-- > c->poses->offsets[pose];)
        if (c->keep[c->poses->targets[e]]) {
            *first = e;
            count++;
        }
    return count;
}

// Numbers the states and links the other poses to their only successor. Returns the number of actions.
static size_t number_states(const collapse *c)
{
    lope_state_graph *g = c->graph;
    size_t actions = 0, edge = 0;
    int first_kept = -1;
    for (int p = 0; p < g->pose_count; p++) {
        g->state_of_pose[p] = g->next[p] = -1;
        if (!c->keep[p])
            continue;
        first_kept = first_kept < 0 ? p : first_kept;
        int ways = kept_edges(c, p, &edge);
        if (ways == 1) {
            g->next[p] = c->poses->targets[edge];
            continue;
        }
        g->state_of_pose[p] = g->state_count;
        g->pose_of_state[g->state_count++] = p;
        actions += (size_t)ways;
    }
    if (g->state_count == 0 && first_kept >= 0) {
        g->state_of_pose[first_kept] = 0;
        g->pose_of_state[g->state_count++] = first_kept;
        g->next[first_kept] = -1;
        actions = 1;
    }
    return actions;
}

// Follows poses without a choice from `edge` on to the next state.
static lope_action follow(const collapse *c, size_t edge)
{
    const lope_state_graph *g = c->graph;
    lope_action action = {-1, c->poses->targets[edge], 1, c->poses->costs[edge]};
    int pose = action.first_pose;
    while (g->state_of_pose[pose] < 0) {
        size_t only = 0;
        kept_edges(c, pose, &only);
        action.cost += c->poses->costs[only];
        action.length++;
        pose = g->next[pose];
    }
    action.state = g->state_of_pose[pose];
    return action;
}

static void collect_actions(const collapse *c)
{
    lope_state_graph *g = c->graph;
    size_t count = 0;
    for (int s = 0; s < g->state_count; s++) {
        int pose = g->pose_of_state[s];
        g->offsets[s] = count;
        for (size_t e = c->poses->offsets[pose]; e < c->poses->offsets[pose + 1]; e++)
            if (c->keep[c->poses->targets[e]])
                g->actions[count++] = follow(c, e);
    }
    g->offsets[g->state_count] = count;
}

lope_status lope_state_graph_create(const lope_digraph *poses, const uint8_t *keep, lope_state_graph *out,
                                    lope_error *error)
{
    size_t n = (size_t)poses->node_count;
    *out = (lope_state_graph){.pose_count = poses->node_count};
    out->pose_of_state = lope_alloc_array(n, sizeof(int));
    out->state_of_pose = lope_alloc_array(n, sizeof(int));
    out->next = lope_alloc_array(n, sizeof(int));
    if (out->pose_of_state && out->state_of_pose && out->next) {
        collapse c = {poses, keep, out};
        size_t actions = number_states(&c);
        out->offsets = lope_alloc_array((size_t)out->state_count + 1, sizeof *out->offsets);
        out->actions = lope_alloc_array(actions, sizeof *out->actions);
        if (out->offsets && out->actions) {
            collect_actions(&c);
            return LOPE_OK;
        }
    }
    lope_state_graph_free(out);
    return lope_fail_memory(error);
}

void lope_state_graph_free(lope_state_graph *graph)
{
    lope_free(graph->pose_of_state);
    lope_free(graph->state_of_pose);
    lope_free(graph->next);
    lope_free(graph->offsets);
    lope_free(graph->actions);
    *graph = (lope_state_graph){0};
}
