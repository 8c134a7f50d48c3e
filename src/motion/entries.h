// SPDX-License-Identifier: MIT
// Where a motion can be entered: frames of clips, to be found by the moment of somebody else's motion. Shared and read
// only; searching allocates nothing.
#ifndef LOPE_SRC_MOTION_ENTRIES_H
#define LOPE_SRC_MOTION_ENTRIES_H

#include "lope/moment.h"

typedef struct lope_entries lope_entries;

// A frame that can be entered, and what its owner calls it.
typedef struct entry_frame {
    int32_t clip, frame, id;
} entry_frame;

typedef struct entry_found {
    int32_t id, frame; // of the entry_frame; id -1: there is none
    lope_ground at;    // ground frame of that frame in the world, its supporting foot on that of the moment
    float fit;         // metres, see lope_controller
} entry_found;

// What is wanted beside a good fit: metres, >= 0, that an entry counts more if it is at `at`. NULL: nothing.
typedef struct entry_wish {
    float (*cost)(const void *user, int32_t id, lope_ground at);
    const void *user;
} entry_wish;

// Looks at the frames of clips of one skeleton; the clips are not kept.
LOPE_API lope_status lope_entries_create(lope_clip *const *clips, const entry_frame *frames, int count,
                                         lope_entries **out, lope_error *error);
LOPE_API void lope_entries_destroy(lope_entries *entries);

// The nearest frame with the same supporting foot; in large tables one that is nearly as near, where there is nothing
// like the moment.
LOPE_API entry_found lope_entries_find(const lope_entries *entries, const lope_moment *moment, const entry_wish *wish);
// The same, one frame after the other: what the fast one is tested against.
LOPE_API entry_found lope_entries_find_plain(const lope_entries *entries, const lope_moment *moment,
                                             const entry_wish *wish);

#endif
