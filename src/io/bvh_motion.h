// SPDX-License-Identifier: MIT
// The MOTION part of a BVH file.
#ifndef LOPE_SRC_IO_BVH_MOTION_H
#define LOPE_SRC_IO_BVH_MOTION_H

#include "io/bvh_parse.h"
#include "io/bvh_text.h"

// Reads what follows the word MOTION. The document's joints and channel count are known; fills the rest.
lope_status lope_bvh_read_motion(bvh_text *text, bvh_document *document);

#endif
