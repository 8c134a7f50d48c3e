// SPDX-License-Identifier: MIT
// Tiles of the point cloud metric. Rows are looked at in groups: a bound tells which pairs may be near, and between
// which sums of squares they are (cloud_bound.c).
//
// Where only local minima are asked for, a pair that cannot be as near as one of its neighbours is never computed. That
// leaves the bottoms of valleys: about one near pair in ten. Of the neighbours of those only such are computed that may
// be nearer. What is computed depends on the pair alone, so skipping changes no bit of the rest.
#include <string.h>

#include "graph/cloud_metric.h"

#define UNKNOWN (-1.0f)
enum { RING = 8, PAD = 8 }; // rows that are kept; entries at either end of a row that are never near

// What is known of the last rows of a tile. Entries that were not asked for are LOPE_FAR and UNKNOWN.
typedef struct tile_work {
    const cloud_metric *m;
    int row, rows;             // with a margin of one
    int column, blocks;        // from the first of its lanes on
    size_t stride;             // entries from a row to the next
    int mask;                  // of rings of products
    uint8_t *near;             // [RING * blocks]
    float *lower, *upper;      // [RING * stride] half the least and the greatest sum of squares
    float *exact;              // [RING * stride] distances
    cloud_diagonal *diagonals; // [rows + columns]
} tile_work;

// Room for an array, in floats, so that the next one is aligned.
static size_t room_for(size_t bytes)
{
    return (bytes + 63) / 64 * 16;
}

// Blocks of lanes that hold as many poses and a margin, wherever they begin.
static int blocks_of(int poses)
{
    return (poses + 2) / BOUND_LANES + 2;
}

static float *take(float **at, size_t floats)
{
    float *taken = *at;
    *at += floats;
    return taken;
}

// Entries from a row to the next, and diagonals that may be asked for.
static size_t stride_of(int blocks)
{
    return (size_t)blocks * BOUND_LANES + 2 * PAD;
}

static size_t diagonals_of(int rows, int blocks)
{
    return (size_t)(rows + 2 + BOUND_ROWS) + stride_of(blocks);
}

size_t cloud_tile_scratch(const cloud_metric *m, int rows, int columns)
{
    int blocks = blocks_of(columns);
    size_t diagonals = diagonals_of(rows, blocks);
    return room_for(RING * (size_t)blocks) + 3 * room_for(RING * stride_of(blocks) * sizeof(float)) +
           room_for(diagonals * sizeof(cloud_diagonal)) +
           room_for(diagonals * (size_t)cloud_ring_size(m) * sizeof(frame_product));
}

static void begin_work(const cloud_metric *m, const metric_tile *tile, tile_work *w)
{
    int column = bound_lanes_of(tile->column - 1), ring = cloud_ring_size(m);
    *w = (tile_work){.m = m, .row = tile->row - 1, .rows = tile->rows + 2, .column = column, .mask = ring - 1};
    w->blocks = (tile->column + tile->columns - column) / BOUND_LANES + 1;
    w->stride = stride_of(w->blocks);
    size_t entries = RING * w->stride, blocks = RING * (size_t)w->blocks;
    size_t diagonals = diagonals_of(tile->rows, w->blocks);
    float *at = tile->scratch;
    w->near = (uint8_t *)take(&at, room_for(blocks));
    w->lower = take(&at, room_for(entries * sizeof *at));
    w->upper = take(&at, room_for(entries * sizeof *at));
    w->exact = take(&at, room_for(entries * sizeof *at));
    w->diagonals = (cloud_diagonal *)(void *)take(&at, room_for(diagonals * sizeof *w->diagonals));
    memset(w->near, 0, blocks);
    for (size_t e = 0; e < entries; e++) {
        w->lower[e] = w->upper[e] = LOPE_FAR;
        w->exact[e] = UNKNOWN;
    }
    frame_product *products = (frame_product *)(void *)at;
    for (size_t d = 0; d < diagonals; d++)
        w->diagonals[d] = (cloud_diagonal){products + d * (size_t)ring, -ring, -ring};
}

// Where the entries of a row, counted from the first, begin; that of w->column.
static size_t row_at(const tile_work *w, int r)
{
    return (size_t)(r & (RING - 1)) * w->stride + PAD;
}

static uint8_t *near_at(const tile_work *w, int r)
{
    return w->near + (size_t)(r & (RING - 1)) * (size_t)w->blocks;
}

// A row that is done with makes room for another.
static void forget_row(const tile_work *w, int r)
{
    uint8_t *near = near_at(w, r);
    for (int b = 0; b < w->blocks; b++)
        for (size_t e = row_at(w, r) + (size_t)b * BOUND_LANES, l = 0; near[b] && l < BOUND_LANES; l++) {
            w->lower[e + l] = w->upper[e + l] = LOPE_FAR;
            w->exact[e + l] = UNKNOWN;
        }
    memset(near, 0, (size_t)w->blocks);
}

static bool has_window(const cloud_metric *m, int pose)
{
    return pose >= 0 && pose < m->base.pose_count && m->whole[pose];
}

// Without a bound nothing is known of those that have windows.
static void take_all(const tile_work *w, int r)
{
    for (int c = 0; c < w->blocks * BOUND_LANES && has_window(w->m, w->row + r); c++)
        if (has_window(w->m, w->column + c)) {
            near_at(w, r)[c / BOUND_LANES] |= (uint8_t)(1u << c % BOUND_LANES);
            w->lower[row_at(w, r) + (size_t)c] = 0.0f;
        }
}

