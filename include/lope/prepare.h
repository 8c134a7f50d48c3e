// SPDX-License-Identifier: MIT
// From clips as they were captured to one motion set that graphs can be built from (offline library).
#ifndef LOPE_PREPARE_H
#define LOPE_PREPARE_H

#include "lope/jobs.h"
#include "lope/set.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_prepare_def {
    double frame_rate; // frames per second of the set, > 0
    bool level;        // put the floor of every clip at height 0
    bool contacts;     // find contacts where a clip knows none
    bool mirror;       // add a mirrored copy of every clip, named after it with "_mirrored"
    bool retarget;     // carry clips of other skeletons over to that of the first one
    bool raw;          // leave tears and jolts of joints (lope/edit.h) as they were captured
    int *mended;       // NULL, or [clip_count]: how many of these were mended in each clip
    float *floors;     // NULL, or [clip_count] metres: where the floor of each clip lies, for `level`. NAN: it is
                       // found from standing feet, and written here
} lope_prepare_def;

// 30 frames per second, level, with contacts; neither mirrored nor retargeted.
LOPE_API lope_prepare_def lope_prepare_def_default(void);

// Copies clips into a set: joints above the hips folded into them, jolts and tears mended (lope_clip_calm,
// lope_clip_heal), soles fitted where neither the skeleton knows its feet nor the first clip its contacts, floor
// levelled, contacts found, resampled, in the order given; mirrored copies follow behind all others, the constant
// differences between the sides of the subject taken out. What needs legs (floor, contacts) is left out where a
// skeleton has none. LOPE_MISMATCH, naming both clips, where skeletons differ by more than 1 mm and `retarget` is off.
// The same for any number of threads. `jobs` and `progress` may be NULL.
LOPE_API lope_status lope_set_prepare(const lope_clip *const *clips, int clip_count, const lope_prepare_def *def,
                                      lope_jobs *jobs, const lope_progress *progress, lope_set **out,
                                      lope_error *error);

// Which part of the built-in set (lope/synth.h): `takes` of each motion that `wanted` says true for.
typedef struct lope_builtin_def {
    bool (*wanted)(const char *motion);
    int takes;
    bool mirror;
} lope_builtin_def;

// Performs and prepares it, otherwise with defaults.
LOPE_API lope_status lope_set_builtin(const lope_builtin_def *def, lope_jobs *jobs, const lope_progress *progress,
                                      lope_set **out, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
