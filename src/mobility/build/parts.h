// SPDX-License-Identifier: MIT
// What parts of a graph of poses can do: how far and how fast the body walks in them, how it turns, whether it stands.
#ifndef LOPE_SRC_MOBILITY_BUILD_PARTS_H
#define LOPE_SRC_MOBILITY_BUILD_PARTS_H

#include "lope/mobility_build.h"

// How the body moves in each pose, over about a second, so that the swing of steps does not count.
typedef struct pose_motion {
    float speed; // metres per second
    float turn;  // radians per second, to the left
} pose_motion;

// Everything that parts are valued by.
typedef struct body_motion {
    const lope_set *set;
    const uint32_t *tags; // [pose_count]
    pose_motion *poses;   // [pose_count]
    int pose_count;
    int own_poses; // the first so many are the performer's own, the others were filled in
    float frame_seconds;
    float walking_speed; // metres per second, of a body of this size
    bool by_size;        // parts are valued by how many poses they have
} body_motion;

typedef struct part_value {
    int poses;
    double metres;    // walked; slow and filled-in ones count less
    double turned[2]; // radians, to the left and to the right
    int stands;       // poses
} part_value;

lope_status body_motion_find(const lope_set *set, const lope_mobility_def *def, const uint32_t *tags, body_motion *out,
                             lope_error *error);
void body_motion_free(body_motion *motion);

// The part that can do most, or the largest.
typedef struct part_choice {
    int part;
    part_value value, all; // of the part, and of all poses together
} part_choice;

// Which of `count` parts can do most, where part[p] is that of pose p.
lope_status parts_best(const body_motion *motion, const int *part, int count, part_choice *best, lope_error *error);

// What the poses that are marked can do.
lope_status parts_ability(const body_motion *motion, const uint8_t *marked, lope_mobility_ability *out,
                          lope_error *error);

#endif
