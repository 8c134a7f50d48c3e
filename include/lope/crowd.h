// SPDX-License-Identifier: MIT
// A crowd: obstacles on flat ground and many characters on mobility maps that find their way among them and past each
// other.
//
//   lope_crowd_def def = lope_crowd_def_default();
//   lope_crowd_create(&def, &crowd, &error);
//   lope_crowd_add_box(crowd, (lope_vec2){2, 3}, (lope_vec2){1, 1}, 0.3f, NULL, &error);
//   lope_member_def walker = lope_member_def_default(map);
//   lope_crowd_spawn(crowd, &walker, &id, &error);
//   lope_member_go_to(crowd, id, (lope_vec2){6, 4}, &error);
//   while (lope_member_state_of(crowd, id) == LOPE_MEMBER_GOING) {
//       lope_crowd_step(crowd, 1.0f / 30, NULL);
//       draw(lope_member_pose(crowd, id));
//   }
//
// Maps are shared by all characters and must outlive the crowd. Stepping allocates nothing, and gives the same bits
// for any number of threads: everybody decides by what was known of the others after the step before.
// A crowd is used by one thread at a time; lope_crowd_step spreads its work over the jobs it is given.
#ifndef LOPE_CROWD_H
#define LOPE_CROWD_H

#include "lope/jobs.h"
#include "lope/walker.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_crowd lope_crowd;

// Names of characters and obstacles. They are never used twice, so one that is gone is recognised. All zero: nobody.
typedef struct lope_member_id {
    uint32_t index1, generation;
} lope_member_id;
typedef struct lope_obstacle_id {
    uint32_t index1, generation;
} lope_obstacle_id;

// How characters keep off obstacles and each other. In all of them they follow paths that keep off obstacles, except
// where the thesis' own way is asked for.
typedef enum lope_avoidance {
    LOPE_AVOID_PREDICT, // motions whose predicted walk meets an obstacle or the predicted walk of another cost more
    LOPE_AVOID_STEER,   // the thesis' steer-to-avoid: five seconds ahead, round the bounding circles of obstacles
    LOPE_AVOID_NONE
} lope_avoidance;

typedef struct lope_crowd_def {
    uint64_t seed;
    int capacity; // characters there is room for at first; spawning makes more room where needed
    lope_avoidance avoidance;
    bool bounded; // characters stay between `low` and `high`
    lope_vec2 low, high;
    float clearance; // metres that planned routes keep between a body and obstacles
} lope_crowd_def;

LOPE_API lope_crowd_def lope_crowd_def_default(void);
LOPE_API lope_status lope_crowd_create(const lope_crowd_def *def, lope_crowd **out, lope_error *error);
// Characters go with it. NULL is harmless.
LOPE_API void lope_crowd_destroy(lope_crowd *crowd);

// --- Obstacles. Each may be added, moved and removed at any time; `out` may be NULL. Characters find new ways by
// themselves. While somebody is on the way, each change looks at the ground around it again. LOPE_BAD_DATA where sizes
// are not finite and positive.
LOPE_API lope_status lope_crowd_add_box(lope_crowd *crowd, lope_vec2 centre, lope_vec2 size, float yaw,
                                        lope_obstacle_id *out, lope_error *error);
LOPE_API lope_status lope_crowd_add_cylinder(lope_crowd *crowd, lope_vec2 centre, float radius, lope_obstacle_id *out,
                                             lope_error *error);
#define LOPE_MAX_CORNERS 64
// 3 to LOPE_MAX_CORNERS corners in either order. LOPE_BAD_DATA where it crosses itself or has no area.
LOPE_API lope_status lope_crowd_add_polygon(lope_crowd *crowd, const lope_vec2 *corners, int count,
                                            lope_obstacle_id *out, lope_error *error);
// False where it is gone already.
LOPE_API bool lope_crowd_remove_obstacle(lope_crowd *crowd, lope_obstacle_id id);
// Moves one: the middle of its bounds goes to a place, and it is turned to the left by `to.yaw` radians since it was
// added. Call it before every step while something drives: characters then expect it to go on as it did during the last
// step and keep off where it will be. Ways are found anew only by those whose way it stands in. It pushes nobody: who
// stands in its way by its own wish is driven through. LOPE_NOT_FOUND where it is gone, LOPE_BAD_DATA where the
// place is not finite: nothing happens then; LOPE_NO_MEMORY: it is there, but ways may lead through it until
// obstacles change again.
LOPE_API lope_status lope_crowd_move_obstacle(lope_crowd *crowd, lope_obstacle_id id, lope_ground to,
                                              lope_error *error);
