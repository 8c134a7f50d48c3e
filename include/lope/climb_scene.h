// SPDX-License-Identifier: MIT
// Climbing scenes: a world with holds, and where to go in it, described in a JSON file (offline library).
//
//   {"name": "ledge",
//    "bounds": [[0, 0], [6, 5]],
//    "obstacles": [{"box": [[0, 0], [6, 1]]}, {"polygon": [[3, 1], [6, 1], [6, 3]]}],
//    "holds": [{"at": [2.5, 2], "kind": "hybrid"},
//              {"from": [0.3, 1], "to": [2.7, 1], "spacing": 0.3}],
//    "surfaces": [{"from": [4, 3], "to": [6, 3], "kind": "load-bearing"}],
//    "place": 0.3,
//    "start": {"at": [0.5, 1], "mode": "walk", "facing": "right"},
//    "via": [{"at": [3, 3]},
//            {"pose": {"hip": [4, 3.8], "spine": 10, "left_leg": [20, 30], "right_leg": [-5, 15]}},
//            {"sequence": {"seconds": 2, "facing": "right", "poses": [{"hip": [4.5, 3.8]}, ...]}}],
//    "goal": {"at": [5.5, 3]}}
//
// "body" (left out above) names another body than the usual one: "one-armed", "gibbon".
//
// Places are x and y in metres, y up. "bounds", "start" and "goal" are needed, and holds in some way. Kinds are
// "pendent", "load-bearing" and "hybrid"; without one the slope of the surface decides. "place" puts holds that far
// apart on every side of every obstacle.
//
// Start, goal and the sites of "via" are each a place ("mode": "walk", "climb", "swing", "crawl", "sidle" or "sit"), a
// pose that the plan begins in, passes or ends in, or a sequence of poses that it performs there. A pose has the place
// of the hip and angles in degrees, 0 where left out: "spine", "neck", and "left_arm", "right_arm", "left_leg" and
// "right_leg" with two each, as in lope_grasp_pose.
#ifndef LOPE_CLIMB_SCENE_H
#define LOPE_CLIMB_SCENE_H

#include "lope/climb.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_climb_scene {
    char name[64];
    lope_grasp_world *world;
    lope_climb_problem problem;
    int sequence_count;
    lope_climb_sequence *sequences; // those that sites of the problem point to
    lope_grasp_body body;           // that the scene is for, whose measures they have; "body" of the file
} lope_climb_scene;

// Messages name file, line and column, and say what is allowed there.
LOPE_API lope_status lope_climb_scene_read(const char *path, lope_climb_scene **out, lope_error *error);
LOPE_API lope_status lope_climb_scene_read_memory(const char *text, size_t size, const char *name,
                                                  lope_climb_scene **out, lope_error *error);
LOPE_API void lope_climb_scene_destroy(lope_climb_scene *scene);

// The same scene so many times as large, sequences too: what a body of that size makes of it.
LOPE_API lope_status lope_climb_scene_scaled(const lope_climb_scene *scene, double factor, lope_climb_scene **out,
                                             lope_error *error);

// The scenes that come with the library.
LOPE_API int lope_climb_scene_builtin_count(void);
LOPE_API const char *lope_climb_scene_builtin_name(int index);
// LOPE_NOT_FOUND, naming those there are.
LOPE_API lope_status lope_climb_scene_builtin(const char *name, lope_climb_scene **out, lope_error *error);

// Random scenes of one kind, for tests and benchmarks: grasps 0.18 to 0.35 m apart, walls of 1.5 to 3 m, bars 0.25 to
// 0.48 m apart, ceilings 0.7 to 1.1 m above the floor.
typedef enum lope_climb_family {
    LOPE_FAMILY_WALK,    // uneven ground
    LOPE_FAMILY_SWING,   // bars
    LOPE_FAMILY_CLIMB,   // ground, a wall, a ledge
    LOPE_FAMILY_CRAWL,   // ground below a low ceiling
    LOPE_FAMILY_COMPLEX, // a tunnel, a wall, bars over a gap, and ground between
    LOPE_FAMILY_COUNT
} lope_climb_family;
LOPE_API const char *lope_climb_family_name(lope_climb_family family);
LOPE_API lope_status lope_climb_scene_random(lope_climb_family family, uint64_t seed, lope_climb_scene **out,
                                             lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
