// SPDX-License-Identifier: MIT
// One world: a level, moves, characters and time. Any character goes anywhere in the level that its body allows, and
// whichever motion suits the ground carries it: walking, a gait on stairs and rubble, climbs, the use of things.
//
//   lope_world_def def = lope_world_def_default();
//   def.level = level;
//   def.moves = moves;
//   lope_world_create(&def, jobs, &world, &error);
//   lope_character_def somebody = lope_character_def_default();
//   somebody.place = lope_v3(1, 0, 2);
//   lope_world_spawn(world, &somebody, &id, &error);
//   lope_destination there = lope_destination_at(lope_v3(12, 3.1f, -4));
//   lope_character_go_to(world, id, &there, &error);
//   while (lope_character_state(world, id) != LOPE_CHARACTER_IDLE) {
//       lope_world_step(world, 1.0f / 60, jobs);
//       lope_world_poses(world, &id, 1, joints);
//       draw(joints);
//   }
//
// A world is used by one thread at a time; lope_world_step spreads its work over the jobs it is given and gives the
// same bits for any number of threads. Level and moves are shared, and must outlive the world. The level may change
// between steps (lope_level_add, _move, _remove): the next step sees it.
//
// What allocates: creating, spawning, giving a task, and lope_world_work. A step allocates where a way has to be
// planned anew, where a climb is due that nobody has planned, where more characters than ever are off walking at once,
// and where the level has changed; otherwise nothing.
#ifndef LOPE_WORLD_H
#define LOPE_WORLD_H

#include "lope/controller.h"
#include "lope/jobs.h"
#include "lope/level_route.h"
#include "lope/moves.h"
#include "lope/retarget.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_world lope_world;

typedef struct lope_world_def {
    const lope_level *level;
    const lope_moves *moves;
    lope_floors_def floors; // the body that floors and links are found for
    uint64_t seed;
    int capacity; // characters there is room for at first; spawning makes more room where needed
} lope_world_def;
LOPE_API lope_world_def lope_world_def_default(void);
// Finds floors and links, which takes as long as lope_floors_create. LOPE_MISMATCH where the moves are not all of one
// skeleton.
LOPE_API lope_status lope_world_create(const lope_world_def *def, lope_jobs *jobs, lope_world **out, lope_error *error);
// Characters go with it.
LOPE_API void lope_world_destroy(lope_world *world);
LOPE_API const lope_floors *lope_world_floors(const lope_world *world);
LOPE_API const lope_skeleton *lope_world_skeleton(const lope_world *world);

// ---- characters

// Names a character. Ids are never used twice, so one that is gone is recognised. All zero: nobody.
typedef struct lope_character_id {
    uint32_t index1, generation;
} lope_character_id;

typedef struct lope_character_def {
    lope_vec3 place;          // to stand at; the nearest free place within a metre is taken
    float facing;             // yaw; 0 is +Z
    lope_traveller traveller; // its body, and which links it takes
    bool posed;               // its pose is computed in every step; otherwise when lope_world_poses asks
    // NULL: its skeleton is that of the moves. Otherwise the plan's target, posed as the moves' body moves: made with
    // any_ground from the moves' skeleton. Must outlive the character.
    const lope_retarget *onto;
} lope_character_def;
LOPE_API lope_character_def lope_character_def_default(void);

// LOPE_MISMATCH where `onto` carries over from another skeleton than that of the moves, LOPE_UNSUPPORTED where that one
// has more than 512 joints.
// LOPE_NOT_FOUND where nobody can stand within a metre of the place; LOPE_PARTIAL where it stands beside it.
LOPE_API lope_status lope_world_spawn(lope_world *world, const lope_character_def *def, lope_character_id *out,
                                      lope_error *error);
// False where it is gone already.
LOPE_API bool lope_world_despawn(lope_world *world, lope_character_id id);
LOPE_API bool lope_world_has(const lope_world *world, lope_character_id id);
LOPE_API int lope_world_count(const lope_world *world);
// Everybody, in an order that depends only on the spawns and despawns so far.
LOPE_API lope_character_id lope_world_character(const lope_world *world, int index);

// ---- tasks. A new one replaces the one before; what cannot be left at once (a climb) is ended first. All of them:
// LOPE_NOT_FOUND where the character is gone, LOPE_BAD_DATA where a number is not finite; it then goes on as before.

typedef enum lope_task {
    LOPE_TASK_NONE,
    LOPE_TASK_GO,
    LOPE_TASK_USE,
    LOPE_TASK_TALK,
    LOPE_TASK_DRIVE,
    LOPE_TASK_WAIT
} lope_task;

