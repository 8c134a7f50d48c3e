// SPDX-License-Identifier: MIT
// A crowd: many characters on mobility maps that find their way past obstacles and each other, on flat ground or on the
// floors of a level.
//
//   lope_crowd_def def = lope_crowd_def_default();
//   lope_crowd_create(&def, &crowd, &error);
//   lope_crowd_add_box(crowd, (lope_ground){2, 3, 0.3f}, (lope_vec2){1, 1}, NULL, &error);
//   lope_member_def walker = lope_member_def_default(map);
//   lope_crowd_spawn(crowd, &walker, &id, &error);
//   lope_member_go_to(crowd, id, (lope_vec3){6, 0, 4}, &error);
//   while (lope_member_state_of(crowd, id) == LOPE_MEMBER_GOING) {
//       lope_crowd_step(crowd, 1.0f / 30, NULL);
//       draw(lope_member_pose(crowd, id));
//   }
//
// Maps are shared by all characters and must outlive the crowd. Stepping allocates nothing, and gives the same bits
// for any number of threads: everybody decides by what was known of the others after the step before.
// A crowd is used by one thread at a time; lope_crowd_step spreads its work over the jobs it is given.
//
// On a level (lope_crowd_def.floors) members have a height and stand on one of its floors. Their ways lead over floors
// and the seams between them, never by other links; walls are the floors' borders, and members on other storeys are not
// seen. Obstacles come and go with the level's parts: change the level, then call lope_floors_update and
// lope_crowd_update. Looking for a way there may allocate until it has seen the longest ones; nothing else does.
#ifndef LOPE_CROWD_H
#define LOPE_CROWD_H

#include "lope/floors.h"
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
// those that steer round bounding circles, which look at nobody but obstacles.
typedef enum lope_avoidance {
    LOPE_AVOID_PREDICT, // motions whose predicted walk meets an obstacle or the predicted walk of another cost more
    // Steers round the obstacle that the line to the goal meets within five seconds, twice the radius of obstacle and
    // body together beside its middle; looks again on the way there, and brakes before walls.
    LOPE_AVOID_STEER,
    LOPE_AVOID_NONE,
    // The thesis' steer-to-avoid to the letter (section 6.2): looks where the body goes in the next five seconds, twice
    // the radius of the obstacle beside its middle, looks again when it has been there, and never brakes.
    LOPE_AVOID_THESIS
} lope_avoidance;

typedef struct lope_crowd_def {
    uint64_t seed;
    int capacity; // characters there is room for at first; spawning makes more room where needed
    lope_avoidance avoidance;
    bool bounded; // characters stay between `low` and `high`
    lope_vec2 low, high;
    float clearance; // metres that planned routes keep between a body and obstacles
    // The level that members walk on; NULL: flat ground at height 0. Must outlive the crowd. Not with bounds, nor with
    // LOPE_AVOID_STEER and LOPE_AVOID_THESIS.
    const lope_floors *floors;
} lope_crowd_def;

LOPE_API lope_crowd_def lope_crowd_def_default(void);
LOPE_API lope_status lope_crowd_create(const lope_crowd_def *def, lope_crowd **out, lope_error *error);
// Characters go with it. NULL is harmless.
LOPE_API void lope_crowd_destroy(lope_crowd *crowd);
// Call it after lope_floors_update, before the next step: members near what changed look at the ground and walls again,
// and find new ways where theirs lead there, some of them at each step. A member that has lost the ground under its
// feet stays where it is until there is a way.
LOPE_API lope_status lope_crowd_update(lope_crowd *crowd, lope_error *error);

// --- Obstacles of flat ground; on a level adding one is LOPE_UNSUPPORTED. Each may be added, moved and removed at any
// time; `out` may be NULL. Characters find new ways by themselves. While somebody is on the way, each change looks at
// the ground around it again. LOPE_BAD_DATA where sizes are not finite and positive.
// A box whose middle is at a place, turned to the left by its yaw; size: along x and z, metres.
LOPE_API lope_status lope_crowd_add_box(lope_crowd *crowd, lope_ground at, lope_vec2 size, lope_obstacle_id *out,
                                        lope_error *error);
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
// step and keep off where it will be. Only members whose way it stands in find new ways. It pushes nobody: a
// member that wants to stand in its way is driven through. LOPE_NOT_FOUND where it is gone, LOPE_BAD_DATA where the
// place is not finite: nothing happens then; LOPE_NO_MEMORY: it is there, but ways may lead through it until
// obstacles change again.
LOPE_API lope_status lope_crowd_move_obstacle(lope_crowd *crowd, lope_obstacle_id id, lope_ground to,
                                              lope_error *error);
LOPE_API int lope_crowd_obstacle_count(const lope_crowd *crowd);
// Whether a body of that radius fits there: inside the bounds and off all obstacles. On a level: on free ground within
// 1 m above or below, and off its borders. Heights mean nothing on flat ground.
LOPE_API bool lope_crowd_is_free(const lope_crowd *crowd, lope_vec3 place, float radius);

// --- Characters
typedef struct lope_member_def {
    const lope_mobility *map;
    lope_ground at;
    float height;           // metres: of the ground there, which is looked for within 1 m; on levels only
    int state;              // of the map to begin in; -1: one it can stand in
    float radius;           // of the body, metres
    bool posed;             // its pose is computed at every step
    lope_walker_def walker; // a cost function given here is added to the cost of avoidance
} lope_member_def;

