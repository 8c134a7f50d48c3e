// SPDX-License-Identifier: MIT
#include "support/arcs.h"

#include <stdlib.h>

enum { TURNS = 5, WALKS = 2 * TURNS, START = WALKS, STOP, STEPS, PLACES = 6, MOST_EDGES = STEPS * (TURNS + 1) };

// A point of an arc that turns by `turn` over `length`, `share` of the way.
static lope_ground on_arc(float turn, float length, float share)
{
    float angle = turn * share, along = length * share;
    if (fabsf(turn) < 1e-4f)
        return (lope_ground){0.0f, along, angle};
    float radius = length / turn;
    return (lope_ground){radius * (1.0f - (float)lope_cos((double)angle)), radius * (float)lope_sin((double)angle),
                         angle};
}

static void add_step(lope_steps *graph, lope_step *steps, lope_step_place *places, float turn, float length)
{
    lope_step *step = &steps[graph->step_count++];
    *step = (lope_step){.frames = 16,
                        .move = on_arc(turn, length, 1.0f),
                        .length = length,
                        .place_first = graph->place_count,
                        .place_count = PLACES};
    for (int i = 0; i < PLACES; i++) {
        float share = (float)i / (PLACES - 1);
        places[graph->place_count++] = (lope_step_place){on_arc(turn, length, share), 0.25f, length * share};
    }
}

static void add_edge(lope_steps *graph, lope_step_edge *edges, int to, lope_random *random)
{
    lope_ground join = {lope_random_range(random, -0.004f, 0.004f), lope_random_range(random, 0.01f, 0.03f),
                        lope_random_range(random, -0.02f, 0.02f)};
    edges[graph->edge_count++] = (lope_step_edge){
        .to = to, .join = join, .length = sqrtf(join.x * join.x + join.z * join.z), .cost = 0.01f, .slip = 0.002f};
}

// The straight step first, then gentle turns, then sharp ones.
static const int by_sharpness[TURNS] = {2, 1, 3, 0, 4};

static void connect(lope_steps *graph, lope_step *steps, lope_step_edge *edges, int branching, lope_random *random)
{
    for (int i = 0; i < STEPS; i++) {
        steps[i].edge_first = graph->edge_count;
        int foot = i < TURNS || i == START ? TURNS : 0; // the other foot's steps come next
        for (int k = 0; i != STOP && k < TURNS && (branching == 0 || k < branching); k++)
            add_edge(graph, edges, foot + by_sharpness[k], random);
        if (i < WALKS && i % TURNS == 2)
            add_edge(graph, edges, STOP, random);
        steps[i].edge_count = graph->edge_count - steps[i].edge_first;
    }
}

lope_steps *test_arcs(int branching, uint64_t seed)
{
    lope_random random = lope_random_seed(seed);
    lope_steps *graph = calloc(1, sizeof *graph);
    lope_step *steps = calloc(STEPS, sizeof *steps);
    lope_step_edge *edges = calloc(MOST_EDGES, sizeof *edges);
    lope_step_place *places = calloc((size_t)STEPS * PLACES, sizeof *places);
    assert_true(graph && steps && edges && places);
    for (int i = 0; i < WALKS; i++)
        add_step(graph, steps, places, (float)((i % TURNS - 2) * 15.0 * LOPE_PI / 180.0),
                 lope_random_range(&random, 0.6f, 0.7f));
    add_step(graph, steps, places, 0.0f, 0.35f);
    add_step(graph, steps, places, 0.0f, 0.35f);
    steps[START].flags = LOPE_STEP_STARTS;
    steps[STOP].flags = LOPE_STEP_STOPS;
    connect(graph, steps, edges, branching, &random);
    graph->steps = steps;
    graph->edges = edges;
    graph->places = places;
    return graph;
}

void test_arcs_destroy(lope_steps *graph)
{
    free((void *)(uintptr_t)graph->steps);
    free((void *)(uintptr_t)graph->edges);
    free((void *)(uintptr_t)graph->places);
    free(graph);
}
