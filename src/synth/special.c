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

// Came last: draws of takes depend on the number of a motion.
static const synth_motion LAST_MOTIONS[] = {
    {"dispute", "stands and argues: points, shakes the head, throws up both hands", synth_dispute, NULL},
    {"presentation", "stands and presents: shows something to one side, talks to those who listen", synth_presentation,
     NULL},
    {"sit_talk", "sits at a desk, one hand on it, and talks with the other", synth_sit_talk, NULL},
};

const synth_motion_table synth_last_motions = {LAST_MOTIONS, (int)(sizeof LAST_MOTIONS / sizeof *LAST_MOTIONS)};
