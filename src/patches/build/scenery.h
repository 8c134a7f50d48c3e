// SPDX-License-Identifier: MIT
// From clips to unit objects, in two steps: rests of feet, hands and seat (scenery_rests.c), and the steps, ladders and
// seats that explain them (scenery_levels.c, scenery_seats.c).
#ifndef LOPE_SRC_PATCHES_BUILD_SCENERY_H
#define LOPE_SRC_PATCHES_BUILD_SCENERY_H

#include "lope/contacts.h"
#include "lope/scenery.h"

typedef enum rest_kind { REST_FOOT, REST_HAND, REST_SEAT } rest_kind;

// One part of the body stays somewhere for a while. Places are medians over that time, heights above the floor.
typedef struct scenery_rest {
    rest_kind kind;
    int first, last; // frames
    float height;
    lope_vec3 at;     // ball of the foot, palm, seat
    lope_vec3 behind; // feet: the heel; hands: the palm again; seats: where the sitter's back is, a unit behind
    float hips;       // seats: height of the hips
    bool flat;        // feet: the heel rests as well; `behind` is where it does
} scenery_rest;

typedef struct scenery_rests {
    scenery_rest *items;
    int count, capacity;
    float floor;
    bool has_hands;
} scenery_rests;

lope_status scenery_rests_find(const lope_clip *clip, const lope_scenery_def *def, scenery_rests *out,
                               lope_error *error);
void scenery_rests_free(scenery_rests *rests);

// Appends to a scenery.
lope_status scenery_add(lope_scenery *scenery, const lope_scenery_object *object, lope_error *error);
lope_status scenery_add_levels(lope_scenery *scenery, const scenery_rests *rests, const lope_scenery_def *def,
                               lope_error *error);
lope_status scenery_add_seats(lope_scenery *scenery, const scenery_rests *rests, const lope_scenery_def *def,
                              lope_error *error);

#endif
