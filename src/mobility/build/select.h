// SPDX-License-Identifier: MIT
// Which of the transitions that were found a map is made of, and which of the components they form.
#ifndef LOPE_SRC_MOBILITY_BUILD_SELECT_H
#define LOPE_SRC_MOBILITY_BUILD_SELECT_H

#include "graph/graph.h"
#include "mobility/build/parts.h"

// The transitions to look for: those of the definition, or, where the threshold is to be chosen, a generous number.
lope_transition_def select_candidates(const lope_set *set, const lope_mobility_def *def);

// Reduces the transitions to those that the map uses: the threshold is chosen (report->threshold), what joins
// components although it costs a little more stays, and every pose has def->max_ways ways on at most.
lope_status select_transitions(const body_motion *motion, const lope_mobility_def *def, lope_transitions *transitions,
                               lope_mobility_report *report, lope_error *error);

#endif
