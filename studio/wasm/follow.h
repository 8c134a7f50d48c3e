// SPDX-License-Identifier: MIT
// One character on motion maps: free space among obstacles, a path through it, a walk that is searched while it is
// played, and the same question to searches without maps.
#ifndef STUDIO_FOLLOW_H
#define STUDIO_FOLLOW_H

#include "lope/rivals.h"
#include "studio.h"

typedef struct studio_follow studio_follow;

// Empty ground between two corners. `work`: maps asked and walks tried in one step of time.
LOPE_API studio_follow *studio_follow_create(const lope_maps *maps, float low_x, float low_z, float high_x,
                                             float high_z, int work);
LOPE_API void studio_follow_destroy(studio_follow *follow);

// --- Obstacles: x z of each corner. Adding returns a name > 0, or -1. Afterwards call studio_follow_plan.
LOPE_API int studio_follow_add(studio_follow *follow, const float *corners, int count);
LOPE_API lope_status studio_follow_move(studio_follow *follow, int obstacle, const float *corners, int count);
LOPE_API void studio_follow_remove(studio_follow *follow, int obstacle);
// Metres to the nearest obstacle, 0 inside of one.
LOPE_API float studio_follow_clearance(const studio_follow *follow, float x, float z);

// --- The path. LOPE_NOT_FOUND where there is none; studio_error says why.
LOPE_API lope_status studio_follow_plan(studio_follow *follow, float from_x, float from_z, float to_x, float to_z,
                                        float clearance);
// Radius of the widest body that could go there.
LOPE_API float studio_follow_widest(const studio_follow *follow, float from_x, float from_z, float to_x, float to_z);
// Pictures: each returns how many there are and writes up to `capacity`. Points: x z. Portals: left x z, right x z.
// Triangles: x z of three corners, a mask of those edges that are walls, whether it is blocked.
LOPE_API int studio_follow_points(const studio_follow *follow, float *out, int capacity);
LOPE_API int studio_follow_portals(const studio_follow *follow, float *out, int capacity);
enum { STUDIO_TRIANGLE_FLOATS = 8 };
LOPE_API int studio_follow_triangles(const studio_follow *follow, float *out, int capacity);

// --- The walk
// A new character at the beginning of the path, which searches and plays along it.
LOPE_API lope_status studio_follow_begin(studio_follow *follow);
// The same character, along the path that was planned last; that one should begin at studio_follow_end.
LOPE_API lope_status studio_follow_again(studio_follow *follow);
// x z yaw where what it plays now ends.
LOPE_API void studio_follow_end(const studio_follow *follow, float *out);
LOPE_API void studio_follow_step(studio_follow *follow, float dt);
// The pose into out[joints * STUDIO_JOINT_FLOATS]; returns contacts. Once for each step: feet are locked from call to
// call.
LOPE_API int studio_follow_pose(studio_follow *follow, float *out);
typedef enum studio_walk_state {
    STUDIO_WALK_IDLE,    // was not sent anywhere yet
    STUDIO_WALK_ON,      // there are steps left to play, or the search goes on
    STUDIO_WALK_ARRIVED, // all is played, and it leads to the goal
    STUDIO_WALK_STUCK    // all is played, but no walk to the goal was found
} studio_walk_state;
// studio_walk_state and lope_follow_state.
LOPE_API int studio_follow_state(const studio_follow *follow);
LOPE_API int studio_follow_search_state(const studio_follow *follow);
// Steps found but not played.
LOPE_API int studio_follow_ahead(const studio_follow *follow);
// Clip that is played and the time in it.
LOPE_API int studio_follow_clip(const studio_follow *follow, double *time);
// Steps of the walk: STUDIO_STEP_FLOATS floats each: x z yaw at its first and last frame, number of the step in the
// graph, whether it is played or will be for certain.
enum { STUDIO_STEP_FLOATS = 8 };
LOPE_API int studio_follow_steps(const studio_follow *follow, float *out, int capacity);
// The way of the hips along the whole walk: x z.
LOPE_API int studio_follow_hips(const studio_follow *follow, float *out, int capacity);
// Where the map of a step of the walk leads: x z of up to `capacity` of its nodes, evenly chosen. Returns how many were
// written.
LOPE_API int studio_follow_map(const studio_follow *follow, int step, float *out, int capacity);

// Of a search: maps asked, walks tried, times turned back, metres walked, metres of the path, metres and radians off
// the goal, farthest off the path.
enum { STUDIO_REPORT_FLOATS = 8 };
LOPE_API void studio_follow_report(const studio_follow *follow, float *out);

// --- Comparing: the path that was planned last, asked from a standing start and all at once.
// With maps. LOPE_OK: arrives. The report is of this search.
LOPE_API lope_status studio_follow_with_maps(studio_follow *follow, float *report);
// The way of that walk: x z.
LOPE_API int studio_follow_with_maps_hips(const studio_follow *follow, float *out, int capacity);
// Nodes of maps it looked at, for a picture: x z.
LOPE_API int studio_follow_with_maps_tree(const studio_follow *follow, float *out, int capacity);
// Without maps: a search of lope_rival_kind with so many nodes at most.
LOPE_API lope_status studio_follow_rival(studio_follow *follow, int kind, int nodes, float *report);
// What it looked at: lines x z, x z, evenly chosen; and its walk: x z.
LOPE_API int studio_follow_rival_tree(const studio_follow *follow, float *out, int capacity);
LOPE_API int studio_follow_rival_walk(const studio_follow *follow, float *out, int capacity);

// Of all poses and steps so far: two machines that went the same way have the same.
LOPE_API uint64_t studio_follow_hash(const studio_follow *follow);

#endif
