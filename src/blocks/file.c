// SPDX-License-Identifier: MIT
// Blocks at rest in a file, behind the tile and the clips, and what is checked before they are believed.
#include "blocks/file.h"

#include <string.h>

#include "asset/sane.h"
#include "base/error.h"
#include "base/memory.h"
#include "lope/blocks.h"
#include "patches/tile_file.h"

#define BLOCKS_VERSION 1u
#define CHUNK_HEADER LOPE_CHUNK('B', 'L', 'K', 'S')

static const lope_chunk_kind KIND = {BLOCKS_VERSION, "motion blocks", "lope build --blocks"};

typedef struct blocks_header {
    int32_t pose_count, standing, unit_count, box_count, block_count, placed_count, gate_count, link_count;
    int32_t segment_count, footing_count, piece_count;
    uint32_t frame_count; // of all clips, to tell blocks of other clips
    uint32_t reserved[4];
} blocks_header;

enum { ARRAYS = 10 };

#define ARRAY(a, b, c, d, member, count)                                                                               \
    {                                                                                                                  \
        LOPE_CHUNK(a, b, c, d), (uint64_t)(count), sizeof *o->member, (const void **)&o->member                        \
    }

// In the order of the chunks.
static void list_arrays(lope_blocks *o, lope_chunk_array out[ARRAYS])
{
    uint64_t kinds = (uint64_t)o->tile->pose_count;
    const lope_chunk_array arrays[ARRAYS] = {
        ARRAY('B', 'U', 'N', 'I', units, o->unit_count),
        ARRAY('B', 'B', 'O', 'X', boxes, o->box_count),
        ARRAY('B', 'B', 'L', 'K', blocks, o->block_count),
        ARRAY('B', 'P', 'L', 'A', placed, o->placed_count),
        ARRAY('B', 'G', 'A', 'T', gates, o->gate_count),
        ARRAY('B', 'L', 'N', 'K', links, o->link_count),
        ARRAY('B', 'S', 'E', 'G', segments, o->segment_count),
        ARRAY('B', 'F', 'O', 'O', footings, o->footing_count),
        ARRAY('B', 'P', 'I', 'E', pieces, o->piece_count),
        ARRAY('B', 'P', 'I', 'F', piece_first, kinds * kinds + 1),
    };
    memcpy(out, arrays, sizeof arrays);
}

lope_status lope_blocks_add_chunks(lope_container_writer *writer, const void *built, lope_error *error)
{
    lope_blocks copy = *(const lope_blocks *)built;
    blocks_header head = {.pose_count = copy.pose_count,
                          .standing = copy.standing,
                          .unit_count = copy.unit_count,
                          .box_count = copy.box_count,
                          .block_count = copy.block_count,
                          .placed_count = copy.placed_count,
                          .gate_count = copy.gate_count,
                          .link_count = copy.link_count,
                          .segment_count = copy.segment_count,
                          .footing_count = copy.footing_count,
                          .piece_count = copy.piece_count,
                          .frame_count = lope_chunk_frames(copy.set)};
    lope_status status = tile_add_chunks(writer, copy.tile, copy.set, error);
    if (!status)
        status = lope_container_writer_add(writer, CHUNK_HEADER, BLOCKS_VERSION, &head, sizeof head, error);
    lope_chunk_array arrays[ARRAYS];
    list_arrays(&copy, arrays);
    return status ? status : lope_chunk_add_arrays(writer, arrays, ARRAYS, BLOCKS_VERSION, error);
}

lope_status lope_blocks_save(const lope_blocks *blocks, const char *path, lope_error *error)
{
    return lope_chunk_save(path, lope_blocks_add_chunks, blocks, error);
}

static bool sane_spot(lope_spot s)
{
    return sane_point(lope_v3(s.x, s.y, s.z)) && sane_size(s.yaw, SANE_YAW);
}

