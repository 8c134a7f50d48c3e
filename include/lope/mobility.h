// SPDX-License-Identifier: MIT
// Mobility maps: where can this pose get me? (Srinivasan, Metoyer, Mortensen 2005.)
//
// Offline, lope_mobility_build (lope/mobility_build.h) turns a motion set into a map: states (poses with several ways
// on), for each state the places that its cheapest motion sequences lead to, and how long it takes from there to any
// goal around. At run time the map is immutable and shared by every character.
#ifndef LOPE_MOBILITY_H
#define LOPE_MOBILITY_H

#include "lope/set.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_mobility lope_mobility;

// What a body does in a pose. Found from how it moves where the build was told nothing else; the others are the
// builder's own (lope_tag_range in lope/mobility_build.h).
typedef enum lope_tag {
    LOPE_TAG_STAND,
    LOPE_TAG_WALK,
    LOPE_TAG_RUN,
    LOPE_TAG_OWN,     // and up, to below LOPE_TAG_ODD: LOPE_OWN_TAGS of them
    LOPE_TAG_ODD = 7, // beside one of the first three: jumps, squats, bends down to the floor. Nobody gets anywhere by
                      // that, so walkers do it only where all else takes seconds longer
    LOPE_TAG_COUNT
} lope_tag;
#define LOPE_OWN_TAGS (LOPE_TAG_ODD - LOPE_TAG_OWN)
#define LOPE_TAG_NAME 32 // bytes of an own tag's name, with its end

// Writes clips and map into one .lope file; opens one, read as lope/container.h says and used in place.
LOPE_API lope_status lope_mobility_save(const lope_mobility *map, const char *path, lope_error *error);
LOPE_API lope_status lope_mobility_open(const char *path, lope_mobility **out, lope_error *error);
// The same over memory that outlives the map (an embedded file, a download); `data` must be 64-byte aligned.
LOPE_API lope_status lope_mobility_open_memory(const void *data, size_t size, const char *name, lope_mobility **out,
                                               lope_error *error);
LOPE_API void lope_mobility_close(lope_mobility *map);

// Learns how to enter the map from other motion (lope_walker_controller): looks at the pose of every state, which takes
// some microseconds and 200 bytes each. Once for a map, before threads share it; does nothing the second time.
LOPE_API lope_status lope_mobility_learn_entries(lope_mobility *map, lope_error *error);

LOPE_API const lope_set *lope_mobility_set(const lope_mobility *map);
LOPE_API int lope_mobility_state_count(const lope_mobility *map);
// Pose of a state, and the state of a pose (-1: none).
LOPE_API int lope_mobility_state_pose(const lope_mobility *map, int state);
LOPE_API int lope_mobility_pose_state(const lope_mobility *map, int pose);
// Tags of a pose: bit 1 << tag for each.
LOPE_API unsigned lope_mobility_pose_tags(const lope_mobility *map, int pose);
// "stand", "walk", "run", "odd", or the name that the builder gave; "" for own tags without one. And the tag of a name;
// -1: none.
LOPE_API const char *lope_mobility_tag_name(const lope_mobility *map, lope_tag tag);
LOPE_API int lope_mobility_find_tag(const lope_mobility *map, const char *name);
// A body can stay in this state: it stands still and the clip holds still around it.
LOPE_API bool lope_mobility_can_stand(const lope_mobility *map, int state);

// Where a state can get a body: one choice.
typedef struct lope_choice {
    int state;       // where it ends
    lope_ground end; // there, seen from the state it starts from
    int frames;      // how long it takes
} lope_choice;

LOPE_API int lope_mobility_choice_count(const lope_mobility *map, int state);
LOPE_API lope_choice lope_mobility_choice(const lope_mobility *map, int state, int choice);
// Poses of a choice in playing order into out[capacity]; returns how many there are (= frames).
LOPE_API int lope_mobility_sequence(const lope_mobility *map, int state, int choice, int *out, int capacity);

// Seconds until a body in `state` can pass `goal`, given relative to its ground frame.
LOPE_API float lope_mobility_time(const lope_mobility *map, int state, lope_vec2 goal);
// Seconds until it can stand still there; INFINITY where it does not know how.
LOPE_API float lope_mobility_stand_time(const lope_mobility *map, int state, lope_vec2 goal);

// What the choices of a map can do, over all its states. Turns and speeds are those of a second of motion.
typedef struct lope_mobility_survey {
    float left, right;           // radians: the sharpest turns at walking speed (0.6 m/s and more)
    float left_spot, right_spot; // the same on the spot (less than 0.3 m/s)
    float slowest, fastest;      // metres per second of walking, but for a twentieth of the time at either end
    int states, stands;          // with choices; of them, that can be stood in
    int clips, clips_reached;    // of the set; of them, with a pose in some choice
} lope_mobility_survey;
LOPE_API lope_status lope_mobility_survey_of(const lope_mobility *map, lope_mobility_survey *out, lope_error *error);

// Where choices lead, over all states: a square grid around a body that faces up, +z, with +x to its left. Each cell
// holds the share of states, in [0, 1], with a choice that leads through it.
#define LOPE_CAPABILITY_CELLS 80
typedef struct lope_capability {
    float reach;                                                // metres from the middle to each side
    int states;                                                 // that were looked at
    float shares[LOPE_CAPABILITY_CELLS][LOPE_CAPABILITY_CELLS]; // [z][x]
} lope_capability;
// `tags`: only states whose pose has one of these (1 << lope_tag); 0: all.
LOPE_API lope_status lope_mobility_capability(const lope_mobility *map, unsigned tags, float reach,
                                              lope_capability *out, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
