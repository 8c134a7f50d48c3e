// SPDX-License-Identifier: MIT
// Poses of a set by number: those of its first clip, then those of the next.
#include "lope/graph.h"

int lope_set_pose_count(const lope_set *set)
{
    return lope_set_first_pose(set, set->clip_count);
}

int lope_set_first_pose(const lope_set *set, int clip)
{
    int pose = 0;
    for (int c = 0; c < clip; c++)
        pose += set->clips[c]->frame_count;
    return pose;
}

void lope_set_pose(const lope_set *set, int pose, int *clip, int *frame)
{
    for (*clip = 0; pose >= set->clips[*clip]->frame_count; (*clip)++)
        pose -= set->clips[*clip]->frame_count;
    *frame = pose;
}
