// SPDX-License-Identifier: MIT
// Free space: a rectangle of ground with obstacles in it, kept as a
// triangulation that changes with them.
//
// Obstacles are polygons as users draw them: they may overlap, touch, cross
// themselves and each other, share edges, or shrink to a line (a wall) or a
// point (a post). What their outline winds around is blocked. They may reach
// out of the world; only what is inside counts. Adding, moving and removing one
// costs work near it only, and no allocation once the space has been as full
// before.
//
// Changing a space is for one thread at a time; while nobody changes it, any
// number may ask.
#ifndef LOPE_PATHS_H
#define LOPE_PATHS_H

#include "lope/route.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_space lope_space;

// An empty world between two corners, each side at least 1 mm long, coordinates
// at most 1e10 m (LOPE_BAD_DATA).
LOPE_API lope_status lope_space_create(lope_vec2 low, lope_vec2 high, lope_space **out, lope_error *error);
LOPE_API void lope_space_destroy(lope_space *space);

// Adds a polygon of `count` >= 1 corners, in either direction, the last joined
// to the first. *obstacle names it from now on (> 0; names of removed obstacles
// are used again). LOPE_BAD_DATA: a corner is not finite, or edges meet too
// finely to be told apart, which takes thousands of crossings within 1e-12 of
// the world's size. Nothing is added then.
LOPE_API lope_status lope_space_add(lope_space *space, const lope_vec2 *corners, int count, int *obstacle,
                                    lope_error *error);
// Gives an obstacle other corners, of any number. Bad corners leave it where it
// was; no memory, or edges too fine, leave it without any, but still there to
// be moved again or removed.
LOPE_API lope_status lope_space_move(lope_space *space, int obstacle, const lope_vec2 *corners, int count,
                                     lope_error *error);
LOPE_API void lope_space_remove(lope_space *space, int obstacle);
// Obstacles that are there.
LOPE_API int lope_space_obstacle_count(const lope_space *space);

// Strictly inside an obstacle, or outside of the world.
LOPE_API bool lope_space_blocked(const lope_space *space, lope_vec2 point);
// Metres to the nearest obstacle or the border of the world: the radius of the
// largest disc that fits there. 0 where the point is blocked.
LOPE_API float lope_space_clearance(const lope_space *space, lope_vec2 point);
// Questions of characters that move: many, each near the one before. They take
// well below a microsecond and any number of threads may ask. *hint is where to
// start looking: 0 at first, then what the last question left there. Any value
// is fine, also after changes and from another space; NULL: no hint. Nothing is
// free around points that are not finite or outside of the world.
//
// Signed distance to the nearest obstacle edge or the border, at most `limit`
// (> 0, may be infinite): negative inside obstacles, where it is how deep, and
// outside of the world. *nearest (may be NULL): the point at that distance; the
// point itself where none is within the limit.
LOPE_API float lope_space_distance(const lope_space *space, lope_vec2 point, float limit, int *hint,
                                   lope_vec2 *nearest);
// A disc can be there without overlapping anything; touching is fine. radius >= 0.
LOPE_API bool lope_space_disc_free(const lope_space *space, lope_vec2 point, float radius, int *hint);
// A disc can go straight from one point to the other. A radius below 1e-6 m
// counts as that.
LOPE_API bool lope_space_sweep_free(const lope_space *space, lope_vec2 from, lope_vec2 to, float radius, int *hint);
// The part of the way, from 0 to 1, until it would touch; 1: all of it. 0 where
// it cannot be at the beginning.
LOPE_API float lope_space_sweep(const lope_space *space, lope_vec2 from, lope_vec2 to, float radius, int *hint);

// The nearest point that is not blocked: the point itself, or one on the
// outline of obstacles. LOPE_NOT_FOUND: obstacles cover the whole world. Looks
// through all edges where the point is outside of the world.
LOPE_API lope_status lope_space_nearest_free(const lope_space *space, lope_vec2 point, lope_vec2 *out,
                                             lope_error *error);

// Number of changes so far: grows when something comes, moves or goes.
LOPE_API uint64_t lope_space_changes(const lope_space *space);
// Which of `count` routes may be affected by what changed after change number
// `since`: something came into their corridor or left it. Writes their numbers
// into affected[count] and returns how many. Boxes around obstacles are
// compared, and thousands of changes remembered: none is missed, but one may be
// named that need not be.
LOPE_API int lope_space_affected(const lope_space *space, uint64_t since, const lope_route *routes, int count,
                                 int *affected);
// A disc can still go along a route, from one distance to another: a straight
// way for each of its lines. Lines through samples of arcs come 0.25 mm nearer
// to corners than the path's clearance (see lope_path_find), so ask for a
// radius that much smaller.
LOPE_API bool lope_space_route_free(const lope_space *space, const lope_route *route, float from, float to,
                                    float radius, int *hint);

