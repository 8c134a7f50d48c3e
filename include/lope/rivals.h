// SPDX-License-Identifier: MIT
// What motion maps are measured against (offline library): searches that unroll the same graph while they run, with the
// same checks of the body and the same arrival.
#ifndef LOPE_RIVALS_H
#define LOPE_RIVALS_H

#include "lope/follow.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lope_rival_kind {
    LOPE_RIVAL_ASTAR,   // A*: the straight distance to the goal ahead, obstacles checked
    LOPE_RIVAL_CHANNEL, // the same, branches that leave the corridor cut (Mahmudi & Kallmann 2011)
    LOPE_RIVAL_PRUNED   // the same, the rest of the path ahead, and states that were there before cut
} lope_rival_kind;

typedef struct lope_rival_def {
    lope_rival_kind kind;
    lope_follow_def follow; // corridor, edits and tolerances as for motion maps
    int nodes;              // search nodes at most; then it gives up
} lope_rival_def;

// A piece of walk that the search looked at.
typedef struct lope_rival_node {
    float x, z;     // where it ends
    int32_t parent; // -1: begins there
} lope_rival_node;

typedef struct lope_rival lope_rival;

// Memory is taken for as many nodes as the definition allows.
LOPE_API lope_status lope_rival_create(const lope_maps *maps, const lope_rival_def *def, lope_rival **out,
                                       lope_error *error);
LOPE_API void lope_rival_destroy(lope_rival *rival);
// LOPE_OK: arrived. LOPE_PARTIAL: out of nodes. LOPE_NOT_FOUND: nothing left to try.
LOPE_API lope_status lope_rival_find(lope_rival *rival, const lope_follow_query *query, lope_error *error);
// Of the last search; `stages`: nodes expanded, `tried`: nodes made.
LOPE_API lope_follow_report lope_rival_about(const lope_rival *rival);
LOPE_API int lope_rival_node_count(const lope_rival *rival);
LOPE_API lope_rival_node lope_rival_node_at(const lope_rival *rival, int index);
// Node that the walk ends with, -1: none.
LOPE_API int lope_rival_end(const lope_rival *rival);

#ifdef __cplusplus
}
#endif
#endif
