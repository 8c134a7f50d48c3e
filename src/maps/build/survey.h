// SPDX-License-Identifier: MIT
// What a report says about a step graph.
#ifndef LOPE_SRC_MAPS_BUILD_SURVEY_H
#define LOPE_SRC_MAPS_BUILD_SURVEY_H

#include "maps/build/graph_parts.h"

// Fills in everything but `pieces`, `component` and `seconds`.
lope_status step_survey(const step_body *body, const lope_steps_def *def, const step_pieces *pieces,
                        const step_links *links, lope_steps_report *report, lope_error *error);

#endif
