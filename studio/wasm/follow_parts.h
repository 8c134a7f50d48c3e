// SPDX-License-Identifier: MIT
// What the sources of follow.h share.
#ifndef STUDIO_FOLLOW_PARTS_H
#define STUDIO_FOLLOW_PARTS_H

#include "follow.h"

struct studio_follow {
    const lope_maps *maps;
    lope_space *space;
    lope_passages *passages;
    lope_path_finder *finder;
    lope_path path;
    float clearance;
    int work;
    lope_follow *search; // of the character, and its player
    lope_player *player;
    lope_follow *compared; // all at once
    lope_rival *rival;
    uint64_t hash;
};

#ifdef STUDIO_INSIDE
// A question along the path that was planned.
lope_follow_query studio_follow_question(const studio_follow *follow);
// The same settings for all searches: standing at both ends.
lope_follow_def studio_follow_settings(void);
// The way of the hips along a walk.
int studio_follow_way(const lope_steps *steps, const lope_follow *walk, float *out, int capacity);
// Nodes of the map of one step of a walk.
int studio_follow_nodes(const lope_maps *maps, const lope_walk_step *step, float *out, int capacity);
void studio_follow_put_report(lope_follow_report report, float *out);
#endif
#endif
