// SPDX-License-Identifier: MIT
// Climbing: a hand and a foot hold, the other hand goes on where it can, else the other foot; and up onto ledges.
#include "grasp/random/machine.h"

#define APART 0.15           // metres between hands or feet, at least
#define HAND_FOOT_APART 0.3  // metres
#define FOOT_ABOVE_HAND 0.15 // metres that a foot may be above the higher hand
#define GOT_ON 0.8           // metres that a foot has to be nearer to the goal than where climbing began
#define WORST 1.8            // walking discomfort with which one gets up
#define ATTEMPTS 4
#define ONE_FOOT 0.12   // metres that the mass centre may be off the foot
#define HAND_BEYOND 0.5 // metres beside the foot: hands far in on a ledge pull the trunk down on it
#define ACROSS 1.2      // metres further from the goal that a foot may go where nothing else helps
#define LATER 5.0       // hands before feet, among what is in reach
#define STRETCH 0.4     // metres beyond reach
#define TAKE 60         // descents towards a hold

static int grasping(const figure *f, int first)
{
    return f->hold[first] >= 0 ? first : first + 1;
}

static hold_query next_hold(const scribe *s, int first, unsigned kinds)
{
    const figure *now = &s->path.items[s->path.count - 1];
    int holds = grasping(now, first), other = first == LOPE_LEFT_ARM ? LOPE_LEFT_LEG : LOPE_LEFT_ARM;
    hold_query query = hold_query_of(holds ^ 1, kinds);
    query.apart_from[0] = now->hold[holds];
    query.apart[0] = APART;
    query.apart_from[1] = now->hold[grasping(now, other)];
    query.apart[1] = HAND_FOOT_APART;
    query.closer_than = scribe_limb_distance(s, holds, now->hold[holds]);
    query.stretch = STRETCH;
    return query;
}

static bool bears(const scribe *s, int limb)
{
    int hold = s->path.items[s->path.count - 1].hold[limb];
    return hold >= 0 && s->task->world->holds[hold].kind == LOPE_HOLD_LOAD_BEARING;
}

// Hands first as published; but once a hand is on a ledge the feet have to follow, or the body lies down on it.
static int find_grip(scribe *s, choice *out)
{
    const figure *now = scribe_now(s);
    const lope_hold *stands = &s->task->world->holds[now->hold[grasping(now, LOPE_LEFT_LEG)]];
    hold_query hand = next_hold(s, LOPE_LEFT_ARM, ANY_KIND);
    hold_query foot = next_hold(s, LOPE_LEFT_LEG, KIND(LOAD_BEARING) | KIND(HYBRID));
    bool up = bears(s, grasping(scribe_now(s), LOPE_LEFT_ARM));
    if (machine_stalled(s)) // feet may change to the opposite wall
        foot.closer_than += ACROSS;
    if (fabs(s->task->world->holds[hand.apart_from[0]].at.x - stands->at.x) < HAND_BEYOND) {
        hand.left = stands->at.x - HAND_BEYOND;
        hand.right = stands->at.x + HAND_BEYOND;
    }
    (up ? &hand : &foot)->later = LATER;
    return machine_holds(s, &foot, out, machine_holds(s, &hand, out, 0));
}

static bool go_grip(scribe *s, const choice *c)
{
    if (!scribe_take(s, c->limb, c->hold, TAKE))
        return false;
    scribe_detach(s, 1u << (c->limb ^ 1));
    return true;
}

// Not back to the ground where climbing began: without this guard the body goes to and fro.
static int find_walk(scribe *s, choice *out)
{
    const figure *now = scribe_now(s);
    int hand = grasping(now, LOPE_LEFT_ARM), foot = grasping(now, LOPE_LEFT_LEG);
    if (!bears(s, hand) && !bears(s, foot))
        return 0;
    hold_query query = hold_query_of(foot ^ 1, KIND(LOAD_BEARING));
    if (now->entered_foot >= 0)
        query.closer_than = scribe_limb_distance(s, foot, now->entered_foot) - GOT_ON;
    query.apart_from[0] = now->hold[foot];
    query.apart[0] = 0.0;
    return mantle_find(s, query.closer_than, out, machine_holds(s, &query, out, 0));
}

