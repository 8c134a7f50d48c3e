// SPDX-License-Identifier: MIT
// Planning in climbing worlds: from a site to another, by walking, climbing, swinging and crawling.
#ifndef LOPE_CLIMB_H
#define LOPE_CLIMB_H

#include "lope/grasp.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where a plan begins, passes or ends.
typedef struct lope_climb_site {
    lope_xy at;           // between the feet; between the hands where the mode is swing
    lope_grasp_mode mode; // walk or swing
    int facing;           // 1: +x, -1: -x, 0: either
} lope_climb_site;

#define LOPE_CLIMB_MAX_VIA 16

// Milestones (5.4.4) are passed in their order.
typedef struct lope_climb_problem {
    lope_climb_site start, goal;
    int via_count;
    lope_climb_site via[LOPE_CLIMB_MAX_VIA];
} lope_climb_problem;

// What planning took.
typedef struct lope_climb_counts {
    int looked;         // stances that a posture was sought for
    int expanded;       // stances that were reached
    int postures;       // descents
    int evaluations;    // of discomfort and gradient
    int motions;        // changes of contact that were checked
    int motions_failed; // and did not work
} lope_climb_counts;

#ifdef __cplusplus
}
#endif
#endif
