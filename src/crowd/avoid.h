// SPDX-License-Identifier: MIT
// What the parts of avoidance do for each other: looking around, costs of walks, adapting them.
#ifndef LOPE_SRC_CROWD_AVOID_H
#define LOPE_SRC_CROWD_AVOID_H

#include "crowd/crowd.h"

#define CROWD_WAITS 0.4f        // a lower tempo is called waiting
#define CROWD_BRAKE_AHEAD 0.15f // seconds that the brake looks ahead
#define CROWD_WALL_TOUCH 0.04f  // metres that it lets bodies reach into walls; twice that where they only graze them

// view.c
void crowd_gather(crowd_view *view, const crowd_body *body);
void crowd_gather_obstacles(crowd_view *view, const crowd_body *body);
// Metres to the nearest wall of a level that is in view, at most `limit`; negative behind it.
float crowd_view_room(const crowd_view *view, const crowd_body *body, lope_vec2 place, float limit);
// Metres to the bounds of the world.
float crowd_bounds_room(const lope_crowd_def *def, lope_vec2 place);

// avoid.c: seconds for walking along places[CROWD_MOMENTS + 1], by whom and what it meets; what is further ahead may
// still change.
float crowd_cost_of_bodies(const crowd_view *view, const lope_vec2 *places);
// Once it is `most` seconds or more, the rest is not looked at.
float crowd_cost_of_walls(const crowd_view *view, const crowd_body *body, const lope_vec2 *places, float most);

// So much more that rounding cannot make a difference: for costs from which on nothing matters.
static inline float crowd_more(float cost)
{
    return cost + 1e-5f * fabsf(cost) + 1e-6f;
}

// Moves what was predicted of a body's own walk on to where it is now, and turns it as the body was.
void crowd_catch_up(crowd_body *body, lope_vec2 now);

// The least distance to neighbour n while it goes from moment k - 1 to k.
float crowd_distance_between(const crowd_view *view, int n, lope_vec2 from, lope_vec2 to, int k);

// brake.c: metres to the nearest obstacle or bound in so many seconds.
float crowd_room_at(const crowd_view *view, const crowd_body *body, lope_vec2 place, float seconds);
// Whether going there would bring the body (further) into a wall.
bool crowd_enters_wall(const crowd_view *view, const crowd_body *body, lope_vec2 place);
// The largest tempo, at most `tempo`, with which a body on its `way` (of the next moment) does not push into one that
// is there, or into a wall.
float crowd_braked(const crowd_view *view, const crowd_body *body, lope_vec2 way, float tempo);
// The tempo of those who steer the thesis' way, who turn while it holds them.
float crowd_steer_brake(crowd_body *body);

// adapt.c: the same walk at another tempo, in [0, 1], turned to the left by so many radians from each moment to the
// next.
void crowd_adapted(const lope_vec2 *places, float tempo, float bend, lope_vec2 *out);
// A walk and what may be done to it: the first `count` adaptations, of which the first two do not bend. `sides` is what
// it costs to bend to the right, not at all and to the left. What costs `limit` or more is of no use.
typedef struct crowd_adapting {
    const lope_vec2 *places;
    float sides[3];
    int count;
    float limit;
} crowd_adapting;
// The least cost over adaptations, which cost the time they lose, and which it is; `limit` where none costs less.
float crowd_adapt_best(const crowd_view *view, const crowd_body *body, const crowd_adapting *walk, int *best);

#endif
