// SPDX-License-Identifier: MIT
// The planner as published (chapters 3 to 5), in the words of the thesis: a scribe collates motion segments that the
// machine of modes, the descent of the potential and random walks hand to it.
#ifndef LOPE_SRC_GRASP_RANDOM_SCRIBE_H
#define LOPE_SRC_GRASP_RANDOM_SCRIBE_H

#include "base/random.h"
#include "grasp/random/touch.h"
#include "grasp/search.h"

#define SCRIBE_STEP (3.0 * LOPE_PI / 180.0) // radians that a joint changes by from one configuration to the next
#define SCRIBE_DIP 0.008                    // metres that limbs may dip into obstacles
#define SCRIBE_BETWEEN 0.003                // and more of it on the way from one configuration to the next

// A configuration with its grasps: q, and the state of the machine. Grasps hold from here to the next one.
typedef struct figure {
    lope_grasp_pose pose;
    int hold[LOPE_LIMB_COUNT]; // index of a hold, or -1
    lope_grasp_mode mode;
    bool random;      // found by a random walk: backtracking prefers those
    double entered;   // potential where its mode began
    int entered_foot; // what a foot held there, or -1
} figure;

// A path.
typedef struct trail {
    figure *items;
    int count, capacity;
} trail;

typedef struct scribe_task {
    const lope_grasp_world *world;
    const lope_grasp_body *body;
    const touch_map *touch;
    const lope_distance_map *map; // from the goal's mass centre: the potential
    const float *limb_map[2];     // [hold_count] the same from the goal's hands and from its feet, at each hold
    figure start;
    footing goal;
    bool goal_facing; // the goal's facing matters
    bool flies;       // chapter 3: nothing is held, no machine; the goal is a pose
    unsigned without; // bits 1 << mode of those that are not used
    uint64_t seed;
} scribe_task;

typedef struct scribe {
    const scribe_task *task;
    lope_random random;
    trail path; // what was written so far
    int samples, walks, backtracks, postures;
    double best;          // lowest potential since the last backtracking
    double nearest;       // and of all
    int nearest_at;       // samples until then
    int idle;             // local minima since then
    int *refused;         // [hold_count * 4] sample count before which a grasp is not tried again
    int cramped;          // the hold at which the last step did not lead to a walking posture, or -1
    bool arrived, failed; // at the goal; out of memory
} scribe;

static inline figure *scribe_now(scribe *s)
{
    return &s->path.items[s->path.count - 1];
}

// --- trail.c: paths

// Adds one; false, and `failed`, without memory.
bool scribe_write(scribe *s, const figure *item);
// Drops everything from `count` on.
void scribe_cut(scribe *s, int count);
// Backtracks to a configuration that a random walk found, or to any where there is none (3.6.3).
void scribe_backtrack(scribe *s);
unsigned figure_mask(const figure *f);
lope_grasp_contacts figure_contacts(const lope_grasp_world *world, const figure *f);
bool figure_same_holds(const figure *a, const figure *b);

// --- neighbour.c: configurations nearby

// What neighbours of a configuration have in common.
typedef struct neighbourhood {
    const figure *from;
    double q[LOPE_GRASP_DOF];
    int root; // as in 3.3: a grasping extremity where there is one
    lope_grasp_contacts contacts;
} neighbourhood;

typedef struct neighbour {
    lope_grasp_pose pose;
    lope_grasp_points points;
} neighbour;

neighbourhood neighbourhood_of(const scribe *s, const figure *from);
// A random one that keeps all grasps (figure 4.4); false where none was found.
bool neighbour_random(scribe *s, const neighbourhood *around, neighbour *out);
// Whether ranges are kept and nothing is touched, give or take `slack` metres; fills the points.
bool neighbour_allowed(const scribe *s, const lope_grasp_pose *pose, double slack, lope_grasp_points *points);

// Something to get lower: P, D, or the way of a hand to a hold.
typedef double scribe_potential(const scribe *s, const figure *at, const neighbour *n, const void *user);
double scribe_distance(const scribe *s, const figure *at, const neighbour *n, const void *user); // P
double scribe_value(const scribe *s, const figure *at, scribe_potential *potential, const void *user);

