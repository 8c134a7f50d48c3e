// SPDX-License-Identifier: MIT
// Joint names of a BVH file as a skeleton wants them: terminated and unique.
#ifndef LOPE_SRC_IO_BVH_NAMES_H
#define LOPE_SRC_IO_BVH_NAMES_H

#include "io/bvh_parse.h"

// One block for lope_free: [joint_count] pointers, then the text. A name seen before gets "_2", "_3", ... appended.
lope_status lope_bvh_names(const bvh_document *document, const char ***out, lope_error *error);

#endif
