// SPDX-License-Identifier: MIT
// What a search knows while it runs: stances with their postures, ways into them, and what waits to be looked at.
#ifndef LOPE_SRC_GRASP_SEARCH_STATE_H
#define LOPE_SRC_GRASP_SEARCH_STATE_H

#include "base/random.h"
#include "grasp/search.h"

#define SEARCH_TRIES 2 // of finding a posture, from different parents

typedef struct entry {
    stance s;
    int mode, closed; // node, or -1
    int tries;
    bool solved;
    footing at;
} entry;

typedef struct node {
    int entry, parent;
    double cost;
    edge motion;
} node;

typedef struct waiting {
    double f;
    uint32_t order;
    int parent, entry;
} waiting;

struct search {
    const search_task *task;
    entry *entries;
    node *nodes;
    waiting *heap;
    int *table;
    int entry_count, entry_capacity, node_count, node_capacity, heap_count, heap_capacity, table_size;
    uint32_t order;
    bool failed;    // out of memory
    bool exhausted; // nothing is left to look at
    int goal;       // its node, or -1
    int best;       // node nearest to the goal
    double best_left;
    lope_random random;
    lope_climb_counts counts;
};

// --- search_book.c: what is known and what waits. All note `failed` where memory is short.

bool search_room(search *s, void **items, int count, int *capacity, size_t size);
// The entry of a stance, made where there is none; -1 without memory.
int search_entry(search *s, const stance *key, int mode);
// Whether a stance is closed that differs only in which side does what: from the side both look the same.
bool search_twin_closed(const search *s, const stance *key);
void search_push(search *s, double f, int parent, int index);
waiting search_pop(search *s);
void search_forget(search *s);

// --- search_cost.c: what steps cost, and what is left.

double search_distance(const search *s, lope_xy at);
// Whether the way leads to where the body does not look.
bool search_faces_away(const search *s, const stance *st, lope_xy mass);
// How far a stance is from the goal: mostly its mass centre, partly its limbs, so that reaching ahead counts.
double search_potential(const search *s, const stance *st, int mode, lope_xy mass);
// What a step costs beside comfort.
double search_step_cost(const search *s, const stance *from, const stance *to, int mode);
double search_comfort_cost(const footing *at);

// --- search_expand.c: what may come next.

// Puts a stance into the queue, by what it costs and a guess of what is left from there.
void search_offer(search *s, int parent, const stance *st, int mode);
// Everything that one change of contact leads to.
void search_expand(search *s, int index);

#endif
