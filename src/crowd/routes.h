// SPDX-License-Identifier: MIT
// Ways round obstacles: a visibility graph over the corners of all obstacles, moved outwards.
#ifndef LOPE_SRC_CROWD_ROUTES_H
#define LOPE_SRC_CROWD_ROUTES_H

#include "crowd/obstacles.h"

#define CROWD_ROUTE 24 // places on a way, the goal included; longer ways are given up to there

typedef struct crowd_routes {
    lope_vec2 *nodes;
    uint32_t *seen; // bit matrix: row of words per node
    float *cost;    // scratch of the search
    int *from;
    uint8_t *done;
    int node_count, capacity, words;
    bool stale; // obstacles changed since it was built
    bool bounded;
    lope_vec2 low, high; // where bodies' centres may be
    float keep;          // metres that ways keep off obstacles
} crowd_routes;

// Makes room for the corners of all obstacles; the graph itself is built when it is needed, without allocating.
lope_status crowd_routes_reserve(crowd_routes *routes, const crowd_obstacles *obstacles, lope_error *error);
void crowd_routes_free(crowd_routes *routes);

// The shortest way into out[CROWD_ROUTE], `to` included; returns its length, 0 where there is none.
int crowd_routes_find(crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 from, lope_vec2 to,
                      lope_vec2 *out);
// Whether a body may walk straight from one place to the other.
bool crowd_routes_sees(const crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 from, lope_vec2 to);
bool crowd_routes_inside(const crowd_routes *routes, lope_vec2 place);
// The nearest place to `place` (itself, if so) that routes may lead to; false where none was found around it.
bool crowd_routes_free_place(const crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 *place);

#endif
