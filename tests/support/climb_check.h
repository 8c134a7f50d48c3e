// SPDX-License-Identifier: MIT
// A judge of climbing plans that knows nothing of the planner: it works out where the body is by itself and measures
// against the polygons.
#ifndef LOPE_TESTS_CLIMB_CHECK_H
#define LOPE_TESTS_CLIMB_CHECK_H

#include "lope/offline.h"

typedef struct climb_verdict {
    double deepest;     // metres that any limb is inside an obstacle
    double loosest;     // metres that a holding hand or foot is off its hold
    double bent;        // radians that a joint leaves its range
    double fastest;     // radians per second of any joint
    double leap;        // metres that the hip moves between frames
    double off_balance; // metres that the mass centre is beyond both feet when a walking foot has arrived
    bool holds_known;   // every hold exists, and suits the limb
} climb_verdict;

// `body` may be NULL: the default one, with its measures written out once more.
climb_verdict climb_judge(const lope_grasp_world *world, const lope_grasp_body *body, const lope_climb_plan *plan);
// Fails the test where a plan breaks a limit of the planner's table.
void climb_require_sound(const lope_climb_scene *scene, const lope_climb_plan *plan);
void climb_require_sound_for(const lope_climb_scene *scene, const lope_grasp_body *body, const lope_climb_plan *plan);

#endif
