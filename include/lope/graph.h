// SPDX-License-Identifier: MIT
// Motion graphs (offline library): which pose may follow which, and the shortest motion between any two.
//
// Poses of a set are numbered through: clip after clip, frame after frame. A transition from pose i to pose j means:
// after showing i, show j instead of i + 1, with j moved over the ground so that the body goes on from where it is.
#ifndef LOPE_GRAPH_H
#define LOPE_GRAPH_H

#include "lope/jobs.h"
#include "lope/set.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lope_metric {
    LOPE_METRIC_ANGLES, // joint angles, joint velocities and root velocity (Srinivasan 2005, eq. 3.7-3.13)
    LOPE_METRIC_CLOUD   // windowed point cloud after the best alignment on the ground (Kovar et al. 2002), metres
} lope_metric;

// "angles", "cloud"; and the metric of a name (-1 where there is none).
LOPE_API const char *lope_metric_name(lope_metric metric);
LOPE_API int lope_metric_from_name(const char *name);

typedef struct lope_transition_def {
    lope_metric metric;
    float threshold;                     // transitions that cost more are dropped
    bool local_minima;                   // keep only transitions that are cheaper than their eight neighbours
    float min_gap;                       // seconds: transitions between poses of one clip closer than this are dropped
    float angle_weight;                  // of half the angle between two rotations, radians (angles)
    float velocity_weight;               // of joint velocities, radians per second (angles)
    float root_weight;                   // of root velocities in the body's own frame, metres per second (angles)
    float role_weights[LOPE_ROLE_COUNT]; // of each joint (angles); Wang and Bodenheimer's by default
    float window;                        // seconds of motion compared (cloud)
    int most;                            // of the transitions from a pose to later ones the cheapest; 0: all
} lope_transition_def;

LOPE_API lope_transition_def lope_transition_def_default(lope_metric metric);

typedef struct lope_transition {
    int from, to; // poses
    float cost;
} lope_transition;

// Sorted by from, then to. Natural steps from a frame to the next are not listed.
typedef struct lope_transitions {
    int pose_count;
    size_t count;
    lope_transition *items;
} lope_transitions;

// Compares all pairs of poses in blocks: memory does not grow with the square of the set. The result is the same for
// any number of threads. `jobs` and `progress` may be NULL.
LOPE_API lope_status lope_transitions_find(const lope_set *set, const lope_transition_def *def, lope_jobs *jobs,
                                           const lope_progress *progress, lope_transitions *out, lope_error *error);
LOPE_API void lope_transitions_free(lope_transitions *transitions);

// Cost of one transition, computed plainly in double: what the blocks compute fast. INFINITY where it is not allowed
// (at the ends of clips).
LOPE_API lope_status lope_transition_cost_plain(const lope_set *set, const lope_transition_def *def, int from, int to,
                                                double *cost, lope_error *error);

// Number of poses in a set; clip and frame of a pose; first pose of a clip.
LOPE_API int lope_set_pose_count(const lope_set *set);
LOPE_API int lope_set_first_pose(const lope_set *set, int clip);
LOPE_API void lope_set_pose(const lope_set *set, int pose, int *clip, int *frame);

#ifdef __cplusplus
}
#endif
#endif
