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

// The whole set: def->variations takes of every motion.
LOPE_API lope_status lope_synth_set(const lope_synth_def *def, lope_set **out, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
