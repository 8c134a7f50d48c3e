// SPDX-License-Identifier: MIT
// A tile in the making: gates that are tried, the segments that were found between them, and which are kept.
#ifndef LOPE_SRC_PATCHES_BUILD_TILE_BUILD_H
#define LOPE_SRC_PATCHES_BUILD_TILE_BUILD_H

#include "patches/build/fit.h"

typedef struct tile_build {
    const lope_set *set;
    const lope_tile_def *def;
    lope_jobs *jobs;
    patch_tracks tracks;
    pose_features features;
    pose_kinds kinds;
    pose_pieces pieces;
    int gate_count; // tried
    lope_tile_gate *gates;
    lope_segment *segments; // [gate_count * LOPE_TILE_WAYS * gate_count] frames 0: no connection
    bool *kept;             // [gate_count]
} tile_build;

static inline lope_segment *tile_segment(const tile_build *b, int from, int side, int to)
{
    return &b->segments[((size_t)from * LOPE_TILE_WAYS + (size_t)side) * (size_t)b->gate_count + (size_t)to];
}

static inline bool tile_connected(const tile_build *b, int from, int side, int to)
{
    return b->kept[from] && b->kept[to] && tile_segment(b, from, side, to)->frames > 0;
}

// tile.c: kinds of poses and pieces between them, of the build's set and definition.
lope_status tile_find_material(tile_build *b, lope_error *error);
void tile_free_material(tile_build *b);

int tile_count_links(const tile_build *b, int from, int side);
int tile_kept(const tile_build *b, bool inside); // gates

// tile_gates.c: tries gates along a side and connects all pairs.
lope_status tile_try_gates(tile_build *b, lope_error *error);
// The piece that gets from gate to gate with the least editing, if any.
void tile_connect(tile_build *b, int from, int side, int to, const fit_limits *limits);

// tile_safe.c: drops gates until both safety conditions hold, and then until no more than were asked for are left.
lope_status tile_make_safe(tile_build *b, lope_error *error);
lope_status tile_thin_out(tile_build *b, lope_error *error);

// tile_stand.c: adds places where people can stop, wait and start again.
lope_status tile_add_stands(tile_build *b, lope_error *error);

// tile_report.c: what became of each clip, where the definition has room for it; figures of the tile.
void tile_note_uses(const tile_build *b, const lope_tile *tile);
lope_status tile_describe(const tile_build *b, const lope_tile *tile, double seconds, lope_tile_report *report,
                          lope_error *error);

#endif
