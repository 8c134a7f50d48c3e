// SPDX-License-Identifier: MIT
// How long it takes at least to get to a goal, over areas: the gates of a tile that are entered under one heading, the
// places to stand inside it, and every junction. There are a hundred times fewer of them than nodes, so that searching
// them first, backwards from the goal, costs little and tells the search over nodes where to go.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "blocks/people.h"

int people_area_of(const lope_people *p, int node)
{
    const lope_block_world *w = p->world;
    const lope_tile *tile = w->blocks->tile;
    if (node >= w->tile_nodes)
        return p->areas.of_tiles + node - w->tile_nodes;
    return 2 * (node / tile->gate_count) + (tile->gates[node % tile->gate_count].inside ? 1 : 0);
}

// The quickest steps from one area to each other one.
typedef struct area_edge {
    int32_t from, to;
    float seconds;
} area_edge;

typedef struct area_scan {
    list edges;      // of area_edge
    int32_t *latest; // [areas] the last edge that leads there
    int first;       // edge of the area that is looked at
} area_scan;

static bool note_steps(const lope_people *p, int area, int node, area_scan *scan)
{
    graph_cursor cursor = {0, 0};
    graph_step step;
    while (graph_next(p->world, node, &cursor, &step)) {
        area_edge edge = {area, people_area_of(p, step.to), step.seconds};
        if (edge.to == area)
            continue;
        if (scan->latest[edge.to] >= scan->first) {
            area_edge *known = (area_edge *)scan->edges.items + scan->latest[edge.to];
            known->seconds = fminf(known->seconds, edge.seconds);
            continue;
        }
        scan->latest[edge.to] = scan->edges.count;
        if (!list_add(&scan->edges, &edge, sizeof edge))
            return false;
    }
    return true;
}

static bool scan_edges(const lope_people *p, area_scan *scan)
{
    const lope_block_world *w = p->world;
    const lope_tile *tile = w->blocks->tile;
    bool ok = true;
    for (int area = 0; area < p->areas.count && ok; area++) {
        scan->first = scan->edges.count;
        if (area >= p->areas.of_tiles) {
            ok = note_steps(p, area, w->tile_nodes + area - p->areas.of_tiles, scan);
            continue;
        }
        for (int gate = 0; gate < tile->gate_count && ok; gate++)
            if (tile->gates[gate].inside == (area % 2 == 1))
                ok = note_steps(p, area, area / 2 * tile->gate_count + gate, scan);
    }
    return ok;
}

// Edges by where they lead to.
static void sort_edges(people_areas *a, const area_edge *edges, int count)
{
    for (int i = 0; i < count; i++)
        a->first[edges[i].to + 2]++;
    for (int i = 2; i < a->count + 2; i++)
        a->first[i] += a->first[i - 1];
    for (int i = 0; i < count; i++)
        a->edges[a->first[edges[i].to + 1]++] = (people_area_edge){edges[i].from, edges[i].seconds};
}

lope_status people_areas_create(lope_people *p, lope_error *error)
{
    people_areas *a = &p->areas;
    people_areas_destroy(a);
    a->of_tiles = 2 * (p->world->tile_nodes / p->world->blocks->tile->gate_count);
    a->count = a->of_tiles + p->world->junctions.count;
    size_t count = (size_t)a->count + 3;
    a->first = lope_alloc_zero(count * sizeof *a->first);
    a->left = lope_alloc_array(count, sizeof *a->left);
    a->mark = lope_alloc_zero(count * sizeof *a->mark);
    a->heap.items = lope_alloc_array(count, sizeof *a->heap.items);
    a->heap.at = lope_alloc_array(count, sizeof *a->heap.at);
    a->heap.keys = a->left;
    area_scan scan = {.latest = lope_alloc_array(count, sizeof *scan.latest)};
    lope_status status = LOPE_OK;
    if (!a->first || !a->left || !a->mark || !a->heap.items || !a->heap.at || !scan.latest)
        status = lope_fail_memory(error);
    for (int i = 0; i < a->count && !status; i++)
        scan.latest[i] = -1;
    if (!status && !scan_edges(p, &scan))
        status = lope_fail_memory(error);
    a->edges = lope_alloc_array((size_t)scan.edges.count + 1, sizeof *a->edges);
    if (!status && a->edges)
        sort_edges(a, scan.edges.items, scan.edges.count);
    else
        status = lope_fail_memory(error);
    lope_free(scan.latest);
    lope_free(scan.edges.items);
    return status;
}

void people_areas_destroy(people_areas *a)
{
    void *blocks[] = {a->first, a->left, a->mark, a->heap.items, a->heap.at, a->edges};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        lope_free(blocks[i]);
    *a = (people_areas){0};
}

static void reach(people_areas *a, int area, float left)
{
    if (a->mark[area] == a->number && a->left[area] <= left)
        return;
    if (a->mark[area] != a->number)
        a->heap.at[area] = -1;
    a->mark[area] = a->number;
    a->left[area] = left;
    people_heap_raise(&a->heap, area);
}

static void seed(lope_people *p, const people_goal *goal)
{
    people_areas *a = &p->areas;
    if (goal->node >= 0)
        reach(a, people_area_of(p, goal->node), 0.0f);
    for (int i = 0; i < p->stands.count && goal->node < 0; i++)
        if (people_distance(stand_at(p, i)->at, goal->at) < goal->reach)
            reach(a, people_area_of(p, stand_at(p, i)->node), 0.0f);
}

bool people_areas_search(lope_people *p, int from, const people_goal *goal)
{
    people_areas *a = &p->areas;
    int start = people_area_of(p, from);
    a->number++;
    a->heap.count = 0;
    seed(p, goal);
    while (a->heap.count > 0) {
        int area = people_heap_take(&a->heap), junction = area - a->of_tiles;
        float left = a->left[area], wait = 0.0f;
        if (area == start) {
            a->beyond = left;
            return true;
        }
        if (junction >= 0) {
            int seat = p->search.seat[junction];
            if (seat >= 0 && seat != goal->seat && seat != goal->own_seat)
                continue;
            wait = people_passage_cost(p, p->world->tile_nodes + junction);
        }
        p->search.looked += a->first[area + 1] - a->first[area];
        for (int i = a->first[area]; i < a->first[area + 1]; i++) {
            int before = a->edges[i].from;
            reach(a, before, left + a->edges[i].seconds + (before < a->of_tiles ? wait : 0.0f));
        }
    }
    return false;
}