static bool go_walk(scribe *s, const choice *c)
{
    if (c->foot >= 0 ? !mantle_go(s, c) : !scribe_attach(s, c->limb, c->hold))
        return false;
    double slack = c->foot >= 0 ? ONE_FOOT : 0.0;
    scribe_detach(s, LOPE_ARM_MASK);
    scribe_now(s)->mode = LOPE_MODE_WALK;
    double discomfort = scribe_ease(s, LOPE_MODE_WALK);
    for (int i = 1; i < ATTEMPTS && (discomfort > WORST || !scribe_balanced(s, LOPE_LEFT_LEG, slack)); i++)
        discomfort = scribe_ease(s, LOPE_MODE_WALK);
    if (discomfort > WORST || !scribe_balanced(s, LOPE_LEFT_LEG, slack))
        return false;
    if (c->foot < 0)
        scribe_detach(s, 1u << scribe_further(s, LOPE_LEFT_LEG));
    return true;
}

static int find_swing(scribe *s, choice *out)
{
    const figure *now = scribe_now(s);
    int hand = grasping(now, LOPE_LEFT_ARM);
    hold_query query = hold_query_of(hand ^ 1, KIND(PENDENT));
    query.closer_than = scribe_limb_distance(s, hand, now->hold[hand]);
    return machine_holds(s, &query, out, 0);
}

static bool go_swing(scribe *s, const choice *c)
{
    if (!scribe_attach(s, c->limb, c->hold))
        return false;
    scribe_detach(s, LOPE_LEG_MASK);
    scribe_now(s)->mode = LOPE_MODE_SWING;
    scribe_ease(s, LOPE_MODE_SWING);
    scribe_detach(s, 1u << (c->limb ^ 1));
    return true;
}

static const machine_edge edges[] = {{LOPE_MODE_CLIMB, LOPE_MODE_WALK, 4, find_walk, go_walk},
                                     {LOPE_MODE_CLIMB, LOPE_MODE_CLIMB, 3, find_grip, go_grip},
                                     {LOPE_MODE_CLIMB, LOPE_MODE_SWING, 1, find_swing, go_swing},
                                     {0}};

static bool takes(const stance_view *view)
{
    return view->hands && view->feet && !view->level && view->faces_walls &&
           view->highest_foot < view->highest_hand + FOOT_ABOVE_HAND;
}

// Hanging out from between hands and feet, away from where hands are.
static void typical(const posture_problem *problem, const contact_middles *held, int variant, lope_grasp_pose *pose)
{
    pose->hip = held->foot_count && held->hand_count ? xy_lerp(held->feet, held->hands, 0.4)
                : held->foot_count                   ? held->feet
                                                     : held->hands;
    pose->hip = xy_add(pose->hip, xy((variant ? -0.1 : -0.45) * problem->facing, variant ? 0.1 : 0.0));
    pose->spine = variant ? 0.7 : 0.15;
    pose_bend_limbs(pose, 1.5, 0.6, 0.9, 1.0);
}

const grasp_mode mode_climb = {.name = "climb",
                               .doing = "climbing",
                               .heuristics = HEURISTIC(HEAD_UP) | HEURISTIC(HANG_DOWN),
                               .takes = takes,
                               .step_time = 0.75,
                               .dislike = 0.25,
                               .reluctance = 0.2,
                               .stride = 0.45,
                               .max_discomfort = 4.0,
                               .support_slack = 0.3,
                               .lift_share = 0.25,
                               .least_lift = 0.07,
                               .style = {0.6, 0.05, 0.45, 0.6, 0.5, 0.05, 0.10},
                               .typical = typical,
                               .variants = 2,
                               .hands = {0.0, 1.1},
                               .hands_carry = true,
                               .lets_go = true,
                               .gives_up = true,
                               .edges = edges};
