// SPDX-License-Identifier: MIT
// The .lope container: everything is verified when a file is opened, on a copy of our own, so that what is used in
// place afterwards can be trusted. Chunks are memory images in little-endian order; hosts of the other order are
// refused.
#include "lope/container.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "asset/built.h"
#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"

#define FORMAT_VERSION 1u
#define ALIGNMENT 64u
#define MAX_CHUNKS (1u << 20)

static const char magic[8] = {'L', 'O', 'P', 'E', 'F', 'I', 'L', 'E'};

typedef struct file_header {
    char magic[8];
    uint32_t version;
    uint32_t chunk_count;
    uint64_t file_size;
    uint64_t checksum; // of this header with checksum 0, continued over the chunk table
    uint8_t reserved[32];
} file_header;

typedef struct chunk_entry {
    uint32_t type;
    uint32_t version;
    uint64_t offset;
    uint64_t size;
    uint64_t checksum;
} chunk_entry;

_Static_assert(sizeof(file_header) == 64, "the header is part of the format");
_Static_assert(sizeof(chunk_entry) == 32, "the chunk table is part of the format");

struct lope_container {
    const uint8_t *bytes;
    size_t size;
    uint32_t chunk_count;
    const chunk_entry *entries; // inside bytes
    uint32_t *by_type;          // [chunk_count] chunks ordered by type, those of one type as in the file
    lope_file_data copy;        // what `bytes` are when opened from a file,
    lope_file_map map;          // or from a large one
};

static uint64_t round_up(uint64_t size)
{
    return (size + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
}

static bool little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static uint64_t table_checksum(file_header header, const chunk_entry *entries)
{
    header.checksum = 0;
    uint64_t seed = lope_hash(&header, sizeof header, 0);
    return lope_hash(entries, header.chunk_count * sizeof *entries, seed);
}

// The type as four printable letters for messages.
static const char *type_text(uint32_t type, char text[5])
{
    for (int i = 0; i < 4; i++) {
        char letter = (char)(type >> (8 * i) & 0xff);
        text[i] = letter >= ' ' && letter <= '~' ? letter : '?';
    }
    text[4] = 0;
    return text;
}

static lope_status check_version(uint32_t version, const char *name, lope_error *error)
{
    if (version > FORMAT_VERSION)
        return lope_fail_at(error, LOPE_UNSUPPORTED, name, 0,
                            "written by a newer Lope: format %u, this one reads up to %u", version, FORMAT_VERSION);
    if (version < FORMAT_VERSION)
        return lope_fail_at(error, LOPE_UNSUPPORTED, name, 0,
                            "written by an older Lope: format %u, this one reads %u; make it again", version,
                            FORMAT_VERSION);
    return LOPE_OK;
}

static lope_status check_header(const uint8_t *bytes, size_t size, const char *name, lope_error *error)
{
    if (size == 0)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "the file is empty");
    if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "not a .lope file: it does not begin with LOPEFILE");
    if (size < sizeof(file_header))
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "truncated: %zu bytes, the header alone has %zu", size,
                            sizeof(file_header));
    file_header header;
    memcpy(&header, bytes, sizeof header);
    lope_status status = check_version(header.version, name, error);
    if (status)
        return status;
    if (header.file_size != size)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "%s: %zu bytes, the header says %llu",
                            size < header.file_size ? "truncated" : "longer than it should be", size,
                            (unsigned long long)header.file_size);
    if (header.chunk_count > MAX_CHUNKS || sizeof header + header.chunk_count * sizeof(chunk_entry) > size)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "damaged: a table of %u chunks does not fit into %zu bytes",
                            header.chunk_count, size);
    const chunk_entry *entries = (const chunk_entry *)(const void *)(bytes + sizeof header);
    if (header.checksum != table_checksum(header, entries))
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "damaged: the checksum of the chunk table does not match");
    return LOPE_OK;
}

// `end` is where the table or the chunk before ends, and becomes where this one does: chunks that share bytes could
// make a small file cost hours.
static lope_status check_chunk(const lope_container *container, uint32_t index, uint64_t *end, const char *name,
                               lope_error *error)
{
    chunk_entry entry = container->entries[index];
    char type[5];
    if (entry.offset % ALIGNMENT != 0 || entry.offset > container->size || entry.size > container->size - entry.offset)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "damaged: chunk %u (%s) lies outside the file", index,
                            type_text(entry.type, type));
    if (entry.offset < *end)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "damaged: chunk %u (%s) begins before the last one ends",
                            index, type_text(entry.type, type));
    *end = entry.offset + entry.size;
    if (lope_hash(container->bytes + entry.offset, entry.size, 0) != entry.checksum)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "damaged: the checksum of chunk %u (%s) does not match",
                            index, type_text(entry.type, type));
    return LOPE_OK;
}

