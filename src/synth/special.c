// SPDX-License-Identifier: MIT
// The table of the special motions.
#include "synth/special.h"

static const bool UP = false, DOWN = true;

static const synth_motion MOTIONS[] = {
    {"idle", "stands, shifts the weight from leg to leg, breathes and looks around", synth_idle, NULL},
    {"sit_down", "sits down on a chair behind", synth_sit_down, NULL},
    {"sit", "sits on a chair, hands on the thighs, and looks around", synth_sit, NULL},
    {"stand_up", "rises from a chair", synth_stand_up, NULL},
    {"ladder_up", "climbs a ladder and steps onto the platform above", synth_ladder, &UP},
    {"ladder_down", "steps backwards from a platform onto a ladder and climbs down", synth_ladder, &DOWN},
};

const synth_motion_table synth_special_motions = {MOTIONS, (int)(sizeof MOTIONS / sizeof *MOTIONS)};
