// SPDX-License-Identifier: MIT
// What files with more than a tile share with files of tiles.
#ifndef LOPE_SRC_PATCHES_TILE_FILE_H
#define LOPE_SRC_PATCHES_TILE_FILE_H

#include "lope/container.h"
#include "lope/patches.h"

// The clips of a set, then the tile. The set begins with the clips of the tile's own set.
lope_status tile_add_chunks(lope_container_writer *writer, const lope_tile *tile, const lope_set *set,
                            lope_error *error);
// Whether a segment lies within a clip of the set, and its numbers make sense.
bool tile_sane_segment(const lope_set *set, const lope_segment *segment);

#endif
