// SPDX-License-Identifier: MIT
// Step graphs at rest: what is in a file, how it is saved, and what is checked before it is believed.
#include <string.h>

#include "asset/built.h"
#include "asset/sane.h"
#include "base/error.h"
#include "base/memory.h"
#include "maps/steps_file.h"
#include "motion/entries.h"
#include "motion/lock.h"

#define STEPS_VERSION 1u
#define CHUNK_HEADER LOPE_CHUNK('S', 'T', 'E', 'P')

static const lope_chunk_kind KIND = {STEPS_VERSION, "step graph", "lope build --maps"};

typedef struct steps_header {
    uint32_t step_count, edge_count, place_count;
    uint32_t discs;       // of a place
    uint32_t frame_count; // of all clips, to tell a graph of other clips
    uint32_t reserved[11];
} steps_header;

enum { ARRAYS = 4 };

// In the order of the chunks.
static void list_arrays(lope_steps *steps, lope_chunk_array out[ARRAYS])
{
    const lope_chunk_array arrays[ARRAYS] = {
        {LOPE_CHUNK('S', 'N', 'O', 'D'), steps->step_count, sizeof *steps->steps, (const void **)&steps->steps},
        {LOPE_CHUNK('S', 'E', 'D', 'G'), steps->edge_count, sizeof *steps->edges, (const void **)&steps->edges},
        {LOPE_CHUNK('S', 'P', 'L', 'A'), steps->place_count, sizeof *steps->places, (const void **)&steps->places},
        {LOPE_CHUNK('S', 'D', 'I', 'S'), steps->place_count, LOPE_STEP_DISCS * sizeof *steps->discs,
         (const void **)&steps->discs},
    };
    memcpy(out, arrays, sizeof arrays);
}

void lope_steps_destroy(lope_steps *steps)
{
    if (!steps)
        return;
    lope_set_destroy(steps->own_set);
    lope_entries_destroy(steps->entries);
    lope_free(steps->storage);
    lope_free(steps);
}

lope_status lope_steps_add_chunks(lope_container_writer *writer, const lope_steps *steps, lope_error *error)
{
    steps_header head = {.step_count = steps->step_count,
                         .edge_count = steps->edge_count,
                         .place_count = steps->place_count,
                         .discs = LOPE_STEP_DISCS,
                         .frame_count = lope_chunk_frames(steps->set)};
    lope_status status = lope_chunk_add_set(writer, steps->set, error);
    if (!status)
        status = lope_container_writer_add(writer, CHUNK_HEADER, STEPS_VERSION, &head, sizeof head, error);
    lope_steps copy = *steps;
    lope_chunk_array arrays[ARRAYS];
    list_arrays(&copy, arrays);
    return status ? status : lope_chunk_add_arrays(writer, arrays, ARRAYS, STEPS_VERSION, error);
}

static lope_status add_chunks(lope_container_writer *writer, const void *built, lope_error *error)
{
    return lope_steps_add_chunks(writer, built, error);
}

lope_status lope_steps_save(const lope_steps *steps, const char *path, lope_error *error)
{
    return lope_chunk_save(path, add_chunks, steps, error);
}

// Pieces lie within their clips, edges and places follow each other without gaps.
static bool sane_step(const lope_steps *g, const lope_step *step, uint32_t edge, uint32_t place)
{
    if (!sane_index(step->clip, g->set->clip_count) || step->frames < 1)
        return false;
    return sane_range(step->first, step->frames, g->set->clips[step->clip]->frame_count) && step->edge_first == edge &&
           step->edge_count <= g->edge_count - edge && step->place_first == place && step->place_count >= 1 &&
           step->place_count <= g->place_count - place && sane_ground(step->move) && sane_length(step->length) &&
           !(step->flags & ~(uint32_t)(LOPE_STEP_STARTS | LOPE_STEP_STOPS));
}

static bool sane(const lope_steps *g)
{
    uint32_t edge = 0, place = 0;
    for (uint32_t s = 0; s < g->step_count; s++) {
        if (!sane_step(g, &g->steps[s], edge, place))
            return false;
        edge += g->steps[s].edge_count;
        place += g->steps[s].place_count;
    }
    if (edge != g->edge_count || place != g->place_count)
        return false;
    for (uint32_t e = 0; e < edge; e++) {
        const lope_step_edge *k = &g->edges[e];
        if (!sane_index(k->to, g->step_count) || !sane_ground(k->join) || !sane_length(k->length) ||
            !sane_amount(k->cost, SANE_COST) || !sane_amount(k->slip, SANE_COST))
            return false;
    }
    for (uint32_t p = 0; p < place; p++)
        if (!sane_ground(g->places[p].at) || !sane_length(g->places[p].radius) || !sane_length(g->places[p].length))
            return false;
    for (size_t d = 0; d < (size_t)place * LOPE_STEP_DISCS; d++)
        if (!sane_ground((lope_ground){g->discs[d].x, g->discs[d].z, 0.0f}) || !sane_length(g->discs[d].radius))
            return false;
    return true;
}

static lope_status attach(lope_steps *steps, const char *path, lope_error *error)
{
    const lope_container *container = steps_container(steps);
    const void *data;
    lope_status status = lope_chunk_find(container, CHUNK_HEADER, sizeof(steps_header), &KIND, path, &data, error);
    if (status)
        return status;
    steps_header head;
    memcpy(&head, data, sizeof head);
    steps->step_count = head.step_count;
    steps->edge_count = head.edge_count;
    steps->place_count = head.place_count;
    if (head.frame_count != lope_chunk_frames(steps->set) || head.discs != LOPE_STEP_DISCS || head.step_count == 0)
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the step graph was built for another set of clips");
    lope_chunk_array arrays[ARRAYS];
    list_arrays(steps, arrays);
    status = lope_chunk_find_arrays(container, arrays, ARRAYS, &KIND, path, error);
    if (!status && !sane(steps))
        status = lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the step graph refers to what is not there");
    return status;
}

// The set keeps its file; the graph's arrays lie in it, too.
static lope_status open_in_set(lope_set *set, const char *name, lope_steps **out, lope_error *error)
{
    lope_steps *steps = lope_alloc_zero(sizeof *steps);
    if (!steps) {
        lope_set_destroy(set);
        return lope_fail_memory(error);
    }
    steps->set = steps->own_set = set;
    lope_status status = attach(steps, name, error);
    if (status) {
        lope_steps_destroy(steps);
        return status;
    }
    lope_chunk_lock_rig(set, &steps->rig);
    *out = steps;
    return LOPE_OK;
}

LOPE_DEFINE_OPENERS(steps, set, open_in_set)
