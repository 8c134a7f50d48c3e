// SPDX-License-Identifier: MIT
// Posture correction as published: a descent of the discomfort that takes the first better neighbour, ends at a comfort
// threshold, and leaves local minima by brief random walks. Corrected: figure 4.7 goes on from neighbours that it
// refused, figure 4.8 never updates its q.
#include "grasp/random/scribe.h"

#define SAMPLES 60 // neighbours until a descent is at its end
#define ENOUGH 1.15
#define ATTEMPTS 3 // to leave a minimum
#define WALK 12    // configurations
#define MOST 4000  // neighbours for one correction

static double discomfort(const scribe *s, const figure *at, const neighbour *n, const void *user)
{
    const lope_grasp_contacts contacts = figure_contacts(s->task->world, at);
    return body_discomfort(s->task->body, &n->pose, &n->points, &contacts, *(const lope_grasp_mode *)user);
}

// Figure 4.7; returns the discomfort reached.
static double descend(scribe *s, lope_grasp_mode mode, int until)
{
    double value = scribe_value(s, scribe_now(s), discomfort, &mode);
    while (value >= ENOUGH && s->samples < until && !s->failed) {
        figure next = *scribe_now(s);
        neighbourhood around = neighbourhood_of(s, &next);
        bool better = false;
        for (int i = 0; i < SAMPLES && !better; i++) {
            neighbour n;
            if (!neighbour_random(s, &around, &n))
                break;
            double found = discomfort(s, &next, &n, &mode);
            better = found < value && scribe_passes(s, &next, &n.pose);
            if (better) {
                value = found;
                next.pose = n.pose;
            }
        }
        next.random = false;
        if (!better || !scribe_write(s, &next))
            break;
    }
    return value;
}

double scribe_ease(scribe *s, lope_grasp_mode mode)
{
    int until = s->samples + MOST;
    s->postures++;
    double value = descend(s, mode, until);
    for (int attempt = 0; attempt < ATTEMPTS && value >= ENOUGH && s->samples < until && !s->failed; attempt++) {
        int mark = s->path.count;
        scribe_random_walk(s, discomfort, &mode, value, WALK);
        double found = descend(s, mode, until);
        if (found < value) {
            value = found;
            attempt = -1;
        } else {
            scribe_cut(s, mark);
        }
    }
    return value;
}
