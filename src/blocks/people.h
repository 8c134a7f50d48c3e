// SPDX-License-Identifier: MIT
// People in a world of blocks, from the inside.
#ifndef LOPE_SRC_BLOCKS_PEOPLE_H
#define LOPE_SRC_BLOCKS_PEOPLE_H

#include "blocks/world.h"
#include "lope/people.h"

// Reservations: a place every so often (seconds), for so many such times ahead.
#define PEOPLE_SECONDS 0.2f
#define PEOPLE_SLOTS 64
// Steps of a way that are kept at hand, and steps out of a node that are looked at.
#define PEOPLE_ROUTE 24
#define PEOPLE_CHOICES 256
// Steps that are reserved beyond the next one.
#define PEOPLE_SPARES 2
// How near something must be to be the same place (metres).
#define PEOPLE_SAME 0.3f

typedef enum person_task { TASK_ROAM, TASK_STAND, TASK_SIT, TASK_CHAT } person_task;

// Where somebody will be, slot by slot.
typedef struct people_trace {
    int64_t first, last;            // last < first: nowhere
    bool rests;                     // stays in its last place until it says otherwise
    lope_vec3 low, high;            // around all of it
    lope_vec3 places[PEOPLE_SLOTS]; // by slot modulo PEOPLE_SLOTS; height of what carries the body
} people_trace;

typedef struct person {
    bool alive;
    bool arrived;  // is where it should be
    bool in_line;  // goes to wait for its seat, or waits
    bool has_next; // step that comes after the one that is played
    bool on_stand; // its target is kept for it
    person_task task;
    int32_t target;  // node; -1: none
    lope_spot goal;  // where that is
    lope_spot wish;  // where it was sent
    float slack;     // metres around there that will do; 0: only the target
    int32_t seat;    // that it wants or has; -1: none
    int32_t leaving; // seat that it has until it is away from it; -1: none
    int32_t partner; // -1: none
    uint32_t ticket; // since when it waits
    int32_t passage; // that it is in or was let into, and the end it comes in by; -1: none
    int32_t passage_end;
    float passage_kept;         // seconds that it is kept while the person is not in it
    int32_t awaits, awaits_end; // passage that it waits for, at which end; -1: none
    double awaits_since;        // seconds; negative: it has not waited
    int32_t wait_node;          // where it waits; -1: nowhere
    lope_spot wait_at;          // the place of that
    float seconds;              // left to stay
    float patience;             // seconds until it looks for a way again
    int failures;               // to find one
    float tempo, next_tempo;
    float undecided;
    lope_block_player player;
    lope_block_step next;
    lope_spot end; // of the step that is played
    int32_t end_pose;
    int route_at, route_count;
    lope_block_step route[PEOPLE_ROUTE];
    people_trace held;
    lope_vec3 mark;
    float stuck;  // seconds since it was half a metre from `mark`, or did something that leads elsewhere
    float way;    // seconds that it has been on its way
    float hassle; // of them not waiting for a passage
    float queued; // seconds that it has waited for a passage
    uint64_t random;
} person;

typedef struct people_seat {
    int32_t object, node; // where one sits
    int32_t owner;        // person, -1: none
    lope_spot at;         // of the node
} people_seat;

typedef struct people_stand {
    int32_t node;
    lope_spot at;
} people_stand;

// What a junction has to do with a passage: it is inside, or at one of its two ends.
typedef struct people_door {
    int32_t passage; // -1: nothing
    int32_t end;     // nearer to
} people_door;

// Stairs, ladders, slides.
typedef struct people_passage {
    lope_spot ends[2];
    double since;  // when the first of those came who are in it
    bool single;   // only one at a time
    float cost[2]; // seconds that one must expect to wait at each end; set for each search
} people_passage;

// The least key first; keys may sink while they are in it.
typedef struct people_heap {
    int32_t *items, *at; // what is where; where an item is, -1: nowhere
    float *keys;         // of items
    int count;
} people_heap;

// Areas of the world, and what leads into each.
typedef struct people_area_edge {
    int32_t from;
    float seconds; // of the quickest step
} people_area_edge;

