// SPDX-License-Identifier: MIT
#include "base/error.h"
#include "base/memory.h"
#include "patches/build/tile_build.h"
#include "patches/segment.h"

typedef struct inside_test {
    const tile_build *build;
    lope_ground start;
} inside_test;

static bool stays_inside(const void *user, const lope_segment *segment)
{
    const inside_test *test = user;
    float limit = test->build->def->size * 0.5f + test->build->def->margin;
    const lope_ground *track = patch_track(&test->build->tracks, segment->clip, segment->first);
    segment_cursor cursor = lope_segment_begin(segment);
    while (cursor.frame < segment->frames - 1) {
        lope_segment_advance(segment, track, &cursor);
        lope_ground at = lope_ground_mul(test->start, cursor.at);
        if (!(fabsf(at.x) <= limit && fabsf(at.z) <= limit))
            return false;
    }
    return true;
}

void tile_connect(tile_build *b, int from, int side, int to, const fit_limits *limits)
{
    inside_test test = {b, b->gates[from].at};
    lope_tile all = {.size = b->def->size, .gates = b->gates};
    lope_ground move = lope_ground_relative(b->gates[from].at, lope_tile_exit(&all, side, to));
    fit_gap gap = {b->gates[from].pose, b->gates[to].pose, move, stays_inside, &test};
    fit_piece(&b->pieces, limits, &gap, tile_segment(b, from, side, to));
}

static void connect_gate(void *user, int from, int thread)
{
    (void)thread;
    tile_build *b = user;
    fit_limits limits = {b->def->max_shift, b->def->max_bend, 0.0f, 0.0f, b->def->own_clips};
    for (int side = 0; side < LOPE_TILE_SIDES; side++)
        for (int to = 0; to < b->gate_count; to++)
            tile_connect(b, from, side, to, &limits);
}

// One of `count` numbers spread evenly from -range to range.
static float spread(int index, int count, float range)
{
    return count > 1 ? range * (2.0f * (float)index / (float)(count - 1) - 1.0f) : 0.0f;
}

// Places along the side, none in the corners, headings at each, and all kinds of walking poses.
lope_status tile_try_gates(tile_build *b, lope_error *error)
{
    const lope_tile_def *d = b->def;
    int kinds = b->kinds.count - (b->kinds.standing >= 0);
    size_t n = (size_t)(d->offsets * d->headings * kinds);
    b->gates = lope_alloc_array(n, sizeof *b->gates);
    b->segments = lope_alloc_zero(n * n * LOPE_TILE_WAYS * sizeof *b->segments);
    b->kept = lope_alloc_array(n, sizeof *b->kept);
    if (!b->gates || !b->segments || !b->kept)
        return lope_fail_memory(error);
    for (int i = 0; i < (int)n; i++) {
        int offset = i / kinds / d->headings, heading = i / kinds % d->headings;
        float x = d->size * (((float)offset + 0.5f) / (float)d->offsets - 0.5f);
        float yaw = spread(heading, d->headings, d->heading_range);
        b->gates[i] = (lope_tile_gate){{x, -0.5f * d->size, yaw}, i % kinds, 0};
        b->kept[i] = true;
    }
    b->gate_count = (int)n;
    lope_jobs_run(b->jobs, b->gate_count, connect_gate, b);
    return LOPE_OK;
}
