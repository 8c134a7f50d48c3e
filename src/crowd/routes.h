// SPDX-License-Identifier: MIT
// Ways round obstacles: paths with clearance through a triangulation of the ground, as the few places to walk by.
#ifndef LOPE_SRC_CROWD_ROUTES_H
#define LOPE_SRC_CROWD_ROUTES_H

#include "crowd/obstacles.h"
#include "lope/paths.h"

#define CROWD_ROUTE 24 // places on a way; longer ways are given up to there

typedef struct crowd_route {
    lope_vec2 places[CROWD_ROUTE]; // to walk to, one after the other
    int floors[CROWD_ROUTE];       // of a level: in whose spaces they are reached
    int count;                     // 0: there is no way
    bool whole;                    // the last place is the goal
    int right_of;                  // the first obstacle that is on the right of it; -1: none
} crowd_route;

// An obstacle as it lies in the space.
typedef struct crowd_laid {
    int name;            // 0: it does not
    uint32_t generation; // of the obstacle
    uint32_t moves;      // that it had made
    float rounding;      // metres by which its corners reach out of it
} crowd_laid;

typedef struct crowd_routes {
    lope_space *space; // NULL where nothing is in the way
    lope_passages *passages;
    lope_path_finder *finder;
    crowd_laid *laid; // by index of the obstacle
    int laid_count;
    bool stale; // obstacles changed since it was built
    bool bounded;
    lope_vec2 low, high; // of the world
    float clearance;     // metres that ways keep between bodies and obstacles
    float rounding;      // metres by which round obstacles reach out of themselves where they have corners
} crowd_routes;

// Looks at what changed among the obstacles, always the same ones, since it was asked last, with work around there
// only; after that, finding ways allocates nothing. Without memory for that, there may be no ways until it is asked
// again.
lope_status crowd_routes_update(crowd_routes *routes, const crowd_obstacles *obstacles, lope_error *error);
void crowd_routes_free(crowd_routes *routes);

// A short way for a body of that radius.
void crowd_routes_find(const crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 from, lope_vec2 to,
                       float radius, crowd_route *out);
// A stretch of a way within one floor of a level, for a body that keeps so many metres off its walls.
typedef struct crowd_stretch {
    const lope_passages *passages;
    const lope_space *space;
    int floor;
    lope_vec2 from, to;
    float keep;
} crowd_stretch;
// Adds it to a way. False where there is none; then nothing is added. The finder has room for the passages.
bool crowd_routes_add(lope_path_finder *finder, const crowd_stretch *stretch, crowd_route *out);
// Whether a body may walk straight from one place to the other.
bool crowd_routes_sees(const crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 from, lope_vec2 to,
                       float radius);
bool crowd_routes_inside(const crowd_routes *routes, lope_vec2 place, float radius);
// The nearest place to `place` (itself, if so) that routes may lead to; false where none was found around it.
bool crowd_routes_free_place(const crowd_routes *routes, const crowd_obstacles *obstacles, float radius,
                             lope_vec2 *place);

#endif
