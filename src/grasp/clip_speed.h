// SPDX-License-Identifier: MIT
// How fast the limbs of a performing character may turn.
#ifndef LOPE_SRC_GRASP_CLIP_SPEED_H
#define LOPE_SRC_GRASP_CLIP_SPEED_H

#include "lope/climb.h"
#include "lope/ik.h"

// Slows joints of limbs down to `fastest` radians per second in frames without the limb's contact bit. False without
// memory.
bool clip_limit_speed(lope_clip *clip, const lope_limb limbs[LOPE_LIMB_COUNT], const uint16_t contacts[LOPE_LIMB_COUNT],
                      double fastest);

#endif
