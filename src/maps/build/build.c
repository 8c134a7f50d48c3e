// SPDX-License-Identifier: MIT
// All maps of a graph: one job for each step, put together in the order of the steps.
#include <limits.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "maps/build/unroll.h"

#define LARGEST 65535

lope_maps_def lope_maps_def_default(void)
{
    return (lope_maps_def){.depth = 0, .nodes = 10000, .cell = 0.1f};
}

typedef struct building {
    unroll_plan plan;
    lope_map_move *moves;
    uint32_t *lengths;
    unroll_scratch **scratch; // [threads]
    int threads;
    unrolled *maps;       // [steps]
    lope_status *results; // [steps]
    uint32_t first;       // step of the first job of a round
    lope_maps_report report;
} building;

static lope_status check(const lope_steps *steps, const lope_maps_def *def, lope_error *error)
{
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, depth, 0, INT_MAX), LOPE_RANGE(def, nodes, 0, INT_MAX),
                                    LOPE_RANGE(def, cell, 0.01f, 10));
    if (status)
        return status;
    if (def->depth == 0 && def->nodes == 0)
        return lope_fail(error, LOPE_BAD_DATA,
                         "a motion map needs a depth or a number of nodes to end at; found depth %d, %d nodes",
                         def->depth, def->nodes);
    if (steps->step_count == 0 || steps->step_count > LARGEST || steps->edge_count > LARGEST)
        return lope_fail(error, LOPE_BAD_DATA,
                         "motion maps are built from up to %d steps and edges; found %u and %u; lower the branching",
                         LARGEST, steps->step_count, steps->edge_count);
    return LOPE_OK;
}

static size_t move_count(const lope_steps *steps)
{
    return 2 * (size_t)steps->edge_count + steps->step_count;
}

static lope_status prepare(building *b, const lope_steps *steps, const lope_maps_def *def, lope_jobs *jobs,
                           lope_error *error)
{
    b->threads = lope_jobs_thread_count(jobs);
    b->moves = lope_alloc_array(move_count(steps), sizeof *b->moves);
    b->lengths = lope_alloc_array(steps->edge_count + 1, sizeof *b->lengths);
    b->scratch = lope_alloc_zero((size_t)b->threads * sizeof *b->scratch);
    b->maps = lope_alloc_zero(steps->step_count * sizeof *b->maps);
    b->results = lope_alloc_zero(steps->step_count * sizeof *b->results);
    if (!b->moves || !b->lengths || !b->scratch || !b->maps || !b->results)
        return lope_fail_memory(error);
    lope_status status = LOPE_OK;
    for (int t = 0; t < b->threads && !status; t++)
        status = unroll_scratch_create(&b->scratch[t], error);
    lope_map_moves(steps, b->moves);
    for (uint32_t e = 0; e < steps->edge_count; e++) // a step that goes nowhere still takes its millimetre
        b->lengths[e] = (uint32_t)map_clamp((int)(b->moves[e].length * 1e3f + 0.5f), 1, 1000000);
    b->plan = (unroll_plan){steps, b->moves, b->lengths, *def};
    return status;
}

static void finish(building *b)
{
    for (uint32_t i = 0; b->maps && i < b->plan.steps->step_count; i++)
        lope_free(b->maps[i].nodes);
    for (int t = 0; b->scratch && t < b->threads; t++)
        unroll_scratch_destroy(b->scratch[t]);
    lope_free((void *)b->scratch);
    lope_free(b->maps);
    lope_free(b->results);
    lope_free(b->moves);
    lope_free(b->lengths);
}

static void unroll_one(void *user, int index, int thread)
{
    building *b = user;
    uint32_t step = b->first + (uint32_t)index;
    b->results[step] = unroll(b->scratch[thread], &b->plan, step, &b->maps[step]);
}

// In rounds, so that progress can be told from the caller's thread.
static lope_status unroll_all(building *b, lope_jobs *jobs, const lope_progress *progress, lope_error *error)
{
    uint32_t count = b->plan.steps->step_count, round = (uint32_t)b->threads * 8;
    for (b->first = 0; b->first < count; b->first += round) {
        uint32_t left = count - b->first;
        if (progress && progress->report &&
            !progress->report(progress->user, "unrolling motion maps", (double)b->first / count))
            return lope_fail(error, LOPE_INTERRUPTED, "interrupted");
        lope_jobs_run(jobs, (int)(left < round ? left : round), unroll_one, b);
    }
    for (uint32_t i = 0; i < count; i++)
        if (b->results[i])
            return b->results[i] == LOPE_NO_MEMORY
                       ? lope_fail_memory(error)
                       : lope_fail(error, LOPE_BAD_DATA, "a motion map of more than 16 million nodes; lower the depth");
    return LOPE_OK;
}

