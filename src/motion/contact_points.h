// SPDX-License-Identifier: MIT
// Where on the body the points lie that can touch the world, found once per skeleton, and the paths of these points
// through a clip.
#ifndef LOPE_SRC_MOTION_CONTACT_POINTS_H
#define LOPE_SRC_MOTION_CONTACT_POINTS_H

#include "lope/contacts.h"

// Parts in the order of the bits of lope_contact.
enum contact_part {
    PART_LEFT_HEEL,
    PART_LEFT_TOE,
    PART_RIGHT_HEEL,
    PART_RIGHT_TOE,
    PART_LEFT_HAND,
    PART_RIGHT_HAND,
    PART_LEFT_KNEE,
    PART_RIGHT_KNEE,
    PART_SEAT
};

// A point fixed to a joint; joint -1 where the skeleton does not have the part.
typedef struct lope_contact_place {
    int joint;
    lope_vec3 offset; // in the joint's frame
} lope_contact_place;

typedef struct lope_contact_anatomy {
    lope_contact_place parts[LOPE_CONTACT_COUNT];
    float leg_length; // metres
} lope_contact_anatomy;

LOPE_API void lope_contact_anatomy_find(const lope_skeleton *skeleton, lope_contact_anatomy *out);
// lope_contact_points of a body whose anatomy is known.
LOPE_API void lope_contact_places(const lope_contact_anatomy *anatomy, const lope_transform *model,
                                  lope_vec3 out[LOPE_CONTACT_COUNT]);

// The bones of a foot that stands flat, relative to its ankle, Y up.
typedef struct lope_foot_bones {
    bool has_toe, has_tip; // the foot has a toe joint; it is known where its last bone ends
    lope_vec3 toe, tip;
    lope_vec3 forward; // unit vector: where the body faces
    float leg;         // length of thigh and shin
    float ball;        // of a foot without toe joint: how far from ankle to tip its ball is; 0: as usual
} lope_foot_bones;

// Heel and ball on the sole of such a foot, relative to the ankle.
LOPE_API void lope_foot_measure(const lope_foot_bones *foot, lope_vec3 *heel, lope_vec3 *ball);

// Paths of all parts, and of the chest, through a clip. A part that the skeleton does not have is not known.
typedef struct lope_contact_tracks {
    int frame_count;
    double frame_rate;
    lope_vec3 *points[LOPE_CONTACT_COUNT]; // [frame_count] each
    lope_vec3 *chest;                      // [frame_count]
    bool known[LOPE_CONTACT_COUNT];
} lope_contact_tracks;

LOPE_API lope_status lope_contact_tracks_create(const lope_clip *clip, lope_contact_tracks *out, lope_error *error);
LOPE_API void lope_contact_tracks_release(lope_contact_tracks *tracks);

// False where the knee is so low that it, and not the foot, carries: kneeling, crawling, lying. `part` is a heel or
// toe.
LOPE_API bool lope_foot_upright(const lope_contact_tracks *tracks, int part, int frame);

#endif
