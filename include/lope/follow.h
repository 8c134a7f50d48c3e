// SPDX-License-Identifier: MIT
// Following a path with motion maps: a walk over steps of a graph that stays by the path, keeps clear of obstacles and
// ends at a place, facing a way (Mahmudi & Kallmann 2012, and beyond).
//
// A search is one object for each character. It goes on in pieces of as much work as the caller has time for; what it
// has found so far can be played while it goes on. Searches read the maps only: as many as there are may run at once.
#ifndef LOPE_FOLLOW_H
#define LOPE_FOLLOW_H

#include "lope/maps.h"
#include "lope/paths.h"

#ifdef __cplusplus
extern "C" {
#endif

// Steps are bent and stretched a little so that a walk arrives exactly: by `turn` radians in all, evenly over the step,
// and by `stride` as a share of its length. This is where a place of a step (seen from its first frame, `share` of the
// way through it, 0 to 1) comes to lie then.
LOPE_API lope_ground lope_step_bend(lope_ground place, float share, float turn, float stride);

typedef struct lope_walk_step {
    int32_t step, edge;  // of the graph; the edge it was entered by, -1: the walk begins with it
    lope_ground at, end; // its first and last frame in the world, bent and stretched
    float turn, stride;  // how; see lope_step_bend
    float along;         // metres of the path that lie behind at its end
    int32_t stage;       // which map it was found in, counted along the walk: 0 is the step that the walk begins with
} lope_walk_step;

// Whether a disc may sweep from one point to another. Called often, from the thread that searches. *hint begins as 0
// and stays with the search: whatever helps to answer the next question.
typedef struct lope_follow_world {
    bool (*free)(const void *user, lope_vec2 from, lope_vec2 to, float radius, int *hint);
    const void *user;
} lope_follow_world;

// Discs among the obstacles of a space, which must outlive what is made from it and not change while a search runs.
LOPE_API lope_follow_world lope_follow_in_space(const lope_space *space);

// Parts of the search as published (Mahmudi & Kallmann 2012, algorithm 2), each in place of what Lope does there.
enum {
    // A point of the path asks its own cell of the map, and so does the goal. Lope: also the heading beside it, then
    // the
    // cells around it, then the whole map for a start askew; 25 cells and three headings around the goal.
    LOPE_FOLLOW_PUBLISHED_CELLS = 1,
    // Walks are sorted by equation 5 over all their places, at metres walked, and looked for as far as the map reaches
    // in
    // the mean. Lope: area between path and ends of steps, plus how far it faces elsewhere, 1.3 times as far.
    LOPE_FOLLOW_PUBLISHED_ORDER = 2,
    // Every walk that was found is tried before a stage is given up, and one that has become longer than the path is
    // given up. Lope: 24 walks a stage; places and steps that failed once are not tried again.
    LOPE_FOLLOW_PUBLISHED_STACK = 4,
    // A search that would have to take back what is played fails. Lope: it plans again from there.
    LOPE_FOLLOW_PUBLISHED_PLAY = 8,
    LOPE_FOLLOW_PUBLISHED = 15
};

typedef struct lope_follow lope_follow;

// A walk of a map that could go on from the walk found so far, for a sorting function.
typedef struct lope_follow_choice {
    const lope_follow *search;
    int count;               // of its steps
    const uint32_t *edges;   // of the graph, that each is entered by
    const lope_ground *ends; // last frame of each, in the world
    const float *lengths;    // metres from the beginning of the choice to each of these
    float walked;            // metres of the walk before it on this path
    float along;             // metres of the path that lie behind that walk
    float usual;             // what Lope makes of it
} lope_follow_choice;

// The sorting function of the search: the smaller the value, the sooner a walk is tried; INFINITY: never. It is called
// for every walk of a map that ends by the path, from the thread that searches, and must always say the same of the
// same.
typedef float (*lope_follow_sort)(const void *user, const lope_follow_choice *choice);

typedef struct lope_follow_def {
    float corridor;        // metres that the hips may be off the path
    float turn, stride;    // bounds of bending and stretching one step: radians, share; 0: none
    float goal_distance;   // metres off the goal that are still an arrival
    float goal_turn;       // radians off
    float touch;           // metres that the discs of the body may overlap an obstacle
    bool start_standing;   // begin with a step that starts from standing, where the graph has one
    bool stop;             // end with a step that stops, where the graph has one
    int work;              // budget of a whole search, in maps asked and walks tried; then it is partial
    unsigned published;    // LOPE_FOLLOW_PUBLISHED_...; 0: none
    lope_follow_sort sort; // NULL: as Lope does, or as published
    const void *sort_user; // handed to it; outlives the search
} lope_follow_def;

// Corridor 0.5 m; bends of 5 degrees, stretches of 5 %; arrival within 1 cm and 1 degree; touching by 2 cm.
LOPE_API lope_follow_def lope_follow_def_default(void);
// The search as published: no corridor, no edits, arrival in the cell of the goal (14 cm, 30 degrees), no touching.
LOPE_API lope_follow_def lope_follow_def_published(void);

typedef struct lope_follow_query {
    const lope_vec2 *path; // from start to goal, copied; at least two points that differ
    int path_count;
    float clearance;         // metres around the path that are known to be free; 0: not known
    lope_ground start;       // first frame of the walk
    int step;                // the step to begin with, -1: whichever suits
    float goal_yaw;          // facing at the goal
    bool any_goal_yaw;       // no matter which
    lope_follow_world world; // `free` NULL: nothing in the way
} lope_follow_query;

// A query along a path, facing along it at both ends, beginning with any step.
LOPE_API lope_follow_query lope_follow_query_along(const lope_vec2 *path, int count, float clearance);

typedef enum lope_follow_state {
    LOPE_FOLLOW_IDLE,      // nothing was asked for yet
    LOPE_FOLLOW_SEARCHING, // goes on when there is time
    LOPE_FOLLOW_ARRIVED,   // the walk leads to the goal
    LOPE_FOLLOW_PARTIAL    // no walk does, or the budget ran out: the walk is the one that got furthest
} lope_follow_state;

LOPE_API lope_status lope_follow_create(const lope_maps *maps, const lope_follow_def *def, lope_follow **out,
                                        lope_error *error);
LOPE_API void lope_follow_destroy(lope_follow *follow);

// Begins a search, ending the one before. Allocates only where this one is larger than all before. LOPE_BAD_DATA: a
// path of one point, numbers that are not finite, no such step.
LOPE_API lope_status lope_follow_start(lope_follow *follow, const lope_follow_query *query, lope_error *error);
// Goes on until `work` maps were asked and walks tried, or some more; one takes some 10 microseconds. Where no memory
// is left, the search is partial. The outcome of a search does not depend on how it is cut into pieces.
LOPE_API lope_follow_state lope_follow_advance(lope_follow *follow, int work);
// All at once: LOPE_OK, or LOPE_PARTIAL with a walk that does not arrive, or what lope_follow_start says.
LOPE_API lope_status lope_follow_path(lope_follow *follow, const lope_follow_query *query, lope_error *error);

LOPE_API lope_follow_state lope_follow_now(const lope_follow *follow);
// The walk so far. While a search goes on, steps from lope_follow_played on may still change.
LOPE_API int lope_follow_count(const lope_follow *follow);
LOPE_API lope_walk_step lope_follow_step(const lope_follow *follow, int index);

// Says that the first `count` steps of the walk are played, or have begun to: they stay. A search that would take one
// of them back plans again from the end of the last one instead.
LOPE_API void lope_follow_play(lope_follow *follow, int count);
LOPE_API int lope_follow_played(const lope_follow *follow);
// Forgets the walk and begins another whose first step is being played already, bent and stretched as it is (step, at,
// turn and stride are read): for somebody who has entered a player in the middle of a step. lope_follow_again then goes
// on from its end. LOPE_BAD_DATA where there is no such step or the place is not finite.
LOPE_API lope_status lope_follow_join(lope_follow *follow, const lope_walk_step *first, lope_error *error);
// Another path, from the end of what is played (or its start, where nothing is) to the same or another goal. `start`
// and `step` of the query mean nothing then; the played steps stay, and the walk goes on from them without a jump.
LOPE_API lope_status lope_follow_again(lope_follow *follow, const lope_follow_query *query, lope_error *error);
// The same for walks that go on and on: of the played steps it keeps the last one only, which becomes number 0.
LOPE_API lope_status lope_follow_go_on(lope_follow *follow, const lope_follow_query *query, lope_error *error);
// Whether the walk from the first step that is not played on keeps clear of a world; for worlds that change.
LOPE_API bool lope_follow_clear(const lope_follow *follow, const lope_follow_world *world);

typedef struct lope_follow_report {
    int stages;        // times that a map was asked
    int tried;         // walks of maps that were placed and checked
    int backtracks;    // stages that were given up
    int again;         // how often played steps made it plan again
    float length;      // metres walked, with joins
    float path_length; // of the path that was asked for
    float miss, turn;  // of the end from the goal: metres and radians
    float deviation;   // furthest of the hips from the path
} lope_follow_report;
LOPE_API lope_follow_report lope_follow_about(const lope_follow *follow);
// Where the path that is followed leads after so many metres, facing along it; its ends beyond them.
LOPE_API lope_ground lope_follow_ahead(const lope_follow *follow, float along);

#ifdef __cplusplus
}
#endif
#endif
