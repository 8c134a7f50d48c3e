// SPDX-License-Identifier: MIT
// What a capture was performed on: steps, seats and ladders, recovered from where feet, hands and the seat rested
// (offline library). A proposal, to be confirmed or corrected in the JSON file.
#ifndef LOPE_SCENERY_H
#define LOPE_SCENERY_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lope_scenery_kind { LOPE_SCENERY_STEP, LOPE_SCENERY_SEAT, LOPE_SCENERY_LADDER } lope_scenery_kind;

// "step", "seat", "ladder".
LOPE_API const char *lope_scenery_kind_name(lope_scenery_kind kind);

// A unit object. Heights are in metres above the clip's floor.
typedef struct lope_scenery_object {
    lope_scenery_kind kind;
    int group;         // steps of one staircase share a number; numbers count from 0
    lope_ground place; // x and z of the centre in the clip's world; yaw is the way up, or the way the sitter faces
    float width;       // metres across that direction, > 0
    float depth;       // metres along it, > 0
    float height;      // top of the step, surface of the seat, highest rung stood on
    float spread;      // largest distance of a clip's height (of ladders: pitch) from the mean of all; 0 for one clip
    float pitch;       // ladders: from rung to rung
    float lowest;      // ladders: height of the lowest rung
    float run;         // ladders: metres that they lean ahead per metre up
    float top;         // ladders: the highest hold of a hand, not below height
    float hips;        // seats: height of the hips of the sitter
    int holds;         // contacts that speak for it
    bool confirmed;    // somebody who knows the stage said so in the file
} lope_scenery_object;

// What one clip says about one object.
typedef struct lope_scenery_source {
    int object;        // index
    int clip;          // index among those that were merged; 0 for one clip
    lope_ground place; // where the object stood in that clip
    float height, pitch;
} lope_scenery_source;

// Treat as immutable.
typedef struct lope_scenery {
    int object_count;
    lope_scenery_object *objects; // by group, lower ones first
    int source_count;
    lope_scenery_source *sources; // by object, then by clip
    float floor;                  // of one clip, in its world; 0 where several were merged
    bool slope;                   // feet stood at heights that run on without gaps: a slope, of which nothing is made
    int clip_count;               // of scenery that was read: the clips its sources speak of,
    char **clip_names;            // by their names; NULL otherwise
} lope_scenery;

typedef struct lope_scenery_def {
    float gap;        // metres, > 0: heights of feet farther apart are different levels
    float same_level; // metres, > 0: steps of two clips that differ less are the same
    float same_seat;  // metres, > 0: likewise seats
    float same_pitch; // metres, > 0: likewise the distance of rungs
    float stand_time; // seconds: feet that rest for less say nothing
    float sit_time;   // seconds: likewise seats
} lope_scenery_def;
LOPE_API lope_scenery_def lope_scenery_def_default(void);

// What one clip was performed on; no objects at all is a fine answer (a walk on a floor). Contacts are found anew.
// LOPE_MISMATCH unless the skeleton is a biped, LOPE_NOT_FOUND where feet, hands and seat never rest.
LOPE_API lope_status lope_scenery_find(const lope_clip *clip, const lope_scenery_def *def, lope_scenery **out,
                                       lope_error *error);

// Puts together what several clips say: staircases, seats and ladders of like measures are one, with the mean of the
// clips' heights. Place and footprint are those of the clip that shows most of it, because furniture moves between
// takes; the sources keep the others. Depends on the order of `parts` only in the order of the objects and where
// measures lie between two others.
LOPE_API lope_status lope_scenery_merge(const lope_scenery *const *parts, int count, const lope_scenery_def *def,
                                        lope_scenery **out, lope_error *error);
LOPE_API void lope_scenery_destroy(lope_scenery *scenery);

// Writes {"objects": [{"kind": "step", "centre": [x, z], "size": [width, depth], "height": h, ...}]}; `names` are those
// of the clips. Replaces what is there only when complete.
LOPE_API lope_status lope_scenery_write(const lope_scenery *scenery, const char *const *names, const char *path,
                                        lope_error *error);

// Reads a proposal back, corrected or not: objects in the order of the file, with their sources ("clips"). An object
// needs kind, centre, size and height, a ladder its pitch as well; a source needs clip and centre, and has heading and
// height of its object unless it says otherwise. LOPE_BAD_DATA, with the line, where something is missing,
// unknown or impossible (sizes and heights below a millimetre among it).
LOPE_API lope_status lope_scenery_read(const char *path, lope_scenery **out, lope_error *error);
// The same from memory; `name` stands in messages.
LOPE_API lope_status lope_scenery_read_memory(const char *text, size_t size, const char *name, lope_scenery **out,
                                              lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
