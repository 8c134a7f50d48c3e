// SPDX-License-Identifier: MIT
// Tells the people of a world of blocks what to do: go there, sit there, idle, chat with somebody, roam.
//
//   lope_people_create(&def, &people, &error);              // over a world of blocks
//   lope_people_spawn(people, somewhere, &who, &error);
//   lope_person_sit(people, who, chair, 60.0f, &error);      // waits in line where somebody else sits there
//   for (;;) {
//       lope_people_step(people, 1.0f / 30, jobs);
//       lope_people_poses(people, joints_in_world, jobs);
//   }
//
// People keep apart by reserving where their bodies will be. A seat is used by one at a time: a person that wants it
// while it is taken waits near it, first come, first served.
#ifndef LOPE_PEOPLE_H
#define LOPE_PEOPLE_H

#include "lope/block_world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_people lope_people;

typedef struct lope_people_def {
    lope_block_world *world; // must outlive the people; searching for ways uses memory of its own
    int capacity;            // most people there can be
    float body_radius;       // metres that others keep away from hips, each
    uint64_t seed;           // for the random ways of roaming people
} lope_people_def;
LOPE_API lope_people_def lope_people_def_default(void);

LOPE_API lope_status lope_people_create(const lope_people_def *def, lope_people **out, lope_error *error);
LOPE_API void lope_people_destroy(lope_people *people);
// After lope_block_world_update: seats and places to stand are looked up again, everybody finds a way from the living
// node nearest to where it is, and what it was told is tried again. lope_people_step, lope_people_spawn and commands do
// this by themselves; call it to choose the moment, or to learn of LOPE_NO_MEMORY. LOPE_MISMATCH where the world needs
// an update: it never had one, got floors since, or its last one failed. Until then nobody moves, and commands fail.
LOPE_API lope_status lope_people_update(lope_people *people, lope_error *error);

// Puts somebody at the free gate nearest to a place; people are numbered from 0. LOPE_NOT_FOUND where there is none.
LOPE_API lope_status lope_people_spawn(lope_people *people, lope_spot near, int *person, lope_error *error);
LOPE_API void lope_people_remove(lope_people *people, int person);
LOPE_API int lope_people_count(const lope_people *people); // that were spawned, with those removed

// Commands. Each replaces the one before. `seconds`: how long to stay there (INFINITY: until told otherwise); then one
// roams. LOPE_NOT_FOUND where no way leads there: the person then goes on as before.

// To the place to stand nearest to `goal`, which is kept for it.
LOPE_API lope_status lope_person_go(lope_people *people, int person, lope_spot goal, float seconds, lope_error *error);
// The same near to where it is.
LOPE_API lope_status lope_person_idle(lope_people *people, int person, float seconds, lope_error *error);
// Onto a seat: an object of the world that people can stay on; -1: the nearest free one, or the one with the shortest
// line.
LOPE_API lope_status lope_person_sit(lope_people *people, int person, int object, float seconds, lope_error *error);
// Both go to a place where they can face each other, and talk.
LOPE_API lope_status lope_person_chat(lope_people *people, int person, int other, float seconds, lope_error *error);
LOPE_API void lope_person_roam(lope_people *people, int person);

typedef enum lope_person_state {
    LOPE_PERSON_GONE,     // was removed
    LOPE_PERSON_ROAMING,  // told nothing, or done
    LOPE_PERSON_GOING,    // on its way
    LOPE_PERSON_QUEUEING, // its seat is taken: goes to wait or waits
    LOPE_PERSON_STANDING, // where it was sent
    LOPE_PERSON_SITTING,
    LOPE_PERSON_CHATTING
} lope_person_state;
LOPE_API lope_person_state lope_person_state_of(const lope_people *people, int person);
LOPE_API lope_spot lope_person_place(const lope_people *people, int person); // of the hips
LOPE_API uint16_t lope_person_contacts(const lope_people *people, int person);
LOPE_API lope_block_step lope_person_step(const lope_people *people, int person); // that it plays
// The clip of that step in the set of the blocks, and the time in it, seconds.
LOPE_API int lope_person_clip(const lope_people *people, int person, double *time);

