// SPDX-License-Identifier: MIT
// The world in memory. Each character has a body, a block that stays where it is. Its way is cut into stretches, each
// carried by one controller. What a character needs while something other than plain walking carries it (a hand-over, a
// gait) is an outfit, taken from a pool and given back.
#ifndef LOPE_SRC_WORLD_WORLD_H
#define LOPE_SRC_WORLD_WORLD_H

#include "base/list.h"
#include "lope/climber.h"
#include "lope/crowd.h"
#include "lope/link_way.h"
#include "lope/rings.h"
#include "lope/use.h"
#include "lope/walker.h"
#include "lope/world.h"
#include "world/limbs.h"

#define WORLD_FITS 0.1f         // metres: a hand-over that fits as well as this is hardly seen,
#define WORLD_STANDS_FITS 0.75f // and one of somebody that stands
#define WORLD_STEPS_FROM 2.0f   // metres before a link from which on a gait comes to where it begins
#define WORLD_STEPS_AWAY 1e9f   // seconds: never

// What carries a stretch of a way.
typedef enum world_carrier { WORLD_WALK, WORLD_GAIT, WORLD_CROSS, WORLD_ACT } world_carrier; // the last: gestures

// A piece of a way for one controller. Walks and gaits go along points; a crossing is a link.
typedef struct world_stretch {
    world_carrier by;
    int crossing;     // of the world's crossings; -1: none
    int kind;         // lope_link_kind of what is crossed; -1: none
    int first, count; // points of the way
    float length;     // metres
    int tries;        // of a gait to come to where the link after it begins
} world_stretch;

typedef struct world_way {
    list stretches, points; // world_stretch, lope_vec3
    int now;                // the stretch that is being gone
    lope_vec3 low, high;    // around its points
    bool crosses;           // links
} world_way;

// A link that somebody goes over or wants to: who is on it, who waits, and the climb that is planned for it. It is
// known by what the link is, because numbers change with the level.
enum { WORLD_QUEUE = 32 };
typedef struct world_crossing {
    lope_link link;
    int number;             // in lope_floors_links; -1: it is gone
    int user;               // slot of the character on it or about to be; -1: none
    int queue[WORLD_QUEUE]; // slots of those that wait, first come first
    int waiting;
    int wanted;            // stretches that lead over it
    lope_climber *climber; // NULL: none, or not planned yet
    lope_ground approach;  // where to stand before it
    bool tried;            // to plan it
    bool asked, made;      // for a plan, which has been made,
    unsigned due;          // and is known from this step on:
    lope_climber *made_climber;
    char made_why[96];
    double closed_until; // seconds of the world's time for which nobody plans to take it
    char why[96];        // it cannot be taken; empty: it can
} world_crossing;

enum { WORLD_MOST_JOINTS = 512 }; // that poses on the stack have

// What is needed off plain walking.
typedef struct world_outfit {
    lope_handover *handover;
    lope_gait_carrier gait; // NULL gait where the moves have no rings
    lope_use *use;          // the thing that it uses or is about to; lies in `use_memory`
    void *use_memory;       // NULL where the moves have no blocks
    float since;            // seconds since the last hand-over
    bool taken;
    float holds[LOPE_CONTACT_COUNT]; // how firmly parts hold, for bodies with another skeleton
} world_outfit;

// The controller that is to take over.
typedef struct world_next {
    const lope_controller *controller; // NULL: nothing is due
    void *self;
    lope_aim aim;
    world_carrier by;
    int stretch;  // of the way, from which on it goes; the count of them: none
    float accept; // metres: how badly it may fit by now; INFINITY: take it as it is
    bool done;    // it has taken over in this step
} world_next;

typedef struct world_task {
    lope_task kind;
    lope_destination places[LOPE_MAX_PLACES];
    int place_count, place;
    lope_part_id part;
    lope_character_id other;
    float seconds; // that are left
    bool begun;    // to use, talk, wait
    int followed;  // times that somebody to talk to had gone on
    lope_vec2 stick;
    lope_pace pace;
} world_task;

// A talk that goes on. Somebody who sits has it beside its task.
typedef struct world_talk {
    lope_character_id other; // all zero: it talks to nobody
    float seconds;           // that are left
    float turning, waited;   // seconds: to face the other, for gestures to begin
    bool called;             // the other answers
    bool sent, turned;       // was told to face the other; faces it
    bool plain;              // without gestures: the moves have none
} world_talk;

