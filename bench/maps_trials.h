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
} trial_options;

typedef struct trial_figures {
    int trials;
    double success;         // share
    double mean, p99;       // milliseconds, of all queries
    double ratio, ratio_95; // metres walked to metres of path, of those that arrived
    double length, path;    // metres, means of those that arrived
    double exact;           // share of arrivals within 1 cm and 1 degree
    double depth;           // metres that a disc of the body was inside an obstacle, at most
    double given_up;        // share that ran out of nodes (rivals only)
    int marked;             // trials that `solved` still marks in the end
    double marked_mean;     // milliseconds, of these
} trial_figures;

// A mark for every trial, all true. Free it.
bool *trials_all(const trial_set *set);

// `solved` (may be NULL) [count]: cleared where the search fails.
lope_status trials_follow(const trial_set *set, const lope_maps *maps, const trial_options *options, bool *solved,
                          trial_figures *out, lope_error *error);

// A search without maps that gives up after so many nodes.
typedef struct trial_rival {
    lope_rival_kind kind;
    int nodes;
} trial_rival;
lope_status trials_rival(const trial_set *set, const lope_maps *maps, const trial_rival *rival,
                         const trial_options *options, bool *solved, trial_figures *out, lope_error *error);

#endif
