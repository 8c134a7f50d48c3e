// SPDX-License-Identifier: MIT
// One character on a mobility map: tell it where to go, step it, take its pose.
//
//   lope_walker *walker;
//   lope_walker_init(memory, map, &def, -1, (lope_ground){0, 0, 0}, &walker, &error);
//   lope_walker_go_to(walker, &(lope_goal){.position = {3, 4}, .facing = NAN, .stop = true}, &error);
//   while (lope_walker_progress_of(walker) == LOPE_WALKER_GOING) {
//       lope_walker_step(walker, 1.0f / 60);
//       lope_walker_pose(walker, NULL, joints_in_world);
//   }
//
// The map is read only and shared by all walkers; a walker is a block of memory that its caller owns. Stepping and
// posing allocate nothing. Different walkers may be stepped by different threads at the same time.
#ifndef LOPE_WALKER_H
#define LOPE_WALKER_H

#include "lope/blend.h"
#include "lope/controller.h"
#include "lope/footing.h"
#include "lope/mobility.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_walker lope_walker;

// How the next motion is chosen.
typedef enum lope_decision {
    LOPE_DECIDE_TIME,  // what leads to the goal soonest, by the map's time tables; costs are seconds
    LOPE_DECIDE_GREEDY // the thesis' way: what ends nearest to the goal and facing it; costs are weighted sums
} lope_decision;

// Where to go.
typedef struct lope_goal {
    lope_vec2 position; // in the world
    float facing;       // yaw to face in the end; NAN: any. Only where it stops
    bool stop;          // stand still there; otherwise pass within the arrival radius
    float height;       // metres, of members of a crowd on a level: which storey is meant
} lope_goal;

// A motion the walker might play next, or the rest of the one it plays.
typedef struct lope_candidate {
    int state, choice; // of the map; lope_mobility_sequence lists its poses
    int skip;          // actions of the sequence that were played already; 0 for new ones
    lope_ground end;   // where it ends, in the world
    float seconds;     // until then
    float cost;        // of its own, before anything is added
    float limit; // total cost from which on another candidate wins; a cost function may stop there. INFINITY: none yet
} lope_candidate;

// Cost added to a candidate, >= 0; INFINITY forbids it. Candidates are asked in the order of their own cost until no
// other can win, so that few are asked. Called from within lope_walker_step; must not change the walker.
typedef float (*lope_walker_cost)(void *user, const lope_walker *walker, const lope_candidate *candidate);

// What a character likes to do, by tags of poses (bits 1 << lope_tag).
typedef struct lope_taste {
    unsigned prefer; // poses with none of these count as longer than they are; 0: none is preferred
    unsigned avoid;  // and so do poses with one of these
    float longer;    // by so many times their length, >= 0
} lope_taste;
// A lope_walker_cost whose user is a lope_taste.
LOPE_API float lope_taste_cost(void *taste, const lope_walker *walker, const lope_candidate *candidate);

typedef struct lope_walker_def {
    lope_decision decision;
    float distance_weight; // per metre from the end of a candidate to the goal (greedy; the thesis' 310)
    float angle_weight;    // per degree between its facing and the way to the goal (greedy; the thesis' 17)
    float keep_margin;     // seconds by which another motion must be better to replace the one that is played (time)
    float decide_interval; // seconds between two decisions while nothing new happens; 0: at every state
    float arrive_radius;   // metres
    float arrive_angle;    // radians, where a facing was asked for
    // Share of its speed by which the body may be moved off its motion to arrive exactly, and radians per metre walked
    // by which it may be turned off it; 0: none. Doubles while it keeps circling its goal, so that it can settle.
    float edit_step, edit_turn;
    float bend; // radians per second by which it is turned to the left right now, instead of those edits
    // Seconds for each second that it takes longer to walk on from where a candidate ends than it must (time): keeps
    // characters that have to change their minds from walking backwards. Not within two metres of a place to stand at.
    float awkward_cost;
    float tag_costs[LOPE_TAG_COUNT]; // added to candidates that contain poses with that tag; INFINITY forbids them
    lope_fade fade;                  // how transitions are covered up
    float fade_duration;             // seconds, see lope_fade_state
    bool lock_feet;                  // where the clips know their contacts
    lope_lock_def lock;
    const lope_skeleton *skeleton; // the character's: must be the map's within 1 mm. NULL: the map's
    lope_walker_cost cost;         // NULL: none
    void *cost_user;
} lope_walker_def;

LOPE_API lope_walker_def lope_walker_def_default(void);

// Bytes of a walker on this map, a multiple of 16. Walkers may lie in an array, that far apart, aligned to 16 bytes.
LOPE_API size_t lope_walker_size(const lope_mobility *map);

