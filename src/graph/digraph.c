// SPDX-License-Identifier: MIT
// Pose graphs and their strongly connected components.
#include <string.h>

#include "base/components.h"
#include "base/error.h"
#include "base/memory.h"
#include "graph/graph.h"

lope_status lope_digraph_create(int node_count, size_t edge_count, lope_digraph *out, lope_error *error)
{
    out->node_count = node_count;
    out->offsets = lope_alloc_zero(((size_t)node_count + 1) * sizeof *out->offsets);
    out->targets = lope_alloc_array(edge_count, sizeof *out->targets);
    out->costs = lope_alloc_array(edge_count, sizeof *out->costs);
    if (out->offsets && out->targets && out->costs)
        return LOPE_OK;
    lope_digraph_free(out);
    return lope_fail_memory(error);
}

void lope_digraph_free(lope_digraph *graph)
{
    lope_free(graph->offsets);
    lope_free(graph->targets);
    lope_free(graph->costs);
    *graph = (lope_digraph){0};
}

lope_status lope_pose_graph(const lope_set *set, const lope_transitions *transitions, float frame_cost,
                            lope_digraph *out, lope_error *error)
{
    int poses = transitions->pose_count;
    lope_status status = lope_digraph_create(poses, (size_t)poses + transitions->count, out, error);
    if (status)
        return status;
    size_t edge = 0, t = 0;
    int pose = 0;
    for (int c = 0; c < set->clip_count; c++)
        for (int f = 0; f < set->clips[c]->frame_count; f++, pose++) {
            out->offsets[pose] = edge;
            if (f + 1 < set->clips[c]->frame_count) {
                out->targets[edge] = pose + 1;
                out->costs[edge++] = frame_cost;
            }
            for (; t < transitions->count && transitions->items[t].from == pose; t++) {
                out->targets[edge] = transitions->items[t].to;
                out->costs[edge++] = transitions->items[t].cost + frame_cost;
            }
        }
    out->offsets[poses] = edge;
    return LOPE_OK;
}

static int next_target(const void *user, int node, uint64_t *place)
{
    const lope_digraph *graph = user;
    size_t edge = graph->offsets[node] + (size_t)*place;
    *place += 1;
    return edge < graph->offsets[node + 1] ? graph->targets[edge] : -1;
}

lope_status lope_components(const lope_digraph *graph, int *component, int *count, lope_error *error)
{
    void *memory = lope_alloc(lope_component_memory(graph->node_count));
    if (!memory)
        return lope_fail_memory(error);
    component_search search = lope_component_begin(graph, next_target, graph->node_count, memory);
    for (int v = 0; v < graph->node_count; v++)
        lope_component_explore(&search, v);
    for (int v = 0; v < graph->node_count; v++)
        component[v] = search.component[v];
    *count = search.count;
    lope_free(memory);
    return LOPE_OK;
}

lope_status lope_largest_component(const lope_digraph *graph, uint8_t *keep, int *size, lope_error *error)
{
    size_t n = (size_t)graph->node_count;
    *size = 0;
    int *component = lope_alloc_array(2 * n + 1, sizeof *component);
    if (!component)
        return lope_fail_memory(error);
    int count, *sizes = component + n, largest = 0;
    lope_status status = lope_components(graph, component, &count, error);
    if (status == LOPE_OK && count > 0) {
        memset(sizes, 0, (size_t)count * sizeof *sizes);
        for (size_t v = 0; v < n; v++)
            sizes[component[v]]++;
        for (int c = 1; c < count; c++)
            largest = sizes[c] > sizes[largest] ? c : largest;
        for (size_t v = 0; v < n; v++)
            keep[v] = component[v] == largest;
        *size = sizes[largest];
    }
    lope_free(component);
    return status;
}
