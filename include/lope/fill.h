// SPDX-License-Identifier: MIT
// What a motion set can do, what it lacks, and filling in what it lacks from the built-in motions and from its own
// walks (offline library).
#ifndef LOPE_FILL_H
#define LOPE_FILL_H

#include "lope/set.h"

#ifdef __cplusplus
extern "C" {
#endif

// How sharply steps turn while walking, in radians per step: the mean of two steps, because hips swing with each.
typedef enum lope_turn {
    LOPE_TURN_GENTLE, // 6 to 15 degrees
    LOPE_TURN_MEDIUM, // 15 to 30 degrees
    LOPE_TURN_SHARP,  // more
    LOPE_TURN_COUNT
} lope_turn;

typedef struct lope_speeds {
    float slowest, typical, fastest; // metres per second: of a twentieth, a half and all but a twentieth of the steps
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

#ifdef __cplusplus
}
#endif
#endif
