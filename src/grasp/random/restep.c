// SPDX-License-Identifier: MIT
// Restepping (5.4.2): near the goal the extremities are put on its very holds, and the body goes straight to its pose.
// The thesis does it for feet; hands that swing are the same.
#include "grasp/random/scribe.h"

#define STRETCH 40      // descents to reach a last hold
#define STEP_SLACK 0.05 // metres that the mass centre may be off both feet when one arrives

static bool take(scribe *s, int limb, int hold)
{
    if (scribe_now(s)->hold[limb] == hold)
        return true;
    if (!scribe_stretch(s, limb, hold, STRETCH) || !scribe_attach(s, limb, hold))
        return false;
    return !body_is_leg(limb) || scribe_balanced(s, LOPE_LEFT_LEG, STEP_SLACK);
}

static bool match_pose(scribe *s, bool swap)
{
    static const double lifts[] = {0.0, 0.4, 0.8};
    const footing *goal = &s->task->goal;
    lope_grasp_pose pose = swap ? pose_exchanged(&goal->pose) : goal->pose;
    if (pose.facing != scribe_now(s)->pose.facing && !s->task->goal_facing)
        return true; // the goal does not say which way to look: its holds are enough
    if (pose.facing != scribe_now(s)->pose.facing && !scribe_turn_around(s))
        return false;
    const figure from = *scribe_now(s);
    for (int i = 0; i < 3; i++)
        if (scribe_line(s, &from, &pose, lifts[i], &s->path))
            return true;
    return false;
}

// One way to put both limbs: `first` goes to its hold before the other does. Where the other one stands on the hold
// that `first` needs ("wrong-footed"), it has to leave it in between.
static bool put_both(scribe *s, int first, int hold, int other_hold)
{
    int other = first ^ 1;
    if (scribe_now(s)->hold[other] == hold)
        return false;
    if (scribe_now(s)->hold[other] < 0 && scribe_now(s)->hold[first] < 0)
        return false;
    if (scribe_now(s)->hold[first] >= 0 && scribe_now(s)->hold[first] != hold) {
        if (scribe_now(s)->hold[other] < 0)
            return false; // it carries the body: the other way round
        scribe_detach(s, 1u << first);
    }
    if (!take(s, first, hold))
        return false;
    if (scribe_now(s)->hold[other] != other_hold) {
        scribe_detach(s, 1u << other);
        if (!take(s, other, other_hold))
            return false;
    }
    return true;
}

bool scribe_restep(scribe *s)
{
    const stance *goal = &s->task->goal.s;
    int left = goal->hold[LOPE_LEFT_ARM] >= 0 ? LOPE_LEFT_ARM : LOPE_LEFT_LEG, mark = s->path.count;
    const figure before = *scribe_now(s);
    for (int way = 0; way < 4 && !s->failed; way++) {
        bool swap = way & 1, right_first = way >> 1;
        int first = left + right_first, hold = goal->hold[swap ? first ^ 1 : first];
        int other = goal->hold[swap ? first : first ^ 1];
        if (put_both(s, first, hold, other)) {
            scribe_ease(s, before.mode);
            if (match_pose(s, swap))
                return true;
        }
        scribe_cut(s, mark);
        *scribe_now(s) = before;
    }
    return false;
}

bool scribe_land(scribe *s)
{
    static const double lifts[] = {0.0, 0.4, 0.8};
    const figure from = *scribe_now(s);
    lope_grasp_pose pose = s->task->goal.pose;
    pose.facing = from.pose.facing; // whoever flies has no reason to turn round
    for (int i = 0; i < 3 && !s->failed; i++)
        if (scribe_line(s, &from, &pose, lifts[i], &s->path))
            return true;
    return false;
}