// Whether a part of an array lies inside it, behind the parts before. With parts that overlap, a small file could make
// every block go through the whole array.
static bool sane_part(int32_t first, int32_t count, int32_t all, int32_t *end)
{
    if (first < *end || !sane_range(first, count, all))
        return false;
    *end = first + count;
    return true;
}

static bool sane_units(const lope_blocks *o)
{
    int32_t box_end = 0;
    for (int i = 0; i < o->unit_count; i++) {
        const lope_unit *u = &o->units[i];
        if (!memchr(u->name, 0, sizeof u->name) || !sane_part(u->box_first, u->box_count, o->box_count, &box_end) ||
            !sane_point(u->low) || !sane_point(u->high) || u->turns < 1 || u->turns > 64)
            return false;
    }
    for (int i = 0; i < o->box_count; i++) {
        const lope_box *b = &o->boxes[i];
        bool solid = b->half.x > 0.0f && b->half.y > 0.0f && b->half.z > 0.0f && sane_point(b->half);
        if (!solid || !sane_point(b->centre) || !sane_size(b->yaw, SANE_YAW) || !sane_size(b->pitch, SANE_YAW))
            return false;
    }
    return true;
}

// Ends of the parts that belong to the blocks so far.
typedef struct block_ends {
    int32_t unit, gate, link, footing;
} block_ends;

static bool sane_block(const lope_blocks *o, const lope_block *b, block_ends *ends)
{
    if (!memchr(b->name, 0, sizeof b->name) || !sane_part(b->unit_first, b->unit_count, o->placed_count, &ends->unit) ||
        !sane_part(b->gate_first, b->gate_count, o->gate_count, &ends->gate) ||
        !sane_part(b->link_first, b->link_count, o->link_count, &ends->link) ||
        !sane_part(b->footing_first, b->footing_count, o->footing_count, &ends->footing))
        return false;
    for (int l = 0; l < b->link_count; l++) {
        const lope_block_link *link = &o->links[b->link_first + l];
        if (!sane_index(link->from, b->gate_count) || !sane_index(link->to, b->gate_count) ||
            !sane_index(link->segment, o->segment_count) || (l > 0 && link->from < link[-1].from))
            return false;
    }
    return true;
}

static bool sane_segment(const lope_blocks *o, const lope_block_segment *s)
{
    return tile_sane_segment(o->set, &s->piece) && sane_size(s->base, SANE_PLACE) && sane_size(s->lift, SANE_PLACE) &&
           sane_range(s->glide_first, s->glide_frames, s->piece.frames);
}

static bool sane_piece(const lope_blocks *o, const lope_walk_piece *p)
{
    lope_segment as_segment = {p->clip, p->first, p->frames, p->length, 0.0f, {0.0f, 0.0f}, p->start};
    bool fine =
        tile_sane_segment(o->set, &as_segment) && sane_size(p->turn, SANE_TURN) && sane_size(p->distance, SANE_PLACE);
    for (int i = 0; i < 4; i++)
        fine = fine && sane_place(p->moments[i].x, p->moments[i].z);
    return fine && sane_size(p->end.x, SANE_EDIT) && sane_size(p->end.z, SANE_EDIT);
}

// Bounds the frames of all segments and pieces together, and so the time to go through them.
static bool sane_lengths(const lope_blocks *o)
{
    uint64_t played = 0;
    for (int i = 0; i < o->segment_count; i++)
        played += (uint32_t)o->segments[i].piece.frames;
    for (int i = 0; i < o->piece_count; i++)
        played += (uint32_t)o->pieces[i].frames;
    return played <= SANE_PLAYED;
}

static bool sane_pieces(const lope_blocks *o)
{
    int rows = o->tile->pose_count * o->tile->pose_count;
    for (int row = 0; row < rows; row++)
        if (o->piece_first[row] < 0 || o->piece_first[row] > o->piece_first[row + 1])
            return false;
    for (int p = 0; p < o->piece_count; p++)
        if (!sane_piece(o, &o->pieces[p]))
            return false;
    return o->piece_first[0] == 0 && o->piece_first[rows] == o->piece_count;
}