typedef struct people_areas {
    int count, of_tiles; // junctions come after those of tiles
    int32_t *first;      // [count + 1] of edges
    people_area_edge *edges;
    float *left;    // seconds that are left from there
    uint32_t *mark; // reached in search number ...
    uint32_t number;
    float beyond; // seconds that are left from areas that were not reached, at least
    people_heap heap;
} people_areas;

// Somebody who stays in a tile or reaches into it.
typedef struct people_rest {
    lope_vec3 at;
    int32_t next; // in the same tile; -1: none
} people_rest;
#define PEOPLE_RESTS 4 // tiles that a body is in, at most

// Memory of searches for ways; [nodes] each unless said otherwise.
typedef struct people_search {
    float *cost;
    int32_t *from;    // node before
    int16_t *ordinal; // of the step from there
    people_heap heap;
    uint32_t *mark; // reached in search number ...
    uint32_t number;
    int32_t *seat;       // [junctions] that it is in front of; -1: none
    people_door *doors;  // [junctions]
    int32_t *rest_first; // [tiles] who stays there or nearby; -1: nobody
    people_rest *rests;  // [PEOPLE_RESTS * capacity]
    int rest_count;
    uint8_t *reached; // can be come to from most places
    int64_t looked;   // steps from node to node and area to area that were looked at since the last time went on
} people_search;

// Those whose bodies will be somewhere in a box: looked up once for all that one of them considers.
typedef struct people_near {
    int32_t *list; // [capacity]
    int count;
    int who; // that asks; -1: look them up again
    lope_vec3 low, high;
} people_near;

struct lope_people {
    lope_people_def def;
    lope_block_world *world;
    uint32_t version; // version of the world that the numbers of nodes, seats and stands belong to
    person *persons;
    int count;
    char *memory; // of their players
    size_t memory_each;
    list seats;    // of people_seat
    list stands;   // of people_stand: where one can stand
    list passages; // of people_passage
    double now;    // seconds
    int64_t slot;
    uint32_t tickets;
    lope_block_step *steps; // [(PEOPLE_SPARES + 1) * PEOPLE_CHOICES]
    people_search search;
    people_areas areas;
    people_near near;
    lope_people_counts counts;
};

static inline people_seat *seat_at(const lope_people *p, int seat)
{
    return (people_seat *)p->seats.items + seat;
}

static inline const people_stand *stand_at(const lope_people *p, int stand)
{
    return (const people_stand *)p->stands.items + stand;
}

static inline people_passage *passage_at(const lope_people *p, int passage)
{
    return (people_passage *)p->passages.items + passage;
}

static inline float person_draw(person *who)
{
    who->random = who->random * 6364136223846793005u + 1442695040888963407u;
    return (float)(who->random >> 40) * (1.0f / 16777216.0f);
}

static inline lope_spot people_node_place(const lope_people *p, int node)
{
    int pose;
    return lope_block_node_place(p->world, node, &pose);
}

