// SPDX-License-Identifier: MIT
// Building moves (offline library).
#ifndef LOPE_MOVES_BUILD_H
#define LOPE_MOVES_BUILD_H

#include "lope/moves.h"
#include "lope/prepare.h"
#include "lope/scenery.h"
#include "lope/stage.h"

#ifdef __cplusplus
extern "C" {
#endif

// The moves of the built-in set, built on the spot, which takes some seconds; lope_moves_open(NULL, ...) opens them
// ready-made. Close them with lope_moves_close. `jobs` and `progress` may be NULL. The same for any number of threads.
LOPE_API lope_status lope_moves_builtin(lope_jobs *jobs, const lope_progress *progress, lope_moves **out,
                                        lope_error *error);

typedef struct lope_moves_def {
    lope_prepare_def prepare;      // how clips become sets; rings get 60 frames per second where it says fewer
    const lope_scenery *scenery;   // what clips were performed on; NULL: nobody says
    const lope_stage_file *stage;  // likewise, by a file of one's own
    bool pure;                     // only what the clips give: nothing is filled in, nothing carried over
    lope_jobs *jobs;               // NULL: this thread alone
    const lope_progress *progress; // may be NULL
} lope_moves_def;
LOPE_API lope_moves_def lope_moves_def_default(void);

// Builds all that clips allow. What they lack is filled in (lope/fill.h), and what they cannot do at all is carried
// over from the built-in set to their skeleton: things, because clips do not tell what they were performed on, unless
// `scenery` or `stage` says: the clips that these name do not walk, things are used as they do, and behaviours that
// they lack are carried over. The lines of the moves say what came from where. With `pure` parts that cannot be built
// are left out; walking is needed in any case: LOPE_NOT_FOUND where nothing walks. The same for any number of threads.
LOPE_API lope_status lope_moves_build(const lope_clip *const *clips, int clip_count, const lope_moves_def *def,
                                      lope_moves **out, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
