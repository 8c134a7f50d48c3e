// SPDX-License-Identifier: MIT
#ifndef LOPE_SRC_BLOCKS_FILE_H
#define LOPE_SRC_BLOCKS_FILE_H

#include "asset/built.h"

// Clips, tile and blocks as chunks of a file.
lope_chunk_adder lope_blocks_add_chunks;

#endif
