// SPDX-License-Identifier: MIT
// What the search for a step (gait_plan.c) and taking it up (gait_take.c) share.
#ifndef LOPE_SRC_RINGS_GAIT_PLAN_H
#define LOPE_SRC_RINGS_GAIT_PLAN_H

#include "rings/gait.h"

typedef struct gait_planner {
    lope_gait *gait;
    const lope_terrain *terrain;
    lope_terrain_patch patch;
    const lope_ring *ring;
    const ring_sphere *spheres;
    int track, samples;
    float course, stride; // wanted: against the frame's yaw; metres
    bool progress;        // steps must lead on
    int nearest;          // the sphere that serves best, whatever is there
    int work;
} gait_planner;

// A step that could be made.
typedef struct gait_trial {
    float weights[RING_SAMPLES];
    lope_vec3 point; // seen from the frame
    float course, stride, trim;
    lope_quat facing;
    ring_strike strike;
    lope_vec3 ground, normal;
    lope_quat plant;
    float error, outside; // metres: by which weights miss; by which the place lies outside the hull
    bool in_hull;
    bool overhangs; // the heel is in the air
} gait_trial;

static inline lope_vec3 gait_to_world(const gait_planner *p, const gait_trial *t, lope_vec3 point)
{
    return lope_v3_add(p->gait->origin, lope_quat_rotate(t->facing, point));
}

// Gathers the terrain around the step.
void gait_gather(gait_planner *p);
// Whether the foot stands well with its ball at the trial's ground, pointing along `forward`. The normal is fitted to
// the heel.
bool gait_foot_fits(gait_planner *p, const ring_leg *leg, lope_vec3 forward, gait_trial *t);
// Whether a trial whose ground is still looked for may keep the body away from others.
bool gait_body_may_pass(const gait_planner *p, const gait_trial *t);
// Whether a trial keeps the body out of walls.
bool gait_body_passes(gait_planner *p, const gait_trial *t);
// Makes a trial the running step: weights, the foot's way, where it will stand.
void gait_take_up(const gait_planner *p, const gait_trial *t);

#endif
