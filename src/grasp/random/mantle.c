// SPDX-License-Identifier: MIT
// Getting onto a ledge by the arms. A leg that stands on the wall keeps the hip from ever getting above the ledge, so
// both hands carry while the body is drawn over the edge; the feet land behind the hands. The thesis leaves pulling
// oneself up to its modes with two hands (5.3.1).
#include "grasp/random/machine.h"

#define PULL 90           // descents until a foot is up
#define SECOND_HAND 30    // and until the other hand is
#define HANDS_APART 0.12  // metres
#define BEHIND_LEAST 0.08 // metres from the foot to the hands
#define BEHIND_BEST 0.3
#define BEHIND_MOST 0.9
#define LEVEL 0.3      // metres up or down
#define EDGE_MOST 0.35 // metres from the foot to the edge
#define HIP_AHEAD 0.12 // metres that the hip wants to be ahead of the foot, and above it
#define HIP_ABOVE 0.5
#define HIP_SHARE 0.6 // of the hip in the wish to be on the ledge
#define TRY_EVERY 3   // steps between two tries to put the foot down
#define REACH 0.4     // metres beyond reach that the body moves for

typedef struct climber {
    int hand, foot;
} climber;

static climber climber_of(const figure *f)
{
    return (climber){f->hold[LOPE_LEFT_ARM] >= 0 ? LOPE_LEFT_ARM : LOPE_RIGHT_ARM,
                     f->hold[LOPE_LEFT_LEG] >= 0 ? LOPE_LEFT_LEG : LOPE_RIGHT_LEG};
}

static bool is_held(const figure *f, int hold)
{
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (f->hold[i] == hold)
            return true;
    return false;
}

// A hold for a foot behind both hands, as far as is comfortable, or -1.
static int behind_hands(const scribe *s, double closer_than, int a, int b, double ahead)
{
    const lope_hold *holds = s->task->world->holds;
    const figure *now = &s->path.items[s->path.count - 1];
    double rear = ahead > 0.0 ? fmin(holds[a].at.x, holds[b].at.x) : fmax(holds[a].at.x, holds[b].at.x);
    double nearest = (double)INFINITY;
    int best = -1;
    for (int i = 0; i < s->task->world->hold_count; i++) {
        double behind = (rear - holds[i].at.x) * ahead, off = fabs(behind - BEHIND_BEST);
        if (holds[i].kind != LOPE_HOLD_LOAD_BEARING || behind < BEHIND_LEAST || behind > BEHIND_MOST ||
            fabs(holds[i].at.y - holds[a].at.y) > LEVEL || is_held(now, i) || off >= nearest ||
            scribe_limb_distance(s, LOPE_LEFT_LEG, i) >= closer_than)
            continue;
        nearest = off;
        best = i;
    }
    return best;
}

int mantle_find(scribe *s, double closer_than, choice *out, int count)
{
    const lope_hold *holds = s->task->world->holds;
    const figure *now = scribe_now(s);
    climber c = climber_of(now);
    int held = now->hold[c.hand];
    if (holds[held].kind != LOPE_HOLD_LOAD_BEARING || holds[held].at.y < holds[now->hold[c.foot]].at.y)
        return count;
    double ahead = holds[held].at.x > holds[now->hold[c.foot]].at.x ? 1.0 : -1.0;
    choice hands[MACHINE_CHOICES];
    hold_query query = hold_query_of(c.hand ^ 1, KIND(LOAD_BEARING));
    query.apart_from[0] = held;
    query.apart[0] = HANDS_APART;
    query.stretch = REACH;
    int found = machine_holds(s, &query, hands, 0);
    for (int i = 0; i < found && count < MACHINE_CHOICES; i++) {
        hands[i].foot = c.foot ^ 1;
        hands[i].foot_hold = behind_hands(s, closer_than, held, hands[i].hold, ahead);
        if (hands[i].foot_hold >= 0)
            out[count++] = hands[i];
    }
    return count;
}

typedef struct pull {
    lope_xy hip, foot, corner; // where hip and feet want to be, and what feet have to get over
} pull;

// How far the body is from being on the ledge: its hip, and both feet round the edge.
static double left_to_pull(const scribe *s, const figure *at, const neighbour *n, const void *user)
{
    const pull *p = user;
    double value = HIP_SHARE * xy_distance(n->points.hip, p->hip);
    (void)s;
    (void)at;
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++)
        value += scribe_way_over(n->points.end[i], p->corner, p->foot);
    return value;
}

// Draws the body over the edge until a foot stands there.
static bool pull_up(scribe *s, const pull *p, int hold)
{
    int stuck = 0;
    for (int i = 0; i < PULL && !s->failed; i++) {
        if (i % TRY_EVERY == 0)
            for (int foot = LOPE_LEFT_LEG; foot <= LOPE_RIGHT_LEG; foot++)
                if (scribe_attach(s, foot, hold))
                    return true;
        if (!scribe_follow(s, left_to_pull, p, &stuck))
            return false;
    }
    return false;
}

bool mantle_go(scribe *s, const choice *c)
{
    const lope_hold *holds = s->task->world->holds;
    const figure before = *scribe_now(s);
    lope_xy wall = holds[before.hold[climber_of(&before).foot]].at, ledge = holds[c->foot_hold].at;
    double ahead = ledge.x > wall.x ? 1.0 : -1.0;
    // The edge is where the wall is that the foot stands on, unless that is another one.
    double rim = ahead > 0.0 ? fmax(wall.x, ledge.x - EDGE_MOST) : fmin(wall.x, ledge.x + EDGE_MOST);
    pull p = {.hip = xy(ledge.x + HIP_AHEAD * ahead, ledge.y + HIP_ABOVE),
              .foot = ledge,
              .corner = xy(rim - SCRIBE_OVER_EDGE * ahead, ledge.y + SCRIBE_OVER_EDGE)};
    if (!scribe_take(s, c->limb, c->hold, SECOND_HAND))
        return false;
    scribe_detach(s, LOPE_LEG_MASK);
    return pull_up(s, &p, c->foot_hold);
}
