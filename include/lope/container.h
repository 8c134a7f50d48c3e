// SPDX-License-Identifier: MIT
// The .lope container: chunks with a type, a version and a checksum, read or mapped into memory and used in place.
//
// Layout, little-endian, every chunk at a multiple of 64 bytes:
//   header (64 bytes): magic "LOPEFILE", format version, chunk count, file size, checksum of header and table
//   chunk table: per chunk a four-letter type, version, offset, size, checksum
//   chunks
#ifndef LOPE_CONTAINER_H
#define LOPE_CONTAINER_H

#include "lope/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Four letters as one number, e.g. LOPE_CHUNK('S','K','E','L').
#define LOPE_CHUNK(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

typedef struct lope_container lope_container;

// Files up to this size, in bytes, are read into memory when they are opened, by lope_container_open and by the
// ..._open of everything that lies in a container (sets, maps, tiles, rings, ...), so that later changes of the file do
// no harm. Larger ones are mapped, with the risk that lope_file_map_open describes.
#define LOPE_CONTAINER_COPIED ((size_t)256 << 20)

// Reads a file and verifies all of it: magic, version, sizes, order, checksums. Truncated, foreign, bit-flipped and
// newer files each get their own message, and so do files that change while they are read. Threads may share what is
// opened.
LOPE_API lope_status lope_container_open(const char *path, lope_container **out, lope_error *error);

// A whole file mapped into memory, read-only and 64-byte aligned, for lope_container_open_memory and the
// ..._open_memory of everything that lies in a container. Use it where many processes share a file. It trusts everybody
// who can write the file: overwriting the file changes what was already checked, and truncating it ends the process
// (SIGBUS). Replacing it by rename, as Lope's own writers do, is harmless.
// LOPE_BAD_DATA for an empty file; LOPE_IO where there are no files (WebAssembly).
typedef struct lope_file_map {
    const void *bytes;
    size_t size;
} lope_file_map;
LOPE_API lope_status lope_file_map_open(const char *path, lope_file_map *out, lope_error *error);
// Close everything that was opened over it first. Closing a map that could not be opened is harmless.
LOPE_API void lope_file_map_close(lope_file_map *map);

// As lope_container_open over memory that outlives the container; `data` must be 64-byte aligned. `name` is for
// messages.
LOPE_API lope_status lope_container_open_memory(const void *data, size_t size, const char *name, lope_container **out,
                                                lope_error *error);
LOPE_API void lope_container_close(lope_container *container);

LOPE_API int lope_container_count(const lope_container *container);
// Type and version of chunk `index`; its bytes and their number.
LOPE_API uint32_t lope_container_type(const lope_container *container, int index, uint32_t *version);
LOPE_API const void *lope_container_data(const lope_container *container, int index, size_t *size);
// Index of the n-th chunk of that type, or -1.
LOPE_API int lope_container_find(const lope_container *container, uint32_t type, int n);

// Writing: collect chunks (bytes are copied), then save. Saving writes `path` + a temporary suffix, syncs, renames.
typedef struct lope_container_writer lope_container_writer;
LOPE_API lope_status lope_container_writer_create(lope_container_writer **out, lope_error *error);
LOPE_API void lope_container_writer_destroy(lope_container_writer *writer);
LOPE_API lope_status lope_container_writer_add(lope_container_writer *writer, uint32_t type, uint32_t version,
                                               const void *data, size_t size, lope_error *error);
LOPE_API lope_status lope_container_writer_save(const lope_container_writer *writer, const char *path,
                                                lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
