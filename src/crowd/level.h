// SPDX-License-Identifier: MIT
// A crowd's level: ways over floors, the ground and the walls around each member. `world->def.floors` is there.
#ifndef LOPE_SRC_CROWD_LEVEL_H
#define LOPE_SRC_CROWD_LEVEL_H

#include "crowd/crowd.h"

// What one member knows of the level.
struct crowd_footing {
    int floor;      // that it stands on; -1: none
    int hint;       // for questions about its space
    float floor_in; // seconds until it is asked again which floor that is
    crowd_walls walls;
    lope_footing feet;
};

// level.c
lope_status crowd_level_create(lope_crowd *world, lope_error *error);
void crowd_level_destroy(lope_crowd *world);
// Puts a new member onto the ground near `at`. False where there is none that is free.
bool crowd_level_stand(crowd_body *body, lope_vec3 at);
// Lets its walker follow the ground from there.
void crowd_level_walk(crowd_body *body);
// Whether a body reaches into a wall by more than its radius leaves of it.
bool crowd_level_in_wall(const crowd_body *body, float radius);
// lope_crowd_update over jobs.
lope_status crowd_level_update(lope_crowd *world, lope_jobs *jobs, lope_error *error);
// Looks at the ground and walls around a member that has moved.
void crowd_level_follow(crowd_body *body);

// Whether the line from a to b meets a box in plan, grown by `reach`; `part` is which part of it, from 0 to 1, or NULL.
bool crowd_line_meets(const lope_level_change *box, lope_vec2 a, lope_vec2 b, float reach, float part[2]);

lope_traveller crowd_level_traveller(void); // the body that ways are for

// level_ways.c: the nearest place to a goal that a body can go to; false where there is none.
bool crowd_level_admit(const lope_crowd *world, float radius, lope_goal *goal);
// A way from a place to a goal; out->count is 0 where there is none.
void crowd_level_find(lope_crowd *world, lope_vec3 from, const lope_goal *goal, float radius, crowd_route *out);

#endif
