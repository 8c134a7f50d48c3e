// SPDX-License-Identifier: MIT
// What a router knows of floors: regions as one graph, with gates and links that a body can take, and landmarks, from
// which it is known how far every region is. A function of the floors and the body alone, not of what was asked before.
#ifndef LOPE_SRC_LEVEL_ROUTE_H
#define LOPE_SRC_LEVEL_ROUTE_H

#include "level/floors.h"
#include "lope/level_route.h"

#define ROUTE_LANDMARKS 2

// A way from a region to the next one: through a line between nodes.
typedef struct route_gate {
    int from, other;
    lope_vec3 left, right;
} route_gate;

typedef struct route_link {
    int from, other;
    int link;
    float seconds;
    lope_vec3 start, end;
} route_link;

typedef struct route_place {
    lope_vec3 at;     // where the region is entered
    float seconds;    // from the start
    float before;     // the same, before the link that leads here
    int from, link;   // where from: a region, -1: the start; by which link, -1: a gate
    uint32_t reached; // search in which it was
    bool done;
} route_place;

typedef struct route_marks {
    float seconds[ROUTE_LANDMARKS]; // from a landmark; HUGE_VALF: no way
} route_marks;

struct lope_level_router {
    const lope_floors *floors; // what the following is of
    uint64_t version;          // of them; 0: none
    lope_traveller who;
    list first_region;  // int: of each block, and how many there are
    list gates, links;  // route_gate, route_link, by region
    list gate_first;    // int: of each region, into gates
    list link_first;    // int: of each region, into links
    list known, before; // known_link: where links begin and end, in their order; the same of the version before
    int known_found;    // how many of those before were no seams
    list bytes;         // scratch
    list places, marks; // route_place, route_marks, of each region
    list heap, legs;    // waiting, lope_leg
    const int *avoided; // numbers of links that are not taken
    int avoided_count;
    int region_count, mark_count;
    uint32_t search;
    lope_vec3 goal;
    int goal_region; // -1: none, everything is reached
};

static inline float route_distance(lope_vec3 a, lope_vec3 b)
{
    float x = a.x - b.x, z = a.z - b.z;
    return sqrtf(x * x + z * z);
}

// route_graph.c: makes all of it that of the floors as they are now, for a body.
bool route_learn(lope_level_router *r, const lope_floors *f, const lope_traveller *who);

// route.c: reaches regions from a place in one of them, the nearest first, up to the goal. False: no memory.
bool route_spread(lope_level_router *r, lope_vec3 from, int region);

#endif