typedef struct world_errands world_errands;

typedef struct world_body {
    lope_world *world;
    world_errands *errands; // NULL: none; its own
    int slot;
    uint32_t generation;
    bool alive, posed;
    lope_member_id member; // of the crowd
    lope_walker *walker;   // its own
    lope_vec2 place;       // where it is, after the last step
    float height;          // of the ground that it walks on, metres
    lope_character_state_kind state;
    world_carrier carrier;
    world_outfit *outfit; // NULL: walks, and nothing is left of a hand-over
    world_way way;
    bool lost;           // needs a new way
    bool disturbed;      // by a change of the level: has to leave where it is or goes
    bool fresh;          // what carries it began before its way did
    bool waits;          // stands in a queue
    bool aims;           // its gait is told where to go as it is carried
    bool goes;           // to where the link ahead begins, which it has been given
    bool ready;          // knows how to use the thing ahead, which it has been given
    int on;              // lope_link_kind that it is on; -1: none
    int crossing;        // that it is on or has been given; -1: none
    int queued;          // crossing in whose queue it is; -1: none
    float along;         // metres of the stretch that are behind it
    bool sent, straight; // the walker has been sent to `sent_to`; by itself, not by the crowd
    lope_destination sent_to;
    bool slim;           // squeezes through
    bool turns;          // to face the link ahead, where that begins
    bool turning;        // a walker turns on the spot to where a gait is to go
    float turned;        // for so many seconds
    float near_link;     // seconds for which it has been near where a link begins
    bool moved;          // the crowd goes to a place beside it
    float nearest;       // seconds or metres that were left at best
    float stuck;         // seconds since then
    bool overdue;        // has been stuck for so long that it was to go another way
    float stood;         // seconds for which it has stood before a crossing
    float waited;        // seconds for which another controller should have taken over
    float sets_off;      // seconds for which it may go by itself after a link, not by the crowd
    float still;         // seconds for which it has been about
    lope_vec3 still_at;  // this place
    int retries;         // ways tried since it last came nearer
    lope_vec2 driven_to; // where the walker was sent under the thumb; NAN: nowhere
    // what is asked for less often
    world_task task;
    world_talk talk;
    world_next next;
    lope_traveller who;
    const lope_retarget *onto; // NULL: it has the skeleton of the moves
    world_limbs limbs;
} world_body;

struct lope_world {
    lope_world_def def;
    lope_floors *floors;
    uint64_t level_changes; // of the level when floors were last made right
    list routers;           // world_router_of: one for each kind of body
    lope_path_finder *finder;
    lope_crowd *crowd;
    world_limb_rig limb_rig;
    double time;
    float dt;
    list bodies;                           // world_body *, by slot
    list free_slots;                       // int
    list alive;                            // int: slots of everybody, in order
    list by_member;                        // int: slot of the character that is the crowd's member in a slot
    list outfits;                          // world_outfit *
    list crossings;                        // world_crossing
    world_way draft;                       // that is being planned
    list line;                             // scratch of planning
    bool narrow;                           // the same: somewhere it is too narrow for the body
    list straight;                         // the same
    list marks;                            // the same
    list uneven;                           // int: numbers of stairs, slopes and rubble
    list stairs;                           // int: numbers of stairs that are straight
    list closed;                           // int: numbers of links that routes must not take
    list errand_floors;                    // lope_floor_extent: where people with errands go
    list errand_things;                    // int: links that they use
    uint64_t floors_listed, things_listed; // changes of the level when they were found; of things one more
    bool stepping;                         // what is told now is told by the world
    list events;                           // lope_event
    int asked;                             // climbs that are asked for
    unsigned last_due;                     // when the last of them is due
    int looks_left;                        // at the ground, for new ways that are found in this step
    unsigned steps;                        // that were made
};

