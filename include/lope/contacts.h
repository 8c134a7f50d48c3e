// SPDX-License-Identifier: MIT
// Which parts of the body touch the world in which frame, and how high the floor of a capture is.
#ifndef LOPE_CONTACTS_H
#define LOPE_CONTACTS_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_contacts_def {
    float enter_speed;  // metres per second: slower than this a part may begin to touch
    float leave_speed;  // faster than this it lets go; larger than enter_speed (hysteresis)
    float enter_height; // metres above its own lowest standing height
    float leave_height;
    float min_duration; // seconds: shorter touches and shorter gaps are capture noise
    bool any_floor;     // contacts at any height (stairs, ledges, rungs): the ground is found per contact
    bool hands;         // look for hands too: still and bearing, e.g. on rungs or on the floor
} lope_contacts_def;

LOPE_API lope_contacts_def lope_contacts_def_default(void);

// Finds contacts of heels, toes and hands in every frame and writes them to out[frame_count]. The clip's own
// contacts are not read. LOPE_MISMATCH unless the skeleton is a biped.
LOPE_API lope_status lope_contacts_find(const lope_clip *clip, const lope_contacts_def *def, uint16_t *out,
                                        lope_error *error);

// Where the parts that can touch lie: positions in the clip's world, one per lope_contact bit in bit order.
// Heel: below the back of the ankle; toe: the ball of the foot; hand: the wrist's tip; knee; seat: under the pelvis.
LOPE_API void lope_contact_points(const lope_skeleton *skeleton, const lope_transform *model,
                                  lope_vec3 out[LOPE_CONTACT_COUNT]);

// Height of the floor the clip walks on, robust to noise and to feet that sink in: where the standing feet are
// most of the time. `spread` (may be NULL) receives how far standing feet scatter about it: large on stairs.
LOPE_API lope_status lope_clip_floor(const lope_clip *clip, float *height, float *spread, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
