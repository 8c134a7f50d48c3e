// SPDX-License-Identifier: MIT
// Dijkstra by distance walked, over walks instead of places: each pops once, in order of length, ties in the order they
// were found. Lengths are whole millimetres, so a queue of buckets serves: putting in and taking out cost the same for
// any number of walks. Where the frontier already holds the same step in the same cell, a walk ends.
#include "maps/build/unroll.h"

#include "base/error.h"
#include "base/memory.h"
#include "maps/build/frontier.h"

#define NOBODY UINT32_MAX
#define LONGEST (1u << 24) // millimetres, of a walk: 16 km

typedef struct walk_end {
    float x, z, cosine, sine, yaw;
    uint32_t length; // millimetres
    uint32_t parent, edge;
    uint32_t cell; // index of the occupied cell
    int16_t spot_x, spot_z;
    uint8_t spot_yaw;
    uint16_t depth;
} walk_end;

// A walk that waits for its turn: one edge on from a walk that is in the map.
typedef struct waiting {
    uint32_t parent, edge, next;
} waiting;

typedef struct bucket {
    uint32_t first, last;
} bucket;

typedef struct cell_tally {
    uint32_t key, count;
} cell_tally;

struct unroll_scratch {
    walk_end *ends;
    size_t end_count, end_capacity;
    waiting *queue;
    size_t queue_count, queue_capacity;
    bucket *buckets; // by millimetre
    size_t bucket_capacity, bucket_end;
    cell_tally *cells;
    size_t cell_count, cell_capacity;
    frontier entered, occupied;
    size_t culled;
    float unit;
    int units;    // of a cell
    bool too_far; // for 16 bits of that unit
    bool too_many;
};

lope_status unroll_scratch_create(unroll_scratch **out, lope_error *error)
{
    *out = lope_alloc_zero(sizeof **out);
    return *out ? LOPE_OK : lope_fail_memory(error);
}

void unroll_scratch_destroy(unroll_scratch *scratch)
{
    if (!scratch)
        return;
    lope_free(scratch->ends);
    lope_free(scratch->queue);
    lope_free(scratch->buckets);
    lope_free(scratch->cells);
    frontier_free(&scratch->entered);
    frontier_free(&scratch->occupied);
    lope_free(scratch);
}

// Room for `count` items.
static bool reserve(void **items, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity)
        return true;
    size_t larger = *capacity ? 2 * *capacity : 1024;
    while (larger < count)
        larger *= 2;
    void *grown = lope_grow(*items, *capacity * size, larger * size);
    if (!grown)
        return false;
    *items = grown;
    *capacity = larger;
    return true;
}

static void begin(unroll_scratch *s)
{
    s->end_count = s->queue_count = s->cell_count = s->bucket_end = s->culled = 0;
    frontier_clear(&s->entered);
    frontier_clear(&s->occupied);
}

static bool put(unroll_scratch *s, uint32_t parent, uint32_t edge, uint32_t length)
{
    if (!reserve((void **)&s->queue, &s->queue_capacity, s->queue_count + 1, sizeof *s->queue) ||
        !reserve((void **)&s->buckets, &s->bucket_capacity, (size_t)length + 1, sizeof *s->buckets))
        return false;
    for (; s->bucket_end <= length; s->bucket_end++)
        s->buckets[s->bucket_end] = (bucket){NOBODY, NOBODY};
    uint32_t index = (uint32_t)s->queue_count++;
    s->queue[index] = (waiting){parent, edge, NOBODY};
    bucket *b = &s->buckets[length];
    if (b->first == NOBODY)
        b->first = index;
    else
        s->queue[b->last].next = index;
    b->last = index;
    return true;
}

static bool expand(unroll_scratch *s, const unroll_plan *plan, uint32_t step, uint32_t parent, uint32_t length)
{
    const lope_step *node = &plan->steps->steps[step];
    for (uint32_t e = node->edge_first; e < node->edge_first + node->edge_count; e++)
        if (length + plan->lengths[e] < LONGEST && !put(s, parent, e, length + plan->lengths[e]))
            return false;
    return true;
}

