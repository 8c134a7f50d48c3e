// SPDX-License-Identifier: MIT
// Stretches of a point's path in which it stands still, found under noise. The work horse of contacts and floors.
#ifndef LOPE_SRC_MOTION_CONTACT_SEGMENTS_H
#define LOPE_SRC_MOTION_CONTACT_SEGMENTS_H

#include "lope/contacts.h"

// A point rests from frame `first` to frame `last`, both included.
typedef struct lope_still {
    int first, last;
    lope_vec3 place; // mean position
} lope_still;

typedef struct lope_still_list {
    lope_still *items; // in time order, disjoint
    int count;
} lope_still_list;

// Where points[frame_count] is still: speed smoothed over about 0.1 s with hysteresis, edges refined to the frame.
// Of `def`, the speeds, the duration and leave_height are used.
LOPE_API lope_status lope_still_find(const lope_vec3 *points, int frame_count, double frame_rate,
                                     const lope_contacts_def *def, lope_still_list *out, lope_error *error);
LOPE_API void lope_still_release(lope_still_list *list);

// The lowest height at which a substantial share of `heights[count]` (sorted ascending, count >= 1) gathers.
LOPE_API float lope_standing_level(const float *heights, int count);
// Sorts heights ascending.
LOPE_API void lope_sort_heights(float *heights, int count);

#endif
