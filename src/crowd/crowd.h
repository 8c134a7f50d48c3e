// SPDX-License-Identifier: MIT
// The world in memory. What others look at lies in arrays by slot; what only a character itself needs lies in its body,
// a block that stays where it is when the arrays grow.
#ifndef LOPE_SRC_CROWD_CROWD_H
#define LOPE_SRC_CROWD_CROWD_H

#include "crowd/grid.h"
#include "crowd/obstacles.h"
#include "crowd/routes.h"
#include "crowd/walls.h"
#include "lope/crowd.h"
#include "lope/level_route.h"

#define CROWD_MOMENTS 8                                     // of the predicted walks
#define CROWD_INTERVAL 0.3f                                 // seconds between them
#define CROWD_AHEAD ((float)CROWD_MOMENTS * CROWD_INTERVAL) // seconds
#define CROWD_ADAPT_INTERVAL 0.06f                          // seconds between two thoughts about tempo and bend
#define CROWD_NEIGHBOURS 16                                 // that can be asked for
#define CROWD_IN_VIEW 8                                     // the nearest that a decision looks at
#define CROWD_OBSTACLES 16                                  // the same
#define CROWD_OVERLAP 0.1f     // metres: bodies that reach further into each other are counted
#define CROWD_TOUCH 0.05f      // metres that bodies may reach into each other where they squeeze past
#define CROWD_MORE_TOUCH 0.03f // for those in need
#define CROWD_LONG 8.0f        // seconds without progress
#define CROWD_TOO_LONG 2.0f    // after which one begins to push past others, shoulder first,
#define CROWD_SQUEEZE 0.14f    // metres more, within the next seconds
#define CROWD_TALL 1.6f        // metres: bodies whose feet are this far above each other do not meet
#define CROWD_PASSED 0.5f      // metres: places on the way count as reached
#define CROWD_PASSED_BY 1.2f   // metres: places count as passed by those who come no nearer

// Where a character was last known to go: now, and at CROWD_MOMENTS moments from now.
typedef struct crowd_course {
    lope_vec2 places[CROWD_MOMENTS + 1];
} crowd_course;

// What others see of a character, side by side in memory.
typedef struct crowd_seen {
    crowd_course course;
    lope_vec2 claim; // metres per second: how a member that has got nowhere for long would walk if others let it
    float urgency;   // seconds without progress, as of the last step
    float radius;
} crowd_seen;

// What a decision looks at, gathered when its first candidate is asked for.
typedef struct crowd_view {
    bool gathered;
    int neighbour_count, obstacle_count;
    float x[CROWD_MOMENTS + 1][CROWD_IN_VIEW], z[CROWD_MOMENTS + 1][CROWD_IN_VIEW];
    int slots[CROWD_IN_VIEW];    // nearest first
    float reach[CROWD_IN_VIEW];  // sum of both radii
    float touch[CROWD_IN_VIEW];  // how much nearer than that they may come
    float weight[CROWD_IN_VIEW]; // more for those who are in greater need than we are
    int obstacles[CROWD_OBSTACLES];
    bool moving;              // some of them
    float room;               // metres to keep off them
    const crowd_walls *walls; // of a level; NULL: none
    float wall_room;          // metres to the nearest of them, where the body is
} crowd_view;