typedef struct lope_destination {
    lope_vec3 place;
    float facing; // yaw in the end; NAN: any. Only where it stops
    bool stop;    // stand still there; otherwise pass it
} lope_destination;
// To stand there, facing anywhere.
LOPE_API lope_destination lope_destination_at(lope_vec3 place);

// Goes there by floors and links. LOPE_PARTIAL where nobody can stand there: it goes to the nearest place where one
// can, up to 5 m away. LOPE_NOT_FOUND where no way leads there for this body; the error says why.
LOPE_API lope_status lope_character_go_to(lope_world *world, lope_character_id id, const lope_destination *there,
                                          lope_error *error);
#define LOPE_MAX_PLACES 16
// The same by way of several places.
LOPE_API lope_status lope_character_follow(lope_world *world, lope_character_id id, const lope_destination *places,
                                           int count, lope_error *error);
// Goes to a thing and uses it: sits on a chair or bench for that many seconds (INFINITY: until told otherwise), climbs
// a ladder, goes down a slide. LOPE_NOT_FOUND where the part is gone or cannot be reached, LOPE_UNSUPPORTED where it is
// not of a kind that is used, or the moves have no motion for it.
LOPE_API lope_status lope_character_use(lope_world *world, lope_character_id id, lope_part_id part, float seconds,
                                        lope_error *error);
// Goes to somebody and talks for that many seconds, facing them, with gestures where the moves have some. The other
// answers if it has no task, or sits; its events say so. Somebody who sits near the other talks from its seat, which
// stays its task.
LOPE_API lope_status lope_character_talk(lope_world *world, lope_character_id id, lope_character_id other,
                                         float seconds, lope_error *error);
// How fast to go under the thumb.
typedef enum lope_pace { LOPE_PACE_WALK, LOPE_PACE_RUN } lope_pace;
// Goes in a direction (x and z of the world, up to length 1; zero: stands) until told otherwise. Call it as often as
// the stick moves. Stairs, slopes and rubble are taken by a gait, where the moves have one; walls and ledges hold it
// up.
LOPE_API lope_status lope_character_drive(lope_world *world, lope_character_id id, lope_vec2 stick, lope_pace pace,
                                          lope_error *error);
// Stands for that many seconds.
LOPE_API lope_status lope_character_wait(lope_world *world, lope_character_id id, float seconds, lope_error *error);
// One thing to do, as part of errands.
typedef struct lope_errand {
    lope_task task;          // LOPE_TASK_GO, LOPE_TASK_USE, LOPE_TASK_TALK or LOPE_TASK_WAIT
    lope_destination there;  // to go to
    lope_part_id part;       // to use
    lope_character_id other; // to talk to; all zero: anybody near that has time
    float seconds;           // to stay there
} lope_errand;

typedef struct lope_errands_def {
    const lope_errand *list;     // one after the other, and from the beginning again; copied
    int count;                   // 0: at random, from what the level has:
    float use, go, wait, talk;   // how often each is given, as shares of their sum; 0: never
    float stay_least, stay_most; // seconds that one stays there, more than 0
    uint64_t seed;               // characters with the same one do different things all the same
} lope_errands_def;
LOPE_API lope_errands_def lope_errands_def_default(void); // half on seats and slides; 10 to 60 s
// Is kept busy until it is told something else: each task ends with its own events, and the next one is begun by the
// step after. What cannot be done is passed over; of a list, *cannot* says why.
LOPE_API lope_status lope_character_errands(lope_world *world, lope_character_id id, const lope_errands_def *def,
                                            lope_error *error);
LOPE_API bool lope_character_has_errands(const lope_world *world, lope_character_id id);
// Comes to a stand and has no task.
LOPE_API void lope_character_stop(lope_world *world, lope_character_id id);

// ---- what they do. Of those that are gone: LOPE_CHARACTER_GONE, zeros, NULL.