static walk_end walk_on(const unroll_scratch *s, const unroll_plan *plan, waiting w, uint32_t length)
{
    walk_end from = {.cosine = 1.0f};
    if (w.parent != LOPE_MAP_ROOT)
        from = s->ends[w.parent];
    lope_map_move place =
        map_move_mul((lope_map_move){from.x, from.z, from.cosine, from.sine, from.yaw, 0.0f}, plan->moves[w.edge]);
    map_spot spot = map_spot_of(place.x, place.z, place.yaw, s->unit);
    return (walk_end){.x = place.x,
                      .z = place.z,
                      .cosine = place.cosine,
                      .sine = place.sine,
                      .yaw = place.yaw,
                      .length = length,
                      .parent = w.parent,
                      .edge = w.edge,
                      .spot_x = (int16_t)map_clamp(spot.x, INT16_MIN, INT16_MAX),
                      .spot_z = (int16_t)map_clamp(spot.z, INT16_MIN, INT16_MAX),
                      .spot_yaw = (uint8_t)spot.yaw,
                      .depth = (uint16_t)(from.depth + 1)};
}

static bool occupy(unroll_scratch *s, uint32_t key, uint32_t *cell)
{
    bool added;
    *cell = (uint32_t)s->cell_count;
    if (!reserve((void **)&s->cells, &s->cell_capacity, s->cell_count + 1, sizeof *s->cells) ||
        !frontier_add(&s->occupied, (uint64_t)key + 1, cell, &added))
        return false;
    if (added)
        s->cells[s->cell_count++] = (cell_tally){key, 0};
    s->cells[*cell].count++;
    return true;
}

// A walk takes its turn: into the map and on, unless the same step was entered in the same cell before.
static bool take(unroll_scratch *s, const unroll_plan *plan, waiting w, uint32_t length)
{
    walk_end end = walk_on(s, plan, w, length);
    uint32_t step = (uint32_t)plan->steps->edges[w.edge].to;
    uint32_t key = map_key(map_cell_of((map_spot){end.spot_x, end.spot_z, end.spot_yaw}, s->units)), value = 0;
    bool added;
    s->too_far = s->too_far || (float)length >= 65500.0f * 1e3f * s->unit || fabsf(end.x) >= 32700.0f * s->unit ||
                 fabsf(end.z) >= 32700.0f * s->unit;
    if (!frontier_add(&s->entered, ((uint64_t)step << 32 | key) + 1, &value, &added))
        return false;
    if (!added) {
        s->culled++;
        return true;
    }
    if (!occupy(s, key, &end.cell) || !reserve((void **)&s->ends, &s->end_capacity, s->end_count + 1, sizeof *s->ends))
        return false;
    s->ends[s->end_count++] = end;
    // Standing is an arrival: ways on from standing are for the next walk.
    if ((plan->def.depth > 0 && end.depth >= (uint32_t)plan->def.depth) ||
        (plan->steps->steps[step].flags & LOPE_STEP_STOPS))
        return true;
    return expand(s, plan, step, (uint32_t)s->end_count - 1, length);
}

static bool enough(const unroll_scratch *s, const unroll_plan *plan)
{
    return plan->def.nodes > 0 && s->end_count >= (size_t)plan->def.nodes;
}

static bool search(unroll_scratch *s, const unroll_plan *plan, uint32_t step)
{
    begin(s);
    if (!expand(s, plan, step, LOPE_MAP_ROOT, 0))
        return false;
    for (uint32_t length = 0; length < s->bucket_end; length++)
        for (uint32_t w = s->buckets[length].first; w != NOBODY; w = s->queue[w].next) {
            s->too_many = s->end_count >= LOPE_MAP_ROOT;
            if (enough(s, plan) || s->too_far || s->too_many)
                return true;
            if (!take(s, plan, s->queue[w], length))
                return false;
        }
    return true;
}