// world.c
world_body *world_body_of(const lope_world *world, lope_character_id id); // NULL: it is gone
lope_character_id world_id_of(const world_body *body);
// The router for that kind of body; NULL: no memory.
lope_level_router *world_router(lope_world *world, const lope_traveller *who, lope_error *error);
// Others within `reach` metres (up to 4) on about the same height, nearest first; returns how many.
int world_near(const world_body *body, float reach, world_body **out, int capacity);
static inline world_body *world_at(const lope_world *world, int slot)
{
    return ((world_body **)world->bodies.items)[slot];
}
static inline world_crossing *world_crossing_at(const lope_world *world, int index)
{
    return (world_crossing *)world->crossings.items + index;
}
// The space of the floor within so many metres above or below a place; NULL: there is no floor.
const lope_space *world_space_at(const lope_world *world, lope_vec3 at, float within);
static inline float world_distance(lope_vec3 a, lope_vec3 b) // in plan
{
    float x = b.x - a.x, z = b.z - a.z;
    return sqrtf(x * x + z * z);
}
static inline float world_yaw(lope_vec3 from, lope_vec3 to)
{
    return (float)lope_atan2((double)(to.x - from.x), (double)(to.z - from.z));
}

// walk.c: plain walking. The controller's self is the body; it is advanced with the crowd, not by the hand-over.
lope_status world_walk_init(world_body *body, lope_ground at, lope_error *error);
const lope_controller *world_walk_controller(void);
// Goes to the end of the stretch; and straight to a place. Calling it in every step is fine.
void world_walk_on(world_body *body, const lope_destination *end);
void world_walk_straight(world_body *body,
                         const lope_destination *to); // also close to walls, which the crowd keeps off
// Makes itself as slim as it can be, or no more.
void world_walk_slim(world_body *body, bool slim);
bool world_walk_arrived(const world_body *body, const lope_destination *end);
void world_walk_stop(world_body *body);
bool world_walk_stands(const world_body *body);
// Tells the crowd where somebody is that something else carries; and gives it back to the crowd.
void world_walk_carry(world_body *body);
void world_walk_release(world_body *body);

// way.c: finds a way for a body from where it is, or will be, to a place, and over a link from there (-1: none).
// Replaces its way where one is found.
lope_status world_way_find(world_body *body, lope_vec3 to, int link, lope_error *error);
// The straight way between two places, whatever is on it, walked and by a gait; false: no memory, and nothing changes.
bool world_way_straight(world_body *body, lope_vec3 from, lope_vec3 to);
void world_way_clear(world_body *body);
// The place on a stretch that many metres from its beginning.
lope_vec3 world_way_at(const world_body *body, const world_stretch *stretch, float along);
// Moves body->along to the place of the stretch that is nearest to where it is, not backwards.
void world_way_follow(world_body *body, lope_vec3 place);
world_stretch *world_way_now(const world_body *body); // NULL: the way is at its end
world_stretch *world_way_next(const world_body *body);
// Metres of the whole way that are left.
float world_way_left(const world_body *body);

// The line of a way while it is planned: its points; the piece from one to the next is `rough` where a link says so.
typedef struct world_line_point {
    lope_vec3 at;
    bool rough;
} world_line_point;
// A look at the ground along the line.
typedef struct world_look {
    lope_vec3 at;
    float along;
    bool rough;
    bool narrow; // less room than the body has
    bool corner; // a point of the line
} world_look;
bool world_line_add(lope_world *world, lope_vec3 at, bool rough); // false: no memory
// The way on a floor between two places, as wide as there is room. False: none.
bool world_path_find(const world_body *body, int floor, lope_vec3 from, lope_vec3 to, lope_path *path);
// Adds that way to the line.
bool world_line_walk(world_body *body, int floor, lope_vec3 from, lope_vec3 to, lope_error *error);

// stairs.c: the way over stairs, a slope or rubble that is a link of the route, to the right of its middle; false: it
// is none of these. And adds it to the line.
bool world_link_way(const world_body *body, int link, lope_link_way *out);
bool world_line_over(lope_world *world, const lope_link_way *way); // false: no memory
// Leads the line straight over stairs on floors, from what was seen along it. False: it is as it was.
bool world_stairs_straighten(world_body *body);
bool world_stairs_list(lope_world *world); // after the floors have changed; false: no memory
// The kind of link that a way over uneven ground goes over, by its middle and direction; -1: none that is known.
int world_uneven_kind(const lope_world *world, lope_vec3 middle, lope_vec2 way);