typedef struct crowd_body {
    lope_crowd *world;
    lope_walker *walker;
    lope_transform *model;         // NULL where it is never posed
    struct crowd_footing *footing; // what it knows of the level; NULL on flat ground
    bool posed;                    // at every step
    bool carried;                  // by somebody else,
    lope_carried carried_at;       // where its carrier says that it is
    lope_walker_cost own_cost;
    void *own_user;
    size_t bytes; // of this block
    int slot;
    // where to
    lope_goal goals[LOPE_MAX_WAYPOINTS];
    int goal_count, goal_index;
    crowd_route route;    // to the goal of this index
    int route_index;      // the place it walks to
    lope_vec2 beyond;     // on levels, where it goes right now to come to that place and round the bend there,
    int beyond_of;        // the place that this was found for
    float least_distance; // metres to the place it walks to, so far
    bool went_past;       // it, at some distance
    bool sent;            // the walker has been told about the current place
    bool steering;        // on its way to `aside` instead
    lope_vec2 aside;      // a temporary goal
    float aside_seconds;  // for which it may stay one
    // when
    float survey_in;  // seconds until it looks over the people ahead again
    float look_in;    // seconds until it looks along its way again
    float retry_in;   // seconds until it looks for a way again, where there was none
    float nearest;    // metres of the way that were left when it was nearest to its goal; INFINITY: not yet known
    float stuck;      // seconds since then
    crowd_view *view; // of the thread that steps it, while it is stepped
    // how fast
    float tempo;           // seconds of motion played per second
    float tempo_goal;      // what it changes to
    float bend;            // radians per second to the left
    float bend_goal;       // what it changes to
    float wish;            // the side it would like to bend to, 1: left
    float wish_in;         // seconds until that is thought over
    bool turning;          // on the spot, while it waits,
    float turning_to;      // to face this way
    float adapt_in;        // seconds until both are thought over
    float waited;          // seconds, recently
    float insists;         // seconds for which it does not wait
    bool adapted;          // both were thought over in this step
    bool predicted;        // where it goes has been predicted since it began to walk,
    uint32_t predicted_by; // after so many of its walker's decisions
    crowd_course ahead;    // where the plan leads, at tempo 1,
    float ahead_since;     // seconds of motion ago
    float ahead_turned;    // radians that it has been bent since
    float ahead_yaw;       // which way it faces in the end
} crowd_body;

struct lope_crowd {
    lope_crowd_def def;
    crowd_obstacles obstacles;
    crowd_routes routes;
    crowd_grid grid;
    bool grid_stale;           // somebody came or went since it was built
    float dt;                  // of the step in hand
    unsigned steps;            // that were made
    int next_lost;             // where the search for members without a way goes on
    lope_level_router *router; // of a level; NULL on flat ground
    lope_path_finder *finder;  // the same
    uint64_t level_changes;    // that are known
    // characters by slot
    int capacity, slot_count, alive_count;
    uint32_t *generations;
    uint8_t *alive;
    uint8_t *states;     // lope_member_state
    uint8_t *lost;       // needs a new way
    crowd_body **bodies; // kept for the next one in the slot
    lope_vec2 *places;
    lope_vec2 *places_before; // a step ago; while a step is made, where they come to
    float *heights;           // of the ground under them
    float *heights_next;      // the same while a step is made
    float largest_radius;     // of all that ever were
    crowd_seen *seen;
    crowd_seen *seen_next; // the same while a step is made
    uint8_t *arrived;      // in this step
    uint8_t *began;        // overlaps that began in this step
    uint8_t *walls;        // bit 0: reaches into an obstacle, bit 1: began to in this step
    int *free_slots;
    int free_count;
    lope_crowd_counts counts;
};

// -1: it is gone.
int crowd_slot_of(const lope_crowd *world, lope_member_id id);
crowd_body *crowd_body_of(const lope_crowd *world, lope_member_id id);
// Looks at the ground again where obstacles have changed, so that ways can be found.
lope_status crowd_know_ways(lope_crowd *world, lope_error *error);

static inline bool crowd_meet(float height, float other)
{
    return fabsf(height - other) < CROWD_TALL;
}
static inline crowd_grid_bodies crowd_bodies(const lope_crowd *world)
{
    return (crowd_grid_bodies){world->places, world->heights, world->alive, world->slot_count};
}

// ground.c: lope_crowd_is_free on flat ground.
bool crowd_is_free(const lope_crowd *world, lope_vec2 place, float radius);
// Whether a body may walk straight from one place to another, in the space of a level's floor: as far off
// walls as ways keep, or at least so many metres.
bool crowd_sees(const crowd_body *body, lope_vec2 from, lope_vec2 to, int floor);
bool crowd_clears(const crowd_body *body, lope_vec2 from, lope_vec2 to, int floor, float keep);

