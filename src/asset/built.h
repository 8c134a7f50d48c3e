// SPDX-License-Identifier: MIT
// What is built of a motion set and saved with it: a header and arrays, each a chunk of its own, behind the skeleton
// and the clips. Opened files are used where they lie.
#ifndef LOPE_SRC_ASSET_BUILT_H
#define LOPE_SRC_ASSET_BUILT_H

#include "lope/container.h"
#include "lope/ik.h"
#include "lope/set.h"

// Something that chunks of a file make up, for reading and for messages about it.
typedef struct lope_chunk_kind {
    uint32_t version;    // that is read
    const char *what;    // e.g. "walk tile"
    const char *command; // that makes such a file
} lope_chunk_kind;

// The bytes of the first chunk of a type, which must have the kind's version and that size. `path` is for messages.
LOPE_API lope_status lope_chunk_find(const lope_container *container, uint32_t type, uint64_t size,
                                     const lope_chunk_kind *kind, const char *path, const void **data,
                                     lope_error *error);

// Frames of all clips of a set: what tells whether something was built for it.
LOPE_API uint32_t lope_chunk_frames(const lope_set *set);

// An array of what is built: its chunk, how many of which size, and the member that points to it.
typedef struct lope_chunk_array {
    uint32_t type;
    uint64_t count;
    uint32_t size; // bytes of each
    const void **data;
} lope_chunk_array;

// Bytes of an array whose count a file may have named: counted in 64 bits on every machine, because in 32 a product
// that is too large becomes one that fits. UINT64_MAX, which no chunk has, where 64 are not enough.
static inline uint64_t chunk_array_bytes(const lope_chunk_array *array)
{
    return array->size && array->count > UINT64_MAX / array->size ? UINT64_MAX : array->count * array->size;
}

// One array after the other: into a file, and where they lie in one, as lope_chunk_find does.
LOPE_API lope_status lope_chunk_add_arrays(lope_container_writer *writer, const lope_chunk_array *arrays, int count,
                                           uint32_t version, lope_error *error);
LOPE_API lope_status lope_chunk_find_arrays(const lope_container *container, const lope_chunk_array *arrays, int count,
                                            const lope_chunk_kind *kind, const char *path, lope_error *error);

// Defines lope_KIND_open and lope_KIND_open_memory: `outer` (set, tile, …) is opened from the same file, and `take`
// reads the rest from there and owns it, also where it fails: take(outer, name for messages, out, error).
#define LOPE_DEFINE_OPENERS(kind, outer, take)                                                                         \
    lope_status lope_##kind##_open(const char *path, lope_##kind **out, lope_error *error)                             \
    {                                                                                                                  \
        lope_##outer *from;                                                                                            \
        *out = NULL;                                                                                                   \
        lope_status status = lope_##outer##_open(path, &from, error);                                                  \
        return status ? status : take(from, path, out, error);                                                         \
    }                                                                                                                  \
    lope_status lope_##kind##_open_memory(const void *data, size_t size, const char *name, lope_##kind **out,          \
                                          lope_error *error)                                                           \
    {                                                                                                                  \
        lope_##outer *from;                                                                                            \
        *out = NULL;                                                                                                   \
        lope_status status = lope_##outer##_open_memory(data, size, name, &from, error);                               \
        return status ? status : take(from, name, out, error);                                                         \
    }

// The skeleton, all clips, and what foot locking has to know of them.
LOPE_API lope_status lope_chunk_add_set(lope_container_writer *writer, const lope_set *set, lope_error *error);

// What foot locking knows of a set: as its file says, or learnt from its clips, all of whose frames are looked at then.
LOPE_API void lope_chunk_lock_rig(const lope_set *set, lope_lock_rig *out);

// Writes a file of what `add` puts into it.
typedef lope_status lope_chunk_adder(lope_container_writer *writer, const void *built, lope_error *error);
LOPE_API lope_status lope_chunk_save(const char *path, lope_chunk_adder *add, const void *built, lope_error *error);

// The file that a writer would save, in memory: 64-byte aligned, to be released with lope_free.
LOPE_API lope_status lope_container_writer_image(const lope_container_writer *writer, void **bytes, size_t *size,
                                                 lope_error *error);

// Adds such a file of what `add` puts into it as one chunk of another: a file in a file, which can be opened where it
// lies.
LOPE_API lope_status lope_chunk_add_nested(lope_container_writer *writer, uint32_t type, lope_chunk_adder *add,
                                           const void *built, lope_error *error);

#endif
