// SPDX-License-Identifier: MIT
// Which parts of the body touch the world in which frame, and how high the floor of a capture is.
#ifndef LOPE_CONTACTS_H
#define LOPE_CONTACTS_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_contacts_def {
    float enter_speed;  // metres per second, > 0: a part that is somewhere slower than this may touch there,
    float leave_speed;  // and touches as long as it stays slower than this; not below enter_speed (hysteresis).
                        // Both are speeds smoothed over 0.1 s, and are raised where the capture is noisy
    float enter_height; // metres above the part's own lowest standing height; not used with any_floor
    float leave_height; // metres: a part that rises so much above its standing place has left, however slowly
    float min_duration; // seconds: shorter touches, and shorter gaps at one place, are capture noise
    bool any_floor;     // contacts at any height (stairs, ledges, rungs): the ground is found per contact
    bool hands;         // look for hands too: still and bearing, e.g. on rungs or on the floor
} lope_contacts_def;

// Feet and hands on any floor, for captures between 24 and 240 frames per second.
LOPE_API lope_contacts_def lope_contacts_def_default(void);

// Finds contacts of heels, toes and hands in every frame and writes them to out[frame_count]. The clip's own
// contacts are not read, and out may be the clip's own array. LOPE_MISMATCH unless the skeleton is a biped.
LOPE_API lope_status lope_contacts_find(const lope_clip *clip, const lope_contacts_def *def, uint16_t *out,
                                        lope_error *error);

// "left heel" for part 0: what bit 1 << part of a contact mask stands for; 0 <= part < LOPE_CONTACT_COUNT.
LOPE_API const char *lope_contact_name(int part);

// Where the parts that can touch lie: positions in the clip's world, one per lope_contact bit in bit order.
// Heel: behind and below the ankle, on the sole; toe: the ball of the foot, on the sole; hand: the palm; knee: the
// kneecap; seat: under the pelvis. The sole is where the skeleton knows it to be (`feet`), else where the lowest of
// ball and toes is in the rest pose. Parts that the skeleton does not have lie at joint 0. Allocates nothing.
LOPE_API void lope_contact_points(const lope_skeleton *skeleton, const lope_transform *model,
                                  lope_vec3 out[LOPE_CONTACT_COUNT]);

// Height of the floor the clip walks on: the lowest height at which the balls of standing feet gather, robust to noise
// and to feet that sink in. `spread` (may be NULL) receives the distance from it within which 90 % of the frames of
// standing feet lie: some millimetres on flat ground, large on stairs. Knees serve where feet never stand, and failing
// those the lowest twentieth of all heights of the feet. LOPE_MISMATCH unless the skeleton is a biped.
LOPE_API lope_status lope_clip_floor(const lope_clip *clip, float *height, float *spread, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
