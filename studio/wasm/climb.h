// SPDX-License-Identifier: MIT
// The grasp planner: scenes as text, plans as poses of a character.
#ifndef STUDIO_CLIMB_H
#define STUDIO_CLIMB_H

#include "lope/climb_scene.h"
#include "studio.h"

// A climbing scene as the tool reads it, with the same messages.
LOPE_API lope_climb_scene *studio_climb_read(const char *text, size_t size, const char *name);
LOPE_API void studio_climb_scene_destroy(lope_climb_scene *scene);
// Holds, those of stretches, surfaces and placing too: x y kind (lope_hold_kind) each. Returns how many there are and
// writes the first `capacity`.
LOPE_API int studio_climb_holds(const lope_climb_scene *scene, float *out, int capacity);
// Obstacles: how many corners number `obstacle` has, of which the first `capacity` are written as x y; -1 past the
// last.
LOPE_API int studio_climb_obstacle(const lope_climb_scene *scene, int obstacle, float *out, int capacity);

// Is told how far a search is, from 0 to 1, and answers 0 to stop it: what there is by then is the plan. NULL: nobody.
typedef int studio_watch(double share);
LOPE_API void studio_watch_with(studio_watch *watch);

// --- The posture editor (5.2.3). A pose is STUDIO_POSE_NUMBERS doubles: hip x y, spine, neck, both angles of each limb
// in the order of lope_grasp_limb, facing. Angles are radians, the body is the one of scene files.
enum { STUDIO_POSE_NUMBERS = 13, STUDIO_POSE_POINTS = 11, STUDIO_POSE_VIEW = 15 };
// Its points, x y each: hip, neck, top of the head, elbows and knees, hands and feet.
LOPE_API void studio_pose_points(const double *pose, double *out);
// What it holds (four limbs), the mode or -1, discomfort, radians beyond a range, clearance, then the heuristics.
LOPE_API void studio_pose_look(const lope_climb_scene *scene, const double *pose, double *out);
// A hand or foot goes to a place, or as near as it gets.
LOPE_API void studio_pose_reach(double *pose, int limb, double x, double y);
// The most comfortable pose nearby that holds the same; 0 where there is none.
LOPE_API int studio_pose_settle(const lope_climb_scene *scene, double *pose);
// A pose to begin with: standing, climbing, ... near a place; 0, with studio_error, where there is none.
LOPE_API int studio_pose_at(const lope_climb_scene *scene, int mode, int facing, double x, double y, double *pose);
LOPE_API const char *studio_heuristic_name(int heuristic);
LOPE_API int studio_heuristics(int mode); // bits of those that a mode uses

typedef struct studio_climb studio_climb;

// Plans for the body of a character and performs it, which takes a while. `planner` is a lope_climb_planner. `before`
// is NULL, or a plan of the same scene that is taken back to `frame` and goes on from there, best with another seed.
// NULL only where nothing came out; where nothing led to the goal, studio_error says why.
LOPE_API studio_climb *studio_climb_solve(const lope_climb_scene *scene, const lope_skeleton *skeleton,
                                          const studio_climb *before, int frame, int planner, uint32_t seed, int budget,
                                          double rate);
LOPE_API void studio_climb_destroy(studio_climb *plan);
// A plan that was kept: see studio_written for the file. Opening performs it by the character it was made for; NULL,
// with studio_error, where it is of another scene or body.
LOPE_API int studio_climb_save(const studio_climb *plan);
LOPE_API studio_climb *studio_climb_open(const lope_climb_scene *scene, const lope_skeleton *skeleton, const void *data,
                                         size_t size, const char *name);

// complete (0 or 1), frames, changes of grasp, metres left, stances looked at, postures, motions checked, motions that
// did not work, frames of the plan before that were kept, changes of grasp that it went back further than was asked
// for.
enum { STUDIO_CLIMB_NUMBERS = 10 };
LOPE_API void studio_climb_numbers(const studio_climb *plan, double *out);
// Pose of a frame. Returns what touches (a mask of lope_contact).
LOPE_API int studio_climb_pose(const studio_climb *plan, int frame, float *pose);
// The mode of a frame (lope_grasp_mode), and what is held: the hold of each limb in the order of lope_grasp_limb, -1.
LOPE_API int studio_climb_held(const studio_climb *plan, int frame, int *out);
// The frame at which change of grasp number `step` is done; 0 is the start.
LOPE_API int studio_climb_step_frame(const studio_climb *plan, int step);

#endif