static size_t aligned(size_t size)
{
    return (size + 63) & ~(size_t)63;
}

// Gives every map its place in the arrays; false where indices would not fit.
static bool lay_out(building *b, lope_maps *maps)
{
    uint64_t nodes = 0, slots = 0;
    for (uint32_t i = 0; i < maps->map_count; i++) {
        lope_map *map = &b->maps[i].map;
        map->node_first = (uint32_t)nodes;
        map->slot_first = (uint32_t)slots;
        nodes += map->node_count;
        slots += map->slot_count;
        b->report.cells += map->cell_count;
        b->report.culled += b->maps[i].culled;
    }
    maps->node_count = (uint32_t)nodes;
    maps->slot_count = (uint32_t)slots;
    b->report.nodes = (size_t)nodes;
    return nodes < UINT32_MAX && slots < UINT32_MAX;
}

// Copies the maps into one block, freeing each as it goes.
static void gather(building *b, const lope_maps *maps, lope_map *heads, lope_map_node *nodes, uint32_t *slots)
{
    for (uint32_t i = 0; i < maps->map_count; i++) {
        unrolled *one = &b->maps[i];
        heads[i] = one->map;
        memcpy(nodes + one->map.node_first, one->nodes, one->map.node_count * sizeof *nodes);
        memcpy(slots + one->map.slot_first, one->slots, one->map.slot_count * sizeof *slots);
        lope_free(one->nodes);
        one->nodes = NULL;
    }
}

static lope_status pack_all(building *b, lope_maps *maps, lope_error *error)
{
    *maps = (lope_maps){.steps = b->plan.steps, .cell = b->plan.def.cell, .map_count = b->plan.steps->step_count};
    if (!lay_out(b, maps))
        return lope_fail(error, LOPE_BAD_DATA, "motion maps of more than 4 billion nodes; lower the depth");
    size_t sizes[4] = {aligned(maps->map_count * sizeof(lope_map)), aligned(maps->node_count * sizeof(lope_map_node)),
                       aligned(maps->slot_count * sizeof(uint32_t)),
                       aligned(move_count(b->plan.steps) * sizeof(lope_map_move))};
    b->report.bytes = sizes[0] + sizes[1] + sizes[2] + sizes[3];
    char *block = maps->storage = lope_alloc_zero(b->report.bytes);
    if (!block)
        return lope_fail_memory(error);
    lope_map *heads = (lope_map *)(void *)block;
    lope_map_node *nodes = (lope_map_node *)(void *)(block + sizes[0]);
    uint32_t *slots = (uint32_t *)(void *)(block + sizes[0] + sizes[1]);
    lope_map_move *moves = (lope_map_move *)(void *)(block + sizes[0] + sizes[1] + sizes[2]);
    gather(b, maps, heads, nodes, slots);
    memcpy(moves, b->moves, move_count(b->plan.steps) * sizeof *moves);
    maps->maps = heads;
    maps->nodes = nodes;
    maps->slots = slots;
    maps->moves = moves;
    maps->joins = moves + b->plan.steps->edge_count;
    maps->walks = maps->joins + b->plan.steps->edge_count;
    return LOPE_OK;
}

static lope_status build(building *b, lope_jobs *jobs, const lope_progress *progress, lope_maps **out,
                         lope_error *error)
{
    lope_status status = unroll_all(b, jobs, progress, error);
    if (status)
        return status;
    lope_maps *maps = lope_alloc_zero(sizeof *maps);
    if (!maps)
        return lope_fail_memory(error);
    status = pack_all(b, maps, error);
    if (status)
        lope_maps_destroy(maps);
    else
        *out = maps;
    return status;
}

lope_status lope_maps_build(const lope_steps *steps, const lope_maps_def *def, lope_jobs *jobs,
                            const lope_progress *progress, lope_maps **out, lope_maps_report *report, lope_error *error)
{
    *out = NULL;
    double started = lope_seconds();
    building b = {.plan.steps = steps};
    lope_status status = check(steps, def, error);
    if (status)
        return status;
    status = prepare(&b, steps, def, jobs, error);
    if (!status)
        status = build(&b, jobs, progress, out, error);
    finish(&b);
    b.report.seconds = lope_seconds() - started;
    if (report)
        *report = b.report;
    return status;
}
