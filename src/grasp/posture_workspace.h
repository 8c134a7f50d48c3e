// SPDX-License-Identifier: MIT
// What the files that value a posture share: its points and angles, and what the value changes with each.
#ifndef LOPE_SRC_GRASP_POSTURE_WORKSPACE_H
#define LOPE_SRC_GRASP_POSTURE_WORKSPACE_H

#include "grasp/posture.h"

// One posture. Names with g_ are gradients: of the value by what follows.
typedef struct workspace {
    const posture_problem *problem;
    lope_xy hip, neck, head, middle[4], end[4], mass;
    double spine, nod, link[4][2], joint[4][2];
    lope_xy spine_turn, head_turn, turn[4][2]; // cosine and sine of each link: where its end goes when it turns
    lope_xy bend_u[4], bend_w[4];              // of held limbs: along the line to the hold, and across
    double bend_along[4], bend_off[4], bend_distance[4], far_length[4];
    bool stretched[4];
    double slide[4], g_slide[4]; // metres of limbs that slide
    lope_xy g_hip, g_neck, g_head, g_middle[4], g_end[4], g_mass;
    double g_spine, g_nod, g_link[4][2], g_joint[4][2];
    double value;
} workspace;

static inline bool held(const posture_problem *problem, int limb)
{
    return problem->contacts.mask >> limb & 1u;
}

static inline bool slides(const posture_problem *problem, int limb)
{
    return problem->slide_mask >> limb & 1u;
}

static inline bool lacks(const workspace *w, int limb)
{
    return body_lacks(w->problem->body, limb);
}

static inline void pull(lope_xy *gradient, lope_xy by, double scale)
{
    *gradient = xy_mad(*gradient, by, scale);
}

// Forwards: points and angles from the variables.
void posture_place(workspace *w, const double *x);
// Backwards: the gradient by the variables from those by points and angles, once all terms have added theirs.
void posture_release(workspace *w, double *gradient);

// What is minimised, term by term; each adds to value and gradients.
void posture_add_discomfort(workspace *w);
void posture_add_style(workspace *w);
void posture_add_ranges(workspace *w);
void posture_add_reach(workspace *w);
void posture_add_obstacles(workspace *w);
void posture_add_wishes(workspace *w);
void posture_add_slides(workspace *w);
// Puts the slides among the variables into their ranges.
void posture_keep_slides(const posture_problem *problem, double *x);

#endif
