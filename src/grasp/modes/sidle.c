// SPDX-License-Identifier: MIT
// Sidling: along a ledge too narrow to walk on, upright, while hands go from hold to hold of the wall beside it.
#include "grasp/random/machine.h"

#define HANDS_ABOVE 0.7 // metres above the higher foot, at least
#define REACH 0.55      // metres from the middle of the feet to a hand, along the ledge
#define SPLIT 0.6       // metres between the feet, at most
#define APART 0.15      // metres between hands or feet, at least
#define GOT_ON 0.3      // metres that a foot has to be nearer to the goal than where it began
#define WORST 1.8       // discomfort with which one goes on

static bool takes(const stance_view *view)
{
    double middle = 0.0;
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++)
        middle += view->s->hold[i] >= 0 ? view->world->holds[view->s->hold[i]].at.x / view->feet : 0.0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (view->s->hold[i] >= 0 &&
            fabs(view->world->holds[view->s->hold[i]].at.x - middle) > (body_is_leg(i) ? 0.5 * SPLIT : REACH))
            return false;
    return view->hands_beside && view->feet && view->hands + view->feet >= 3 &&
           view->lowest_hand > view->highest_foot + HANDS_ABOVE;
}

static void typical(const posture_problem *problem, const contact_middles *held, int variant, lope_grasp_pose *pose)
{
    (void)problem;
    pose->hip = xy_add(held->feet, xy(0.0, variant ? 0.7 : 0.84));
    pose->spine = variant ? 0.2 : 0.02;
}

// Nothing ahead to walk on, and something to hold on to above the hip.
static int find_in(scribe *s, choice *out)
{
    int count = 0;
    for (int hand = LOPE_LEFT_ARM; hand <= LOPE_RIGHT_ARM && machine_stalled(s); hand++) {
        hold_query query = hold_query_of(hand, KIND(HYBRID));
        query.beside = true;
        query.low = scribe_now(s)->pose.hip.y;
        count = machine_holds(s, &query, out, count);
    }
    return count;
}

static bool go_in(scribe *s, const choice *c)
{
    scribe_now(s)->mode = LOPE_MODE_SIDLE;
    return scribe_attach(s, c->limb, c->hold);
}

// The free foot goes on where it can, else the free hand.
static int find_along(scribe *s, choice *out)
{
    int count = 0;
    for (int first = LOPE_LEFT_LEG; first >= LOPE_LEFT_ARM && !count; first -= 2) {
        const int *hold = &scribe_now(s)->hold[first];
        int holds = hold[0] < 0 ? first + 1 : hold[1] < 0 ? first : scribe_further(s, first) ^ 1;
        hold_query query = hold_query_of(holds ^ 1, first ? KIND(LOAD_BEARING) | KIND(HYBRID) : KIND(HYBRID));
        query.beside = !first;
        query.apart_from[0] = scribe_now(s)->hold[holds];
        query.apart[0] = APART;
        query.closer_than = scribe_limb_distance(s, holds, query.apart_from[0]);
        count = machine_holds(s, &query, out, count);
    }
    return count;
}

static bool go_along(scribe *s, const choice *c)
{
    scribe_detach(s, 1u << c->limb); // backtracking may have led to where both still hold
    if (!scribe_attach(s, c->limb, c->hold))
        return false;
    bool well = scribe_ease(s, LOPE_MODE_SIDLE) < WORST;
    scribe_detach(s, 1u << (c->limb ^ 1));
    return well;
}

// Ground to stand on, further on than where it began.
static int find_out(scribe *s, choice *out)
{
    int foot = scribe_now(s)->hold[LOPE_LEFT_LEG] >= 0 ? LOPE_LEFT_LEG : LOPE_RIGHT_LEG;
    hold_query query = hold_query_of(foot ^ 1, KIND(LOAD_BEARING));
    if (s->task->world->holds[scribe_now(s)->hold[foot]].kind != LOPE_HOLD_LOAD_BEARING)
        return 0;
    query.closer_than = scribe_limb_distance(s, foot, scribe_now(s)->entered_foot) - GOT_ON;
    return machine_holds(s, &query, out, 0);
}

static bool go_out(scribe *s, const choice *c)
{
    if (!scribe_attach(s, c->limb, c->hold))
        return false;
    scribe_detach(s, LOPE_ARM_MASK);
    scribe_now(s)->mode = LOPE_MODE_WALK;
    return scribe_ease(s, LOPE_MODE_WALK) < WORST && scribe_balanced(s, LOPE_LEFT_LEG, 0.0);
}

static const machine_edge edges[] = {{LOPE_MODE_WALK, LOPE_MODE_SIDLE, 4, find_in, go_in},
                                     {LOPE_MODE_SIDLE, LOPE_MODE_WALK, 4, find_out, go_out},
                                     {LOPE_MODE_SIDLE, LOPE_MODE_SIDLE, 3, find_along, go_along},
                                     {0}};

const grasp_mode mode_sidle = {.name = "sidle",
                               .doing = "sidling",
                               .heuristics = HEURISTIC(HEAD_UP) | HEURISTIC(BALANCE) | HEURISTIC(UPRIGHT_SPINE),
                               .takes = takes,
                               .step_time = 0.6,
                               .dislike = 0.25,
                               .reluctance = 0.3,
                               .stride = 0.35,
                               .max_discomfort = 1.6,
                               .support_slack = 0.05,
                               .lift_share = 0.2,
                               .least_lift = 0.05,
                               .style = {0.5, 0.02, 0.2, 0.3, 0.2, 0.05, 0.10},
                               .typical = typical,
                               .variants = 2,
                               .hands = {0.0, 0.9},
                               .edges = edges};
