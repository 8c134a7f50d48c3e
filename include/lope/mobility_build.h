// SPDX-License-Identifier: MIT
// Building mobility maps (offline library).
#ifndef LOPE_MOBILITY_BUILD_H
#define LOPE_MOBILITY_BUILD_H

#include "lope/graph.h"
#include "lope/mobility.h"
#include "lope/ranks.h"

#ifdef __cplusplus
extern "C" {
#endif

// Says what the body does in some frames of a clip, in place of what would be found.
typedef struct lope_tag_range {
    const char *clip; // name; NULL: every clip
    int first, count; // frames; what lies outside of the clip is ignored
    unsigned tags;    // 1 << lope_tag each
    bool beside;      // adds them to what is found
} lope_tag_range;

typedef struct lope_mobility_def {
    lope_transition_def transitions; // threshold 0, the default: chosen for the set, see max_states
    int max_states;    // where the threshold is chosen: about as many, and not nearly all poses, become states; parts
                       // that a little more cost joins are joined
    int max_ways;      // ways on of a state, 1 to 254; of more, the cheapest that lead to different poses are kept
    float frame_cost;  // added to every frame of a sequence, so that the cheapest does not wander; >= 0
    int steps;         // actions in a choice, the thesis' gamma
    int min_choices;   // states with fewer are dropped, unless that would be more than half of them
    int max_choices;   // of more, those that are spread best over space are kept
    int min_component; // poses: smaller components are no motion graph
    bool largest;      // keeps the component of the most poses, as the thesis does, not the one that can do most
    bool all_pairs;    // finds choices by way of the thesis' matrix of all pairs of states (3.4), four bytes each. The
                       // choices are the same; by default each state looks only as far as its steps lead
    float hit_radius;  // metres: a goal is reached when the body passes this close
    int sweeps;        // over the time-to-goal tables
    const lope_tag_range *tags; // [tag_count] later ones win; NULL: none
    int tag_count;
    const char *tag_names[LOPE_OWN_TAGS]; // of own tags, kept with the map; NULL: none. Up to LOPE_TAG_NAME - 1 bytes
    int own_clips;       // the first so many clips of the set are the performer's, the others filled in; 0: all are
    lope_clip_use *uses; // NULL, or room for each clip of the set: receives its poses, those in the graph, why none
} lope_mobility_def;

LOPE_API lope_mobility_def lope_mobility_def_default(void);
// What the thesis does: joint angles, a fixed threshold, pruning of transitions by their cost alone, the largest
// component, all pairs, steps of clips that cost nothing, all choices kept.
LOPE_API lope_mobility_def lope_mobility_def_thesis(void);

// What a body can do in the poses of a map. Speeds and turns are means over a second.
typedef struct lope_mobility_ability {
    float seconds;                     // of walking and running
    float slowest, fastest;            // metres per second, but for a twentieth of them at either end
    float walking_left, walking_right; // radians per second: the sharpest turns while getting along
    float left, right;                 // the same, on the spot, too
} lope_mobility_ability;

// What a walker on the finished map did: sent from random target to random target, 2 to 6 m apart and within 10 m of
// where it began, for at most a minute each.
typedef struct lope_mobility_trial {
    int targets;
    int passed; // of them, where it need not stop
    int stood;  // of the same ones, where it shall stand; 0 where it cannot
} lope_mobility_trial;

// What a build did, stage by stage.
typedef struct lope_mobility_report {
    int poses;                     // in the set
    float threshold;               // that was asked for, or chosen
    size_t transitions;            // that are used
    int component;                 // poses in the component that can do most
    lope_mobility_ability ability; // of that component
    lope_mobility_trial trial;     // of the map
    int graph_states;              // states before pruning
    int steps;                     // actions in a choice: fewer than asked for where no state has a way of as many
    int states;                    // states that are left
    int stands;                    // of them, that can be stood in
    size_t choices;                // of all states together
    int pruned_rounds;             // how often pruning was repeated
    int min_choices;               // that states had to have in the end
    bool pruning_limited;          // fewer than asked for, because that would have taken more than half of the states
    size_t bytes;                  // of map and tables, without the clips
    int stages_reused;             // that an earlier run had finished
    bool stages_damaged;           // the file of kept stages was there but could not be used
    bool stages_unkept;            // finished stages could not be written
    double seconds[6];             // transitions, graph, choices, pruning, times, times of standing
} lope_mobility_report;

// Builds a map. The set is retained by reference: it must outlive the map. Messages say what to change when nothing
// connects. `report` may be NULL. The same for any number of threads.
LOPE_API lope_status lope_mobility_build(const lope_set *set, const lope_mobility_def *def, lope_jobs *jobs,
                                         const lope_progress *progress, lope_mobility **out,
                                         lope_mobility_report *report, lope_error *error);

// The map of the built-in motion set: the motions it is made of, how many takes of each, and how. Builds it; `set` and
// `out` are the caller's, the map to be closed first.
enum { LOPE_MOBILITY_BUILTIN_TAKES = 2 };
LOPE_API bool lope_mobility_builtin_uses(const char *motion);
LOPE_API lope_mobility_def lope_mobility_def_builtin(void);
LOPE_API lope_status lope_mobility_builtin(lope_jobs *jobs, const lope_progress *progress, lope_set **set,
                                           lope_mobility **out, lope_error *error);

// Who works on a build and what it leaves behind; all of it may be NULL.
typedef struct lope_build_help {
    lope_jobs *jobs;
    const lope_progress *progress;
    const lope_ranks *ranks; // processes that share the work; all of them call with the same set and definition
    const char *stages; // a file that finished stages are kept in and taken from, so that an interrupted build goes
                        // on where it was. What does not fit set and definition is not used. Remove it afterwards
} lope_build_help;

// The same with more help. Every rank gets the whole map, or the same error; the map is the same for any number of
// ranks.
LOPE_API lope_status lope_mobility_build_with(const lope_set *set, const lope_mobility_def *def,
                                              const lope_build_help *help, lope_mobility **out,
                                              lope_mobility_report *report, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