// Gates on floors are joined with gates of tiles, so their pose must be one of the tile's.
static bool sane_gate(const lope_blocks *o, const lope_block_gate *gate)
{
    int32_t kinds = gate->floor ? o->tile->pose_count : o->pose_count;
    return sane_index(gate->pose, kinds) && sane_spot(gate->at);
}

static bool sane(const lope_blocks *o)
{
    bool fine = sane_lengths(o) && sane_units(o) && sane_pieces(o);
    block_ends ends = {0};
    for (int i = 0; fine && i < o->block_count; i++)
        fine = sane_block(o, &o->blocks[i], &ends);
    for (int i = 0; fine && i < o->placed_count; i++)
        fine = sane_index(o->placed[i].unit, o->unit_count) && sane_spot(o->placed[i].at);
    for (int i = 0; fine && i < o->gate_count; i++)
        fine = sane_gate(o, &o->gates[i]);
    for (int i = 0; fine && i < o->segment_count; i++)
        fine = sane_segment(o, &o->segments[i]);
    for (int i = 0; fine && i < o->footing_count; i++)
        fine = sane_point(o->footings[i]);
    return fine;
}

static bool sane_header(const lope_blocks *o, const blocks_header *head)
{
    const int32_t counts[] = {head->unit_count,    head->box_count,     head->block_count,
                              head->placed_count,  head->gate_count,    head->link_count,
                              head->segment_count, head->footing_count, head->piece_count};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i] < 0 || counts[i] > SANE_COUNT)
            return false;
    return head->pose_count >= o->tile->pose_count && head->pose_count <= SANE_POSES && head->standing >= -1 &&
           head->standing < head->pose_count && head->frame_count == lope_chunk_frames(o->set);
}

static lope_status read_header(lope_blocks *o, const char *path, lope_error *error)
{
    const void *data;
    blocks_header head;
    const lope_container *container = o->own_tile->own_set->storage;
    lope_status status = lope_chunk_find(container, CHUNK_HEADER, sizeof head, &KIND, path, &data, error);
    if (status)
        return status;
    memcpy(&head, data, sizeof head);
    if (!sane_header(o, &head))
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the motion blocks were built for another set of clips");
    o->pose_count = head.pose_count;
    o->standing = head.standing;
    o->unit_count = head.unit_count;
    o->box_count = head.box_count;
    o->block_count = head.block_count;
    o->placed_count = head.placed_count;
    o->gate_count = head.gate_count;
    o->link_count = head.link_count;
    o->segment_count = head.segment_count;
    o->footing_count = head.footing_count;
    o->piece_count = head.piece_count;
    return LOPE_OK;
}

// The tile's set keeps its file; the arrays lie in it, too.
static lope_status open_in_tile(lope_tile *tile, const char *name, lope_blocks **out, lope_error *error)
{
    lope_blocks *o = lope_alloc_zero(sizeof *o);
    if (!o) {
        lope_tile_destroy(tile);
        return lope_fail_memory(error);
    }
    o->tile = o->own_tile = tile;
    o->set = tile->set;
    lope_status status = read_header(o, name, error);
    lope_chunk_array arrays[ARRAYS];
    if (!status)
        list_arrays(o, arrays);
    if (!status)
        status = lope_chunk_find_arrays(tile->own_set->storage, arrays, ARRAYS, &KIND, name, error);
    if (!status && !sane(o))
        status = lope_fail_at(error, LOPE_BAD_DATA, name, 0, "the motion blocks refer to what is not there");
    if (status)
        lope_blocks_destroy(o);
    else
        *out = o;
    return status;
}

LOPE_DEFINE_OPENERS(blocks, tile, open_in_tile)
