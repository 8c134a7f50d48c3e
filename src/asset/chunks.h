// SPDX-License-Identifier: MIT
// Skeletons and clips as chunks of a .lope file. A clip's chunk is its arrays as they are in memory, so that an
// opened clip points into the file.
#ifndef LOPE_SRC_ASSET_CHUNKS_H
#define LOPE_SRC_ASSET_CHUNKS_H

#include "lope/clip.h"
#include "lope/container.h"
#include "lope/set.h"

#define LOPE_CHUNK_SKELETON LOPE_CHUNK('S', 'K', 'E', 'L')
#define LOPE_CHUNK_CLIP LOPE_CHUNK('C', 'L', 'I', 'P')

LOPE_API lope_status lope_chunk_add_skeleton(lope_container_writer *writer, const lope_skeleton *skeleton,
                                             lope_error *error);
LOPE_API lope_status lope_chunk_add_clip(lope_container_writer *writer, const lope_clip *clip, lope_error *error);

// Reads chunk `index`. `name` is the file's, for messages.
LOPE_API lope_status lope_chunk_read_skeleton(const lope_container *container, int index, const char *name,
                                              lope_skeleton **out, lope_error *error);
// The clip's arrays lie in the container, which must outlive it; nobody may write to them.
LOPE_API lope_status lope_chunk_read_clip(const lope_container *container, int index, const lope_skeleton *skeleton,
                                          const char *name, lope_clip **out, lope_error *error);

// Something that chunks of a file make up, for reading and for messages about it.
typedef struct lope_chunk_kind {
    uint32_t version;    // that is read
    const char *what;    // e.g. "walk tile"
    const char *command; // that makes such a file
} lope_chunk_kind;

// The bytes of the first chunk of a type, which must have the kind's version and that size. `path` is for messages.
LOPE_API lope_status lope_chunk_find(const lope_container *container, uint32_t type, size_t size,
                                     const lope_chunk_kind *kind, const char *path, const void **data,
                                     lope_error *error);

// Frames of all clips of a set: what tells whether something was built for it.
LOPE_API uint32_t lope_chunk_frames(const lope_set *set);

#endif
