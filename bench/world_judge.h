// SPDX-License-Identifier: MIT
// How well characters move, seen from outside: from joints frame by frame and the name of what carries them, in the
// world and in the clips that their motion was made of alike. Contacts are found by the judge itself: what is slow
// holds.
#ifndef LOPE_BENCH_WORLD_JUDGE_H
#define LOPE_BENCH_WORLD_JUDGE_H

#include "bench/world_solids.h"
#include "lope/contacts.h"
#include "lope/moves.h"

#define WORLD_DEEP 0.02  // metres that parts may be in solids
#define WORLD_SLOW 0.7   // of the slower side's speed that hips keep between walking and gait
#define WORLD_STANDS 0.4 // seconds that anybody may stand about at climbs and things
#define WORLD_CARRIERS 8 // names of controllers that are told apart
#define WORLD_TOP 10     // of the worst that are told

// One of the worst of something: which controllers and part, in which level, when and where.
typedef struct world_worst {
    double value, seconds;
    char what[80], where[24];
    lope_vec3 at;
    const void *who; // one judge counts once in a second
} world_worst;

// The worst, worst first.
typedef struct world_worsts {
    int count;
    world_worst items[WORLD_TOP];
} world_worsts;

typedef struct world_deep {
    char carrier[24];
    world_worsts worst; // metres
} world_deep;

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
    world_worsts slip;
    world_worsts step;          // m/s: of any joint's velocity in the frame of a hand-over, and
    world_worsts pop;           // in any other frame
    world_worsts slow;          // hips between walking and gait: 1 - share of the slower side
    int gait_count, slow_count; // hand-overs between these; of those, where hips are slower than they should be
    double before, after;       // seconds of standing about at climbs and things, summed
    int before_count, after_count, before_long, after_long;
    world_worsts stood_before, stood_after;
    const char *where; // what the worst are told to be in, such as the name of a level
    float *steps;      // m/s: largest in each frame, where the list is wanted
    int step_count, step_capacity;
} world_grades;

typedef struct world_judge world_judge;

// The largest; 0 where nothing was noted.
double world_worst_value(const world_worsts *worst);

// One character, seen every `dt` seconds; adds to `grades`. NULL without memory.
world_judge *world_judge_create(const lope_skeleton *skeleton, double dt, world_grades *grades);
void world_judge_destroy(world_judge *judge);

typedef struct world_frame {
    const lope_transform *model;
    const char *carrier;        // name of the controller
    const world_solids *solids; // NULL: none; hands then hold nothing
    bool deep;                  // whether to look how deep everything is in them
    bool waits;                 // in line: standing is fine
    bool busy;                  // has somewhere to go
    int errand;                 // which: another number for each
} world_frame;
void world_judge_frame(world_judge *judge, const world_frame *frame);

// world_clips.c: the same of clips; `steps` of the grades are the caller's to free. And what 99.9 % of them are below.
lope_status world_clips_judge(const lope_moves *moves, world_grades *out, lope_error *error);
double world_clips_step(world_grades *clips);

#endif
