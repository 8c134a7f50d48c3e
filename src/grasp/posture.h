// SPDX-License-Identifier: MIT
// Postures: the most comfortable pose that keeps its contacts, found by descent on the manifold of held limbs.
#ifndef LOPE_SRC_GRASP_POSTURE_H
#define LOPE_SRC_GRASP_POSTURE_H

#include "grasp/body.h"

#define POSTURE_SOFT_MARGIN 0.05 // metres that limbs like to keep from obstacles; the trunk likes more

typedef struct posture_problem {
    const lope_grasp_world *world; // NULL: nothing is in the way
    const lope_grasp_body *body;
    lope_grasp_mode mode; // whose heuristics count
    int facing;
    lope_grasp_contacts contacts;
    // Held limbs whose place is found too: `at` and so many metres along a direction.
    unsigned slide_mask;
    lope_xy slide_along[LOPE_LIMB_COUNT]; // unit
    double slide_low[LOPE_LIMB_COUNT], slide_high[LOPE_LIMB_COUNT];
    double stride;     // metres between the places of a pair that are comfortable, where one of them slides; 0: any
    unsigned aim_mask; // free limbs whose extremity is drawn to a place
    lope_xy aim[LOPE_LIMB_COUNT];
    bool sits; // the hip stays at the seat
    lope_xy seat;
    bool supported; // the mass centre shall stay between these
    double support_low, support_high;
    const lope_grasp_pose *near; // stay near this one; NULL: comfort alone decides
    double near_weight;          // how much
} posture_problem;

typedef struct posture_result {
    lope_grasp_pose pose;
    lope_xy at[LOPE_LIMB_COUNT]; // of held limbs: those of the contacts, or where they slid to
    double value;                // what was minimised: discomfort and penalties
    int evaluations;
} posture_result;

// Improves `start`, whose held limbs are placed by inverse kinematics whatever their angles were.
void posture_improve(const posture_problem *problem, const lope_grasp_pose *start, int iterations, posture_result *out);

// Value and gradient by all variables that the contacts leave free, for tests: hip x, hip y, spine, neck, then limb by
// limb both angles of a free one and the way of one that slides. Returns how many there are.
int posture_variables(const posture_problem *problem, const lope_grasp_pose *pose, double *x);
double posture_value(const posture_problem *problem, const double *x, double *gradient);

// A pose that a mode typically has at such contacts: where a descent can begin. `variant` 0 and 1 differ in how high
// the body is.
lope_grasp_pose posture_canonical(const posture_problem *problem, int variant);

// Places the held limbs of a pose; false where one is out of reach by more than a hair.
bool posture_hold(const lope_grasp_body *body, const lope_grasp_contacts *contacts, lope_grasp_pose *pose);

// How far the links of a pose are from obstacles at their nearest, negative inside; fine enough to find corners that
// poke a limb. Where there is room it is up to a quarter cell less than that.
double posture_clearance(const lope_grasp_world *world, const lope_grasp_points *points);

#define POSTURE_LINKS 10

// How much room each link had at least, at every place of it, where it was last looked at; all zero at first.
typedef struct posture_memory {
    double room[POSTURE_LINKS];
    lope_xy ends[POSTURE_LINKS][2];
} posture_memory;

// Whether the links of a pose keep a least clearance, which is 7 mm inside obstacles or more: so far may be off what is
// said of a link between the places where it was looked at. Links that have moved less than the room they had are not
// looked at again, so poses that follow each other cost little.
bool posture_is_clear(const lope_grasp_world *world, const lope_grasp_points *points, double least,
                      posture_memory *memory);

#endif
