// SPDX-License-Identifier: MIT
// The special motions of the built-in set, and the measures of what they are performed on.
#ifndef LOPE_SRC_SYNTH_SPECIAL_H
#define LOPE_SRC_SYNTH_SPECIAL_H

#include "synth/motions.h"

// The chair stands behind the performer, who stands at the origin and faces +Z.
#define SYNTH_CHAIR_HEIGHT 0.45f

// The ladder stands before the performer, upright. It leads to a platform at the height of the last rung, whose edge is
// in the ladder's plane; rails to both sides go on above it.
#define SYNTH_LADDER_Z 0.42f
#define SYNTH_RUNG_PITCH 0.30f
#define SYNTH_RUNG_COUNT 10
#define SYNTH_RAIL_X 0.27f
#define SYNTH_RAIL_LEAN 0.14f // metres towards +Z per metre above the platform

#define SYNTH_GENERATOR(name)                                                                                          \
    lope_status name(const synth_body *body, const synth_take *take, const synth_motion *motion, lope_clip **out,      \
                     lope_error *error)

SYNTH_GENERATOR(synth_idle);
SYNTH_GENERATOR(synth_sit_down);
SYNTH_GENERATOR(synth_sit);
SYNTH_GENERATOR(synth_stand_up);
SYNTH_GENERATOR(synth_ladder); // the motion's script is a bool: down

#endif
