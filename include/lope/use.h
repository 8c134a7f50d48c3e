// SPDX-License-Identifier: MIT
// Using things of a level, as a controller (lope/controller.h): sit on a chair, a bench or a stool, also at a desk;
// climb a ladder up or down; go down a slide; or, with nothing, play a behaviour such as a talk. The motion is that of
// blocks (lope/blocks.h). Things of other sizes are used as far as bodies allow: seat, hands and feet are brought to
// the surfaces that are there.
//
//   lope_use_def def = lope_use_def_default(blocks, level, chair);
//   lope_use_init(memory, &def, &use, &error);               // LOPE_UNSUPPORTED: says why it cannot be used
//   lope_use_place at = lope_use_approach(use);              // walk there, and turn that way
//   ...
//   lope_handover_to(body, lope_use_controller(), use, NULL, &error);
//   lope_use_leave(use);                                     // gets up; lope_use_controller()->may_leave says when
#ifndef LOPE_USE_H
#define LOPE_USE_H

#include "lope/blocks.h"
#include "lope/controller.h"
#include "lope/floors.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lope_use_kind {
    LOPE_USE_SEAT,
    LOPE_USE_LADDER,
    LOPE_USE_SLIDE,
    LOPE_USE_BEHAVIOUR,
    LOPE_USE_KIND_COUNT
} lope_use_kind;

typedef struct lope_use_def {
    const lope_blocks *blocks; // must outlive the use
    // What is used, by its index. Must outlive the use, too; it may change meanwhile, and the part may go. NULL only
    // with part -1.
    const lope_level *level;
    int part;              // -1: nothing, a behaviour
    bool down;             // of ladders: from the top
    float aside;           // metres: sits so far to the left of the middle, as seen by the one who sits; for benches
    lope_vec3 from;        // where the character comes from: decides the side from which it sits down at a desk.
                           // NAN: any side that is free
    float seconds;         // to stay; INFINITY: until it is told to leave
    const char *behaviour; // name of a block without units: "chat", "idle", "look_around"
    lope_ground at;        // behaviours: where to stand and which way to face
    float height;          // behaviours: of the ground
    uint32_t seed;         // which take of several
} lope_use_def;
LOPE_API lope_use_def lope_use_def_default(const lope_blocks *blocks, const lope_level *level, int part);
// What a ladder, slide or seat link of floors leads over, in its direction.
LOPE_API lope_use_def lope_use_def_link(const lope_blocks *blocks, const lope_level *level, const lope_link *link);

// One character that uses one thing.
typedef struct lope_use lope_use;

// Bytes of one, a multiple of 16. `memory` is aligned to 16 and needs no destroying. Asks the level a few hundred
// questions (35 to 85 microseconds) and allocates nothing. Advancing takes 2 microseconds.
// LOPE_NOT_FOUND: there is no such part, or the blocks have no such behaviour. LOPE_UNSUPPORTED: blocks have no motion
// for it, or it is too high, too low, too steep, or there is no room before it or above it; the message says which.
LOPE_API size_t lope_use_size(const lope_blocks *blocks);
LOPE_API lope_status lope_use_init(void *memory, const lope_use_def *def, lope_use **out, lope_error *error);

typedef struct lope_use_place {
    lope_vec3 place; // on the ground, under the hips
    float facing;    // yaw
} lope_use_place;
// Where to stand, and which way to face, before it is entered; and where it ends.
LOPE_API lope_use_place lope_use_approach(const lope_use *use);
LOPE_API lope_use_place lope_use_end(const lope_use *use);

typedef enum lope_use_state {
    LOPE_USE_BEFORE, // not entered yet
    LOPE_USE_BEGINS, // sits down, climbs, slides
    LOPE_USE_STAYS,  // sits, or behaves
    LOPE_USE_ENDS,   // gets up
    LOPE_USE_DONE    // stands, and stays standing until somebody takes over
} lope_use_state;
LOPE_API lope_use_state lope_use_state_of(const lope_use *use);
LOPE_API lope_use_kind lope_use_kind_of(const lope_use *use);
// Stays so many seconds from now on (INFINITY: until told to leave).
LOPE_API void lope_use_stay(lope_use *use, float seconds);
// Somebody who sits talks with head and hands, off the desk, until told otherwise; where the blocks have a behaviour
// "chat", otherwise nothing happens. Sitting down anew ends it.
LOPE_API void lope_use_talk(lope_use *use, bool talks);
// Gets up as soon as it can. Ladders and slides are finished first, as always.
LOPE_API void lope_use_leave(lope_use *use);

// Of a lope_use. It fits a character that stands, or nearly, within 35 cm and 40 degrees (seats: 70) of the approach,
// feet where they are. It may be left when it stands again. An aim of NULL means lope_use_leave; other aims mean
// nothing.
LOPE_API const lope_controller *lope_use_controller(void);

#ifdef __cplusplus
}
#endif
#endif
