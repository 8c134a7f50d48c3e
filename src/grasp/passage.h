// SPDX-License-Identifier: MIT
// Low passages, which may bend. Laid out straight they are a slice like any other: ground below, a ceiling above. What
// was planned there is bent back: every hand and foot goes to where its place lies along the real way.
#ifndef LOPE_SRC_GRASP_PASSAGE_H
#define LOPE_SRC_GRASP_PASSAGE_H

#include "lope/climb.h"
#include "lope/floors.h"

#define PASSAGE_POINTS 900

typedef struct passage {
    int count;
    lope_vec3 at[PASSAGE_POINTS]; // PASSAGE_STEP apart along the way, in the level
    float room[PASSAGE_POINTS];   // headroom there, metres
    lope_vec3 along;              // where it begins: unit, level
    double length;
    lope_xy corners[2][PASSAGE_POINTS + 2];
    lope_grasp_polygon solids[2]; // ground and ceiling
    lope_grasp_world_def world;
} passage;

// The way through a link. False where it is too long.
bool passage_find(const lope_floors *floors, const lope_link *link, passage *out);
// Bends a clip of a skeleton with arms and legs, which is planned along the x axis. LOPE_NO_MEMORY.
lope_status passage_bend(const passage *p, lope_clip *clip, lope_error *error);

#endif
