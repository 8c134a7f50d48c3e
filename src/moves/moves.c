// SPDX-License-Identifier: MIT
#include "moves/moves.h"

#include <string.h>

#include "asset/built.h"
#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "blocks/file.h"
#include "maps/maps.h"
#include "mobility/map.h"
#include "rings/ring.h"

#define MOVES_VERSION 1u
#define CHUNK_MOBILITY LOPE_CHUNK('M', 'V', 'W', 'A')
#define CHUNK_MAPS LOPE_CHUNK('M', 'V', 'S', 'T')
#define CHUNK_RINGS LOPE_CHUNK('M', 'V', 'R', 'I')
#define CHUNK_BLOCKS LOPE_CHUNK('M', 'V', 'B', 'L')

static lope_status add_chunks(lope_container_writer *writer, const void *built, lope_error *error)
{
    const lope_moves *moves = built;
    const struct {
        uint32_t type;
        lope_chunk_adder *add;
        const void *part;
    } parts[] = {{CHUNK_MOBILITY, lope_mobility_add_chunks, moves->mobility},
                 {CHUNK_MAPS, lope_maps_add_chunks, moves->maps},
                 {CHUNK_RINGS, lope_rings_add_chunks, moves->rings},
                 {CHUNK_BLOCKS, lope_blocks_add_chunks, moves->blocks}};
    lope_status status = lope_container_writer_add(writer, LOPE_MOVES_CHUNK, MOVES_VERSION, moves->lines,
                                                   (size_t)moves->line_count * sizeof *moves->lines, error);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !status; i++)
        if (parts[i].part)
            status = lope_chunk_add_nested(writer, parts[i].type, parts[i].add, parts[i].part, error);
    return status;
}

lope_status lope_moves_save(const lope_moves *moves, const char *path, lope_error *error)
{
    return lope_chunk_save(path, add_chunks, moves, error);
}

void lope_moves_close(lope_moves *moves)
{
    if (!moves)
        return;
    lope_mobility_close(moves->own_mobility);
    lope_maps_destroy(moves->own_maps);
    lope_rings_close(moves->own_rings);
    lope_blocks_destroy(moves->own_blocks);
    lope_container_close(moves->storage);
    lope_free(moves->image);
    lope_free(moves);
}

static lope_status read_lines(lope_moves *moves, const char *name, lope_error *error)
{
    int chunk = lope_container_find(moves->storage, LOPE_MOVES_CHUNK, 0);
    uint32_t version = 0;
    size_t size = 0;
    if (chunk < 0)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "holds no moves; build some with 'lope build'");
    lope_container_type(moves->storage, chunk, &version);
    moves->lines = lope_container_data(moves->storage, chunk, &size);
    moves->line_count = (int)(size / sizeof *moves->lines);
    if (version != MOVES_VERSION)
        return lope_fail_at(error, LOPE_UNSUPPORTED, name, 0, "moves of version %u, this Lope reads version %u",
                            version, MOVES_VERSION);
    bool sane = size % sizeof *moves->lines == 0 && size < 1u << 20;
    for (int i = 0; sane && i < moves->line_count; i++) {
        const lope_moves_line *line = &moves->lines[i];
        sane = memchr(line->what, 0, sizeof line->what) && memchr(line->from, 0, sizeof line->from) &&
               memchr(line->why, 0, sizeof line->why);
    }
    return sane ? LOPE_OK : lope_fail_at(error, LOPE_BAD_DATA, name, 0, "what is said of the moves is no text");
}

// The file of a part; NULL: there is none.
static const void *find_part(const lope_moves *moves, uint32_t type, size_t *size)
{
    int chunk = lope_container_find(moves->storage, type, 0);
    return chunk < 0 ? NULL : lope_container_data(moves->storage, chunk, size);
}