// Makes a walker in `memory` (lope_walker_size bytes, aligned to 16), which needs no destroying. `map` must outlive it,
// `def` is copied. It begins in `state` of the map, placed at `at`; -1: in the stand that sets out soonest, if there is
// one. Until told to go somewhere it comes to a stand and stays. LOPE_MISMATCH where the map is of another skeleton,
// LOPE_BAD_DATA where state or placement are impossible.
LOPE_API lope_status lope_walker_init(void *memory, const lope_mobility *map, const lope_walker_def *def, int state,
                                      lope_ground at, lope_walker **out, lope_error *error);

// The walker's settings, which may be changed between steps (not the skeleton, nor the kind of fade).
LOPE_API lope_walker_def *lope_walker_settings(lope_walker *walker);

// Forgets the motion planned so far and goes there from now on. Calling it every frame with a goal that moves is fine.
// LOPE_BAD_DATA where the goal is not finite: the walker then goes on as before.
LOPE_API lope_status lope_walker_go_to(lope_walker *walker, const lope_goal *goal, lope_error *error);
// Comes to a stand where it can.
LOPE_API void lope_walker_stop(lope_walker *walker);

// Decides anew at the next state, e.g. because what the cost function looks at has changed.
LOPE_API void lope_walker_reconsider(lope_walker *walker);

// Advances by dt seconds, any dt >= 0 (not finite or negative: ignored).
LOPE_API void lope_walker_step(lope_walker *walker, float dt);

typedef enum lope_walker_progress {
    LOPE_WALKER_IDLE,   // was sent nowhere
    LOPE_WALKER_GOING,  // on its way
    LOPE_WALKER_ARRIVED // passed or stands at its goal; then comes to a stand until told where to go next
} lope_walker_progress;

LOPE_API lope_walker_progress lope_walker_progress_of(const lope_walker *walker);
// Stands still (whether arrived or not).
LOPE_API bool lope_walker_stands(const lope_walker *walker);
// Seconds until it will arrive, as planned; INFINITY where it goes nowhere.
LOPE_API float lope_walker_time_left(const lope_walker *walker);

// Where it is and which way it faces.
LOPE_API lope_ground lope_walker_ground(const lope_walker *walker);
// Where it will be, at `count` moments `interval` seconds apart, the first one `interval` from now. After the end of
// the planned motion the last place is repeated.
LOPE_API void lope_walker_predict(const lope_walker *walker, float interval, int count, lope_ground *out);
// The same for a candidate, from where the walker is now: what a cost function looks at.
LOPE_API void lope_walker_predict_candidate(const lope_walker *walker, const lope_candidate *candidate, float interval,
                                            int count, lope_ground *out);

// The pose of this moment, fades and foot lock included, in the world: joints relative to their parents into `pose`
// (buffers of the map's skeleton), joints in the world into model[joint_count]; either may be NULL. Feet are locked
// from call to call: skip this call for characters that are off screen.
LOPE_API void lope_walker_pose(lope_walker *walker, lope_pose *pose, lope_transform *model);
// The same for many walkers, which need not be of one map: model[i] of walkers[i]. Several are posed side by side,
// which is some times faster than one by one; the result is the same, bit for bit.
LOPE_API void lope_walkers_pose(lope_walker *const *walkers, int count, lope_transform *const *models);
// Which parts of the body touch (lope_contact); 0 where the clips do not know.
LOPE_API uint16_t lope_walker_contacts(const lope_walker *walker);

// What it plays: clip of the set and time in it, the pose of the map it comes to next, the map itself.
LOPE_API int lope_walker_clip(const lope_walker *walker, double *time);
LOPE_API int lope_walker_next_pose(const lope_walker *walker);
LOPE_API const lope_mobility *lope_walker_map(const lope_walker *walker);

// The ground that it walks on lies at this height, metres; 0 at the beginning. Poses are lifted by as much.
LOPE_API void lope_walker_set_height(lope_walker *walker, float height);
// Walks on uneven ground from now on, gentle slopes and low kerbs: its height follows the ground, and poses have their
// feet on it. `footing` was initialised, belongs to the caller and must stay; NULL: level ground again.
LOPE_API void lope_walker_stand_on(lope_walker *walker, lope_footing *footing);

// Walkers as controllers; `self` is a lope_walker whose map has learnt its entries. They go to the aim's place, face
// and stop as it says, on ground of the height of the moment they were entered with; way and speed mean nothing.
// LOPE_UNSUPPORTED where the map has not learnt its entries.
LOPE_API const lope_controller *lope_walker_controller(void);

// How many decisions were made, how many candidates they looked at, how many transitions were played.
typedef struct lope_walker_counts {
    uint32_t decisions, candidates, transitions;
} lope_walker_counts;
LOPE_API lope_walker_counts lope_walker_counts_of(const lope_walker *walker);

#ifdef __cplusplus
}
#endif
#endif