// crossings.c
int world_crossing_find(lope_world *world, int link, lope_error *error); // -1: no memory
// Whether the body may go onto it now; otherwise it queues.
bool world_crossing_ask(world_body *body, int index);
void world_crossing_leave(world_body *body);
// Somebody that did not get onto it lets the first of those go that wait, and comes next.
void world_crossing_yield(world_body *body, int index);
int world_crossing_rank(const world_body *body);             // in the queue; -1
int world_crossing_user(const lope_world *world, int index); // slot of the one on it, there or back; -1: it is free
// Asks for its climb, where it needs one; looks at it again after a change of the level.
void world_crossing_want(lope_world *world, int index);
void world_crossing_doubt(lope_world *world, world_crossing *crossing);
// Makes known what is due in this step.
void world_crossings_step(lope_world *world);
// Whether it is known how to cross it: asks for the climb where that is not done yet.
bool world_crossing_ready(lope_world *world, int index);
// Prepares the body to go onto it, once it may: where to stand before it. False: it cannot, and the crossing says why.
bool world_crossing_prepare(world_body *body, int index);
bool world_is_thing(lope_link_kind kind); // ladder, slide, seat
void world_crossings_destroy(lope_world *world);
void world_crossings_renumber(lope_world *world);
// The controller of the crossing.
const lope_controller *world_crossing_controller(const world_body *body, int index, void **self);

// legs.c: what carries a body along its way, one step at a time
void world_legs_decide(world_body *body);
void world_legs_carry(world_body *body);
bool world_dress(world_body *body); // takes an outfit; false: no memory
void world_begin_way(world_body *body);
void world_took_over(world_body *body); // notes what has been handed over in the last step
void world_outfits_destroy(lope_world *world);
void world_want_to_stand(world_body *body, int stretch, float accept); // back to walking although no way leads on
lope_vec3 world_place(const world_body *body);
lope_ground world_ground(const world_body *body);
// Asks for what carries that stretch to take over as soon as it fits within `accept` metres; and for nothing.
void world_want(world_body *body, int stretch, float accept);
void world_forget_next(world_body *body);
void world_see_others(const world_body *body); // its gait keeps away from them

// approach.c: to where a link begins, walking, by a gait, and where somebody is there already
void world_walk_to_link(world_body *body, const world_stretch *next);
void world_gait_to_link(world_body *body, const world_stretch *next);
void world_begin_with_link(world_body *body, const world_stretch *s);
// Metres of its stretch that are left to somebody on level ground with a link at its end; INFINITY elsewhere.
float world_left_to_link(const world_body *body);
float world_facing_to_link(const world_body *body); // which way somebody turns on the spot before it comes there
float world_room_at(const world_body *body, lope_vec3 at, float most); // metres to the nearest wall or edge
// Whether somebody is on the way to a place; bodies that stand at the same place do not count.
bool world_is_somebody_before(const world_body *body, lope_vec3 to);

// tasks.c
lope_destination world_task_end(const world_body *body); // of its way; a place of NAN: the last point
void world_tasks_decide(world_body *body);      // when the way is at its end, or the task asks for something else
bool world_task_up(world_body *body, int next); // off what it used, before stretch `next`: true if the task is done
void world_give_up(world_body *body, lope_status status, const char *why);
bool world_plan(world_body *body, lope_error *error); // for the task, from where it is

void world_begin_task(world_body *body, const world_task *task);
lope_status world_fail_gone(lope_error *error);
lope_status world_go(world_body *body, world_task *task, lope_error *error); // begins a task of places

// talk.c
bool world_talk_near(world_body *body); // true: it has come near enough to somebody to talk to, and stops
void world_talk_arrive(world_body *body);
bool world_talk_step(world_body *body); // true: it talks, or has just stopped to
void world_talk_end(world_body *body);
bool world_talk_carry(world_body *body); // true: gestures carry it, or are about to, or end

// errands.c
void world_errands_next(world_body *body);    // somebody with errands has nothing to do
bool world_errands_pause(world_body *body);   // for somebody who has come to talk; false: it is busy
void world_errands_talked(world_body *body);  // a talk has ended
void world_errands_give_up(world_body *body); // what it was to do cannot be done
void world_errands_drop(world_body *body);

// use.c: the way to a thing and onto it
lope_status world_use_find(world_body *body, lope_part_id part, lope_error *error);

// drive.c: one step under the thumb
void world_drive(world_body *body);
float world_gait_speed(const world_body *body); // metres per second that its gait is to go

// events.c
// `link` is a lope_link_kind, -1: none.
void world_event(world_body *body, lope_event_kind kind, int link, lope_status status, const char *text);

// changes.c
void world_see_changes(lope_world *world, lope_jobs *jobs);

#endif
