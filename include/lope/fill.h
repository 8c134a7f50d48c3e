// SPDX-License-Identifier: MIT
// What a motion set can do, what it lacks, and filling in what it lacks from the built-in motions and from its own
// walks (offline library).
#ifndef LOPE_FILL_H
#define LOPE_FILL_H

#include "lope/set.h"

#ifdef __cplusplus
extern "C" {
#endif

// How sharply a walk turns per step: the mean of two steps, because the hips swing with each.
typedef enum lope_turn {
    LOPE_TURN_GENTLE, // 6 to 15 degrees
    LOPE_TURN_MEDIUM, // 15 to 30 degrees
    LOPE_TURN_SHARP,  // more
    LOPE_TURN_COUNT
} lope_turn;

typedef struct lope_speeds {
    float slowest, typical, fastest; // metres per second: the 5th, 50th and 95th percentile of the steps
} lope_speeds;

// What is performed in some clips, measured by their contacts and the path of the body. Lengths are judged by the
// length of the legs, speeds by the square root of that length times gravity, so that children and giants walk, too.
typedef struct lope_survey {
    float seconds;                       // of everything
    float walking, running, standing;    // seconds of steps ahead, of runs, of standing still
    int steps;                           // of all kinds
    int walk_steps, run_steps;           // ahead
    lope_speeds walk_speeds, run_speeds; // zero where there are none
    float step_length, step_time;        // metres and seconds: medians of the walking steps that go straight
    int stands;                          // stays of at least 0.3 s
    int starts, stops;                   // from a stand into walking and back
    int turns[2][LOPE_TURN_COUNT];       // walking steps that turn, by lope_side and sharpness
    float turned[2];                     // radians that those turn in all
    int spot_turns[2];                   // steps that turn on the spot by more than 15 degrees, by lope_side
    int side_steps[2], back_steps;       // by lope_side
    int ups, downs;                      // steps to a place higher or lower by more than 8 % of the legs' length
    float highest, deepest;              // metres: the largest rise of a step, and fall (>= 0)
} lope_survey;

// Surveys clips of bipeds: contacts are those of the clips, or are found where a clip has none. LOPE_MISMATCH where a
// skeleton has no known legs. The result depends on nothing but the clips.
LOPE_API lope_status lope_clips_survey(const lope_clip *const *clips, int clip_count, lope_survey *out,
                                       lope_error *error);

// What a set is filled for.
typedef enum lope_purpose {
    LOPE_FOR_MOBILITY, // a stand, starts and stops, turns to both sides, gentle to sharp and on the spot, small steps
    LOPE_FOR_MAPS,     // the same
    LOPE_FOR_PATCHES,  // slow walks that turn within the space of a door, starts and stops
    LOPE_FOR_RINGS     // steady steps of other lengths, turns and rises, and stances
} lope_purpose;

// One thing that was lacking, and what was done about it. English, for people to read.
typedef struct lope_fill_line {
    char lacked[48]; // "left turns, sharp"
    char added[80];  // "3 clips: its own walk, bent"
} lope_fill_line;

typedef struct lope_fill_report {
    lope_survey before, after;
    bool walks;        // false: the set has no steady walk, and everything is the built-in performer's
    char manner[64];   // name of the clip whose walk set the manner; empty where there is none
    float step_length; // metres and seconds of a step of that manner
    float step_time;
    int clips; // that were added, behind all others; their names begin with "filled/"
    int line_count;
    lope_fill_line lines[16];
} lope_fill_report;

// Adds to a set in memory what it lacks for a purpose, and nothing where it lacks nothing. Turns are the set's own walk
// led along curves where it has one; stands, starts, stops and turns on the spot are built-in motions, carried over to
// its skeleton, stride, tempo and posture, and joined to its own walk. `report` may be NULL. LOPE_MISMATCH where the
// skeleton has no known legs, LOPE_UNSUPPORTED for a set that was opened from a file. On failure the set is as before.
// The result depends on nothing but the set.
LOPE_API lope_status lope_set_fill(lope_set *set, lope_purpose purpose, lope_fill_report *report, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
