// SPDX-License-Identifier: MIT
// Elbows and knees bend no farther in fades than in the clips that are played. Foot locking, which moves knees after
// that, keeps to what it knows of legs.
#ifndef LOPE_SRC_MOTION_HINGE_H
#define LOPE_SRC_MOTION_HINGE_H

#include "lope/clip.h"
#include "lope/ik.h"

// The joint of elbow or knee `index` of LOPE_LOCK_HINGES; 0: the skeleton has none.
LOPE_API int lope_hinge_joint(const lope_skeleton *skeleton, int index);
// Of the elbows and the knees, left and right.
LOPE_API void lope_hinges_learn(const lope_skeleton *skeleton, lope_clip *const *clips, int count,
                                lope_hinge out[LOPE_LOCK_HINGES]);
// A pose with what is left of a fade; for many at once see hinge_lanes.h, which gives the same bits.
void hinges_limit(const lope_lock_rig *rig, const lope_skeleton *skeleton, lope_pose *pose);
// The leg whose knee is hinge `index`; NULL for elbows and for knees of which nothing is known.
static inline const lope_limb *hinge_leg(const lope_lock_rig *rig, int index)
{
    const lope_limb *leg = index >= 2 ? &rig->legs[index - 2].joints : NULL;
    return leg && leg->upper > 0 && leg->lower == rig->hinges[index].joint ? leg : NULL;
}

#endif
