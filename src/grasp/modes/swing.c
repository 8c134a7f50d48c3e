// SPDX-License-Identifier: MIT
// Swinging: walking with the hands, along bars; and back to the ground or onto a wall.
#include "grasp/random/machine.h"

#define APART 0.225         // metres between the hands, at least
#define HAND_FOOT_APART 0.3 // metres
#define WORST 2.2           // walking discomfort with which one lands
#define STRETCH 0.5         // metres beyond reach of the ground
#define TAKE 60             // descents towards it

static int grasping_hand(const scribe *s)
{
    return s->path.items[s->path.count - 1].hold[LOPE_LEFT_ARM] >= 0 ? LOPE_LEFT_ARM : LOPE_RIGHT_ARM;
}

static int find_reach(scribe *s, choice *out)
{
    int hangs = grasping_hand(s);
    hold_query query = hold_query_of(hangs ^ 1, KIND(PENDENT) | KIND(HYBRID));
    query.apart_from[0] = scribe_now(s)->hold[hangs];
    query.apart[0] = APART;
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
        query.stretch = STRETCH;
        count = machine_holds(s, &query, out, count);
    }
    return count;
}

static bool go_walk(scribe *s, const choice *c)
{
    if (!scribe_has_room(s, c->hold) || !scribe_take(s, c->limb, c->hold, TAKE))
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
    hand.apart[0] = APART;
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

static const machine_edge edges[] = {{LOPE_MODE_SWING, LOPE_MODE_WALK, 4, find_walk, go_walk},
                                     {LOPE_MODE_SWING, LOPE_MODE_CLIMB, 3, find_climb, go_climb},
                                     {LOPE_MODE_SWING, LOPE_MODE_SWING, 2, find_reach, go_reach},
                                     {0}};

static bool takes(const stance_view *view)
{
    return view->hands == 2 && view->feet == 0;
}

static void typical(const posture_problem *problem, const contact_middles *held, int variant, lope_grasp_pose *pose)
{
    (void)problem;
    pose->hip = xy_add(held->hands, xy(0.0, variant ? -0.9 : -1.2));
    pose_bend_limbs(pose, 2.6, 0.35, variant ? 0.8 : 0.15, variant ? 1.2 : 0.35);
}

const grasp_mode mode_swing = {.name = "swing",
                               .doing = "swinging",
                               .heuristics = HEURISTIC(HEAD_UP) | HEURISTIC(COMFY_LIMBS) | HEURISTIC(BALANCE) |
                                             HEURISTIC(HANG_DOWN),
                               .takes = takes,
                               .step_time = 0.7,
                               .dislike = 0.25,
                               .reluctance = 0.2,
                               .stride = 0.6,
                               .max_discomfort = 2.6,
                               .support_slack = 0.15,
                               .lift_share = 0.25,
                               .least_lift = 0.07,
                               .style = {0.0, 0.0, 0.10, 0.3, 0.15, 0.05, 0.05},
                               .typical = typical,
                               .variants = 2,
                               .pair = LOPE_ARM_MASK,
                               .hangs = true,
                               .edges = edges};