// characters.c: the way to the present goal, anew, or the shortest one that is `known`. False where there is none.
bool crowd_plan(lope_crowd *world, crowd_body *body, const crowd_route *known);
static inline lope_vec2 crowd_next_place(const crowd_body *body)
{
    return body->route.places[body->route_index];
}
// guide.c: where it goes right now.
lope_vec2 crowd_target(const crowd_body *body);
// Whether that is its last goal.
static inline bool crowd_on_last_stretch(const crowd_body *body)
{
    return body->route.whole && body->route_index + 1 == body->route.count && body->goal_index + 1 == body->goal_count;
}
// Times the speed of the clips at which it plays them. Held feet, bends and fades add some percent to what joints do in
// a clip. On levels, where doors and stairs are narrow, members at full speed get past each other better.
static inline float crowd_pace(const crowd_body *body)
{
    return body->footing ? 1.0f : 0.98f;
}

static inline bool crowd_going(const crowd_body *body)
{
    return body->world->states[body->slot] == LOPE_MEMBER_GOING;
}
float crowd_way_left(const crowd_body *body, lope_vec2 place);

// How much it needs to get on, in [0, 1]: all for those who have not for long.
static inline float crowd_need(const crowd_body *body)
{
    return fminf(body->stuck * (1.0f / CROWD_LONG), 1.0f);
}
// How much it insists on going straight, in [0, 1]. A body that gets nowhere by that either gives it up again.
static inline float crowd_insistence(const crowd_body *body)
{
    float begins = (body->stuck - CROWD_TOO_LONG) * (1.0f / 3.0f), ends = (14.0f - body->stuck) * 0.25f;
    float insistence = begins < ends ? begins : ends;
    return insistence < 0.0f ? 0.0f : insistence > 1.0f ? 1.0f : insistence;
}
// Metres that it makes itself narrower.
static inline float crowd_squeeze(const crowd_body *body)
{
    return CROWD_SQUEEZE * crowd_insistence(body);
}
// Metres that it may reach into others where it squeezes past them.
static inline float crowd_touch(const crowd_body *body)
{
    return CROWD_TOUCH + CROWD_MORE_TOUCH * crowd_need(body);
}

// view.c: slots of the members that were near one after the last step, nearest first.
int crowd_near(const lope_crowd *world, int slot, float reach, int out[CROWD_NEIGHBOURS]);

// share.c: the same to a place, as others go, too.
void crowd_find_way(crowd_body *body, const lope_goal *goal, const crowd_route *known);

// survey.c: a place beside the way ahead, where it is quicker to go by that. False: straight on.
bool crowd_survey(const crowd_body *body, lope_vec2 target, lope_vec2 *aside);

// guide.c: keeps the walker aimed at the next place on its way.
void crowd_guide(crowd_body *body);
// Goes to a temporary place first, for so many seconds at most.
void crowd_go_aside(crowd_body *body, lope_vec2 place, float seconds);

// steer.c: goes round the obstacle that it would meet, the thesis' way or ours.
void crowd_steer(crowd_body *body, lope_vec2 place);
static inline bool crowd_steers(const lope_crowd_def *def)
{
    return def->avoidance == LOPE_AVOID_STEER || def->avoidance == LOPE_AVOID_THESIS;
}

// avoid.c: what avoiding adds to a candidate's cost.
float crowd_cost(void *user, const lope_walker *walker, const lope_candidate *candidate);
// Where it is written what others are told about where characters are and go, by slot.
typedef struct crowd_news {
    lope_vec2 *places;
    float *heights;
    crowd_seen *seen;
} crowd_news;
static inline crowd_news crowd_now(const lope_crowd *world)
{
    return (crowd_news){world->places, world->heights, world->seen};
}
// avoid.c: tells it.
void crowd_publish(const lope_crowd *world, int slot, const crowd_news *to);
// carry.c: the same of members that are carried.
void crowd_publish_carried(const crowd_body *body, const crowd_news *to);
// adapt.c: adapts tempo and direction of the walk to what is ahead; returns the tempo of this step.
float crowd_adapt(crowd_body *body);

#endif