// The best of some neighbours, where it is lower than the present (figure 3.13).
bool scribe_downhill(scribe *s, scribe_potential *potential, const void *user);
// A random walk from the present; ends early, and true, where the potential is lower than `below` (NULL: blind).
bool scribe_random_walk(scribe *s, scribe_potential *potential, const void *user, double below, int length);

// --- ease.c: posture correction (figures 4.7 and 4.8)

// Makes the present as comfortable as `mode` wants; returns the discomfort reached.
double scribe_ease(scribe *s, lope_grasp_mode mode);

// --- grasping.c: taking and leaving holds

// Whether two-link inverse kinematics gets a limb of the present to a hold.
bool scribe_reaches(const scribe *s, int limb, int hold, lope_grasp_pose *out);
// Takes a hold: the limb goes there, lifted where something is in the way.
bool scribe_attach(scribe *s, int limb, int hold);
void scribe_detach(scribe *s, unsigned limbs);
// Whether the mass centre of the present is between the extremities of a pair of limbs, or above the one that holds,
// give or take.
bool scribe_balanced(const scribe *s, int first, double slack);
// The mirror image of the present where the way leads back (5.4.3); needs both feet down. False where there is no room.
bool scribe_turn_around(scribe *s);
bool scribe_faces_away(const scribe *s);
// Whether a body could stand upright at a hold.
bool scribe_has_room(const scribe *s, int hold);
bool scribe_room_at(const scribe *s, lope_xy feet);
double scribe_limb_distance(const scribe *s, int limb, int hold);
// Of two limbs, the one that holds what is further from the goal.
int scribe_further(const scribe *s, int first);

// --- reaching.c: moving the body for a hold

#define SCRIBE_OVER_EDGE 0.1 // metres beside and above an edge that hands and feet pass it

// Moves the body until a limb reaches a hold: the random stand-in for a full-body inverse kinematics.
bool scribe_stretch(scribe *s, int limb, int hold, int most);
// One step towards a wish: downhill, or a few at random. False where there have been too many of those.
bool scribe_follow(scribe *s, scribe_potential *potential, const void *user, int *stuck);
// Takes a hold, and where something is in the way, moves the body to where the limb has room first.
bool scribe_take(scribe *s, int limb, int hold, int most);
// How far an extremity has to go to a hold on a ledge: over its edge, where it is still below.
double scribe_way_over(lope_xy end, lope_xy corner, lope_xy hold);

// --- line.c: straight ways

// A straight way between configurations with the same grasps, which are kept; free limbs are drawn in on the way by
// `lift` radians. Appends to `out` what comes after `a`, up to and with `b`; false where it is not allowed.
bool scribe_line(scribe *s, const figure *a, const lope_grasp_pose *b, double lift, trail *out);
// Whether nothing is touched on the short way from one configuration to the next.
bool scribe_passes(scribe *s, const figure *a, const lope_grasp_pose *b);
// The configuration at t on the way to another; what `a` holds is held.
lope_grasp_pose figure_between(const lope_grasp_world *world, const lope_grasp_body *body, const figure *a,
                               const lope_grasp_pose *b, double t);
bool trail_add(trail *t, const figure *item);

// --- core.c, restep.c, smooth.c, smooth_limbs.c

// Begins at the task's start. False without memory.
bool scribe_begin(scribe *s, const scribe_task *task);
// Writes until it arrives or has tried so many neighbours.
void scribe_run(scribe *s, int samples);
void scribe_end(scribe *s);
// From near the goal to its very holds and pose (5.4.2). False, with nothing written, where that fails.
bool scribe_restep(scribe *s);
// The free-flight planner's way to its last configuration: straight, once it is near enough (3.6.1).
bool scribe_land(scribe *s);
// Straightens what was written between changes of grasp (4.5), then the ways of single limbs (4.6).
void scribe_smooth(scribe *s);
void scribe_smooth_limbs(scribe *s);

#endif
