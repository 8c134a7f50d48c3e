// SPDX-License-Identifier: MIT
// What a BVH file does not say: which way is up, how long a unit is, whether frame 0 belongs to the motion.
#ifndef LOPE_SRC_IO_BVH_GUESS_H
#define LOPE_SRC_IO_BVH_GUESS_H

#include "io/bvh_parse.h"
#include "io/units.h"

typedef struct bvh_guess {
    bool rest_is_y_tall; // the rest pose clearly stands along Y
    lope_axis up;
    int tpose_frames; // frames at the start that do not belong to the motion
    float scale;      // metres per unit
} bvh_guess;

lope_status lope_bvh_guess(const bvh_document *document, bvh_guess *out, lope_error *error);

// The body among the file's joints, measured in file units.
lope_status lope_bvh_measure(const bvh_document *document, unit_body *out, lope_error *error);

#endif
