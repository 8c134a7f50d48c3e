// SPDX-License-Identifier: MIT
// What a way costs: time, effort and habits of each mode behind, the distance map ahead.
#include "grasp/search_state.h"

#define METRES_PER_SECOND 0.9
#define LIMB_SHARE 0.35 // of the potential that limbs have beside the mass centre
#define REVERSE 0.4     // cost of a step backwards
#define STRIDE 2.0      // cost of a stride 0.3 m off the comfortable one
#define LOOK_AHEAD 0.3  // metres in which the way is felt for
#define AWAY 0.6        // metres that facing away from the way counts for
#define TWO_POINTS 3.0  // cost of crawling on two points while the third moves: it should be three
#define CRAWL_BACK 1.5  // cost of a crawling limb that goes backwards
#define TURN 0.9        // cost of turning round
#define RELEASE 0.35    // cost of letting go with both hands or feet

double search_distance(const search *s, lope_xy at)
{
    double distance = lope_distance_at(s->task->map, at);
    return isinf(distance) ? 1e3 : distance;
}

static bool is_low(const search *s, const stance *st)
{
    int which = stance_mode(s->task->world, st);
    return which != STANCE_NONE && modes[which]->on_all_fours;
}

// Where a stance is. Crawling bodies are ahead of their feet: going down would look like getting on, rising like going
// back.
static lope_xy place_of(const search *s, const stance *st, lope_xy mass)
{
    const lope_hold *holds = s->task->world->holds;
    unsigned mask = stance_mask(st);
    if (!(mask & LOPE_ARM_MASK) || !(mask & LOPE_LEG_MASK) || !is_low(s, st))
        return mass;
    double sum = 0.0;
    int count = 0;
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++)
        if (st->hold[i] >= 0) {
            sum += holds[st->hold[i]].at.x;
            count++;
        }
    return xy(sum / count, mass.y);
}

bool search_faces_away(const search *s, const stance *st, lope_xy mass)
{
    lope_xy ahead = xy(LOOK_AHEAD * st->facing, 0.0);
    return search_distance(s, xy_add(mass, ahead)) - search_distance(s, xy_sub(mass, ahead)) > LOOK_AHEAD;
}

double search_potential(const search *s, const stance *st, int mode, lope_xy mass)
{
    double body = search_distance(s, place_of(s, st, mass)), limbs = 0.0;
    int count = 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (st->hold[i] >= 0) {
            limbs += fmin((double)s->task->hold_distance[st->hold[i]], 1e3);
            count++;
        }
    double left = (1.0 - LIMB_SHARE) * body + LIMB_SHARE * limbs / fmax(count, 1);
    left += search_faces_away(s, st, mass) ? AWAY : 0.0;
    return (left + modes[mode]->reluctance) / METRES_PER_SECOND;
}

static int held_count(const stance *st)
{
    int count = 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        count += st->hold[i] >= 0;
    return count;
}

double search_step_cost(const search *s, const stance *from, const stance *to, int mode)
{
    const lope_grasp_world *world = s->task->world;
    double cost = modes[mode]->step_time + modes[mode]->dislike;
    if (from->facing != to->facing)
        return TURN;
    int limb = -1;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (to->hold[i] != from->hold[i] && to->hold[i] >= 0)
            limb = i;
    if (limb < 0)
        return RELEASE + modes[mode]->dislike;
    if (from->hold[limb] < 0)
        return cost;
    lope_xy moved = xy_sub(world->holds[to->hold[limb]].at, world->holds[from->hold[limb]].at);
    if (modes[mode]->on_all_fours && held_count(from) < 4)
        cost += TWO_POINTS;
    if (modes[mode]->on_all_fours && moved.x * to->facing < -0.05)
        cost += CRAWL_BACK;
    if (modes[mode]->pair) {
        int other = limb ^ 1;
        double apart = xy_distance(world->holds[to->hold[limb]].at, world->holds[to->hold[other]].at);
        double off = (apart - modes[mode]->stride) / 0.3;
        cost += STRIDE * off * off + (moved.x * to->facing < 0.0 ? REVERSE : 0.0);
    }
    return cost;
}

double search_comfort_cost(const footing *at)
{
    return 0.5 * fmin(fmax(at->value - 1.0, 0.0), 3.0);
}
