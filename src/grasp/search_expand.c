// SPDX-License-Identifier: MIT
// Neighbours of a stance: one limb takes another hold, or lets go, or the body turns round, squats or rises.
#include "grasp/search_state.h"

#define REACH_AHEAD 0.75 // metres that the body may follow a limb that reaches out
#define BOW_DOWN 0.3     // metres more that hands get to the ground from standing
#define SEAT_NEAR 1.0    // metres from the hip to a seat
#define SEAT_OVER 0.4    // metres from the hip to the next one of a body that sits
#define AROUND_GOAL 0.8  // metres within which turning to the goal's side is tried

void search_offer(search *s, int parent, const stance *st, int mode)
{
    const search_task *task = s->task;
    if (search_twin_closed(s, st))
        return;
    int index = search_entry(s, st, mode);
    if (index < 0)
        return;
    entry *e = &s->entries[index];
    if (e->closed >= 0 || (!e->solved && e->tries >= SEARCH_TRIES))
        return;
    const node *from = &s->nodes[parent];
    const entry *before_it = &s->entries[from->entry];
    lope_xy mass = e->solved ? e->at.mass : before_it->at.mass;
    if (!e->solved)
        for (int i = 0; i < LOPE_LIMB_COUNT; i++)
            if (st->hold[i] >= 0 && before_it->s.hold[i] >= 0 && st->hold[i] != before_it->s.hold[i]) {
                lope_xy moved = xy_sub(task->world->holds[st->hold[i]].at, task->world->holds[before_it->s.hold[i]].at);
                mass = xy_mad(mass, moved, modes[mode]->pair ? 0.5 : 0.3);
            }
    double cost = from->cost + search_step_cost(s, &before_it->s, st, mode);
    if (e->solved)
        cost += search_comfort_cost(&e->at);
    double noise = task->seed ? 1.0 + 0.1 * (double)lope_random_range(&s->random, 0.0f, 1.0f) : 1.0;
    search_push(s, cost + task->weight * search_potential(s, st, mode, mass) * noise, parent, index);
}

// Whether a trunk could be upright over two feet: what is clearly impossible needs no descent.
static bool has_headroom(const lope_grasp_world *world, const stance *st)
{
    lope_xy a = world->holds[st->hold[LOPE_LEFT_LEG]].at, b = world->holds[st->hold[LOPE_RIGHT_LEG]].at;
    double apart = fabs(a.x - b.x), best = -(double)INFINITY;
    for (int k = 0; k < 3; k++) {
        lope_xy at = xy(0.5 * (a.x + b.x) + 0.4 * (k - 1) * apart, 0.5 * (a.y + b.y));
        double chest = lope_grasp_clearance(world, xy(at.x, at.y + 1.15), NULL);
        best = fmax(best, fmin(chest, lope_grasp_clearance(world, xy(at.x, at.y + 0.9), NULL)));
    }
    return best > 0.0;
}

// Crawling stances come in two postures when one goes down to them or rises from them.
static void offer(search *s, int parent, const stance *st)
{
    const search_task *task = s->task;
    int mode = stance_mode(task->world, st);
    if (mode == STANCE_NONE || task->without >> mode & 1u || !stance_spans(task->world, task->body, st) ||
        (modes[mode]->upright && !has_headroom(task->world, st)))
        return;
    stance as = *st;
    const stance from = s->entries[s->nodes[parent].entry].s; // a copy: entries move when more are made
    bool low = stance_mask(st) & LOPE_ARM_MASK && modes[mode]->on_all_fours,
         down = !(stance_mask(&from) & LOPE_ARM_MASK);
    as.squat = low && down; // going down means to squat first
    search_offer(s, parent, &as, mode);
    if (low && from.squat) {
        as.squat = 1;
        search_offer(s, parent, &as, mode);
    }
}

