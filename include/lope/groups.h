// SPDX-License-Identifier: MIT
// Pose groups: the frames of a motion set sorted into piles of poses so alike that a character may change from any to
// any other (offline library).
//
// The distance of two poses is in metres: how far the points of the body are apart, root mean square, as far as turns
// of single joints tell; velocities count by the way that they make in `velocity_time`. Where the bodies stand and
// which way they face does not count.
#ifndef LOPE_GROUPS_H
#define LOPE_GROUPS_H

#include "lope/jobs.h"
#include "lope/set.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_groups_def {
    float bound;         // metres, > 0: no two poses of a group are farther apart
    float velocity_time; // seconds, >= 0: a velocity counts as the way that it makes in this time
} lope_groups_def;

// 12 cm, 0.1 s.
LOPE_API lope_groups_def lope_groups_def_default(void);

// Frames are numbered through the set, clip after clip.
typedef struct lope_groups {
    int frame_count;
    int group_count;
    const int32_t *of_frame; // [frame_count] the group of each frame
    const int32_t *first;    // [group_count + 1] where in `frames` each group begins
    const int32_t *frames;   // [frame_count] group after group, rising within each
    const int32_t *typical;  // [group_count] the frame that is nearest to the middle of its group
    float widest;            // metres: the greatest distance inside any group
    void *storage;           // private
} lope_groups;

// Sorts all frames. Poses whose contacts differ, in the frame itself or the one before or after, never share a group.
// The same for any number of threads. `jobs` may be NULL.
LOPE_API lope_status lope_groups_find(const lope_set *set, const lope_groups_def *def, lope_jobs *jobs,
                                      lope_groups **out, lope_error *error);
LOPE_API void lope_groups_destroy(lope_groups *groups);

// Distance of two frames of the set by its definition, one joint after the other: slow, what the groups are checked
// against. `frame` counts through the set.
LOPE_API float lope_pose_distance(const lope_set *set, const lope_groups_def *def, int frame_a, int frame_b);
// Contacts of the frame, the one before it and the one after it (the clip's ends repeat), as one number.
LOPE_API uint64_t lope_pose_contact_code(const lope_set *set, int frame);

#ifdef __cplusplus
}
#endif
#endif
