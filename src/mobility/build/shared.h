// SPDX-License-Identifier: MIT
// The two long stages of a build, shared among processes and kept for later runs.
#ifndef LOPE_SRC_MOBILITY_BUILD_SHARED_H
#define LOPE_SRC_MOBILITY_BUILD_SHARED_H

#include "mobility/build/keep.h"
#include "mobility/build/stages.h"

// What the stages hand on.
typedef struct build_state {
    const lope_set *set;
    lope_mobility_def *def; // a copy: `steps` is lowered where no state has a way of as many
    const lope_build_help *help;
    lope_mobility_report *report;
    lope_transition_def wanted; // transitions that are looked for: def's, its threshold chosen where that is 0
    stage_keeper keeper;
    uint64_t key;   // of the transitions
    uint32_t *tags; // [pose_count]
    lope_transitions transitions;
    lope_state_graph graph;
    choice_list *lists;
} build_state;

// connect.c: fills b->tags and b->graph, and reduces b->transitions to those that are used.
lope_status mobility_connect(build_state *b, lope_error *error);

// Fills b->transitions.
lope_status shared_transitions(build_state *b, lope_error *error);

// Fills b->lists anew. The task's range of states is set here.
lope_status shared_choices(build_state *b, choice_task *task, lope_error *error);

#endif
