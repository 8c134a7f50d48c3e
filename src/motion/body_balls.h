// SPDX-License-Identifier: MIT
// The body as a set of balls strung along its bones (a capsule is what a string of balls sweeps), thick by role. Feet
// and hands are made to touch: they take part by the points of sole and palm, without thickness, so that standing is
// not sinking. Toes give way and captures seldom bend them: they do not take part.
#ifndef LOPE_SRC_MOTION_BODY_BALLS_H
#define LOPE_SRC_MOTION_BODY_BALLS_H

#include "lope/skeleton.h"

typedef struct body_ball {
    int joint;
    lope_vec3 centre; // in the joint's frame
    float radius;
} body_ball;

typedef struct body_balls {
    body_ball *balls;
    int count;
} body_balls;

// `spacing`: metres between balls along a bone. `thickness`: metres, of all bones; 0: by role.
LOPE_API lope_status lope_body_balls_create(const lope_skeleton *skeleton, float spacing, float thickness,
                                            body_balls *out, lope_error *error);
LOPE_API void lope_body_balls_destroy(body_balls *balls);

#endif
