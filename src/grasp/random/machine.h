// SPDX-License-Identifier: MIT
// The locomotion machine (4.7, 5.3): modes are its states, and every edge is a row of a table with two small functions.
#ifndef LOPE_SRC_GRASP_RANDOM_MACHINE_H
#define LOPE_SRC_GRASP_RANDOM_MACHINE_H

#include "grasp/random/scribe.h"

#define MACHINE_CHOICES 8

// A way to traverse an edge: which limbs take what.
typedef struct choice {
    int limb, hold;
    int foot, foot_hold; // where an edge takes two holds at once
    double order;        // lower is tried first
} choice;

typedef struct machine_edge {
    lope_grasp_mode from, to;
    int weight; // heavier edges are looked at first
    // The preconditions: writes choices that meet them, best first, and returns how many.
    int (*find)(scribe *s, choice *out);
    // The effects: writes the motion. False where they do not lead where they should; then it is taken back.
    bool (*go)(scribe *s, const choice *c);
} machine_edge;

// Traverses the first edge whose preconditions are met and whose effects work out. False where there is none.
bool machine_consult(scribe *s);
// Edge number i in the order of preference of a mode, or NULL.
const machine_edge *machine_edge_of(lope_grasp_mode from, int i);

// What preconditions ask of a hold.
typedef struct hold_query {
    int limb;
    unsigned kinds;     // bits 1 << kind
    double closer_than; // the limb's distance to the goal has to be lower; INFINITY: any
    int apart_from[2];  // holds, or -1
    double apart[2];    // metres
    double low, high;   // heights; INFINITY: any
    bool beside;        // on walls beside the way only
    double left, right; // the same across
    double later;       // added to the order of what is found
    double stretch;     // metres beyond its reach that the body may move for
} hold_query;

hold_query hold_query_of(int limb, unsigned kinds);
// Adds what meets the query and is in reach to a list of choices, best first. Returns how many there are then.
int machine_holds(scribe *s, const hold_query *query, choice *out, int count);

#define KIND(kind) (1u << LOPE_HOLD_##kind)
#define ANY_KIND (KIND(PENDENT) | KIND(LOAD_BEARING) | KIND(HYBRID))

// Getting onto a ledge with both hands (mantle.c): adds choices for climbing bodies; goes as far as a foot stands
// there.
int mantle_find(scribe *s, double closer_than, choice *out, int count);
bool mantle_go(scribe *s, const choice *c);

// True where the body has not come nearer to the goal for long.
bool machine_stalled(const scribe *s);

#endif
