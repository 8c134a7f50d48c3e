// SPDX-License-Identifier: MIT
// The tilable patch: gates along the sides, every pair of them connected where a piece of a clip fits, those kept from
// which all sides and all other gates can be reached, and places to stand.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "patches/build/tile_build.h"

// Pieces that take less time than this (seconds) change too often for the eye; the paper's 20 frames.
#define MIN_SECONDS 0.66f
// Pieces may walk so many times the side of the tile.
#define LONGEST_SIDES 2.6f

lope_tile_def lope_tile_def_default(void)
{
    lope_tile_def def = {.size = 1.5f,
                         .gates = 36,
                         .offsets = 7,
                         .headings = 5,
                         .heading_range = 0.7f,
                         .poses = 3,
                         .ball = 0.1f,
                         .max_shift = 0.1f,
                         .max_bend = 10.0f * (float)(LOPE_PI / 180.0),
                         .margin = 0.1f,
                         .velocity_time = 0.1f};
    return def;
}

static bool ask_to_go_on(const lope_progress *progress, double done)
{
    return !progress || !progress->report || progress->report(progress->user, "tile", done);
}

lope_status tile_find_material(tile_build *b, lope_error *error)
{
    lope_groups_def def = {.bound = 0.12f, .velocity_time = b->def->velocity_time};
    lope_groups *groups = NULL;
    lope_status status = pose_features_create(b->set, &def, b->jobs, &b->features, error);
    if (status == LOPE_OK)
        status = lope_patch_tracks_create(b->set, &b->tracks, error);
    if (status == LOPE_OK)
        status = lope_groups_find(b->set, &def, b->jobs, &groups, error);
    if (status == LOPE_OK)
        status = pose_kinds_find(b->set, &b->features, groups, b->def->poses, b->def->ball, &b->kinds, error);
    if (status == LOPE_OK)
        status = pose_pieces_find(b->set, &b->tracks, &b->features, &b->kinds, b->def->ball, 0.3f * b->def->size,
                                  LONGEST_SIDES * b->def->size, MIN_SECONDS, &b->pieces, error);
    lope_groups_destroy(groups);
    return status;
}

void tile_free_material(tile_build *b)
{
    pose_features_destroy(&b->features);
    lope_patch_tracks_destroy(&b->tracks);
    pose_pieces_destroy(&b->pieces);
}

// Arrays of a tile while it is filled.
typedef struct tile_arrays {
    lope_tile_gate *gates;
    lope_tile_link *links;
    int32_t *link_first;
    lope_segment *segments;
} tile_arrays;

static void number_kept(const tile_build *b, int32_t *number)
{
    int count = 0;
    for (int g = 0; g < b->gate_count; g++)
        number[g] = b->kept[g] ? count++ : -1;
}

static void fill_tile(const tile_build *b, const int32_t *number, tile_arrays *a)
{
    int link = 0, row = 0;
    for (int from = 0; from < b->gate_count; from++) {
        if (!b->kept[from])
            continue;
        a->gates[number[from]] = b->gates[from];
        for (int side = 0; side < LOPE_TILE_WAYS; side++) {
            a->link_first[row++] = link;
            for (int to = 0; to < b->gate_count; to++)
                if (tile_connected(b, from, side, to)) {
                    a->segments[link] = *tile_segment(b, from, side, to);
                    a->links[link] = (lope_tile_link){number[from], side, number[to], link};
                    link++;
                }
        }
    }
    a->link_first[row] = link;
}

// All arrays in one block of memory.
static void *lay_out(size_t gates, size_t links, tile_arrays *a)
{
    char *block = lope_alloc(gates * sizeof *a->gates + links * (sizeof *a->links + sizeof *a->segments) +
                             (gates * LOPE_TILE_WAYS + 1) * sizeof *a->link_first);
    if (!block)
        return NULL;
    a->gates = (void *)block;
    a->links = (void *)(a->gates + gates);
    a->segments = (void *)(a->links + links);
    a->link_first = (void *)(a->segments + links);
    return block;
}

static lope_status make_tile(const tile_build *b, lope_tile **out, lope_error *error)
{
    size_t gates = (size_t)(tile_kept(b, false) + tile_kept(b, true)), links = 0;
    for (int from = 0; from < b->gate_count; from++)
        for (int side = 0; side < LOPE_TILE_WAYS; side++)
            links += (size_t)tile_count_links(b, from, side);
    tile_arrays arrays = {0};
    lope_tile *tile = lope_alloc_zero(sizeof *tile);
    void *block = lay_out(gates, links, &arrays);
    int32_t *number = lope_alloc_array((size_t)b->gate_count, sizeof *number);
    if (!tile || !block || !number) {
        lope_free(tile);
        lope_free(block);
        lope_free(number);
        return lope_fail_memory(error);
    }
    number_kept(b, number);
    fill_tile(b, number, &arrays);
    lope_free(number);
    *tile = (lope_tile){.set = b->set,
                        .size = b->def->size,
                        .pose_count = b->kinds.count,
                        .gate_count = (int)gates,
                        .link_count = (int)links,
                        .segment_count = (int)links,
                        .gates = arrays.gates,
                        .links = arrays.links,
                        .link_first = arrays.link_first,
                        .segments = arrays.segments,
                        .storage = block};
    *out = tile;
    return LOPE_OK;
}

