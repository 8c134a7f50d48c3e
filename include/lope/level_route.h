// SPDX-License-Identifier: MIT
// Routes through a level: the quickest way from a place to another, over floors and by links that a body can take.
#ifndef LOPE_LEVEL_ROUTE_H
#define LOPE_LEVEL_ROUTE_H

#include "lope/floors.h"

#ifdef __cplusplus
extern "C" {
#endif

// The body that a route is for: links that ask more of it are not taken.
typedef struct lope_traveller {
    float radius, height, reach, climb, leap; // metres
    float speed;                              // metres per second on floors
    uint32_t kinds;                           // bits 1 << lope_link_kind of those that are taken
} lope_traveller;
LOPE_API lope_traveller lope_traveller_default(void);

// What is asked: ground is looked for within 1 m above and below both places.
typedef struct lope_trip {
    lope_vec3 from, to;
    lope_traveller who;
} lope_trip;

// One leg: a way on a floor, or a link.
typedef struct lope_leg {
    int floor; // >= 0: a way on it from `from` to `to`
    int link;  // >= 0: this one of lope_floors_links
    lope_vec3 from, to;
    float seconds;
} lope_leg;

// The legs in order. They belong to the router and hold until it is asked again.
typedef struct lope_legs {
    const lope_leg *items;
    int count;
    float seconds; // of all
} lope_legs;

// Memory of searches: one per thread. Grows to what a level needs, then asking allocates nothing.
typedef struct lope_level_router lope_level_router;
LOPE_API lope_status lope_level_router_create(lope_level_router **out, lope_error *error);
LOPE_API void lope_level_router_destroy(lope_level_router *router);
// Routes do not take these of lope_floors_links from now on: they are full, say, or nobody gets over them. Numbers hold
// until the floors change; the array must live as long. None: count 0.
LOPE_API void lope_level_router_avoid(lope_level_router *router, const int *links, int count);
// The quickest way by time. Times of walks are estimates, within about 8 m of way of exact paths, and gaps between
// borders on a walk may be narrower than the body: lope_path_find on the floor's passages tells. The first question
// after the floors changed, or for another body, takes longer. LOPE_NOT_FOUND says why.
LOPE_API lope_status lope_level_route(lope_level_router *router, const lope_floors *floors, const lope_trip *trip,
                                      lope_legs *out, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
