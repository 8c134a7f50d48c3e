// SPDX-License-Identifier: MIT
// A scribe of the published planner in a scene, ready to be asked for edges of its machine.
#ifndef LOPE_TESTS_SCRIBE_DESK_H
#define LOPE_TESTS_SCRIBE_DESK_H

#include "grasp/random/machine.h"
#include "support/support.h"

typedef struct desk {
    lope_climb_scene *scene;
    lope_grasp_body body;
    lope_grasp_bitmap *bitmap;
    lope_distance_map *map;
    float *limb_map;
    touch_map *touch;
    scribe_task task;
    scribe s;
} desk;

// A scene by name, or as text that begins with a brace.
void open_desk(desk *d, const char *scene);
// Level ground at 0.5 m with four holds, the start on the first two, and more obstacles and holds as JSON text.
void open_flat(desk *d, const char *obstacles, const char *holds);
void close_desk(desk *d);
// The present becomes a stance in a comfortable posture: what each limb holds, or -1.
void take_stance(desk *d, const int hold[LOPE_LIMB_COUNT]);

// Metres that an extremity is off its hold, at most.
double off_holds(const desk *d, const figure *f);
int hold_at(const desk *d, double x, double y);
// The edge from one mode to another.
const machine_edge *edge_of(lope_grasp_mode from, lope_grasp_mode to);

#endif
