// SPDX-License-Identifier: MIT
// Swinging: walking with the hands, along bars; and back to the ground or onto a wall.
#include "grasp/random/machine.h"

#define HAND_FOOT_APART 0.3 // metres
#define WORST 2.2           // walking discomfort with which one lands

static int grasping_hand(const scribe *s)
{
    return s->path.items[s->path.count - 1].hold[LOPE_LEFT_ARM] >= 0 ? LOPE_LEFT_ARM : LOPE_RIGHT_ARM;
}

static int find_reach(scribe *s, choice *out)
{
    int hangs = grasping_hand(s);
    hold_query query = hold_query_of(hangs ^ 1, KIND(PENDENT) | KIND(HYBRID));
    query.apart_from[0] = scribe_now(s)->hold[hangs];
    query.apart[0] = machine_separation[LOPE_MODE_SWING];
    query.closer_than = scribe_limb_distance(s, hangs, query.apart_from[0]);
    return machine_holds(s, &query, out, 0);
}

static bool go_reach(scribe *s, const choice *c)
{
    int hung = grasping_hand(s);
    if (!scribe_attach(s, c->limb, c->hold))
        return false;
    scribe_ease(s, LOPE_MODE_SWING);
    if (!scribe_balanced(s, LOPE_LEFT_ARM, 0.0))
        return false;
    scribe_detach(s, 1u << hung);
    return true;
}

static int find_walk(scribe *s, choice *out)
{
    int count = 0;
    for (int foot = LOPE_LEFT_LEG; foot <= LOPE_RIGHT_LEG && machine_stalled(s); foot++) {
        hold_query query = hold_query_of(foot, KIND(LOAD_BEARING));
        count = machine_holds(s, &query, out, count);
    }
    return count;
}

static bool go_walk(scribe *s, const choice *c)
{
    if (!scribe_has_room(s, c->hold) || !scribe_attach(s, c->limb, c->hold))
        return false;
    scribe_detach(s, LOPE_ARM_MASK);
    scribe_now(s)->mode = LOPE_MODE_WALK;
    return scribe_ease(s, LOPE_MODE_WALK) < WORST;
}

// A hand further on and a foot below the hip.
static int find_climb(scribe *s, choice *out)
{
    lope_grasp_points points;
    int hangs = grasping_hand(s), count;
    choice hands[MACHINE_CHOICES], feet[MACHINE_CHOICES];
    lope_grasp_forward(s->task->body, &scribe_now(s)->pose, &points);
    if (points.hip.y >= points.head.y)
        return 0;
    hold_query hand = hold_query_of(hangs ^ 1, KIND(PENDENT) | KIND(HYBRID));
    hand.apart_from[0] = scribe_now(s)->hold[hangs];
    hand.apart[0] = machine_separation[LOPE_MODE_SWING];
    count = machine_holds(s, &hand, hands, 0);
    for (int i = 0; i < count; i++)
        for (int foot = LOPE_LEFT_LEG; foot <= LOPE_RIGHT_LEG; foot++) {
            hold_query query = hold_query_of(foot, KIND(HYBRID));
            query.high = points.hip.y;
            query.apart_from[0] = hands[i].hold;
            query.apart[0] = HAND_FOOT_APART;
            if (machine_holds(s, &query, feet, 0)) {
                *out = hands[i];
                out->foot = foot;
                out->foot_hold = feet[0].hold;
                return 1;
            }
        }
    return 0;
}

static bool go_climb(scribe *s, const choice *c)
{
    if (!scribe_attach(s, c->limb, c->hold) || !scribe_attach(s, c->foot, c->foot_hold))
        return false;
    scribe_now(s)->mode = LOPE_MODE_CLIMB;
    scribe_ease(s, LOPE_MODE_CLIMB);
    scribe_detach(s, 1u << (c->limb ^ 1));
    return true;
}

const machine_edge swing_edges[] = {{LOPE_MODE_SWING, LOPE_MODE_WALK, 4, find_walk, go_walk},
                                    {LOPE_MODE_SWING, LOPE_MODE_CLIMB, 3, find_climb, go_climb},
                                    {LOPE_MODE_SWING, LOPE_MODE_SWING, 2, find_reach, go_reach},
                                    {0}};
