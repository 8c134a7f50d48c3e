// SPDX-License-Identifier: MIT
// A walker in memory, and what its parts (timeline, decisions, standing, edits, poses) do for each other.
//
// The timeline runs from frame to frame of one clip. `pose` is the pose it is on its way to, `phase` how far it is on
// the way from the frame before it. Where the map says "now pose j instead of the next one", the clip changes: the new
// one is entered at the frame before j, placed where the body is, and a fade covers the difference.
#ifndef LOPE_SRC_MOBILITY_WALKER_H
#define LOPE_SRC_MOBILITY_WALKER_H

#include "lope/walker.h"
#include "mobility/map.h"
#include "motion/shown.h"

// The sequence that is played: actions `step` and up of the path of a choice. Places and frames count from the frame
// before the walker's pose.
typedef struct walk_plan {
    int32_t choice;     // index in the map's choices; -1: none
    int32_t from_state; // it belongs to
    uint32_t step;      // next action
    int32_t frames;     // to its end
    ground_move rest;   // where it ends
    int32_t hit_step;   // the goal is met after this many actions of the path; -1: not by this plan
    int32_t hit_frames; // until then
    ground_move hit;    // where the body will be then
    float cost;         // seconds or weighted cost at the last decision
} walk_plan;

typedef enum walk_aim { WALK_STAY, WALK_PASS, WALK_STOP } walk_aim;

struct lope_walker {
    const lope_mobility *map;
    lope_walker_def def;
    // timeline
    int32_t pose;
    float phase;         // in [0, 1); up to 1 while holding
    ground_move ground;  // at the frame before `pose`
    ground_move placing; // world from the clip's world
    // what to do
    walk_aim aim;
    lope_goal goal;
    lope_walker_progress progress;
    bool flushed;                    // the goal is new: what is played has no advantage
    bool holding;                    // stands still, swaying
    float rate;                      // frames per frame of playing, 1 unless holding
    float sway;                      // direction it plays in while holding, 1 or -1
    int32_t still_first, still_last; // poses it plays to and fro between while holding
    float since_decided;             // seconds
    float about_goal;                // seconds that it has been near a goal that it should stand at
    walk_plan plan;
    lope_walker_counts counts;
    int32_t ahead;         // frame of the clip that a blend of LOPE_FADE_AHEAD leads to
    float height;          // of the ground, metres
    lope_footing *footing; // NULL: level ground
    shown_body body;
};

// Share of the arrival radius within which a stop is planned and accepted, and within which passing is planned.
#define WALK_STOP_SHARE 0.9f
#define WALK_PASS_SHARE 0.8f
// A body that turns by a radian may be turned off its motion like one that walks so many metres.
#define WALK_TURN_AS_WAY 1.2f

// Part of the movement of one frame.
static inline ground_move walk_part(const mobility_pose *pose, float share)
{
    return ground_small_turn(pose->enter.x * share, pose->enter.z * share, pose->yaw * share);
}

// Where the body is now.
static inline ground_move walk_body(const lope_walker *walker)
{
    return ground_move_mul(walker->ground, walk_part(&walker->map->poses[walker->pose], walker->phase));
}

// Asks for the part of the map that the next step needs.
static inline void walk_fetch(const lope_walker *walker)
{
    __builtin_prefetch(&walker->map->poses[walker->pose]);
}

static inline bool walk_has_choices(const lope_mobility *map, int32_t state)
{
    return map->choice_first[state] < map->choice_first[state + 1];
}

static inline const mobility_action *walk_action(const lope_mobility *map, int32_t state, int32_t choice, uint32_t step)
{
    return &map->actions[map->action_first[state] + map->paths[(size_t)choice * map->head.steps + step]];
}

static inline float walk_frame_seconds(const lope_walker *walker)
{
    return 1.0f / walker->map->head.frame_rate;
}

// walk_decide.c: chooses what to play on from `state`, where the walker has just arrived.
void walk_decide(lope_walker *walker, int32_t state);

// walker.c: puts a walker into a state at `at`, without fade and plan; where to go stays as it is.
void walk_put(lope_walker *walker, int32_t state, lope_ground at);

// Enters a motion in the same way, from where the body is and from what is shown.
void walk_cut_into(lope_walker *walker, int32_t state);

// walk_ahead.c: the thesis' one-sided blend. Whether one runs; where a cut to `frame` leads to, and how long it takes.
bool walk_blends_ahead(const lope_walker *walker);
int walk_look_ahead(const lope_walker *walker, const lope_clip *clip, int frame, float *seconds);
// Where a new goal interrupts a blend, goes on from the state whose pose is nearest to the interpolated one.
void walk_go_on_from_nearest(lope_walker *walker);

// walk_greedy.c: the thesis' cost of goals seen from the end of a motion: of one, and of all `count` choices.
float walk_greedy_cost(const lope_walker *walker, lope_vec2 goal);
void walk_greedy_costs(const lope_walker *walker, const mobility_choice *choices, uint32_t count, lope_vec2 goal,
                       float *costs);

// walk_stand.c: whether the walker should stay in `state`, which it has just reached; beginning and going on to do so.
bool walk_should_hold(const lope_walker *walker, int32_t state);
void walk_hold(lope_walker *walker);
// Counts the time it has been about a goal to stand at; and how much choices that do not lead right there are made to
// differ at random for it, in seconds: a walker that has gone in circles tries something else.
void walk_note_goal(lope_walker *walker, float seconds);
float walk_restlessness(const lope_walker *walker);
// By how much edits may be larger than usual for the same reason: up to twice.
float walk_editing(const lope_walker *walker);
void walk_hold_advance(lope_walker *walker, float frames);

// walk_edit.c: moves and turns the body a little towards where it should arrive, for `frames` (at most one) of motion.
void walk_edit(lope_walker *walker, float frames);
// Turns the body on the spot by a small angle to the left.
void walk_turn(lope_walker *walker, float angle);
// Moves the body over the ground by a little.
void walk_shift(lope_walker *walker, lope_vec2 by);

// walk_predict.c: lope_walker_predict and lope_walker_predict_candidate without yaws; the first returns the last of
// them.
float walk_places(const lope_walker *walker, float interval, int count, lope_vec2 *out);
void walk_candidate_places(const lope_walker *walker, const lope_candidate *candidate, float interval, int count,
                           lope_vec2 *out);
// Seconds from the end of the plan to the goal, were the rest of the plan turned to the left by so many
// radians, now and little by little.
float walk_seconds_turned(const lope_walker *walker, float at_once, float on_the_way);

// walk_pose.c: how it looks, for cuts.
shown_look walk_look(const lope_walker *walker);
shown_view walk_view(lope_walker *walker);
// lope_walkers_pose, `lanes` (4, or 8 where the processor can) at once.
LOPE_API void lope_walk_poses(lope_walker *const *walkers, lope_transform *const *models, int count, int lanes);

#endif