static lope_map measure(const unroll_scratch *s)
{
    lope_map map = {.node_count = (uint32_t)s->end_count, .cell_count = (uint32_t)s->cell_count, .unit = s->unit};
    double sum = 0.0;
    for (size_t i = 0; i < s->end_count; i++) {
        sum += s->ends[i].length;
        map.depth = s->ends[i].depth > map.depth ? s->ends[i].depth : map.depth;
    }
    map.reach = s->end_count ? (float)(1e-3 * sum / (double)s->end_count) : 0.0f;
    map.slot_count = s->cell_count ? map.cell_count + map.cell_count / 3 + 1 : 0;
    return map;
}

static lope_map_node pack(const walk_end *end, const uint32_t *places, float unit)
{
    uint32_t parent = end->parent == LOPE_MAP_ROOT ? LOPE_MAP_ROOT : places[end->parent];
    return (lope_map_node){.parent_yaw = parent << 8 | end->spot_yaw,
                           .edge = (uint16_t)end->edge,
                           .length = (uint16_t)map_round(1e-3f * (float)end->length / unit),
                           .x = end->spot_x,
                           .z = end->spot_z};
}

static void fill_slots(const unroll_scratch *s, unrolled *out)
{
    uint32_t first = 0;
    for (size_t c = 0; c < s->cell_count; c++) {
        uint32_t key = s->cells[c].key, at = map_slot(key, out->map.slot_count);
        while (out->slots[at])
            at = at + 1 == out->map.slot_count ? 0 : at + 1;
        out->slots[at] = first << 8 | map_mark(key);
        first += s->cells[c].count;
    }
}

// Sorts nodes by cell, cells in the order they were first reached, nodes of a cell shortest first.
static bool collect(unroll_scratch *s, unrolled *out)
{
    uint32_t *places = lope_alloc_array(s->end_count + 1, sizeof *places);
    uint32_t *next = lope_alloc_array(s->cell_count + 1, sizeof *next);
    if (places && next) {
        next[0] = 0;
        for (size_t c = 0; c < s->cell_count; c++)
            next[c + 1] = next[c] + s->cells[c].count;
        for (size_t i = 0; i < s->end_count; i++)
            places[i] = next[s->ends[i].cell]++;
        for (size_t i = 0; i < s->end_count; i++)
            out->nodes[places[i]] = pack(&s->ends[i], places, out->map.unit);
        fill_slots(s, out);
    }
    bool fine = places && next;
    lope_free(places);
    lope_free(next);
    return fine;
}

// In millimetres, and where they do not reach, again in as many more as it takes.
static bool search_in_units(unroll_scratch *s, const unroll_plan *plan, uint32_t step)
{
    s->unit = 0.5e-3f;
    do {
        s->unit *= 2.0f;
        s->units = map_cell_units(plan->def.cell, s->unit);
        s->too_far = false;
        if (!search(s, plan, step))
            return false;
    } while (s->too_far && s->unit < 1.0f);
    return true;
}

lope_status unroll(unroll_scratch *s, const unroll_plan *plan, uint32_t step, unrolled *out)
{
    *out = (unrolled){0};
    if (!search_in_units(s, plan, step))
        return LOPE_NO_MEMORY;
    if (s->too_many)
        return LOPE_BAD_DATA;
    out->map = measure(s);
    out->culled = s->culled;
    size_t node_bytes = s->end_count * sizeof *out->nodes;
    out->nodes = lope_alloc_zero(node_bytes + out->map.slot_count * sizeof *out->slots);
    if (!out->nodes)
        return LOPE_NO_MEMORY;
    out->slots = (uint32_t *)(void *)((char *)out->nodes + node_bytes);
    return collect(s, out) ? LOPE_OK : LOPE_NO_MEMORY;
}
