// SPDX-License-Identifier: MIT
// One instant of somebody's motion: what one controller (lope/controller.h) hands to the next.
#ifndef LOPE_MOMENT_H
#define LOPE_MOMENT_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

// The poses lie in the caller's buffers. lope_moment_complete computes what stands below `contacts` from what stands
// above.
typedef struct lope_moment {
    const lope_skeleton *skeleton;
    lope_pose now, before;                // in the world; `before` is dt earlier
    float dt;                             // seconds, > 0
    float height;                         // metres: of the ground that the body stands on
    uint16_t contacts;                    // lope_contact: parts that touch now
    lope_ground ground;                   // where the body is and which way is ahead (lope_ground_of_model)
    lope_vec3 points[LOPE_CONTACT_COUNT]; // where the parts are, one per bit of lope_contact (lope_contact_points)
    lope_vec3 speeds[LOPE_CONTACT_COUNT]; // metres per second that they move with
    float turning;                        // radians per second that `ground` turns to the left
} lope_moment;

// Fills ground, points, speeds and turning. `model` is scratch [joint_count] and holds `now` in model space afterwards.
// Where `height` is NAN it is found, too: the lowest of the feet that touch or, where none does, of both. Allocates
// nothing.
LOPE_API void lope_moment_complete(lope_moment *moment, lope_transform *model);

#ifdef __cplusplus
}
#endif
#endif