static inline float people_distance(lope_spot a, lope_spot b)
{
    return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static inline bool people_is_there(const lope_people *p, int who)
{
    return who >= 0 && who < p->count && p->persons[who].alive;
}

// The node that somebody comes to when it has played what is decided.
static inline int people_node_ahead(const person *who)
{
    return who->has_next ? who->next.to : who->player.step.to;
}

// people_reserve.c: where a step leads that begins in `delay` seconds; then, for `hold` seconds, its end is kept.
typedef struct people_plan {
    const lope_block_step *step;
    float delay, tempo, hold; // hold INFINITY: until it says otherwise
} people_plan;
void people_trace_of(const lope_people *p, const people_plan *plan, people_trace *out);
// How often that comes too near to somebody else; stops counting at `limit`.
int people_conflicts(lope_people *p, int who, const people_trace *trace, int limit);
// Adds it to what the person holds, which ends where this begins.
void people_reserve(lope_people *p, int who, const people_trace *trace);

// people_route.c: where to: a node, or (node -1) whatever `is_goal` says within `reach` metres of a place.
typedef struct people_goal people_goal;
struct people_goal {
    int node;
    lope_spot at;
    float reach;
    int seat;     // that may be used; -1: none
    int own_seat; // found by people_way
    bool (*is_goal)(const lope_people *p, int who, const people_goal *goal, int node);
};
lope_status people_search_create(lope_people *p, lope_error *error);
// Once places to stand are known: what can be come to from most of them.
void people_find_reached(lope_people *p);
void people_search_destroy(people_search *search);
// Steps from a node to the goal that is reached soonest; fills `room` of them. Returns how many there are, -1: no way.
int people_way(lope_people *p, int who, int from, const people_goal *goal, lope_block_step *steps, int room, int *end);

// people_area.c: all that leads from area to area; and, for a search, the seconds that are left from each area at
// least, as far as they are less than from that of a node. False where no way leads from there to the goal.
lope_status people_areas_create(lope_people *p, lope_error *error);
void people_areas_destroy(people_areas *areas);
int people_area_of(const lope_people *p, int node);
bool people_areas_search(lope_people *p, int from, const people_goal *goal);

// people_heap.c: puts an item in, or moves it up as its key has become less; takes the first one out.
void people_heap_raise(people_heap *heap, int item);
int people_heap_take(people_heap *heap);

// people_passage.c
lope_status people_find_passages(lope_people *p, lope_error *error);
bool people_is_inside(const lope_people *p, int node);
// Whether a node belongs to the passage that somebody was let into.
bool people_is_let_in(const lope_people *p, int who, int node);
// How long everybody but one has to expect to wait for each, and what of that a step to a node costs.
void people_note_passages(lope_people *p, int who);
float people_passage_cost(const lope_people *p, int node);
// Asks for the passage that the way leads into next; where that is refused, the person goes to wait. False where its
// way must be looked for again because it was let in.
bool people_pass(lope_people *p, int who, int node);
void people_passage_step(lope_people *p, int who, float dt);
// After an edit: the passage it is in, judged by where it is and how it faces.
void people_find_passage(lope_people *p, int who);

// people_decide.c
void people_decide(lope_people *p, int who);

// people_stand.c: all places to stand. One is free where nobody else keeps a place near to it.
lope_status people_find_stands(lope_people *p, lope_error *error);
bool people_stand_is_free(const lope_people *p, int who, lope_spot at);
bool people_is_free_stand(const lope_people *p, int who, const people_goal *goal, int node);
// The nearest one that is free and can be come to; -1: none.
int people_find_stand(const lope_people *p, int who, lope_spot near);
// Plans the way to the free place to stand that is reached soonest within some metres; -1: none, otherwise its node.
int people_way_to_stand(lope_people *p, int who, int from, float reach);

// people_seat.c
bool people_is_near_seat(const lope_people *p, const person *who, int seat);
bool people_sits_near(const lope_people *p, const person *who, int node);
void people_take_seat(lope_people *p, int who, int seat, float seconds);
// A person that waits for its seat takes it when it is its turn.
void people_come_forward(lope_people *p, int who);
// Gives back the seat it has: at once, or once it is away from it. `now`: whatever it is still near to as well.
void people_leave_seat(lope_people *p, int who, bool now);

// people_talk.c: whether somebody and the one it talks to are both where they can talk.
bool people_both_there(const lope_people *p, const person *who);

// people.c: calls lope_people_update if the world was updated since the last call. LOPE_MISMATCH while the world's
// nodes cannot be used.
lope_status people_follow_world(lope_people *p, lope_error *error);

// people_command.c: what the person should do next, now that it comes to `node`; brings its task up to date.
void people_follow_task(lope_people *p, int who, int node);
// Whether it is to stay at the node.
bool people_stays(const lope_people *p, const person *who, int node);
void people_task_step(lope_people *p, int who, float dt);
void people_set_task(const lope_people *p, person *who, person_task task, int target, float seconds);
// Whether a command makes sense.
lope_status people_check(lope_people *p, int who, float seconds, lope_error *error);
// Begins to roam, with nothing that is kept for it.
void people_free(lope_people *p, int who);

#endif
