// SPDX-License-Identifier: MIT
// Poses as rows of numbers, and what lies between two of them: what planners, smoothing and timing have in common.
#ifndef LOPE_SRC_GRASP_POSE_H
#define LOPE_SRC_GRASP_POSE_H

#include "grasp/plane.h"

#define POSE_TRUNK 4 // hip x and y, spine, neck; then both angles of each limb

void pose_numbers(const lope_grasp_pose *pose, double out[LOPE_GRASP_DOF]);
lope_grasp_pose pose_of_numbers(const double numbers[LOPE_GRASP_DOF], int facing);
// Straight from one to the other in all numbers; faces as `b` does.
lope_grasp_pose pose_between(const lope_grasp_pose *a, const lope_grasp_pose *b, double t);
// Left and right exchanged, of arms (bit 0) and legs (bit 1): from the side both look the same.
lope_grasp_pose pose_exchanged(const lope_grasp_pose *pose, unsigned pairs);
// Which pairs have to be exchanged so that a pose that holds `from` holds `to`. Limbs in the air go with the others.
unsigned pose_pairs_to_exchange(const int from[LOPE_LIMB_COUNT], const int to[LOPE_LIMB_COUNT]);
// Bends all arms and all legs alike.
void pose_bend_limbs(lope_grasp_pose *pose, double shoulder, double elbow, double hip, double knee);

// From 0 to 1, gently at both ends.
static inline double ease_between(double t)
{
    return t * t * (3.0 - 2.0 * t);
}

#endif
