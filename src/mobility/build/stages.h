// SPDX-License-Identifier: MIT
// Stages of a mobility build, each in its own file.
#ifndef LOPE_SRC_MOBILITY_BUILD_STAGES_H
#define LOPE_SRC_MOBILITY_BUILD_STAGES_H

#include "graph/graph.h"
#include "lope/mobility_build.h"
#include "mobility/map.h"

// Choices of one state while building.
typedef struct choice_list {
    int count;
    mobility_choice *items;
    uint8_t *paths; // [count * steps]
} choice_list;

// What the body does in each pose: stands, walks, runs, or what the definition says. tags[pose_count].
lope_status mobility_tags(const lope_set *set, const lope_mobility_def *def, uint32_t *tags, lope_error *error);

// Movements of all poses and actions; tags are copied. poses[pose_count], actions[action_count].
void mobility_moves(const lope_set *set, const lope_state_graph *graph, const uint32_t *tags, mobility_pose *poses,
                    mobility_action *actions);
// Lengths and tags of all choices, and the number of states that can be stood in.
void mobility_describe(lope_mobility *map, mobility_choice *choices);

// What choices are found from, and for which states.
typedef struct choice_task {
    const lope_state_graph *graph;
    const mobility_action *actions;
    const lope_mobility_def *def;
    float frame_seconds;
    int first, end; // states
} choice_task;

// Choices of states [first, end) into lists[state_count], to be released with choice_lists_free. More than
// def->max_choices, so that some can be lost to pruning; mobility_thin then reduces all lists to those spread best.
lope_status mobility_choices(const choice_task *task, lope_jobs *jobs, const lope_progress *progress,
                             choice_list *lists, lope_error *error);
lope_status mobility_thin(const choice_task *task, lope_jobs *jobs, choice_list *lists, lope_error *error);
void choice_lists_free(choice_list *lists, int count);

// Lists of states [first, end) as bytes, for other processes and later runs; release with lope_free.
lope_status choice_lists_pack(const choice_list *lists, int first, int end, int steps, void **bytes, size_t *size,
                              lope_error *error);
// Fills the lists of all states. LOPE_BAD_DATA where the bytes are not what was packed for this graph.
lope_status choice_lists_unpack(const void *bytes, size_t size, const lope_state_graph *graph, int steps,
                                choice_list *lists, lope_error *error);

// Drops states with too few choices and those that cannot be come back from; dropped states end up with no choices.
lope_status mobility_prune(const lope_mobility_def *def, int state_count, choice_list *lists,
                           lope_mobility_report *report, lope_error *error);

// Fills map->times (given as `times`), whose other arrays are complete.
lope_status mobility_times(const lope_mobility *map, const lope_mobility_def *def, const lope_build_help *help,
                           uint8_t *times, lope_error *error);

// Fills map->stands and map->faces (given as `stands` and `faces`) and the means in the header; needs map->times.
lope_status mobility_stands(lope_mobility *map, const lope_mobility_def *def, const lope_build_help *help,
                            uint8_t *stands, uint8_t *faces, lope_error *error);

// How many random targets a walker on the finished map reaches.
lope_status mobility_try(const lope_mobility *map, lope_mobility_trial *out, lope_error *error);

#endif