typedef enum lope_character_state_kind {
    LOPE_CHARACTER_GONE,     // despawned, or never there
    LOPE_CHARACTER_IDLE,     // has no task
    LOPE_CHARACTER_GOING,    // on its way
    LOPE_CHARACTER_QUEUEING, // on its way, and waits for others before a link or thing
    LOPE_CHARACTER_CROSSING, // on a link
    LOPE_CHARACTER_BUSY      // uses, talks, waits, is driven
} lope_character_state_kind;
LOPE_API lope_character_state_kind lope_character_state(const lope_world *world, lope_character_id id);
LOPE_API lope_task lope_character_task(const lope_world *world, lope_character_id id);
// Where its hips are over the ground, at the height of the ground that carries it; and which way it faces.
LOPE_API lope_vec3 lope_character_place(const lope_world *world, lope_character_id id);
LOPE_API float lope_character_facing(const lope_world *world, lope_character_id id);
LOPE_API const lope_skeleton *lope_character_skeleton(const lope_world *world, lope_character_id id);
// What carries it now: the controller's name ("walker", "gait", "climb", ...) and the kind of link, -1: none.
typedef struct lope_character_carrier {
    const char *controller;
    int link;     // lope_link_kind, or -1
    bool settles; // the last hand-over has not faded yet
} lope_character_carrier;
LOPE_API lope_character_carrier lope_character_carrier_of(const lope_world *world, lope_character_id id);
// The pose and what touches after the last step, before arms and feet are kept out of solids (lope_world_poses). NULL
// while it plainly walks or stands: there is one only around gaits, climbs, things and gestures, until the last
// hand-over has faded.
LOPE_API const lope_moment *lope_character_moment(const lope_world *world, lope_character_id id);
// What touches, as lope_contact; and the clip of the mobility map's set that a walker plays, with the time in it
// (seconds; may be NULL), -1 where something else carries it.
LOPE_API uint16_t lope_character_contacts(const lope_world *world, lope_character_id id);
LOPE_API int lope_character_clip(const lope_world *world, lope_character_id id, double *time);
// Seconds for which it has been on its way without coming nearer to its goal.
LOPE_API float lope_character_stuck(const lope_world *world, lope_character_id id);

// ---- time

// Moves everybody by dt seconds, up to 0.1 at once (more: cut to that; not finite or negative: ignored).
LOPE_API void lope_world_step(lope_world *world, float dt, lope_jobs *jobs);

// Work that can be done ahead of time, between two steps: plans up to `most` climbs that characters will need soon,
// some 15 ms each, over the jobs. Returns how many are left. What is planned is known a fixed number of steps after it
// was asked for; what nobody has planned by then, the step plans itself. So the result is the same whether, when and on
// which thread this is called; only steps are shorter. Not while the world is stepped, changed or its level is.
LOPE_API int lope_world_work(lope_world *world, int most, lope_jobs *jobs);

typedef enum lope_event_kind {
    LOPE_EVENT_ARRIVED, // at the destination, or passed it; of several, at the last
    LOPE_EVENT_BEGAN,   // to cross a link, to use, to talk: `link`, `part`
    LOPE_EVENT_ENDED,   // what it began
    LOPE_EVENT_MOVED,   // the destination cannot be stood at: it goes to `place`
    LOPE_EVENT_CANNOT,  // gave the task up: `text` says why; it stands where it is
    LOPE_EVENT_KIND_COUNT
} lope_event_kind;
LOPE_API const char *lope_event_kind_name(lope_event_kind kind);

typedef struct lope_event {
    lope_character_id who;
    lope_event_kind kind;
    lope_task task;
    int link;           // lope_link_kind that is crossed or used; -1: none
    lope_part_id part;  // thing; all zero: none
    lope_vec3 place;    // of the character, or where it goes
    lope_status status; // why: LOPE_NOT_FOUND no way, LOPE_UNSUPPORTED no motion for it, LOPE_PARTIAL no progress
    char text[120];     // in words; empty where there is nothing to say
} lope_event;
// What happened in the last step and since, in the order of characters; valid until the next step.
LOPE_API const lope_event *lope_world_events(const lope_world *world, int *count);

// ---- bulk

// Poses of many: joints in the world, models[i * joint_count ...] of ids[i]. All have the skeleton of the first one
// that is there (lope_character_skeleton): call it once for each skeleton. Nothing is written for characters that are
// gone or have another. Shoulders, arms and swinging feet are moved out of the level's solids, smoothly from call to
// call: ask in every step for characters that are seen.
LOPE_API void lope_world_poses(lope_world *world, const lope_character_id *ids, int count, lope_transform *models);
// Skinning matrices of many, by rows, 3 x 4: joint in the world times inverse_bind[joint_count]. Which characters are
// written is as with lope_world_poses; none where their skeleton has more than 512 joints.
LOPE_API void lope_world_skins(lope_world *world, const lope_character_id *ids, int count,
                               const lope_transform *inverse_bind, float *matrices);
// Bytes of everything but level and moves.
LOPE_API size_t lope_world_memory(const lope_world *world);
// Of where everybody is and how they are posed: two worlds that went the same way have the same.
LOPE_API uint64_t lope_world_hash(const lope_world *world);

#ifdef __cplusplus
}
#endif
#endif
