// SPDX-License-Identifier: MIT
// The built-in motion set: a procedural mocap generator with exact contacts (offline library).
#ifndef LOPE_SYNTH_H
#define LOPE_SYNTH_H

#include "lope/set.h"

#ifdef __cplusplus
extern "C" {
#endif

// Everything that varies from one performer to the next comes from the seed.
typedef struct lope_synth_def {
    uint64_t seed;
    double frame_rate; // frames per second
    int variations;    // takes of every motion, >= 1; the first is the plain one
} lope_synth_def;

LOPE_API lope_synth_def lope_synth_def_default(void);

// The character of the built-in set: 1.75 m, Y up, facing +Z.
LOPE_API lope_status lope_synth_skeleton(lope_skeleton **out, lope_error *error);

// How many motions there are, and their names: "walk_normal", "turn_left_sharp", "stairs_up", ...
LOPE_API int lope_synth_count(void);
LOPE_API const char *lope_synth_name(int index);
// One line that says what is performed.
LOPE_API const char *lope_synth_description(int index);

// One motion by name, in its take number `variation` >= 0. Contacts are exact. LOPE_NOT_FOUND where there is no such
// motion, LOPE_BAD_DATA where the definition is impossible.
LOPE_API lope_status lope_synth_clip(const char *name, const lope_synth_def *def, int variation, lope_clip **out,
                                     lope_error *error);

// All takes (def->variations of each) of the motions that `wanted` says true for, in their order; NULL: of all. Release
// with lope_clips_free.
LOPE_API lope_status lope_synth_clips(bool (*wanted)(const char *motion), const lope_synth_def *def, lope_clip ***clips,
                                      int *clip_count, lope_error *error);

// A steady gait: every step is as long, turns and rises as much as the one before. Recorded over some six steps.
typedef struct lope_synth_gait_def {
    float stride; // metres from one foot to the next along the way, 0 .. 0.95; of runs 0.4 .. 1.6
    float turn;   // radians per step, > 0: to the left; up to 0.9 either way
    float rise;   // metres per step, up to 0.32 either way (runs: 0.2)
    float tempo;  // factor on the natural speed of steps, 0.5 .. 2
    bool run;
} lope_synth_gait_def;
LOPE_API lope_synth_gait_def lope_synth_gait_def_default(void);
// LOPE_BAD_DATA where the gait is beyond what the performer does.
LOPE_API lope_status lope_synth_gait(const lope_synth_gait_def *gait, const lope_synth_def *def, lope_clip **out,
                                     lope_error *error);

// Standing with the right foot set ahead (metres, negative: behind) and higher than where it belongs, breathing.
typedef struct lope_synth_stand_def {
    float ahead; // up to 0.5 either way
    float aside; // metres outwards, -0.05 .. 0.3
    float rise;  // up to 0.3 either way
} lope_synth_stand_def;
LOPE_API lope_status lope_synth_stand(const lope_synth_stand_def *stand, const lope_synth_def *def, lope_clip **out,
                                      lope_error *error);

// The whole set: def->variations takes of every motion.
LOPE_API lope_status lope_synth_set(const lope_synth_def *def, lope_set **out, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
