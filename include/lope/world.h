// SPDX-License-Identifier: MIT
// A world: obstacles on the ground and many characters that find their way among them and past each other.
//
//   lope_world_def def = lope_world_def_default();
//   lope_world_create(&def, &world, &error);
//   lope_world_add_box(world, (lope_vec2){2, 3}, (lope_vec2){1, 1}, 0.3f, NULL, &error);
//   lope_character_def walker = lope_character_def_default(map);
//   lope_world_spawn(world, &walker, &id, &error);
//   lope_character_go_to(world, id, (lope_vec2){6, 4}, &error);
//   while (lope_character_state_of(world, id) == LOPE_CHARACTER_GOING) {
//       lope_world_step(world, 1.0f / 30, NULL);
//       draw(lope_character_pose(world, id));
//   }
//
// Maps are shared by all characters and must outlive the world. Stepping allocates nothing, and gives the same bits
// for any number of threads: everybody decides by what was known of the others after the step before.
// A world is used by one thread at a time; lope_world_step spreads its work over the jobs it is given.
#ifndef LOPE_WORLD_H
#define LOPE_WORLD_H

#include "lope/jobs.h"
#include "lope/walker.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_world lope_world;

// Names of characters and obstacles. They are never used twice, so one that is gone is recognised. All zero: nobody.
typedef struct lope_character_id {
    uint32_t index1, generation;
} lope_character_id;
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

typedef struct lope_world_def {
    uint64_t seed;
    int capacity; // characters there is room for at first; spawning makes more room where needed
    lope_avoidance avoidance;
    bool bounded; // characters stay between `low` and `high`
    lope_vec2 low, high;
    float clearance; // metres that planned routes keep between a body and obstacles
} lope_world_def;

LOPE_API lope_world_def lope_world_def_default(void);
LOPE_API lope_status lope_world_create(const lope_world_def *def, lope_world **out, lope_error *error);
// Characters go with it. NULL is harmless.
LOPE_API void lope_world_destroy(lope_world *world);

// --- Obstacles. Each may be added, moved and removed at any time; `out` may be NULL. Characters find new ways by
// themselves. While somebody is on the way, each change looks at the ground around it again. LOPE_BAD_DATA where sizes
// are not finite and positive.
LOPE_API lope_status lope_world_add_box(lope_world *world, lope_vec2 centre, lope_vec2 size, float yaw,
                                        lope_obstacle_id *out, lope_error *error);
LOPE_API lope_status lope_world_add_cylinder(lope_world *world, lope_vec2 centre, float radius, lope_obstacle_id *out,
                                             lope_error *error);
#define LOPE_MAX_CORNERS 64
// 3 to LOPE_MAX_CORNERS corners in either order. LOPE_BAD_DATA where it crosses itself or has no area.
LOPE_API lope_status lope_world_add_polygon(lope_world *world, const lope_vec2 *corners, int count,
                                            lope_obstacle_id *out, lope_error *error);
// False where it is gone already.
LOPE_API bool lope_world_remove_obstacle(lope_world *world, lope_obstacle_id id);
// Moves one: the middle of its bounds goes to a place, and it is turned to the left by `to.yaw` radians since it was
// added. Call it before every step while something drives: characters then expect it to go on as it did during the last
// step and keep off where it will be. Ways are found anew only by those whose way it stands in. It pushes nobody: who
// stands in its way by its own wish is driven through. LOPE_NOT_FOUND where it is gone, LOPE_BAD_DATA where the
// place is not finite: nothing happens then; LOPE_NO_MEMORY: it is there, but ways may lead through it until
// obstacles change again.
LOPE_API lope_status lope_world_move_obstacle(lope_world *world, lope_obstacle_id id, lope_ground to,
                                              lope_error *error);
LOPE_API int lope_world_obstacle_count(const lope_world *world);
// Whether a body of that radius fits there: inside the bounds and off all obstacles.
LOPE_API bool lope_world_is_free(const lope_world *world, lope_vec2 place, float radius);

