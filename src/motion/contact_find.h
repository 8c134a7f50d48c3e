// SPDX-License-Identifier: MIT
// Contacts from the paths of contact points: what lope_contacts_find does once it has the paths, open to callers that
// have positions rather than a clip (tests that add noise to them, marker data).
#ifndef LOPE_SRC_MOTION_CONTACT_FIND_H
#define LOPE_SRC_MOTION_CONTACT_FIND_H

#include "motion/contact_points.h"

LOPE_API lope_status lope_contacts_from_tracks(const lope_contact_tracks *tracks, const lope_contacts_def *def,
                                               uint16_t *out, lope_error *error);

#endif
