// SPDX-License-Identifier: MIT
// The last look at a performance: limbs in the air that would still be in a solid are moved out of it.
#ifndef LOPE_SRC_GRASP_CLIP_FREE_H
#define LOPE_SRC_GRASP_CLIP_FREE_H

#include "lope/climb.h"
#include "lope/ik.h"

// `contacts` are the bits of each limb. False without memory.
bool clip_free_limbs(lope_clip *clip, const lope_grasp_world *world, const lope_limb limbs[LOPE_LIMB_COUNT],
                     const uint16_t contacts[LOPE_LIMB_COUNT]);

#endif
