// SPDX-License-Identifier: MIT
// Tiles at rest: what is in a file, and what is checked before it is believed.
#include <string.h>

#include "asset/built.h"
#include "asset/sane.h"
#include "base/error.h"
#include "base/memory.h"
#include "motion/joints.h"
#include "patches/tile_file.h"

#define TILE_VERSION 2u
#define CHUNK_HEADER LOPE_CHUNK('T', 'I', 'L', 'E')
#define MAX_GATES 4096
#define LEAST_SIZE 0.1f // metres, side of a tile
#define MOST_SIZE 100.0f
#define LEAST_LENGTH 1e-20f    // metres, unless it is none: can be divided by
#define MOST_SHIFTED 100.0f    // metres, by editing
#define MOST_STRETCHED 1000.0f // how many times its stated length a segment may go; lengths of standing are rough

static const lope_chunk_kind KIND = {TILE_VERSION, "walk tile", "lope build --patches"};

typedef struct tile_header {
    float size;
    int32_t pose_count, gate_count, link_count, segment_count;
    uint32_t frame_count; // of all clips, to tell a tile of other clips
    uint32_t reserved[10];
} tile_header;

lope_ground lope_tile_exit(const lope_tile *tile, int side, int gate)
{
    lope_ground at = tile->gates[gate].at;
    if (side == LOPE_TILE_INSIDE)
        return at;
    at.z += tile->size;
    return lope_ground_mul((lope_ground){0.0f, 0.0f, (float)side * (float)(LOPE_PI / 2.0)}, at);
}

void lope_tile_destroy(lope_tile *tile)
{
    if (!tile)
        return;
    lope_set_destroy(tile->own_set);
    lope_free(tile->storage);
    lope_free(tile);
}

enum { ARRAYS = 4 };

// In the order of the chunks.
static void list_arrays(lope_tile *tile, lope_chunk_array out[ARRAYS])
{
    uint64_t gates = (uint64_t)tile->gate_count, links = (uint64_t)tile->link_count;
    uint64_t segments = (uint64_t)tile->segment_count;
    const lope_chunk_array arrays[ARRAYS] = {
        {LOPE_CHUNK('T', 'G', 'A', 'T'), gates, sizeof *tile->gates, (const void **)&tile->gates},
        {LOPE_CHUNK('T', 'L', 'N', 'K'), links, sizeof *tile->links, (const void **)&tile->links},
        {LOPE_CHUNK('T', 'L', 'N', 'F'), gates * LOPE_TILE_WAYS + 1, sizeof *tile->link_first,
         (const void **)&tile->link_first},
        {LOPE_CHUNK('T', 'S', 'E', 'G'), segments, sizeof *tile->segments, (const void **)&tile->segments},
    };
    memcpy(out, arrays, sizeof arrays);
}

lope_status tile_add_chunks(lope_container_writer *writer, const lope_tile *tile, const lope_set *set,
                            lope_error *error)
{
    tile_header head = {.size = tile->size,
                        .pose_count = tile->pose_count,
                        .gate_count = tile->gate_count,
                        .link_count = tile->link_count,
                        .segment_count = tile->segment_count,
                        .frame_count = lope_chunk_frames(set)};
    lope_status status = lope_chunk_add_set(writer, set, error);
    if (!status)
        status = lope_container_writer_add(writer, CHUNK_HEADER, TILE_VERSION, &head, sizeof head, error);
    lope_tile copy = *tile;
    lope_chunk_array arrays[ARRAYS];
    list_arrays(&copy, arrays);
    return status ? status : lope_chunk_add_arrays(writer, arrays, ARRAYS, TILE_VERSION, error);
}

static lope_status add_chunks(lope_container_writer *writer, const void *built, lope_error *error)
{
    const lope_tile *tile = built;
    return tile_add_chunks(writer, tile, tile->set, error);
}

lope_status lope_tile_save(const lope_tile *tile, const char *path, lope_error *error)
{
    return lope_chunk_save(path, add_chunks, tile, error);
}

// Edits are spread over the way that the clip goes: one that is much longer than the segment says would be edited by
// much more than it says.
static bool sane_way(const lope_clip *clip, const lope_segment *s)
{
    int hips = clip->skeleton->roles[LOPE_HIPS] >= 0 ? clip->skeleton->roles[LOPE_HIPS] : 0;
    lope_vec3 last = joint_in_frame(clip, s->first, hips).translation;
    float walked = 0.0f;
    for (int f = 1; f < s->frames; f++) {
        lope_vec3 next = joint_in_frame(clip, s->first + f, hips).translation;
        float x = next.x - last.x, z = next.z - last.z;
        walked += sqrtf(x * x + z * z);
        last = next;
    }
    if (s->length == 0.0f)
        return sane_amount(walked, SANE_PLACE);
    return s->length >= LEAST_LENGTH && sane_amount(walked, fminf(MOST_STRETCHED * s->length, SANE_PLACE));
}