LOPE_API int lope_crowd_obstacle_count(const lope_crowd *crowd);
// Whether a body of that radius fits there: inside the bounds and off all obstacles.
LOPE_API bool lope_crowd_is_free(const lope_crowd *crowd, lope_vec2 place, float radius);

// --- Characters
typedef struct lope_member_def {
    const lope_mobility *map;
    lope_ground at;
    int state;              // of the map to begin in; -1: one it can stand in
    float radius;           // of the body, metres
    bool posed;             // its pose is computed at every step
    lope_walker_def walker; // a cost function given here is added to the cost of avoidance
} lope_member_def;

LOPE_API lope_member_def lope_member_def_default(const lope_mobility *map);

// May allocate. LOPE_BAD_DATA where the place is not finite or lies in an obstacle or outside the bounds, else what
// lope_walker_init says.
LOPE_API lope_status lope_crowd_spawn(lope_crowd *crowd, const lope_member_def *def, lope_member_id *out,
                                      lope_error *error);
// False where it is gone already.
LOPE_API bool lope_crowd_despawn(lope_crowd *crowd, lope_member_id id);
LOPE_API bool lope_crowd_has(const lope_crowd *crowd, lope_member_id id);
LOPE_API int lope_crowd_member_count(const lope_crowd *crowd);
// Everybody, in an order that only depends on who was spawned and despawned: id number `index` of the count above.
LOPE_API lope_member_id lope_crowd_member(const lope_crowd *crowd, int index);

typedef enum lope_member_state {
    LOPE_MEMBER_GONE,   // despawned, or never there
    LOPE_MEMBER_IDLE,   // was sent nowhere
    LOPE_MEMBER_GOING,  // on its way
    LOPE_MEMBER_ARRIVED // passed or stands at its last goal
} lope_member_state;

// Sends it somewhere to stand there. LOPE_NOT_FOUND where the character is gone or no way leads there, LOPE_BAD_DATA
// where the goal is not finite: it then goes on as before. LOPE_PARTIAL where the goal lies in an obstacle or outside
// the bounds: it goes as near to it as it can.
LOPE_API lope_status lope_member_go_to(lope_crowd *crowd, lope_member_id id, lope_vec2 goal, lope_error *error);
#define LOPE_MAX_WAYPOINTS 16
// The same by way of several places, of which only the last may be one to stop at; others are passed within half a
// metre. Who was led past a place where it need not stop, at up to 1.2 m, because others were in the way, does not turn
// back for it: it counts as passed, also for who was that near and came no nearer for three seconds. The way from one
// to the next is found as above.
LOPE_API lope_status lope_member_follow(lope_crowd *crowd, lope_member_id id, const lope_goal *goals, int count,
                                        lope_error *error);
// Comes to a stand.
LOPE_API void lope_member_stop(lope_crowd *crowd, lope_member_id id);

// Of those that are gone: LOPE_MEMBER_GONE, zeros, NULL.
LOPE_API lope_member_state lope_member_state_of(const lope_crowd *crowd, lope_member_id id);
LOPE_API bool lope_member_arrived(const lope_crowd *crowd, lope_member_id id);
LOPE_API lope_ground lope_member_ground(const lope_crowd *crowd, lope_member_id id);
// Joints in the world after the last step (joint_count of the map's skeleton), valid until the next step, spawn or
// despawn. NULL where it is not posed.
LOPE_API const lope_transform *lope_member_pose(const lope_crowd *crowd, lope_member_id id);
LOPE_API const lope_walker *lope_member_walker(const lope_crowd *crowd, lope_member_id id);
// Seconds for which it has been on its way without coming nearer to its goal than it had been (by a quarter metre).
LOPE_API float lope_member_stuck(const lope_crowd *crowd, lope_member_id id);

// Moves everybody by dt seconds, any dt >= 0 (not finite or negative: ignored). `jobs` NULL: on this thread.
LOPE_API void lope_crowd_step(lope_crowd *crowd, float dt, lope_jobs *jobs);

// What happened since the crowd was made.
typedef struct lope_crowd_counts {
    double character_seconds; // lived by all characters together
    uint64_t overlaps;        // how often a body began to reach more than 10 cm into another, counted for each of both
    uint64_t wall_hits;       // how often a body began to reach more than 10 cm into an obstacle
    uint64_t arrivals;        // at last goals
    float longest_stuck;      // seconds
} lope_crowd_counts;
LOPE_API lope_crowd_counts lope_crowd_counts_of(const lope_crowd *crowd);
// Of all ground frames: two crowds that went the same way have the same.
LOPE_API uint64_t lope_crowd_hash(const lope_crowd *crowd);

#ifdef __cplusplus
}
#endif
#endif