static const char *const side_names[] = {"ahead", "to the left", "back", "to the right"};

static bool leads_to_side(const tile_build *b, int from, int side)
{
    for (int to = 0; to < b->gate_count; to++)
        if (tile_segment(b, from, side, to)->frames > 0)
            return true;
    return false;
}

// One gate from which `side` is not reached, and everything else that it lacks: "the gate at 0.25 m, ...".
static void describe_gate(const tile_build *b, int side, char *out, size_t room)
{
    int gate = 0;
    while (gate < b->gate_count && leads_to_side(b, gate, side))
        gate++;
    out[0] = 0;
    if (gate == b->gate_count)
        return;
    const lope_tile_gate *g = &b->gates[gate];
    int length = snprintf(
        out, room, "; e.g. from the gate %.2f m off the middle, turned by %.0f degrees, in pose %d, no piece leads",
        (double)g->at.x, (double)g->at.yaw * 180.0 / LOPE_PI, g->pose);
    for (int s = 0, named = 0; s < LOPE_TILE_SIDES; s++)
        if (!leads_to_side(b, gate, s) && length > 0 && (size_t)length < room)
            length += snprintf(out + length, room - (size_t)length, "%s %s", named++ ? " or" : "", side_names[s]);
}

// Why there is no tile.
static lope_status fail_unsafe(const tile_build *b, lope_error *error)
{
    int counts[LOPE_TILE_SIDES] = {0}, worst = 0;
    char example[200];
    for (int from = 0; from < b->gate_count; from++)
        for (int side = 0; side < LOPE_TILE_SIDES; side++)
            counts[side] += leads_to_side(b, from, side);
    for (int side = 1; side < LOPE_TILE_SIDES; side++)
        worst = counts[side] < counts[worst] ? side : worst;
    describe_gate(b, worst, example, sizeof example);
    return lope_fail(
        error, LOPE_NOT_FOUND,
        "too little motion for a tile of %.2f m: of %d gates tried %d have a way on %s, and none of those "
        "leads to others like it%s; %d kinds of poses, %d pieces of clips (more clips, their mirror images (--mirror), "
        "a larger square (--tile) or larger edits (max_shift and max_bend of lope_tile_def) may help)",
        (double)b->def->size, b->gate_count, counts[worst], side_names[worst], example, b->kinds.count,
        b->pieces.count);
}

static lope_status check_def(const lope_tile_def *def, lope_error *error)
{
    return LOPE_CHECK(
        error, LOPE_RANGE(def, size, 0.2f, 100), LOPE_RANGE(def, gates, 1, INT_MAX), LOPE_RANGE(def, offsets, 1, 64),
        LOPE_RANGE(def, headings, 1, 64), LOPE_RANGE(def, heading_range, 0, 2 * LOPE_PI),
        LOPE_RANGE(def, poses, 1, MAX_POSES), LOPE_RANGE(def, ball, LOPE_ABOVE_ZERO, LOPE_LARGE),
        LOPE_RANGE(def, max_shift, LOPE_ABOVE_ZERO, LOPE_LARGE), LOPE_RANGE(def, max_bend, LOPE_ABOVE_ZERO, LOPE_LARGE),
        LOPE_RANGE(def, margin, 0, 1000), LOPE_RANGE(def, velocity_time, 0, LOPE_LARGE),
        LOPE_RANGE(def, clips, 0, INT_MAX), LOPE_RANGE(def, own_clips, 0, INT_MAX));
}

lope_status lope_tile_build(const lope_set *set, const lope_tile_def *def, lope_jobs *jobs,
                            const lope_progress *progress, lope_tile **out, lope_tile_report *report, lope_error *error)
{
    lope_status status = check_def(def, error);
    if (status)
        return status;
    double start = lope_seconds();
    lope_set part = *set;
    part.clip_count = def->clips > 0 && def->clips < set->clip_count ? def->clips : set->clip_count;
    tile_build b = {.set = &part, .def = def, .jobs = jobs};
    lope_tile *tile = NULL;
    status = tile_find_material(&b, error);
    if (status == LOPE_OK && !ask_to_go_on(progress, 0.2))
        status = lope_fail(error, LOPE_INTERRUPTED, "stopped");
    if (status == LOPE_OK)
        status = tile_try_gates(&b, error);
    if (status == LOPE_OK)
        status = tile_thin_out(&b, error);
    if (status == LOPE_OK && tile_kept(&b, false) == 0)
        status = fail_unsafe(&b, error);
    if (status == LOPE_OK)
        status = tile_add_stands(&b, error);
    if (status == LOPE_OK)
        status = make_tile(&b, &tile, error);
    if (status == LOPE_OK) {
        tile->set = set;
        tile_note_uses(&b, tile);
    }
    if (status == LOPE_OK && report)
        status = tile_describe(&b, tile, lope_seconds() - start, report, error);
    if (status == LOPE_OK)
        *out = tile;
    else
        lope_tile_destroy(tile);
    tile_free_material(&b);
    lope_free(b.gates);
    lope_free(b.segments);
    lope_free(b.kept);
    return status;
}
