// SPDX-License-Identifier: MIT
// Transitions in blocks, so that threads and ranks can share the work: blocks are numbered, independent of each other,
// and the same for any number of workers.
#ifndef LOPE_SRC_GRAPH_TRANSITIONS_H
#define LOPE_SRC_GRAPH_TRANSITIONS_H

#include "graph/metric.h"

typedef struct transition_search {
    const lope_set *set;
    lope_transition_def def;
    pose_metric *metric;
    int *clip_of;   // [pose_count]
    int row_blocks; // of TILE_ROWS poses
    int column_blocks;
    int min_gap; // frames
} transition_search;

lope_status transition_search_begin(const lope_set *set, const lope_transition_def *def, transition_search *out,
                                    lope_error *error);
void transition_search_end(transition_search *search);

// Finds the transitions of row blocks first, first + step, ... and returns them sorted.
lope_status transition_search_run(const transition_search *search, int first, int step, lope_jobs *jobs,
                                  const lope_progress *progress, lope_transitions *out, lope_error *error);

// Sorts by from, then to.
void lope_transitions_sort(lope_transitions *transitions);

#endif