// Looks at rows r .. r + BOUND_ROWS - 1.
static void look_at_rows(const tile_work *w, int r)
{
    bound_answer answer;
    for (int k = 0; k < BOUND_ROWS; k++) {
        forget_row(w, r + k);
        answer.near[k] = near_at(w, r + k);
        answer.lower[k] = w->lower + row_at(w, r + k);
        answer.upper[k] = w->upper + row_at(w, r + k);
        if (!w->m->bound.numbers)
            take_all(w, r + k);
    }
    if (w->m->bound.numbers)
        cloud_bound_test(&w->m->bound, w->row + r, w->column, w->blocks, &answer);
}

LOPE_INLINE float exact_at(const tile_work *w, int r, int c)
{
    float *known = &w->exact[row_at(w, r) + (size_t)c];
    if (*known < 0.0f) // entries of one diagonal follow each other from row to row
        *known = cloud_distance(w->m, w->row + r, w->column + c, &w->diagonals[c - r + w->rows + BOUND_ROWS], w->mask);
    return *known;
}

// Lanes of a block that may be nearer than all their neighbours.
LOPE_INLINE unsigned may_be_minima(const tile_work *w, int r, int b, float limit)
{
    float least[BOUND_LANES];
    unsigned bits = 0;
    for (int l = 0; l < BOUND_LANES; l++)
        least[l] = limit;
    for (int k = -1; k <= 1; k++) {
        const float *upper = w->upper + row_at(w, r + k) + (size_t)b * BOUND_LANES;
        for (int l = 0; l < BOUND_LANES; l++) {
            float before = upper[l - 1], after = upper[l + 1], here = k ? upper[l] : LOPE_FAR;
            float two = before < after ? before : after, three = here < two ? here : two;
            least[l] = three < least[l] ? three : least[l];
        }
    }
    const float *lower = w->lower + row_at(w, r) + (size_t)b * BOUND_LANES;
    for (int l = 0; l < BOUND_LANES; l++)
        bits |= (unsigned)(lower[l] <= least[l]) << l;
    return bits;
}

// Nearer than all eight neighbours. Of equal neighbours the first in reading order wins, so plateaus keep one.
LOPE_INLINE bool is_minimum(const tile_work *w, int r, int c, float distance)
{
    float half = (float)cloud_half_sum(w->m, (double)distance);
    for (int k = -1; k <= 1; k++)
        for (int l = -1; l <= 1; l++) {
            bool behind = k > 0 || (k == 0 && l > 0);
            if ((!k && !l) || w->lower[row_at(w, r + k) + (size_t)(c + l)] > half)
                continue;
            float other = exact_at(w, r + k, c + l);
            if (behind ? other < distance : other <= distance)
                return false;
        }
    return true;
}

// Minima of a row whose neighbours were looked at, too.
LOPE_WIDE static int find_minima(const tile_work *w, int r, const metric_tile *tile, metric_pair *out)
{
    float limit = (float)cloud_half_sum(w->m, (double)w->m->base.limit);
    const uint8_t *near = near_at(w, r);
    int count = 0;
    for (int b = 0; b < w->blocks; b++)
        for (unsigned left = near[b] ? may_be_minima(w, r, b, limit) : 0; left; left &= left - 1) {
            int c = b * BOUND_LANES + __builtin_ctz(left), column = w->column + c;
            if (column < tile->column || column >= tile->column + tile->columns)
                continue;
            float distance = exact_at(w, r, c);
            if (distance <= w->m->base.limit && is_minimum(w, r, c, distance))
                out[count++] = (metric_pair){w->row + r, column, distance};
        }
    return count;
}

int cloud_minima(const pose_metric *base, const metric_tile *tile, metric_pair *out)
{
    tile_work w;
    begin_work((const cloud_metric *)(const void *)base, tile, &w);
    int count = 0;
    for (int r = 0; r < w.rows; r += BOUND_ROWS) {
        look_at_rows(&w, r);
        for (int k = r - 1; k < r + BOUND_ROWS - 1; k++)
            if (k >= 1 && k + 1 < w.rows)
                count += find_minima(&w, k, tile, out + count);
    }
    return count;
}

// All distances of a row.
LOPE_WIDE static void finish_row(const tile_work *w, int r, const metric_tile *tile)
{
    const uint8_t *near = near_at(w, r);
    float *values = tile->values + (size_t)(r - 1) * (size_t)tile->stride;
    for (int c = 0; c < tile->columns; c++)
        values[c] = LOPE_FAR;
    for (int b = 0; b < w->blocks; b++)
        for (unsigned left = near[b]; left; left &= left - 1) {
            int at = b * BOUND_LANES + __builtin_ctz(left), c = w->column + at - tile->column;
            if (c >= 0 && c < tile->columns)
                values[c] = exact_at(w, r, at);
        }
}

void cloud_distances(const pose_metric *base, const metric_tile *tile)
{
    tile_work w;
    begin_work((const cloud_metric *)(const void *)base, tile, &w);
    for (int r = 0; r < w.rows; r += BOUND_ROWS) {
        look_at_rows(&w, r);
        for (int k = r; k < r + BOUND_ROWS; k++)
            if (k >= 1 && k <= tile->rows)
                finish_row(&w, k, tile);
    }
}