static void offer_holds(search *s, int parent, const stance *at, const footing *from, int limb)
{
    const search_task *task = s->task;
    const lope_grasp_body *body = task->body;
    int leg = body_is_leg(limb);
    double reach = body->length[leg][0] + body->length[leg][1] + REACH_AHEAD;
    lope_xy base = leg ? from->pose.hip : body_neck(body, &from->pose);
    for (int i = 0; i < task->world->hold_count; i++) {
        const lope_hold *hold = &task->world->holds[i];
        bool used = false;
        for (int k = 0; k < LOPE_LIMB_COUNT; k++)
            used |= at->hold[k] == i;
        double bow = !leg && hold->kind == LOPE_HOLD_LOAD_BEARING ? BOW_DOWN : 0.0;
        if (used || !stance_suits(hold, limb) || xy_distance(hold->at, base) > reach + bow)
            continue;
        stance next = *at;
        next.hold[limb] = i;
        offer(s, parent, &next);
    }
}

// Of two free arms or legs only one needs to be tried: the arm that swings ahead with the rear foot.
static bool spare(const lope_grasp_body *body, const stance *st, int limb)
{
    if (st->hold[limb] >= 0 || st->hold[limb ^ 1] >= 0 || body_lacks(body, limb ^ 1))
        return false;
    int rear = (st->hold[LOPE_LEFT_LEG] > st->hold[LOPE_RIGHT_LEG]) == (st->facing > 0); // in order along most rows
    return (limb & 1) != rear;
}

// Sits down on what is near the hip; gets up, or moves over a little.
static void offer_seats(search *s, int index, const footing *from)
{
    const lope_grasp_world *world = s->task->world;
    stance next = from->s;
    double reach = next.seat ? SEAT_OVER : SEAT_NEAR;
    if (next.seat) {
        next.seat = 0;
        offer(s, index, &next);
    }
    for (int i = 0; i < world->hold_count && !s->failed; i++) {
        const lope_hold *hold = &world->holds[i];
        next.seat = i + 1;
        if (hold->kind == LOPE_HOLD_LOAD_BEARING && hold->normal.y > 0.9 && i != next.hold[LOPE_LEFT_LEG] &&
            i != next.hold[LOPE_RIGHT_LEG] && i + 1 != from->s.seat && xy_distance(hold->at, from->pose.hip) < reach)
            offer(s, index, &next);
    }
}

void search_expand(search *s, int index)
{
    const footing from = s->entries[s->nodes[index].entry].at; // a copy: entries move when more are made
    const lope_grasp_world *world = s->task->world;
    for (int limb = 0; limb < LOPE_LIMB_COUNT && !s->failed; limb++)
        if (!body_lacks(s->task->body, limb) && stance_can_lift(world, &from.s, limb) &&
            !spare(s->task->body, &from.s, limb))
            offer_holds(s, index, &from.s, &from, limb);
    unsigned mask = stance_mask(&from.s);
    int which = stance_mode(world, &from.s);
    if (modes[which]->on_all_fours && !s->failed) { // crouch, or get going
        stance other = from.s;
        other.squat = !other.squat;
        search_offer(s, index, &other, which);
    }
    if (modes[which]->lets_go) // hang on with fewer
        for (int limb = 0; limb < LOPE_LIMB_COUNT && !s->failed; limb++)
            if (from.s.hold[limb] >= 0 && stance_can_lift(world, &from.s, limb)) {
                stance next = from.s;
                next.hold[limb] = -1;
                offer(s, index, &next);
            }
    for (int part = 0; part < 2 && !s->failed; part++)
        if (mask & (part ? LOPE_LEG_MASK : LOPE_ARM_MASK) && mask & (part ? LOPE_ARM_MASK : LOPE_LEG_MASK)) {
            stance next = from.s;
            next.hold[2 * part] = next.hold[2 * part + 1] = -1;
            offer(s, index, &next);
        }
    if (s->task->sits && !(mask & LOPE_ARM_MASK))
        offer_seats(s, index, &from);
    bool arrived = search_distance(s, from.mass) < AROUND_GOAL;
    if (!(mask & LOPE_ARM_MASK) && !from.s.seat &&
        (s->task->may_turn || arrived || search_faces_away(s, &from.s, from.mass))) {
        stance next = from.s;
        next.facing = -next.facing;
        offer(s, index, &next);
    }
}