static lope_status check_chunks(const lope_container *container, const char *name, lope_error *error)
{
    uint64_t end = sizeof(file_header) + container->chunk_count * sizeof(chunk_entry);
    lope_status status = LOPE_OK;
    for (uint32_t i = 0; i < container->chunk_count && !status; i++)
        status = check_chunk(container, i, &end, name, error);
    return status;
}

typedef struct typed_chunk {
    uint32_t type, index;
} typed_chunk;

static int compare_chunks(const void *a, const void *b)
{
    const typed_chunk *left = a, *right = b;
    if (left->type != right->type)
        return left->type < right->type ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

// Finding one of a million chunks must not mean looking at all of them.
static lope_status order_by_type(lope_container *container, lope_error *error)
{
    uint32_t count = container->chunk_count;
    typed_chunk *chunks = lope_alloc_array(count, sizeof *chunks);
    container->by_type = lope_alloc_array(count, sizeof *container->by_type);
    if (!chunks || !container->by_type) {
        lope_free(chunks);
        return lope_fail_memory(error);
    }
    for (uint32_t i = 0; i < count; i++)
        chunks[i] = (typed_chunk){container->entries[i].type, i};
    qsort(chunks, count, sizeof *chunks, compare_chunks);
    for (uint32_t i = 0; i < count; i++)
        container->by_type[i] = chunks[i].index;
    lope_free(chunks);
    return LOPE_OK;
}

// Checks the bytes of a container and fills in the rest.
static lope_status attach(lope_container *container, const char *name, lope_error *error)
{
    if (!little_endian())
        return lope_fail_at(error, LOPE_UNSUPPORTED, name, 0, "needs a little-endian machine");
    lope_status status = check_header(container->bytes, container->size, name, error);
    if (status)
        return status;
    file_header header;
    memcpy(&header, container->bytes, sizeof header);
    container->chunk_count = header.chunk_count;
    container->entries = (const chunk_entry *)(const void *)(container->bytes + sizeof header);
    status = check_chunks(container, name, error);
    return status ? status : order_by_type(container, error);
}

// Hands out a container that has its bytes, unless that failed or they are wrong.
static lope_status finish(lope_container *container, lope_status status, const char *name, lope_container **out,
                          lope_error *error)
{
    if (!status)
        status = attach(container, name, error);
    if (status)
        lope_container_close(container);
    *out = status ? NULL : container;
    return status;
}

// Reads or maps the file. A copy cannot be changed by anybody while it is in use.
static lope_status take_file(lope_container *container, const char *path, lope_error *error)
{
    lope_status status = lope_file_map_open(path, &container->map, error);
    if (!status && container->map.size <= LOPE_CONTAINER_COPIED) {
        lope_file_map_close(&container->map);
        status = lope_file_read(path, LOPE_CONTAINER_COPIED, &container->copy, error);
    }
    container->bytes = container->map.bytes ? container->map.bytes : (const void *)container->copy.bytes;
    container->size = container->map.bytes ? container->map.size : container->copy.size;
    return status;
}

lope_status lope_container_open(const char *path, lope_container **out, lope_error *error)
{
    lope_container *container = lope_alloc_zero(sizeof *container);
    return finish(container, container ? take_file(container, path, error) : lope_fail_memory(error), path, out, error);
}

lope_status lope_container_open_memory(const void *data, size_t size, const char *name, lope_container **out,
                                       lope_error *error)
{
    assert((uintptr_t)data % ALIGNMENT == 0);
    lope_container *container = lope_alloc_zero(sizeof *container);
    if (container) {
        container->bytes = data;
        container->size = size;
    }
    return finish(container, container ? LOPE_OK : lope_fail_memory(error), name, out, error);
}

void lope_container_close(lope_container *container)
{
    if (!container)
        return;
    lope_free(container->by_type);
    lope_file_free(&container->copy);
    lope_file_map_close(&container->map);
    lope_free(container);
}

int lope_container_count(const lope_container *container)
{
    return (int)container->chunk_count;
}

uint32_t lope_container_type(const lope_container *container, int index, uint32_t *version)
{
    assert(index >= 0 && (uint32_t)index < container->chunk_count);
    if (version)
        *version = container->entries[index].version;
    return container->entries[index].type;
}

const void *lope_container_data(const lope_container *container, int index, size_t *size)
{
    assert(index >= 0 && (uint32_t)index < container->chunk_count);
    if (size)
        *size = (size_t)container->entries[index].size;
    return container->bytes + container->entries[index].offset;
}

int lope_container_find(const lope_container *container, uint32_t type, int n)
{
    uint32_t low = 0, high = container->chunk_count;
    while (low < high) { // to the first one of the type
        uint32_t middle = low + (high - low) / 2;
        if (container->entries[container->by_type[middle]].type < type)
            low = middle + 1;
        else
            high = middle;
    }
    if (n < 0 || (uint32_t)n >= container->chunk_count - low)
        return -1;
    uint32_t index = container->by_type[low + (uint32_t)n];
    return container->entries[index].type == type ? (int)index : -1;
}

struct lope_container_writer {
    uint32_t count, capacity;
    chunk_entry *entries;
    void **blocks;
};

lope_status lope_container_writer_create(lope_container_writer **out, lope_error *error)
{
    *out = lope_alloc_zero(sizeof **out);
    return *out ? LOPE_OK : lope_fail_memory(error);
}

void lope_container_writer_destroy(lope_container_writer *writer)
{
    if (!writer)
        return;
    for (uint32_t i = 0; i < writer->count; i++)
        lope_free(writer->blocks[i]);
    lope_free(writer->entries);
    lope_free((void *)writer->blocks);
    lope_free(writer);
}

static bool make_room(lope_container_writer *writer)
{
    if (writer->count < writer->capacity)
        return true;
    uint32_t capacity = writer->capacity ? writer->capacity * 2 : 16;
    chunk_entry *entries = lope_grow(writer->entries, writer->count * sizeof *entries, capacity * sizeof *entries);
    if (!entries)
        return false;
    writer->entries = entries;
    void **blocks = lope_grow((void *)writer->blocks, writer->count * sizeof *blocks, capacity * sizeof *blocks);
    if (!blocks)
        return false;
    writer->blocks = blocks;
    writer->capacity = capacity;
    return true;
}

lope_status lope_container_writer_add(lope_container_writer *writer, uint32_t type, uint32_t version, const void *data,
                                      size_t size, lope_error *error)
{
    if (writer->count == MAX_CHUNKS)
        return lope_fail(error, LOPE_BAD_DATA, "a .lope file holds at most %u chunks", MAX_CHUNKS);
    void *block = make_room(writer) ? lope_alloc(size) : NULL;
    if (!block)
        return lope_fail_memory(error);
    if (size > 0)
        memcpy(block, data, size);
    writer->entries[writer->count] = (chunk_entry){type, version, 0, size, lope_hash(block, size, 0)};
    writer->blocks[writer->count++] = block;
    return LOPE_OK;
}

// Gives every chunk its place and returns the finished header.
static file_header lay_out(const lope_container_writer *writer)
{
    uint64_t offset = round_up(sizeof(file_header) + writer->count * sizeof(chunk_entry));
    for (uint32_t i = 0; i < writer->count; i++) {
        writer->entries[i].offset = offset;
        offset = round_up(offset + writer->entries[i].size);
    }
    file_header header = {.version = FORMAT_VERSION, .chunk_count = writer->count, .file_size = offset};
    memcpy(header.magic, magic, sizeof magic);
    header.checksum = table_checksum(header, writer->entries);
    return header;
}

// Where the bytes of a container go: a file, or memory.
typedef void put_bytes(void *to, const void *bytes, size_t size);

static void put_padded(put_bytes *put, void *to, const void *bytes, uint64_t size)
{
    static const char zeros[ALIGNMENT];
    put(to, bytes, (size_t)size);
    put(to, zeros, (size_t)(round_up(size) - size));
}

static void put_all(const lope_container_writer *writer, const file_header *header, put_bytes *put, void *to)
{
    uint64_t table = writer->count * sizeof *writer->entries;
    put(to, header, sizeof *header); // a multiple of the alignment
    put_padded(put, to, writer->entries, table);
    for (uint32_t i = 0; i < writer->count; i++)
        put_padded(put, to, writer->blocks[i], writer->entries[i].size);
}

static void put_in_file(void *to, const void *bytes, size_t size)
{
    lope_file_write(to, bytes, size);
}

lope_status lope_container_writer_save(const lope_container_writer *writer, const char *path, lope_error *error)
{
    lope_file_writer file;
    lope_status status = lope_file_begin(&file, path, error);
    if (status)
        return status;
    file_header header = lay_out(writer);
    put_all(writer, &header, put_in_file, &file);
    return lope_file_commit(&file, error);
}

static void put_in_memory(void *to, const void *bytes, size_t size)
{
    char **at = to;
    if (size > 0)
        memcpy(*at, bytes, size);
    *at += size;
}

lope_status lope_container_writer_image(const lope_container_writer *writer, void **bytes, size_t *size,
                                        lope_error *error)
{
    file_header header = lay_out(writer);
    char *at = *bytes = lope_alloc((size_t)header.file_size);
    if (!at)
        return lope_fail_memory(error);
    put_all(writer, &header, put_in_memory, &at);
    *size = (size_t)header.file_size;
    return LOPE_OK;
}
