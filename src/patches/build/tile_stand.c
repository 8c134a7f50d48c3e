// SPDX-License-Identifier: MIT
// Places to stand in a tile: wherever a piece that comes to rest takes those who come in by a gate, if from there
// enough pieces lead out again.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "patches/build/tile_build.h"
#include "patches/segment.h"

// How many places are kept, and how many are looked at.
#define MOST_STANDS 8
#define MOST_TRIED 512
// Two places nearer than this (metres) are one.
#define STANDS_APART 0.15f
// Those who wait are moved back to where they stood by up to this (metres, radians).
#define WAIT_SHIFT 0.03f
#define WAIT_BEND 0.05f

typedef struct stand {
    lope_ground at;
    int ways; // out of it
} stand;

// Where a piece leads from a gate, unedited: where the hips would be if only the standing foot counted.
static lope_ground end_of(const tile_build *b, int gate, const pose_piece *piece)
{
    lope_vec2 start = b->pieces.passes[piece->from].offset, last = b->pieces.passes[piece->to].offset;
    lope_ground first = {start.x, start.z, 0.0f}, end = {piece->moments[0].x, piece->moments[0].z, piece->turn};
    end.x += first.x;
    end.z += first.z;
    lope_ground hips = lope_ground_mul(b->gates[gate].at, end);
    return lope_ground_mul(hips, (lope_ground){-last.x, -last.z, 0.0f});
}

static bool is_inside(const tile_build *b, lope_ground at)
{
    float limit = 0.4f * b->def->size;
    return fabsf(at.x) <= limit && fabsf(at.z) <= limit;
}

// Ways out of a place to stand, by pieces that start, to the gates that are kept.
static int ways_out(const tile_build *b, lope_ground at)
{
    fit_limits limits = {b->def->max_shift, b->def->max_bend, 0.0f, 0.0f, b->def->own_clips};
    lope_tile all = {.size = b->def->size, .gates = b->gates};
    int ways = 0;
    for (int side = 0; side < LOPE_TILE_SIDES; side++)
        for (int to = 0; to < b->gate_count; to++) {
            lope_segment segment;
            if (!b->kept[to])
                continue;
            lope_ground move = lope_ground_relative(at, lope_tile_exit(&all, side, to));
            fit_gap gap = {.from = b->kinds.standing, .to = b->gates[to].pose, .move = move};
            ways += fit_piece(&b->pieces, &limits, &gap, &segment);
        }
    return ways;
}

static bool is_new_place(const stand *stands, int count, lope_ground at)
{
    for (int i = 0; i < count; i++) {
        float x = stands[i].at.x - at.x, z = stands[i].at.z - at.z;
        if (x * x + z * z < STANDS_APART * STANDS_APART)
            return false;
    }
    return true;
}

static int by_ways(const void *a, const void *b)
{
    const stand *x = a, *y = b;
    if (x->ways != y->ways)
        return x->ways > y->ways ? -1 : 1;
    if (x->at.x != y->at.x)
        return x->at.x < y->at.x ? -1 : 1;
    return (x->at.z > y->at.z) - (x->at.z < y->at.z);
}

// Places where pieces come to rest, those with most ways out first, none beside another.
static int choose_stands(const tile_build *b, stand *tried)
{
    int count = 0, kept = 0;
    for (int gate = 0; gate < b->gate_count; gate++) {
        int key = pose_kinds_key(b->gates[gate].pose, b->kinds.standing);
        for (int i = b->pieces.first[key]; i < b->pieces.first[key + 1] && count < MOST_TRIED; i++) {
            lope_ground at = end_of(b, gate, &b->pieces.pieces[i]);
            if (b->kept[gate] && is_inside(b, at))
                tried[count++] = (stand){at, ways_out(b, at)};
        }
    }
    qsort(tried, (size_t)count, sizeof *tried, by_ways);
    for (int i = 0; i < count && kept < MOST_STANDS && tried[i].ways > 0; i++)
        if (is_new_place(tried, kept, tried[i].at))
            tried[kept++] = tried[i];
    return kept;
}

// The same tile with room for more gates.
static lope_status make_room(tile_build *b, int more, lope_error *error)
{
    size_t old = (size_t)b->gate_count, n = old + (size_t)more;
    lope_tile_gate *gates = lope_alloc_array(n, sizeof *gates);
    lope_segment *segments = lope_alloc_zero(n * n * LOPE_TILE_WAYS * sizeof *segments);
    bool *kept = lope_alloc_zero(n * sizeof *kept);
    if (!gates || !segments || !kept) {
        lope_free(gates);
        lope_free(segments);
        lope_free(kept);
        return lope_fail_memory(error);
    }
    memcpy(gates, b->gates, old * sizeof *gates);
    memcpy(kept, b->kept, old * sizeof *kept);
    for (size_t row = 0; row < old * LOPE_TILE_WAYS; row++)
        memcpy(segments + row * n, b->segments + row * old, old * sizeof *segments);
    lope_free(b->gates);
    lope_free(b->segments);
    lope_free(b->kept);
    b->gates = gates;
    b->segments = segments;
    b->kept = kept;
    return LOPE_OK;
}

static void connect_stand(tile_build *b, int place)
{
    fit_limits limits = {b->def->max_shift, b->def->max_bend, 0.0f, 0.0f, b->def->own_clips};
    fit_limits waiting = {b->def->max_shift, b->def->max_bend, WAIT_SHIFT, WAIT_BEND, b->def->own_clips};
    for (int gate = 0; gate < b->gate_count; gate++) {
        if (b->gates[gate].inside || !b->kept[gate])
            continue;
        tile_connect(b, gate, LOPE_TILE_INSIDE, place, &limits);
        for (int side = 0; side < LOPE_TILE_SIDES; side++)
            tile_connect(b, place, side, gate, &limits);
    }
    tile_connect(b, place, LOPE_TILE_INSIDE, place, &waiting);
}

lope_status tile_add_stands(tile_build *b, lope_error *error)
{
    if (b->kinds.standing < 0)
        return LOPE_OK;
    stand *tried = lope_alloc_array(MOST_TRIED, sizeof *tried);
    if (!tried)
        return lope_fail_memory(error);
    int count = choose_stands(b, tried), first = b->gate_count;
    lope_status status = make_room(b, count, error);
    for (int i = 0; i < count && status == LOPE_OK; i++) {
        b->gates[first + i] = (lope_tile_gate){tried[i].at, b->kinds.standing, 1};
        b->kept[first + i] = true;
        b->gate_count = first + count;
    }
    for (int i = 0; i < count && status == LOPE_OK; i++)
        connect_stand(b, first + i);
    lope_free(tried);
    return status == LOPE_OK ? tile_make_safe(b, error) : status;
}
