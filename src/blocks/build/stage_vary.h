// SPDX-License-Identifier: MIT
// Things of other sizes than those that were performed on.
#ifndef LOPE_SRC_BLOCKS_BUILD_STAGE_VARY_H
#define LOPE_SRC_BLOCKS_BUILD_STAGE_VARY_H

#include "lope/blocks_build.h"

// A stage made wider, higher and deeper, as seen from a thing on it and the floor. What lies beyond the things in width
// and depth is moved along, not scaled: people walk up as they did.
typedef struct stage_scale {
    lope_spot pivot;
    lope_vec3 low, high; // of all things, seen from the pivot
    lope_vec3 by;
} stage_scale;

lope_vec3 stage_scaled_point(const stage_scale *scale, lope_vec3 point);

// stage_bend.c: bends a clip so that what touched before touches again. *missed is how far (metres) a foot or hand that
// touches is from where it should be, at most.
lope_status stage_bend_clip(lope_clip *clip, const stage_scale *scale, float *missed, lope_error *error);

#endif
