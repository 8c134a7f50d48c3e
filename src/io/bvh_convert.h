// SPDX-License-Identifier: MIT
// Euler angles of BVH files to quaternions.
#ifndef LOPE_SRC_IO_BVH_CONVERT_H
#define LOPE_SRC_IO_BVH_CONVERT_H

#include "io/bvh_parse.h"

// Rotations of all joints in the BVH_LANES frames of a block. rows[lane] takes [joint_count] quaternions, or is NULL
// where a frame is not wanted. `last` ([joint_count]) holds the frame before and is left at the block's last frame, so
// that all of them lie in one hemisphere; start with identities.
void lope_bvh_convert_block(const bvh_document *document, int block, lope_quat *last, lope_quat *const *rows);

// One rotation in double, straight from the definition: what the fast way is compared with.
lope_quat lope_bvh_convert_plain(const bvh_document *document, int frame, int joint);

#endif
