// SPDX-License-Identifier: MIT
// From clips to unit objects, in two steps: rests of feet, hands and seat (scenery_rests.c), and the steps, ladders and
// seats that explain them (scenery_levels.c, scenery_steps.c, scenery_ladder.c, scenery_seats.c).
#ifndef LOPE_SRC_PATCHES_BUILD_SCENERY_H
#define LOPE_SRC_PATCHES_BUILD_SCENERY_H

#include <math.h>

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

// Whether the numbers of a definition make sense.
lope_status scenery_check(const lope_scenery_def *def, lope_error *error);
lope_status scenery_rests_find(const lope_clip *clip, const lope_scenery_def *def, scenery_rests *out,
                               lope_error *error);
void scenery_rests_free(scenery_rests *rests);

// Rests of feet in the order of height, cut into levels: level i holds feet[first[i] .. first[i + 1]).
typedef struct scenery_levels {
    const scenery_rest **feet;
    int *first;
    double *heights;
    int count;  // of levels above the floor; level 0 is the floor
    double yaw; // the way up
    double run; // metres ahead per metre up
} scenery_levels;

// How high level `level`, where a foot stands, is above the floor that the rests are measured from.
double scenery_mean_height(const scenery_levels *levels, int level);
void scenery_find_way_up(scenery_levels *levels);
// True where soles rise with the ground: a slope.
bool scenery_soles_follow(const scenery_levels *levels);
// Steps are as high as the edges that feet on the way down stand on.
void scenery_correct_for_edges(scenery_levels *levels);

// Coordinates along the way up and across it.
double scenery_along(const scenery_levels *levels, lope_vec3 place);
double scenery_across(const scenery_levels *levels, lope_vec3 place);

typedef struct scenery_extent {
    double low, high;
} scenery_extent;
static const scenery_extent SCENERY_NOTHING = {HUGE_VAL, -HUGE_VAL};
void scenery_include(scenery_extent *extent, double low, double high);
// Puts the footprint of an object into the world.
void scenery_place(const scenery_levels *levels, scenery_extent ahead, scenery_extent aside,
                   lope_scenery_object *object);

#define SCENERY_LONGEST_NAME 512     // bytes of a clip's name in a proposal, with the zero
#define SCENERY_STEEP 0.7            // metres ahead per metre up, below which one climbs with the hands
#define SCENERY_FOOT_HALF_WIDTH 0.05 // metres

// Appends to a scenery.
lope_status scenery_add(lope_scenery *scenery, const lope_scenery_object *object, lope_error *error);
int scenery_next_group(const lope_scenery *scenery);
// The rungs that explain the levels; false where none do.
bool scenery_make_ladder(const scenery_levels *levels, const scenery_rests *rests, lope_scenery_object *ladder);
lope_status scenery_add_steps(lope_scenery *scenery, scenery_levels *levels, lope_error *error);
lope_status scenery_add_levels(lope_scenery *scenery, const scenery_rests *rests, const lope_scenery_def *def,
                               lope_error *error);
lope_status scenery_add_seats(lope_scenery *scenery, const scenery_rests *rests, const lope_scenery_def *def,
                              lope_error *error);

#endif