LOPE_API lope_member_def lope_member_def_default(const lope_mobility *map);

// May allocate. LOPE_BAD_DATA where the place is not finite, lies in an obstacle or outside the bounds, or is not on
// free ground of a level, else what lope_walker_init says.
LOPE_API lope_status lope_crowd_spawn(lope_crowd *crowd, const lope_member_def *def, lope_member_id *out,
                                      lope_error *error);
// False where it is gone already.
LOPE_API bool lope_crowd_despawn(lope_crowd *crowd, lope_member_id id);
LOPE_API bool lope_crowd_has(const lope_crowd *crowd, lope_member_id id);
LOPE_API int lope_crowd_member_count(const lope_crowd *crowd);
// Everybody, in an order that depends only on the spawns and despawns so far: id number `index` of the count above.
LOPE_API lope_member_id lope_crowd_member(const lope_crowd *crowd, int index);

typedef enum lope_member_state {
    LOPE_MEMBER_GONE,   // despawned, or never there
    LOPE_MEMBER_IDLE,   // was sent nowhere
    LOPE_MEMBER_GOING,  // on its way
    LOPE_MEMBER_ARRIVED // passed or stands at its last goal
} lope_member_state;

// Sends it somewhere to stand there. LOPE_NOT_FOUND where the character is gone or no way leads there, LOPE_BAD_DATA
// where the goal is not finite: it then goes on as before. LOPE_PARTIAL where the goal lies in an obstacle or outside
// the bounds: it goes as near to it as it can. On a level, the ground of the goal is looked for within 1 m above and
// below, and a free place up to 2 m around.
LOPE_API lope_status lope_member_go_to(lope_crowd *crowd, lope_member_id id, lope_vec3 goal, lope_error *error);
#define LOPE_MAX_WAYPOINTS 16
// The same by way of several places, of which only the last may be one to stop at; others are passed within half a
// metre. A member that others have led past a place where it need not stop, at up to 1.2 m, does not turn back for it:
// the place counts as passed. It also does for a member that was that near and came no nearer for three seconds. The
// way from one place to the next is found as above.
LOPE_API lope_status lope_member_follow(lope_crowd *crowd, lope_member_id id, const lope_goal *goals, int count,
                                        lope_error *error);
// Comes to a stand.
LOPE_API void lope_member_stop(lope_crowd *crowd, lope_member_id id);

// Of those that are gone: LOPE_MEMBER_GONE, zeros, NULL.
LOPE_API lope_member_state lope_member_state_of(const lope_crowd *crowd, lope_member_id id);
LOPE_API bool lope_member_arrived(const lope_crowd *crowd, lope_member_id id);
LOPE_API lope_ground lope_member_ground(const lope_crowd *crowd, lope_member_id id);
// Height of the ground under it, metres, and the floor that it stands on; -1: none, or flat ground.
LOPE_API float lope_member_height(const lope_crowd *crowd, lope_member_id id);
LOPE_API int lope_member_floor(const lope_crowd *crowd, lope_member_id id);
// Joints in the world after the last step (joint_count of the map's skeleton), valid until the next step, spawn or
// despawn. NULL where it is not posed.
LOPE_API const lope_transform *lope_member_pose(const lope_crowd *crowd, lope_member_id id);
LOPE_API const lope_walker *lope_member_walker(const lope_crowd *crowd, lope_member_id id);
// The same, to be entered by a hand-over while it is carried (below).
LOPE_API lope_walker *lope_member_walker_mutable(lope_crowd *crowd, lope_member_id id);
// Whether the crowd computes its pose at each step, at first as lope_member_def.posed says: somebody else may pose its
// walker instead, but only one of both. Those that were spawned without a pose have none.
LOPE_API void lope_member_set_posed(lope_crowd *crowd, lope_member_id id, bool posed);
// How wide it is from now on, metres above 0: others and walls are avoided, and ways found, for that.
LOPE_API void lope_member_set_radius(lope_crowd *crowd, lope_member_id id, float radius);
// Seconds for which it has been on its way without coming nearer to its goal than it had been (by a quarter metre).
LOPE_API float lope_member_stuck(const lope_crowd *crowd, lope_member_id id);

// --- Carried members: somebody else moves the body, on a gait, a ladder, a chair. Its walker rests, the others avoid
// it where it is said to be and to go.
typedef struct lope_carried {
    lope_vec3 place;    // of the body on the ground below it
    float yaw;          // which way it faces
    lope_vec2 velocity; // metres per second over the ground
} lope_carried;
// Carries a member from now on; call it before each step. False where it is gone, or the place is not finite.
LOPE_API bool lope_crowd_carry(lope_crowd *crowd, lope_member_id id, const lope_carried *at);
// Gives it back to its walker, which goes on from the state that it is in: enter it with a moment before
// (lope_walker_controller, lope_member_walker_mutable). A member that was on its way finds a new one from there.
// False where it is gone or not carried.
LOPE_API bool lope_crowd_release(lope_crowd *crowd, lope_member_id id);
LOPE_API bool lope_member_is_carried(const lope_crowd *crowd, lope_member_id id);

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
// Of all ground frames, and heights on levels: two crowds that went the same way have the same.
LOPE_API uint64_t lope_crowd_hash(const lope_crowd *crowd);

#ifdef __cplusplus
}
#endif
#endif
