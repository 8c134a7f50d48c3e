// SPDX-License-Identifier: MIT
// The contact-first search: weighted A* over stances, with postures found when a stance is looked at.
#ifndef LOPE_SRC_GRASP_SEARCH_H
#define LOPE_SRC_GRASP_SEARCH_H

#include "grasp/edge.h"
#include "grasp/race.h"
#include "lope/climb.h"

// A stance in its posture.
typedef struct footing {
    stance s;
    lope_grasp_contacts contacts; // where it holds: on its holds, or beside them on their surfaces
    lope_grasp_pose pose;
    lope_xy mass;
    double value; // of the posture
} footing;

typedef struct search_task {
    const lope_grasp_world *world;
    const lope_grasp_body *body;
    const lope_distance_map *map;
    const float *hold_distance; // [hold_count] the map's value at each hold
    footing start, goal;
    bool goal_facing; // the goal's facing matters
    bool goal_exact;  // and so do the places of its hands and feet: it is a pose
    bool sits;        // bodies may sit down
    bool slides;      // places on surfaces are found with the posture
    bool may_turn;    // even where the way leads ahead
    unsigned without; // bits 1 << mode of those that are not used
    uint64_t seed;
    double weight; // of what is left against what was spent
    int budget;    // stances looked at
} search_task;

static inline edge_end footing_end(const footing *at)
{
    return (edge_end){&at->s, &at->pose, &at->contacts};
}

// One change on the way.
typedef struct search_step {
    footing to;
    edge motion;
} search_step;

typedef struct search_result {
    lope_status status; // LOPE_OK; LOPE_PARTIAL: the way to the stance nearest to the goal; LOPE_NO_MEMORY
    int count;
    search_step *steps; // owned
    double left;        // metres to the goal, by the map
    lope_climb_counts counts;
} search_result;

typedef struct search search;

// A search is run in portions, so that several can race and somebody can stop them. NULL without memory.
search *search_create(const search_task *task);
// Looks at so many more stances. RACER_ENDED: no way was found, or the budget is used up.
racer_state search_advance(search *s, int looks);
double search_left(const search *s); // metres to the goal
// The way to the goal, or to the stance nearest to it.
void search_get(search *s, search_result *out);
void search_destroy(search *s);
void search_free(search_result *result);

// A stance that wants a posture.
typedef struct footing_task {
    const lope_grasp_world *world;
    const lope_grasp_body *body;
    stance s;
    const lope_grasp_pose *warm; // a pose nearby; NULL: typical ones alone
    lope_grasp_contacts kept;    // limbs that are where they are; others hold their holds, or slide
    bool slides;                 // on surfaces
} footing_task;
// The posture of a stance. False where there is none.
bool footing_solve(const footing_task *task, footing *out, lope_climb_counts *counts);
// A stance for a site. LOPE_BAD_DATA or LOPE_NOT_FOUND with the reason where there is none; `what` is "start" or
// "goal". World, body and `slides` of the task count.
lope_status footing_at(const footing_task *like, const lope_climb_site *site, const char *what, footing *out,
                       lope_climb_counts *counts, lope_error *error);

#endif