// --- Characters
typedef struct lope_character_def {
    const lope_mobility *map;
    lope_ground at;
    int state;              // of the map to begin in; -1: one it can stand in
    float radius;           // of the body, metres
    bool posed;             // its pose is computed at every step
    lope_walker_def walker; // a cost function given here is added to the cost of avoidance
} lope_character_def;

LOPE_API lope_character_def lope_character_def_default(const lope_mobility *map);

// May allocate. LOPE_BAD_DATA where the place is not finite or lies in an obstacle or outside the bounds, else what
// lope_walker_init says.
LOPE_API lope_status lope_world_spawn(lope_world *world, const lope_character_def *def, lope_character_id *out,
                                      lope_error *error);
// False where it is gone already.
LOPE_API bool lope_world_despawn(lope_world *world, lope_character_id id);
LOPE_API bool lope_world_has(const lope_world *world, lope_character_id id);
LOPE_API int lope_world_character_count(const lope_world *world);
// Everybody, in an order that only depends on who was spawned and despawned: id number `index` of the count above.
LOPE_API lope_character_id lope_world_character(const lope_world *world, int index);

typedef enum lope_character_state {
    LOPE_CHARACTER_GONE,   // despawned, or never there
    LOPE_CHARACTER_IDLE,   // was sent nowhere
    LOPE_CHARACTER_GOING,  // on its way
    LOPE_CHARACTER_ARRIVED // passed or stands at its last goal
} lope_character_state;

// Sends it somewhere to stand there. LOPE_NOT_FOUND where the character is gone or no way leads there, LOPE_BAD_DATA
// where the goal is not finite: it then goes on as before. LOPE_PARTIAL where the goal lies in an obstacle or outside
// the bounds: it goes as near to it as it can.
LOPE_API lope_status lope_character_go_to(lope_world *world, lope_character_id id, lope_vec2 goal, lope_error *error);
#define LOPE_MAX_WAYPOINTS 16
// The same by way of several places, of which only the last may be one to stop at; others are passed within half a
// metre. Who was led past a place where it need not stop, at up to 1.2 m, because others were in the way, does not turn
// back for it: it counts as passed, also for who was that near and came no nearer for three seconds. The way from one
// to the next is found as above.
LOPE_API lope_status lope_character_follow(lope_world *world, lope_character_id id, const lope_goal *goals, int count,
                                           lope_error *error);
// Comes to a stand.
LOPE_API void lope_character_stop(lope_world *world, lope_character_id id);

// Of those that are gone: LOPE_CHARACTER_GONE, zeros, NULL.
LOPE_API lope_character_state lope_character_state_of(const lope_world *world, lope_character_id id);
LOPE_API bool lope_character_arrived(const lope_world *world, lope_character_id id);
LOPE_API lope_ground lope_character_ground(const lope_world *world, lope_character_id id);
// Joints in the world after the last step (joint_count of the map's skeleton), valid until the next step, spawn or
// despawn. NULL where it is not posed.
LOPE_API const lope_transform *lope_character_pose(const lope_world *world, lope_character_id id);
LOPE_API const lope_walker *lope_character_walker(const lope_world *world, lope_character_id id);
// Seconds for which it has been on its way without coming nearer to its goal than it had been (by a quarter metre).
LOPE_API float lope_character_stuck(const lope_world *world, lope_character_id id);

// Moves everybody by dt seconds, any dt >= 0 (not finite or negative: ignored). `jobs` NULL: on this thread.
LOPE_API void lope_world_step(lope_world *world, float dt, lope_jobs *jobs);

// What happened since the world was made.
typedef struct lope_world_counts {
    double character_seconds; // lived by all characters together
    uint64_t overlaps;        // how often a body began to reach more than 10 cm into another, counted for each of both
    uint64_t wall_hits;       // how often a body began to reach more than 10 cm into an obstacle
    uint64_t arrivals;        // at last goals
    float longest_stuck;      // seconds
} lope_world_counts;
LOPE_API lope_world_counts lope_world_counts_of(const lope_world *world);
// Of all ground frames: two worlds that went the same way have the same.
LOPE_API uint64_t lope_world_hash(const lope_world *world);

#ifdef __cplusplus
}
#endif
#endif
