// SPDX-License-Identifier: MIT
// Skeletons and clips as chunks of a .lope file. A clip's chunk is its arrays as they are in memory, so that an
// opened clip points into the file; or its packed form, where it has one.
#ifndef LOPE_SRC_ASSET_CHUNKS_H
#define LOPE_SRC_ASSET_CHUNKS_H

#include "lope/clip.h"
#include "lope/container.h"

#define LOPE_CHUNK_SKELETON LOPE_CHUNK('S', 'K', 'E', 'L')
#define LOPE_CHUNK_FEET LOPE_CHUNK('F', 'E', 'E', 'T') // right behind the skeleton whose feet they are, where known
#define LOPE_CHUNK_LEGS LOPE_CHUNK('L', 'E', 'G', 'S') // lock_learnt of all clips, behind them
#define LOPE_CHUNK_CLIP LOPE_CHUNK('C', 'L', 'I', 'P')
#define LOPE_CHUNK_PACKED LOPE_CHUNK('P', 'A', 'C', 'K') // a clip in its packed form

// Whether chunk `index` is a clip, in either form.
LOPE_API bool lope_chunk_is_clip(const lope_container *container, int index);

LOPE_API lope_status lope_chunk_add_skeleton(lope_container_writer *writer, const lope_skeleton *skeleton,
                                             lope_error *error);
LOPE_API lope_status lope_chunk_add_clip(lope_container_writer *writer, const lope_clip *clip, lope_error *error);

// Reads chunk `index`. `name` is the file's, for messages.
LOPE_API lope_status lope_chunk_read_skeleton(const lope_container *container, int index, const char *name,
                                              lope_skeleton **out, lope_error *error);
// The clip's arrays lie in the container, which must outlive it; nobody may write to them. Packed clips are unpacked,
// and their packed form lies there.
LOPE_API lope_status lope_chunk_read_clip(const lope_container *container, int index, const lope_skeleton *skeleton,
                                          const char *name, lope_clip **out, lope_error *error);

#endif
