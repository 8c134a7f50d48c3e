// SPDX-License-Identifier: MIT
// The table of the special motions.
#include "synth/special.h"

static const bool FORWARDS = false, BACKWARDS = true;

static const synth_motion MOTIONS[] = {
    {"idle", "stands, shifts the weight from leg to leg, breathes and looks around", synth_idle, NULL},
    {"sit_down", "sits down on a chair behind", synth_sit_down, NULL},
    {"sit", "sits on a chair, hands on the thighs, and looks around", synth_sit, NULL},
    {"stand_up", "rises from a chair", synth_stand_up, NULL},
    {"ladder_up", "climbs a ladder and steps onto the platform above", synth_ladder, &FORWARDS},
    {"ladder_down", "steps backwards from a platform onto a ladder and climbs down", synth_ladder, &BACKWARDS},
    {"crawl_down", "gets down on hands and knees", synth_crawl_change, &FORWARDS},
    {"crawl", "crawls forward on hands and knees", synth_crawl, NULL},
    {"crawl_up", "gets up from hands and knees", synth_crawl_change, &BACKWARDS},
    {"slide", "sits down on the top of a slide, slides down and stands up at its end", synth_slide, NULL},
    {"sit_work", "sits on a chair and works at the desk in front, both hands on it", synth_sit_work, NULL},
    {"chat", "stands and talks, with both hands and a nod", synth_chat, NULL},
    {"look_around", "stands and looks far to both sides", synth_look_around, NULL},
};

const synth_motion_table synth_special_motions = {MOTIONS, (int)(sizeof MOTIONS / sizeof *MOTIONS)};
