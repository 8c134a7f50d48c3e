// SPDX-License-Identifier: MIT
// Restepping (5.4.2): near the goal the extremities are put on its very holds, and the body goes straight to its pose.
// The thesis does it for feet; hands that swing are the same, and bodies that climb or crawl do it for both.
#include "grasp/random/scribe.h"

#define STRETCH 40      // descents to reach a last hold
#define STEP_SLACK 0.05 // metres that the mass centre may be off both feet when one arrives

static bool take(scribe *s, int limb, int hold)
{
    if (scribe_now(s)->hold[limb] == hold)
        return true;
    if (!scribe_stretch(s, limb, hold, STRETCH) || !scribe_attach(s, limb, hold))
        return false;
    return !body_is_leg(limb) || figure_mask(scribe_now(s)) & LOPE_ARM_MASK ||
           scribe_balanced(s, LOPE_LEFT_LEG, STEP_SLACK);
}

static bool match_pose(scribe *s, unsigned swap)
{
    static const double lifts[] = {0.0, 0.4, 0.8};
    const footing *goal = &s->task->goal;
    lope_grasp_pose pose = pose_exchanged(&goal->pose, swap);
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

// Puts a pair of limbs on what the goal has for it, by one of four ways. A single hold is taken by either limb.
static bool put_pair(scribe *s, int left, int way)
{
    const int32_t *goal = &s->task->goal.s.hold[left];
    bool swap = way & 1, right_first = way >> 1;
    int first = right_first, hold = goal[swap ? !first : first], other = goal[swap ? first : !first];
    unsigned held = figure_mask(scribe_now(s)) & 3u << left;
    if (hold < 0 && other < 0 && held)
        scribe_detach(s, held);
    else if ((hold < 0) != (other < 0))
        return hold >= 0 && take(s, left + first, hold) && (scribe_detach(s, 1u << (left + !first)), true);
    else if (hold >= 0)
        return put_both(s, left + first, hold, other);
    return true;
}

static int ways_to_put(const scribe *s, int left)
{
    const int32_t *goal = &s->task->goal.s.hold[left];
    return goal[0] < 0 && goal[1] < 0 ? 1 : 4;
}

bool scribe_restep(scribe *s)
{
    const int mark = s->path.count;
    const figure before = *scribe_now(s);
    const int feet = ways_to_put(s, LOPE_LEFT_LEG), hands = ways_to_put(s, LOPE_LEFT_ARM);
    for (int way = 0; way < feet * hands && !s->failed; way++) {
        if (put_pair(s, LOPE_LEFT_LEG, way % feet) && put_pair(s, LOPE_LEFT_ARM, way / feet)) {
            scribe_ease(s, before.mode);
            unsigned swap = pose_pairs_to_exchange(s->task->goal.s.hold, scribe_now(s)->hold);
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
