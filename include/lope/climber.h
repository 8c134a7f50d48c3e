// SPDX-License-Identifier: MIT
// Climbs over links of a level as controllers: up and down ledges, over walls and through windows, across gaps, hand
// over hand along bars, through low passages, straight or bent. A climb is written by rule for its link, in the
// vertical slice of the level along it and for the measures of one character. Entering only starts it.
//
//   lope_climber_def def = lope_climber_def_default(floors, leg->link, skeleton);
//   lope_climber_create(&def, &climber, &error);                        // some 15 ms: once the route is known
//   ...
//   lope_handover_to(body, lope_climber_controller(), climber, NULL, &error);
#ifndef LOPE_CLIMBER_H
#define LOPE_CLIMBER_H

#include "lope/climb.h"
#include "lope/controller.h"
#include "lope/floors.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_climber_def {
    const lope_floors *floors;     // not needed any more once the climb is planned
    int link;                      // of lope_floors_links
    const lope_skeleton *skeleton; // must outlive the climber
    const lope_moment *moment;     // as which it will be entered, where that is known: the climb begins with feet where
                                   // these stand. NULL: side by side where the link begins
    float share;                   // where along the link's line: 0 its left end, 1 its right one; 0.5
    double speed, frame_rate;      // as in lope_climb_def
} lope_climber_def;
LOPE_API lope_climber_def lope_climber_def_default(const lope_floors *floors, int link, const lope_skeleton *skeleton);

// One climb of one character. LOPE_NOT_FOUND where the body cannot do it: the message says why; LOPE_BAD_DATA where the
// link is not of a kind that is climbed; LOPE_MISMATCH where the character cannot climb. Planning reads floors and
// skeleton and shares nothing else, so any number of jobs may plan at once. The same input gives the same climb. It
// takes memory for its own length only: a few hundred kilobytes.
typedef struct lope_climber lope_climber;
LOPE_API lope_status lope_climber_create(const lope_climber_def *def, lope_climber **out, lope_error *error);
LOPE_API void lope_climber_destroy(lope_climber *climber);
// Whether the level is along the link as it was when the climb was planned; false where the link is gone. Asks for the
// slice anew, which takes a fraction of planning: ask after lope_floors_update, where the change was near.
LOPE_API bool lope_climber_fresh(const lope_climber *climber, const lope_floors *floors);

// Of a lope_climber. It fits where the feet are near to where the climb begins. It may be left before it lets go of
// the ground, and as soon as both feet stand beyond the link; from there it comes to a stand. Aims mean nothing to it.
LOPE_API const lope_controller *lope_climber_controller(void);

// What was planned, for reading: in the slice, whose x runs along the link from where it begins, y up.
typedef struct lope_climber_parts {
    const lope_grasp_world *world;
    const lope_climb_plan *plan;
    const lope_clip *clip; // the plan performed by the character
    const lope_clip
        *straight;           // the same before it was bent along a passage with bends, as the plan has it; else `clip`
    lope_ground place;       // of the slice in the world; shifted along the edge by entering
    int begin, left, landed; // frames: the first that is played, before the first step; when feet first let go of the
                             // ground; when both stand beyond the link
} lope_climber_parts;
LOPE_API lope_climber_parts lope_climber_inside(const lope_climber *climber);
// Seconds until both feet stand beyond the link; 0 from then on.
LOPE_API double lope_climber_left(const lope_climber *climber);

#ifdef __cplusplus
}
#endif
#endif
