// SPDX-License-Identifier: MIT
// Routes: a line on the ground to go along, with a corridor around it.
//
// They are plain points, so they may come from lope_path_find, from another planner or from a pencil. Distances along a
// route are metres from its first point. Left is the left hand of someone who looks along it.
#ifndef LOPE_ROUTE_H
#define LOPE_ROUTE_H

#include "lope/math.h"

#ifdef __cplusplus
extern "C" {
#endif

// Owns nothing: both arrays stay the caller's and have to live as long.
typedef struct lope_route {
    const lope_vec2 *points;
    const float *along; // by point: metres from the first
    int count;
    float half_width; // of the corridor: metres from the line to either side
} lope_route;

// A place on a route.
typedef struct lope_route_spot {
    lope_vec2 point;
    lope_vec2 direction; // of length 1; 0, 0 where the route has no length
    float along;
    float offset;   // lope_route_nearest: metres from the spot to the point asked for, positive to the left
    float distance; // the same without sign
    int line;       // between points[line] and points[line + 1]
} lope_route_spot;

// Makes a route of count >= 1 points; points may repeat. Fills along[count]. LOPE_BAD_DATA: a point or the width is not
// finite, or the width is negative.
LOPE_API lope_status lope_route_init(lope_route *route, const lope_vec2 *points, int count, float half_width,
                                     float *along, lope_error *error);
LOPE_API float lope_route_length(const lope_route *route);

// The spot at a distance; what is before the beginning or after the end becomes that.
LOPE_API lope_route_spot lope_route_at(const lope_route *route, float along);
// The spot nearest to a point among those from one distance to another (0 and INFINITY: all). Of equally near ones, the
// first.
LOPE_API lope_route_spot lope_route_nearest(const lope_route *route, lope_vec2 point, float from, float to);
// The point is in the corridor: no farther from some spot than half the width.
LOPE_API bool lope_route_holds(const lope_route *route, lope_vec2 point);

// What is left of a route: spots at `from`, every `step` metres after it, and at the end or at `to`, whichever comes
// first. Writes up to `capacity` spots; returns how many there are. step > 0.
LOPE_API int lope_route_sample(const lope_route *route, float from, float to, float step, lope_route_spot *out,
                               int capacity);

#ifdef __cplusplus
}
#endif
#endif
