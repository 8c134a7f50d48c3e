// SPDX-License-Identifier: MIT
// What planners share: legs from a configuration over sites to a last one, and the plan that they add to.
#ifndef LOPE_SRC_GRASP_PLAN_H
#define LOPE_SRC_GRASP_PLAN_H

#include "grasp/motion.h"

#define PLAN_CLEARANCE 2.0 // weight of walls in the map that tells how far plans come

typedef struct planner {
    const lope_grasp_world *world;
    const lope_grasp_body *body;
    const lope_climb_def *def;
    lope_jobs *jobs;
    const lope_progress *progress;
    lope_grasp_bitmap *bitmap;
    lope_climb_plan *plan;
    int site_count, site; // of the problem, and the one in hand
    double told;          // share of the whole way that was reported
    double natural;       // seconds that the plan would last so far at natural speed: the clock of the curve of speeds
    bool stopped;
    lope_error *error;
} planner;

// From where to where.
typedef struct leg {
    footing at;           // where it begins, then where it ended
    lope_grasp_mode mode; // of that
    const lope_climb_site *sites[LOPE_CLIMB_MAX_VIA + 1];
    int count, first; // of the sites, and which of the problem's is the first of them
} leg;

// How fast the motion is at a time of the natural clock.
double plan_speed(const lope_climb_def *def, double natural);
// What every plan begins with: an empty plan, a bitmap, sites that can be; and ends with: the plan is handed out, or
// nothing.
lope_status plan_begin(planner *p, const lope_climb_problem *problem);
lope_status plan_end(planner *p, lope_status status, lope_climb_plan **out);
// From `l->at` over the sites that are left.
lope_status plan_go_on(planner *p, const lope_climb_problem *problem, leg *l);

// Planners. LOPE_PARTIAL with what was missing, after adding as much as there is; `p->plan->reached` counts sites.
lope_status contacts_leg(planner *p, leg *l);
lope_status random_leg(planner *p, leg *l); // as published, and its precursor that flies

// The configuration of a site: that of its sequence, or one that footing_at finds.
// `what` is "start", "milestone" or "goal", for messages.
lope_status plan_site(planner *p, const lope_climb_site *site, const char *what, footing *out);
// LOPE_BAD_DATA where a sequence of the problem cannot be performed.
lope_status plan_check(planner *p, const lope_climb_problem *problem);
// Performs the sequence that the plan has come to; `l` goes on from its last pose.
lope_status plan_perform(planner *p, const lope_climb_sequence *sequence, leg *l);
bool plan_site_facing(const lope_climb_site *site); // it matters
// Whether places on surfaces are found with the postures: other planners know points only.
static inline bool plan_slides(const planner *p)
{
    return p->def->planner == LOPE_PLANNER_CONTACTS && !p->def->sampled && p->world->surface_count > 0;
}
// Frames and steps that follow what is there already: the first of them is the last one there, and is left out.
lope_status plan_add(planner *p, const lope_climb_plan *part);
// A site is reached at the last frame, or earlier in a part that is added next.
void plan_reach(planner *p, int frame);
// False where somebody wants to stop; `share` of the leg to the present site is done.
bool plan_report(planner *p, double share);
// LOPE_PARTIAL, with an error about what is missing on the way from a place on.
lope_status plan_missing(planner *p, const lope_distance_map *map, lope_xy from, double left);
// How far a frame is from a site, the same for all planners.
lope_status plan_left(planner *p, const lope_climb_site *site, const lope_climb_frame *at, double *out);
void plan_count(lope_climb_counts *sum, const lope_climb_counts *more);

#endif
