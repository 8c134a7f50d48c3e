// SPDX-License-Identifier: MIT
// The body, for the grasp planner's own files.
#ifndef LOPE_SRC_GRASP_BODY_H
#define LOPE_SRC_GRASP_BODY_H

#include "grasp/pose.h"

// Part of its length that a limb uses at most: straight ones snap.
#define BODY_STRETCH 0.99

// 1 for legs, 0 for arms: the first index of what a body says about limbs.
static inline int body_is_leg(int limb)
{
    return limb >= LOPE_LEFT_LEG;
}
static inline bool body_lacks(const lope_grasp_body *body, int limb)
{
    return body->missing >> limb & 1u;
}
lope_xy body_extremity(const lope_grasp_body *body, const lope_grasp_pose *pose, int limb);
lope_xy body_neck(const lope_grasp_body *body, const lope_grasp_pose *pose);
lope_xy body_mass(const lope_grasp_body *body, const lope_grasp_points *points);
// The same angle within half a turn of the middle of a range.
double body_wrap(double angle, lope_angle_range range);
// The same angle within half a turn of another: a limb that points away from its range goes to the end that is nearer
// to where it was, and does not whip from one end to the other.
static inline double body_unwind(double angle, double near)
{
    return body_wrap(angle, (lope_angle_range){near, near});
}
// Both angles of a limb whose near end is at `base` and whose extremity shall be at `target`; as near as it gets where
// that is out of reach, and false.
bool body_bend(const lope_grasp_body *body, const lope_grasp_pose *pose, int limb, lope_xy base, lope_xy target,
               double out[2]);
// Discomfort of a mode where the points of the pose are known already.
double body_discomfort(const lope_grasp_body *body, const lope_grasp_pose *pose, const lope_grasp_points *points,
                       const lope_grasp_contacts *contacts, lope_grasp_mode mode);

#endif