static lope_status read_parts(lope_moves *m, const char *name, lope_error *error)
{
    size_t size = 0;
    lope_status status = LOPE_OK;
    const void *data = find_part(m, CHUNK_MOBILITY, &size);
    if (!data)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "the moves hold no walking");
    status = lope_mobility_open_memory(data, size, name, &m->own_mobility, error);
    if (!status && (data = find_part(m, CHUNK_MAPS, &size)))
        status = lope_maps_open_memory(data, size, name, &m->own_maps, error);
    if (!status && (data = find_part(m, CHUNK_RINGS, &size)))
        status = lope_rings_open_memory(data, size, name, &m->own_rings, error);
    if (!status && (data = find_part(m, CHUNK_BLOCKS, &size)))
        status = lope_blocks_open_memory(data, size, name, &m->own_blocks, error);
    m->mobility = m->own_mobility;
    m->maps = m->own_maps;
    m->rings = m->own_rings;
    m->blocks = m->own_blocks;
    return status;
}

static lope_status check_skeletons(lope_moves *moves, const char *name, lope_error *error)
{
    moves->skeleton = lope_mobility_set(moves->mobility)->skeleton;
    const struct {
        const char *what;
        const lope_skeleton *skeleton;
    } parts[] = {{"motion maps", moves->maps ? moves->maps->steps->set->skeleton : NULL},
                 {"motion rings", moves->rings ? lope_rings_skeleton(moves->rings) : NULL},
                 {"motion blocks", moves->blocks ? moves->blocks->set->skeleton : NULL}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].skeleton && !lope_skeleton_equal(parts[i].skeleton, moves->skeleton, 1e-3f))
            return lope_fail_at(error, LOPE_MISMATCH, name, 0,
                                "the %s have another skeleton than the walking of these moves", parts[i].what);
    return LOPE_OK;
}

// Reads what lies in m->storage.
static lope_status read_all(lope_moves *m, const char *name, lope_error *error)
{
    lope_status status = read_lines(m, name, error);
    if (!status)
        status = read_parts(m, name, error);
    if (!status)
        status = check_skeletons(m, name, error);
    if (!status)
        status = lope_mobility_learn_entries(m->own_mobility, error);
    if (!status && m->maps)
        status = lope_steps_learn_entries(m->own_maps->own_steps, error);
    return status;
}

// Takes over the container, and `image`, which it may lie in.
static lope_status open_container(lope_container *container, void *image, const char *name, lope_moves **out,
                                  lope_error *error)
{
    lope_moves *moves = lope_alloc_zero(sizeof *moves);
    if (!moves) {
        lope_container_close(container);
        lope_free(image);
        return lope_fail_memory(error);
    }
    moves->storage = container;
    moves->image = image;
    lope_status status = read_all(moves, name, error);
    if (status)
        lope_moves_close(moves);
    else
        *out = moves;
    return status;
}

lope_status lope_moves_open(const char *path, lope_moves **out, lope_error *error)
{
    char found[4096];
    lope_container *container;
    lope_status status = LOPE_OK;
    *out = NULL;
    if (!path) {
        status = lope_file_find("LOPE_MOVES", "moves.lope", found, sizeof found, error);
        path = found;
    }
    if (!status)
        status = lope_container_open(path, &container, error);
    return status ? status : open_container(container, NULL, path, out, error);
}

lope_status lope_moves_open_memory(const void *data, size_t size, const char *name, lope_moves **out, lope_error *error)
{
    *out = NULL;
    lope_container *container;
    lope_status status = lope_container_open_memory(data, size, name, &container, error);
    return status ? status : open_container(container, NULL, name, out, error);
}

lope_status lope_moves_assemble(const lope_moves *parts, lope_moves **out, lope_error *error)
{
    *out = NULL;
    lope_container_writer *writer;
    lope_container *container = NULL;
    void *image = NULL;
    size_t size = 0;
    lope_status status = lope_container_writer_create(&writer, error);
    if (!status)
        status = add_chunks(writer, parts, error);
    if (!status)
        status = lope_container_writer_image(writer, &image, &size, error);
    lope_container_writer_destroy(writer);
    if (!status)
        status = lope_container_open_memory(image, size, "moves", &container, error);
    if (!status)
        return open_container(container, image, "moves", out, error);
    lope_free(image);
    return status;
}
