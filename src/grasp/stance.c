// SPDX-License-Identifier: MIT
// Which stances exist. A mode is a set of contacts: two feet walk, two hands swing, hands and feet climb, and crawl
// where everything held is level ground.
#include "grasp/stance.h"

#define LEVEL 0.5            // metres between the heights of hands and feet that still crawl
#define LONGEST_STRIDE 0.95  // metres between walking feet
#define FOOT_ABOVE_HAND 0.15 // metres that a climbing foot may be above the higher hand
#define HANDS_AHEAD 0.15     // metres that crawling hands are before the feet on average
#define LEAST_APART 0.12     // metres between hand and foot, and between limbs of a kind

const mode_rule mode_rules[LOPE_MODE_COUNT] = {
    [LOPE_MODE_WALK] = {0.55, 0.0, 0.0, 0.55, 1.6},
    [LOPE_MODE_CLIMB] = {0.75, 0.25, 0.2, 0.45, 4.0},
    [LOPE_MODE_SWING] = {0.7, 0.25, 0.2, 0.6, 2.6},
    [LOPE_MODE_CRAWL] = {0.6, 0.4, 0.25, 0.45, 6.0},
};

unsigned stance_mask(const stance *s)
{
    unsigned mask = 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        mask |= (unsigned)(s->hold[i] >= 0) << i;
    return mask;
}

lope_grasp_contacts stance_contacts(const lope_grasp_world *world, const stance *s)
{
    lope_grasp_contacts contacts = {.mask = stance_mask(s)};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (s->hold[i] >= 0)
            contacts.at[i] = world->holds[s->hold[i]].at;
    return contacts;
}

bool stance_suits(const lope_hold *hold, int limb)
{
    return body_is_leg(limb) ? hold->kind != LOPE_HOLD_PENDENT : true;
}

typedef struct summary {
    int hands, feet;
    bool hands_level, feet_level; // all on load-bearing holds
    bool hands_hang;              // none on a load-bearing one
    double highest_hand, lowest_hand, highest_foot, lowest_foot;
} summary;

static summary summarise(const lope_grasp_world *world, const stance *s)
{
    summary sum = {0, 0, true, true, true, -(double)INFINITY, (double)INFINITY, -(double)INFINITY, (double)INFINITY};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        if (s->hold[i] < 0)
            continue;
        const lope_hold *hold = &world->holds[s->hold[i]];
        bool level = hold->kind == LOPE_HOLD_LOAD_BEARING;
        if (body_is_leg(i)) {
            sum.feet++;
            sum.feet_level &= level;
            sum.highest_foot = fmax(sum.highest_foot, hold->at.y);
            sum.lowest_foot = fmin(sum.lowest_foot, hold->at.y);
        } else {
            sum.hands++;
            sum.hands_level &= level;
            sum.hands_hang &= !level;
            sum.highest_hand = fmax(sum.highest_hand, hold->at.y);
            sum.lowest_hand = fmin(sum.lowest_hand, hold->at.y);
        }
    }
    return sum;
}

static bool crawls(const summary *sum)
{
    return sum->hands_level && sum->feet_level && sum->highest_hand - sum->lowest_foot < LEVEL &&
           sum->highest_foot - sum->lowest_hand < LEVEL;
}

// Hands go before feet.
static bool hands_lead(const lope_grasp_world *world, const stance *s)
{
    double furthest[2] = {-(double)INFINITY, -(double)INFINITY}, sum[2] = {0.0, 0.0};
    int count[2] = {0, 0};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (s->hold[i] >= 0) {
            double ahead = s->facing * world->holds[s->hold[i]].at.x;
            furthest[body_is_leg(i)] = fmax(furthest[body_is_leg(i)], ahead);
            sum[body_is_leg(i)] += ahead;
            count[body_is_leg(i)]++;
        }
    return furthest[0] > furthest[1] && sum[0] / count[0] > sum[1] / count[1] + HANDS_AHEAD;
}

// Hands hold walls that the body looks at.
static bool faces_walls(const lope_grasp_world *world, const stance *s)
{
    for (int i = 0; i < 2; i++)
        if (s->hold[i] >= 0 && world->holds[s->hold[i]].kind == LOPE_HOLD_HYBRID &&
            world->holds[s->hold[i]].normal.x * s->facing > 0.1)
            return false;
    return true;
}

int stance_mode(const lope_grasp_world *world, const stance *s)
{
    summary sum = summarise(world, s);
    if (sum.hands == 0)
        return sum.feet == 2 && sum.feet_level ? LOPE_MODE_WALK : STANCE_NONE;
    if (sum.feet == 0)
        return sum.hands == 2 ? LOPE_MODE_SWING : STANCE_NONE;
    if (crawls(&sum))
        return sum.hands + sum.feet >= 3 && hands_lead(world, s) ? LOPE_MODE_CRAWL : STANCE_NONE;
    return faces_walls(world, s) && sum.highest_foot < sum.highest_hand + FOOT_ABOVE_HAND ? LOPE_MODE_CLIMB
                                                                                          : STANCE_NONE;
}

bool stance_can_lift(const lope_grasp_world *world, const stance *s, int limb)
{
    if (s->hold[limb] < 0)
        return true;
    int mode = stance_mode(world, s);
    stance rest = *s;
    rest.hold[limb] = -1;
    summary sum = summarise(world, &rest);
    if (sum.hands == 0)
        return sum.feet_level && (sum.feet == 2 || mode == LOPE_MODE_WALK);
    if (sum.feet == 0)
        return sum.hands == 2 || (mode == LOPE_MODE_SWING && sum.hands_hang); // both hands carry on a ledge too
    return sum.hands + sum.feet >= 2;
}

bool stance_spans(const lope_grasp_world *world, const lope_grasp_body *body, const stance *s)
{
    double arm = body->length[0][0] + body->length[0][1], leg = body->length[1][0] + body->length[1][1];
    bool walks = s->hold[LOPE_LEFT_ARM] < 0 && s->hold[LOPE_RIGHT_ARM] < 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        for (int k = i + 1; k < LOPE_LIMB_COUNT; k++) {
            if (s->hold[i] < 0 || s->hold[k] < 0)
                continue;
            bool same = body_is_leg(i) == body_is_leg(k);
            double most = same ? 2.0 * (body_is_leg(i) ? leg : arm) : arm + leg + body->spine;
            double apart = xy_distance(world->holds[s->hold[i]].at, world->holds[s->hold[k]].at);
            if (apart > 0.96 * most || apart < LEAST_APART || (walks && apart > LONGEST_STRIDE))
                return false;
        }
    return true;
}

void stance_support(const lope_grasp_world *world, const stance *s, int mode, posture_problem *problem)
{
    double low = (double)INFINITY, high = -(double)INFINITY,
           slack = mode == LOPE_MODE_WALK    ? 0.02
                   : mode == LOPE_MODE_SWING ? 0.15
                                             : 0.05;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (s->hold[i] >= 0) {
            low = fmin(low, world->holds[s->hold[i]].at.x);
            high = fmax(high, world->holds[s->hold[i]].at.x);
        }
    problem->supported = true;
    if (mode == LOPE_MODE_CLIMB) {
        // Hands above the body carry it wherever it is; hands below only balance it.
        summary sum = summarise(world, s);
        problem->supported = sum.highest_hand < sum.lowest_foot + 1.0;
        slack = 0.3;
    }
    problem->support_low = low - slack;
    problem->support_high = high + slack;
}
