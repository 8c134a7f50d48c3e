// SPDX-License-Identifier: MIT
// How well characters move, seen from outside: from joints frame by frame and the name of what carries them, in the
// world and in the clips that their motion was made of alike. Contacts are found by the judge itself: what is slow
// holds.
#ifndef LOPE_BENCH_WORLD_JUDGE_H
#define LOPE_BENCH_WORLD_JUDGE_H

#include "bench/world_solids.h"
#include "lope/contacts.h"

#define WORLD_DEEP 0.02   // metres that parts may be in solids
#define WORLD_MOST_DEEP 8 // of the deepest places that are told
#define WORLD_CARRIERS 8  // names of controllers that are told apart

typedef struct world_deep {
    double depth, seconds;
    char carrier[24], joint[40];
    lope_vec3 at;
} world_deep;

// The worst of something, and where that was: from which controller to which.
typedef struct world_worst {
    double value, seconds;
    char what[80], where[24];
    lope_vec3 at;
} world_worst;

// Sums over all characters that were judged.
typedef struct world_grades {
    double seconds;
    long frames, deep_frames;
    world_deep deepest[WORLD_CARRIERS]; // per controller
    int carriers;
    double planted_travel, planted_seconds; // of feet that stand
    double jerk;                            // m/s^3, summed over joints and frames
    long jerk_count;
    int handovers;
    double slip_sum; // metres that held feet and hands go
    int slip_count;
    world_worst slip;
    world_worst step;                                // m/s: of any joint's velocity in the frame of a hand-over, and
    world_worst pop;                                 // in any other frame
    world_worst slow;                                // hips between walking and gait: 1 - share of the slower side
    double before, after, before_worst, after_worst; // seconds of standing about at climbs and things, summed and worst
    int before_count, after_count;
    const char *where; // what the worst are told to be in, such as the name of a level
    float *steps;      // m/s: largest in each frame, where the list is wanted
    int step_count, step_capacity;
} world_grades;

typedef struct world_judge world_judge;

// One character, seen every `dt` seconds; adds to `grades`. NULL without memory.
world_judge *world_judge_create(const lope_skeleton *skeleton, double dt, world_grades *grades);
void world_judge_destroy(world_judge *judge);

typedef struct world_frame {
    const lope_transform *model;
    const char *carrier;        // name of the controller
    const world_solids *solids; // NULL: not looked at
    bool waits;                 // in line: standing is fine
    bool busy;                  // has somewhere to go
} world_frame;
void world_judge_frame(world_judge *judge, const world_frame *frame);

#endif
