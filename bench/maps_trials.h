// SPDX-License-Identifier: MIT
// Random trials of following paths: worlds, paths in them, and how searches do on them.
#ifndef LOPE_BENCH_MAPS_TRIALS_H
#define LOPE_BENCH_MAPS_TRIALS_H

#include "bench/bench.h"

typedef struct trial {
    const lope_space *space;
    lope_vec2 *path;
    int count;
    float length;
    int start; // a random number that stands for a step of the graph to begin with
} trial;

typedef struct trial_set {
    trial *items;
    int count;
    lope_space **spaces;
    int space_count;
    float clearance;
} trial_set;

typedef enum trial_world {
    TRIAL_BOXES,  // 20 x 20 m with 30 boxes of 0.6 to 2.4 m, another world every ten trials
    TRIAL_FIGURE8 // the scene "figure8"
} trial_world;

// `count` paths of that clearance between random places, 2 m long or more.
lope_status trials_create(trial_world world, int count, float clearance, uint64_t seed, trial_set *out,
                          lope_error *error);
void trials_free(trial_set *set);

typedef struct trial_options {
    lope_follow_def follow;
    bool given_start; // a random step in the middle of walking, in place of any
    int first, count; // trials to run; count 0: all
    int repeats;      // of each query, for the best time; at least 1
    lope_jobs *jobs;  // threads that share the trials; NULL: this one
} trial_options;

// How one trial ended. Trials that did not run have the status LOPE_NOT_FOUND and took no time.
typedef struct trial_outcome {
    lope_status status; // LOPE_PARTIAL: no walk, or out of work; LOPE_NOT_FOUND: a rival has tried everything
    double seconds;
    double depth; // metres that a disc of the body was inside an obstacle, at most
    lope_follow_report report;
} trial_outcome;

typedef struct trial_figures {
    int trials;
    double success;         // share
    double mean, p99;       // milliseconds, of all queries
    double ratio, ratio_95; // metres walked to metres of path, of those that arrived
    double length, path;    // metres, means of those that arrived
    double exact;           // share of arrivals within 1 cm and 1 degree
    double depth;           // metres that a disc of the body was inside an obstacle, at most
    double given_up;        // share that ran out of work or nodes
    double solved;          // milliseconds, mean of those that arrived
    double stages;          // maps asked by a query, mean
} trial_figures;

// Room for the outcomes of all trials. Free it.
trial_outcome *trials_outcomes(const trial_set *set);

// Runs trials [first, first + count) with motion maps.
lope_status trials_follow(const trial_set *set, const lope_maps *maps, const trial_options *options, trial_outcome *out,
                          lope_error *error);
// The same with a search without maps that gives up after so many nodes.
typedef struct trial_rival {
    lope_rival_kind kind;
    int nodes;
} trial_rival;
lope_status trials_rival(const trial_set *set, const lope_maps *maps, const trial_rival *rival,
                         const trial_options *options, trial_outcome *out, lope_error *error);

// Figures of trials [first, first + count); `others` (may be NULL) ended by NULL: only of those that all of these
// solve, too, as the paper compares.
trial_figures trials_figures(const trial_outcome *outcomes, int first, int count, const trial_outcome *const *others);

#endif
