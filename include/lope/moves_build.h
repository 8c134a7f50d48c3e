// SPDX-License-Identifier: MIT
// Building moves (offline library).
#ifndef LOPE_MOVES_BUILD_H
#define LOPE_MOVES_BUILD_H

#include "lope/jobs.h"
#include "lope/moves.h"

#ifdef __cplusplus
extern "C" {
#endif

// The moves of the built-in set, built on the spot: some seconds. Close them with lope_moves_close. `jobs` and
// `progress` may be NULL. The same for any number of threads.
LOPE_API lope_status lope_moves_builtin(lope_jobs *jobs, const lope_progress *progress, lope_moves **out,
                                        lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
