// SPDX-License-Identifier: MIT
// One change of contact as a motion: from a stance's posture to the next one's.
#ifndef LOPE_SRC_GRASP_EDGE_H
#define LOPE_SRC_GRASP_EDGE_H

#include "grasp/stance.h"

#define EDGE_KEYS 5
#define HARD_CLEARANCE (-0.010) // metres: how far limbs may dip into obstacles

typedef struct edge {
    lope_grasp_contacts contacts; // held all the time
    bool sits;                    // on the same seat all the time
    int limb;                     // whose extremity goes from one place to another, or -1
    lope_xy path[EDGE_KEYS];      // its place at each key
    lope_xy from_normal, to_normal;
    double lift; // metres
    int mode;
    int key_count; // the first and the last are the postures of both stances
    lope_grasp_pose keys[EDGE_KEYS];
    double at[EDGE_KEYS]; // 0 to 1
} edge;

// A stance in its posture, and where it holds.
typedef struct edge_end {
    const stance *s;
    const lope_grasp_pose *pose;
    const lope_grasp_contacts *contacts;
} edge_end;

// The change from one stance in its posture to the next in its.
edge edge_make(const lope_grasp_world *world, const lope_grasp_body *body, const edge_end *a, const edge_end *b);
// Keys interpolated: what a body does between them. Held and moving limbs are not placed yet.
lope_grasp_pose edge_between(const edge *e, double u);
// Places held and moving limbs of `pose` at u. False where a held one is out of reach, or where the moving one
// would have to fold so far that it might flip over.
bool edge_place(const lope_grasp_body *body, const edge *e, double u, lope_grasp_pose *pose);
// A target that a limb reaches without ever being quite straight, where its elbow or knee would snap: far ones are
// drawn in, gently, and less so at both ends of the way (u 0 and 1), which are exact.
lope_xy edge_drawn_in(const lope_grasp_body *body, int leg, lope_xy base, lope_xy target, double u);
// Looks at poses, best those that follow each other.
typedef struct edge_probe {
    const lope_grasp_world *world;
    const lope_grasp_body *body;
    posture_memory memory;
    lope_grasp_points points; // of the pose that was allowed last
} edge_probe;
// Whether a placed pose is allowed: ranges and obstacles.
bool edge_allows(edge_probe *probe, const lope_grasp_pose *pose);
// The largest difference of any joint, radians.
double edge_turn(const lope_grasp_pose *a, const lope_grasp_pose *b);
// Checks the whole change; where something is in the way, lifts higher and then corrects poses on the way.
bool edge_validate(const lope_grasp_world *world, const lope_grasp_body *body, edge *e, int *evaluations);

#endif