// How wide the ways through a space are: a picture of it at one moment. Building
// it looks at the whole world; asking takes microseconds, and any number of
// threads may.
typedef struct lope_passages lope_passages;
LOPE_API lope_status lope_passages_create(const lope_space *space, lope_passages **out, lope_error *error);
LOPE_API void lope_passages_destroy(lope_passages *passages);
// Makes it a picture of this moment again, with work near the changes only. The
// space is the one it was created from. Nobody may ask meanwhile. On failure
// there are no ways in it until an update succeeds.
LOPE_API lope_status lope_passages_update(lope_passages *passages, const lope_space *space, lope_error *error);
// After updates that changed something, lope_passages_widest looks through the
// whole world and takes memory for each question, and paths take longer, also to
// find out that there is none: searches look into rooms that lead nowhere. This
// makes both fast again. It looks through the whole world once.
LOPE_API lope_status lope_passages_measure(lope_passages *passages, lope_error *error);
// Radius of the largest disc that can go from start to goal, standing clear of
// obstacles at both ends. 0: no way.
LOPE_API float lope_passages_widest(const lope_passages *passages, lope_vec2 start, lope_vec2 goal);

// Ways for discs.
typedef enum lope_path_outcome {
    LOPE_PATH_FOUND,
    LOPE_PATH_NONE,          // both ends are fine, but no way between them is wide enough
    LOPE_PATH_START_OUTSIDE, // of the world
    LOPE_PATH_GOAL_OUTSIDE,
    LOPE_PATH_START_BLOCKED, // inside an obstacle
    LOPE_PATH_GOAL_BLOCKED,
    LOPE_PATH_START_TIGHT, // free, but nearer to an obstacle or the border than the clearance
    LOPE_PATH_GOAL_TIGHT
} lope_path_outcome;

// An edge of the triangulation that a path crosses: its ends to the left and right of someone who walks along the path.
typedef struct lope_path_portal {
    lope_vec2 left, right;
} lope_path_portal;

// Points and portals belong to the finder and hold until it is asked again or destroyed.
typedef struct lope_path {
    lope_path_outcome outcome;
    const lope_vec2 *points;         // from start to goal; bends around corners are arcs, sampled
    int point_count;                 // 0 where none was found
    const lope_path_portal *portals; // the corridor, in order
    int portal_count;
    float length;        // metres, of the lines and arcs
    lope_vec2 free_near; // outcomes outside and blocked: the nearest point to that end that is free
} lope_path;

// Memory of searches: one for each thread. It grows to what a world needs, then asking allocates nothing. It may be
// used with any passages.
typedef struct lope_path_finder lope_path_finder;
LOPE_API lope_status lope_path_finder_create(lope_path_finder **out, lope_error *error);
LOPE_API void lope_path_finder_destroy(lope_path_finder *finder);

// A short way for a disc of radius `clearance` > 0, standing clear of obstacles at both ends. There is one wherever
// lope_passages_widest says so. It is the shortest within its corridor; another corridor may hold a shorter one, rarely
// by much. Samples of arcs lie on them, so lines between come nearer to a corner than the clearance: by 0.25 mm, or by
// 1/2,000 of the clearance if that is more. LOPE_NOT_FOUND: none, out->outcome says why. LOPE_BAD_DATA: the clearance
// is not positive and finite, or a point is not finite.
LOPE_API lope_status lope_path_find(lope_path_finder *finder, const lope_passages *passages, lope_vec2 start,
                                    lope_vec2 goal, float clearance, lope_path *out, lope_error *error);

// The published way to the same (Kallmann's local clearance triangulation, 2010 and 2014): a clearance for every pair
// of edges of a triangle in place of one for every edge. A picture of one moment; it does not follow changes. Corridors
// are searched from middle to middle of edges, so paths are a little longer than those of lope_path_find. Threads may
// share it.
typedef struct lope_lct lope_lct;
LOPE_API lope_status lope_lct_create(const lope_space *space, lope_lct **out, lope_error *error);
LOPE_API void lope_lct_destroy(lope_lct *lct);
// As lope_path_find.
LOPE_API lope_status lope_lct_find(lope_path_finder *finder, const lope_lct *lct, lope_vec2 start, lope_vec2 goal,
                                   float clearance, lope_path *out, lope_error *error);
// Vertices that it added to walls.
LOPE_API int lope_lct_splits(const lope_lct *lct);

// The triangulation, for pictures. Corners run from x towards z; walls[i]: an
// obstacle's edge from corner i to the next.
typedef struct lope_space_triangle {
    lope_vec2 corners[3];
    bool walls[3];
    bool blocked;
} lope_space_triangle;

// Writes the triangles of the world into out[capacity]; returns how many there
// are.
LOPE_API int lope_space_triangles(const lope_space *space, lope_space_triangle *out, int capacity);
// The same of a local clearance triangulation, and of passages, whose walls are split opposite to corners.
LOPE_API int lope_lct_triangles(const lope_lct *lct, lope_space_triangle *out, int capacity);
LOPE_API int lope_passages_triangles(const lope_passages *passages, lope_space_triangle *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
