// SPDX-License-Identifier: MIT
// The special motions of the built-in set, and the measures of what they are performed on.
#ifndef LOPE_SRC_SYNTH_SPECIAL_H
#define LOPE_SRC_SYNTH_SPECIAL_H

#include "synth/motions.h"

// The chair stands behind the performer, who stands at the origin and faces +Z.
#define SYNTH_CHAIR_HEIGHT 0.45f

#define SYNTH_GENERATOR(name)                                                                                          \
    lope_status name(const synth_body *body, const synth_take *take, const synth_motion *motion, lope_clip **out,      \
                     lope_error *error)

SYNTH_GENERATOR(synth_idle);
SYNTH_GENERATOR(synth_sit_down);
SYNTH_GENERATOR(synth_sit);
SYNTH_GENERATOR(synth_stand_up);

#endif