// Seats: objects with a block whose motion stays there.
LOPE_API int lope_people_seat_count(const lope_people *people);
LOPE_API int lope_people_seat(const lope_people *people, int index);        // object of the world
LOPE_API int lope_people_seat_owner(const lope_people *people, int object); // person that has it; -1: nobody
LOPE_API int lope_people_seat_line(const lope_people *people, int object);  // how many wait for it

// Everybody goes on by dt seconds. The same for any number of threads; allocates nothing once ways were searched for.
LOPE_API void lope_people_step(lope_people *people, float dt, lope_jobs *jobs);
// Joints in the world: models[person * joint_count]. Those removed are skipped.
LOPE_API void lope_people_poses(lope_people *people, lope_transform *models, lope_jobs *jobs);
LOPE_API void lope_person_pose(lope_people *people, int person, lope_pose *pose, lope_transform *model);

// How far bodies reach into things and into each other; bodies are balls of 3 to 9 cm along their bones, hands and feet
// count without thickness. `models` as lope_people_poses has them.
typedef struct lope_people_overlap {
    float in_things, in_used;   // deepest (metres): in what somebody does not use, in what it stands, sits or climbs on
    float in_people;            // the same in somebody else
    int person_in_thing, thing; // the person and the object; -1: none
    int pairs;                  // that overlap by more than 2 cm
} lope_people_overlap;
LOPE_API void lope_people_overlap_of(const lope_people *people, const lope_transform *models, lope_people_overlap *out);

typedef struct lope_people_counts {
    int64_t decisions;   // steps chosen
    int64_t forced;      // of them into somebody's place
    int64_t sittings;    // that began
    int64_t chats;       // that began
    int64_t waits;       // times somebody had to wait in line
    int64_t lost;        // times nothing led on and somebody was put back onto a living gate nearby
    float longest_stuck; // seconds that somebody on its way waited and came on by less than half a metre, not in line
    float longest_queue; // seconds that somebody waited for stairs, a ladder or a slide
    float longest_way;   // seconds that somebody was on its way to where it was told
} lope_people_counts;
LOPE_API lope_people_counts lope_people_counts_of(const lope_people *people);
LOPE_API uint64_t lope_people_hash(const lope_people *people);

// Errands keep people busy. A person with nothing to do is sent to a place, onto a seat, to stand for a while,
// to talk to somebody.
//
//   lope_people_errands errands;
//   lope_people_errands_begin(&def, &errands, &error);              // def.people = people
//   lope_people_errands_spawn(&errands, &who, &error);              // as often as people are wanted
//   for (;;) {
//       lope_people_errands_update(&errands, 1.0f / 30);
//       lope_people_step(people, 1.0f / 30, jobs);
//   }
typedef struct lope_people_errands_def {
    lope_people *people;         // must outlive the errands
    float sit, go, idle, chat;   // how often each is given, as shares of their sum; 0: never
    float stay_least, stay_most; // seconds that one stays there, more than 0
    uint64_t seed;               // of places, seats, others and times
} lope_people_errands_def;
LOPE_API lope_people_errands_def lope_people_errands_def_default(void); // half on seats; 10 to 60 s

// Owned by the caller, who may copy it; nothing of it needs to be freed. Fields below `def` are for the functions here.
typedef struct lope_people_errands {
    lope_people_errands_def def;
    uint64_t random;
    int next;  // person that is asked next
    float due; // people who should have been asked by now
} lope_people_errands;
LOPE_API lope_status lope_people_errands_begin(const lope_people_errands_def *def, lope_people_errands *out,
                                               lope_error *error);

// A place on any floor, on small ones as often as on large ones, so that stairs and ladders are used. It may be within
// something.
LOPE_API lope_spot lope_people_errands_place(lope_people_errands *errands);
// Puts somebody near such a place. LOPE_NOT_FOUND where there is no room left.
LOPE_API lope_status lope_people_errands_spawn(lope_people_errands *errands, int *person, lope_error *error);
// Tells somebody something new, whatever it does. Where there are no seats, it goes somewhere instead of sitting. False
// where that cannot be done now, e.g. nobody is free to talk: the person then goes on as before.
LOPE_API bool lope_people_errands_give(lope_people_errands *errands, int person);
// Before each lope_people_step, by the same time: asks people in turn, each about once a second, whether they have
// nothing to do, and gives those an errand. Allocates nothing.
LOPE_API void lope_people_errands_update(lope_people_errands *errands, float dt);

#ifdef __cplusplus
}
#endif
#endif
