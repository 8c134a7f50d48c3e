// SPDX-License-Identifier: MIT
// The table of the special motions.
#include "synth/special.h"

static const synth_motion MOTIONS[] = {
    {"idle", "stands, shifts the weight from leg to leg, breathes and looks around", synth_idle, NULL},
    {"sit_down", "sits down on a chair behind", synth_sit_down, NULL},
    {"sit", "sits on a chair, hands on the thighs, and looks around", synth_sit, NULL},
    {"stand_up", "rises from a chair", synth_stand_up, NULL},
};

const synth_motion_table synth_special_motions = {MOTIONS, (int)(sizeof MOTIONS / sizeof *MOTIONS)};