bool tile_sane_segment(const lope_set *set, const lope_segment *s)
{
    if (!sane_index(s->clip, set->clip_count) || s->frames < 2)
        return false;
    const lope_clip *clip = set->clips[s->clip];
    return sane_range(s->first, s->frames, clip->frame_count) && sane_amount(s->length, SANE_PLACE) &&
           sane_size(s->bend, SANE_YAW) && sane_size(s->shift.x, MOST_SHIFTED) && sane_size(s->shift.z, MOST_SHIFTED) &&
           sane_size(s->start.x, 10.0f) && sane_size(s->start.z, 10.0f) && sane_way(clip, s);
}

static bool sane_links(const lope_tile *t)
{
    uint64_t laid = 0;
    for (int row = 0; row < t->gate_count * LOPE_TILE_WAYS; row++) {
        if (t->link_first[row] < 0 || t->link_first[row] > t->link_first[row + 1] ||
            t->link_first[row + 1] > t->link_count)
            return false;
        for (int l = t->link_first[row]; l < t->link_first[row + 1]; l++) {
            const lope_tile_link *link = &t->links[l];
            if (link->from != row / LOPE_TILE_WAYS || link->side != row % LOPE_TILE_WAYS || link->to < 0 ||
                link->to >= t->gate_count || link->segment < 0 || link->segment >= t->segment_count ||
                (link->side == LOPE_TILE_INSIDE) != (t->gates[link->to].inside != 0))
                return false;
            laid += (uint32_t)t->segments[link->segment].frames;
            if (laid > SANE_LAID)
                return false;
        }
    }
    return t->link_first[0] == 0 && t->link_first[t->gate_count * LOPE_TILE_WAYS] == t->link_count;
}

static bool sane(const lope_tile *t)
{
    for (int g = 0; g < t->gate_count; g++) {
        lope_ground at = t->gates[g].at;
        if (!sane_size(at.x, t->size) || !sane_size(at.z, t->size) || !sane_size(at.yaw, 10.0f) ||
            t->gates[g].pose < 0 || t->gates[g].pose >= t->pose_count)
            return false;
    }
    uint64_t played = 0;
    for (int s = 0; s < t->segment_count; s++) {
        played += (uint32_t)t->segments[s].frames;
        if (played > SANE_PLAYED || !tile_sane_segment(t->set, &t->segments[s]))
            return false;
    }
    return sane_links(t);
}

static lope_status read_header(lope_tile *tile, const char *path, lope_error *error)
{
    const lope_container *container = tile->own_set->storage;
    const void *data;
    tile_header head;
    lope_status status = lope_chunk_find(container, CHUNK_HEADER, sizeof head, &KIND, path, &data, error);
    if (status)
        return status;
    memcpy(&head, data, sizeof head);
    tile->size = head.size;
    tile->pose_count = head.pose_count;
    tile->gate_count = head.gate_count;
    tile->link_count = head.link_count;
    tile->segment_count = head.segment_count;
    if (!(head.size >= LEAST_SIZE && head.size <= MOST_SIZE) || head.gate_count < 1 || head.gate_count > MAX_GATES ||
        head.link_count < 0 || head.segment_count < 0 || head.pose_count < 1 || head.pose_count > SANE_KINDS ||
        head.frame_count != lope_chunk_frames(tile->set))
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the walk tile was built for another set of clips");
    return LOPE_OK;
}

static lope_status attach(lope_tile *tile, const char *path, lope_error *error)
{
    lope_status status = read_header(tile, path, error);
    lope_chunk_array arrays[ARRAYS];
    list_arrays(tile, arrays);
    if (!status)
        status = lope_chunk_find_arrays(tile->own_set->storage, arrays, ARRAYS, &KIND, path, error);
    if (!status && !sane(tile))
        status = lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the walk tile refers to what is not there");
    return status;
}

// The set keeps its file; the tile's arrays lie in it, too.
static lope_status open_in_set(lope_set *set, const char *name, lope_tile **out, lope_error *error)
{
    lope_tile *tile = lope_alloc_zero(sizeof *tile);
    if (!tile) {
        lope_set_destroy(set);
        return lope_fail_memory(error);
    }
    tile->set = tile->own_set = set;
    lope_status status = attach(tile, name, error);
    if (status)
        lope_tile_destroy(tile);
    else
        *out = tile;
    return status;
}

LOPE_DEFINE_OPENERS(tile, set, open_in_set)
