// SPDX-License-Identifier: MIT
// Stances: which limb holds what. The contact-first planner searches over them.
#ifndef LOPE_SRC_GRASP_STANCE_H
#define LOPE_SRC_GRASP_STANCE_H

#include "grasp/mode.h"
#include "lope/climb.h"

#define STANCE_NONE (-1) // no mode

// What the extremities of a pose are on, within a centimetre; with `slides`, anywhere on surfaces.
stance stance_of_pose(const lope_grasp_world *world, const lope_grasp_body *body, const lope_grasp_pose *pose,
                      bool slides);
// Where it holds, by the points of its pose: on its holds, or beside them on their surfaces.
lope_grasp_contacts stance_places(const lope_grasp_world *world, const stance *s, const lope_grasp_points *points);
// Where the hip of a stance that sits is.
lope_xy stance_seat(const lope_grasp_world *world, const stance *s);
// Whether what is held is what a stance holds; it does not matter which hand or foot does.
bool stance_holds_as(const int32_t hold[LOPE_LIMB_COUNT], const stance *goal);
// The same, but on surfaces places of the same middle will do, give or take a step of samples.
bool stance_holds_about(const lope_grasp_world *world, const int32_t hold[LOPE_LIMB_COUNT], const stance *goal);
unsigned stance_mask(const stance *s);
lope_grasp_contacts stance_contacts(const lope_grasp_world *world, const stance *s);
// The mode that a stance belongs to, or STANCE_NONE where nobody can be in it.
int stance_mode(const lope_grasp_world *world, const stance *s);
// Whether a limb may let go while the others hold.
bool stance_can_lift(const lope_grasp_world *world, const stance *s, int limb);
// Whether a limb may take a hold at all, and whether the distances between holds allow all of them.
bool stance_suits(const lope_hold *hold, int limb);
bool stance_spans(const lope_grasp_world *world, const lope_grasp_body *body, const stance *s);
// Where the mass centre has to be; fills the support of a posture problem.
void stance_support(const lope_grasp_world *world, const stance *s, int mode, posture_problem *problem);

#endif
