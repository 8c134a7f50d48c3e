// SPDX-License-Identifier: MIT
// Characters that search and play at once: each walks along a path as soon as its search has found the first steps, and
// the search goes on meanwhile, with a budget for all of them in every step of time.
#ifndef LOPE_STROLL_H
#define LOPE_STROLL_H

#include "lope/follow.h"
#include "lope/player.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_strollers lope_strollers;

typedef struct lope_strollers_def {
    int count; // characters
    lope_follow_def follow;
    lope_player_def player;
    int work; // maps asked and walks tried by all of them together in one step of time; each gets at least 1
} lope_strollers_def;

// One character, following and playing as they do by default, 2,000 maps and walks a step.
LOPE_API lope_strollers_def lope_strollers_def_default(void);

// `maps` must outlive them. Characters wait at the origin.
LOPE_API lope_status lope_strollers_create(const lope_maps *maps, const lope_strollers_def *def, lope_strollers **out,
                                           lope_error *error);
LOPE_API void lope_strollers_destroy(lope_strollers *strollers);
LOPE_API int lope_strollers_count(const lope_strollers *strollers);

// Sends a character along a path. One that has walked already goes on from the end of what it is playing (see
// lope_stroller_end), so the path should begin there; `start` and `step` of the query count for its first walk only.
// The world of the query must not change while it searches. LOPE_BAD_DATA as in lope_follow_start.
LOPE_API lope_status lope_stroller_go(lope_strollers *strollers, int index, const lope_follow_query *query,
                                      lope_error *error);
// Where what it plays ends: a path that it is sent along next should begin here.
LOPE_API lope_ground lope_stroller_end(const lope_strollers *strollers, int index);

// Advances all of them by dt seconds: searches, hands steps over, plays. Allocates only where searches grow beyond what
// they were. The same for any number of threads. `jobs` may be NULL.
LOPE_API void lope_strollers_step(lope_strollers *strollers, float dt, lope_jobs *jobs);

typedef enum lope_stroller_state {
    LOPE_STROLLER_IDLE,    // was not sent anywhere yet
    LOPE_STROLLER_WALKS,   // there are steps left to play, or the search goes on
    LOPE_STROLLER_ARRIVED, // all is played, and it leads to the goal
    LOPE_STROLLER_STUCK    // all is played, but no walk to the goal was found
} lope_stroller_state;
LOPE_API lope_stroller_state lope_stroller_state_of(const lope_strollers *strollers, int index);
// Steps that are found but not played.
LOPE_API int lope_stroller_ahead(const lope_strollers *strollers, int index);
// Its search and its player, to look at and to pose.
LOPE_API const lope_follow *lope_stroller_search(const lope_strollers *strollers, int index);
LOPE_API lope_player *lope_stroller_player(lope_strollers *strollers, int index);

#ifdef __cplusplus
}
#endif
#endif
