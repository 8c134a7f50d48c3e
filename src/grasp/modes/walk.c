// SPDX-License-Identifier: MIT
// Walking: one foot holds, the other takes the next step (5.3.1), and the ways out of it (5.3.2).
#include "base/memory.h"
#include "grasp/random/machine.h"

#define APART 0.4       // metres between the feet, at least
#define STEP_SLACK 0.05 // metres that the mass centre may be off both feet when one arrives
#define CRAMPED 1.5     // walking discomfort that asks for crawling
#define CROUCH 120      // descents until hands are at the ground
#define BARS_BESIDE 0.6 // metres beside the foot that bars are taken from
#define STRETCH 1.0     // metres beyond reach: who leans over a gap stands up first
#define TAKE 90         // descents towards a bar
#define HANDS_OFFERED 4 // holds behind that a hand may go down to
#define ROOM_AHEAD 0.35 // metres before the hand that the head gets to
#define AHEAD_LEAST 0.3 // metres from a foot to where the next one would be
#define AHEAD_MOST 0.8

static int grasping_foot(const scribe *s)
{
    const figure *now = &s->path.items[s->path.count - 1];
    return now->hold[LOPE_LEFT_LEG] >= 0 ? LOPE_LEFT_LEG : LOPE_RIGHT_LEG;
}

static int find_step(scribe *s, choice *out)
{
    int stands = grasping_foot(s);
    hold_query query = hold_query_of(stands ^ 1, KIND(LOAD_BEARING));
    query.apart_from[0] = scribe_now(s)->hold[stands];
    query.apart[0] = APART;
    query.closer_than = scribe_limb_distance(s, stands, query.apart_from[0]);
    s->cramped = -1;
    return machine_holds(s, &query, out, 0);
}

static bool go_step(scribe *s, const choice *c)
{
    int stood = grasping_foot(s);
    if (!scribe_attach(s, c->limb, c->hold))
        return false;
    s->cramped = c->hold; // until the body stands well
    if (!scribe_balanced(s, LOPE_LEFT_LEG, STEP_SLACK) || scribe_ease(s, LOPE_MODE_WALK) > CRAMPED ||
        !scribe_balanced(s, LOPE_LEFT_LEG, 0.0))
        return false;
    s->cramped = -1;
    if (scribe_faces_away(s))
        scribe_turn_around(s);
    scribe_detach(s, 1u << stood);
    return true;
}

// Walls that end below the head are climbed too, where there is no other way on.
static int find_climb(scribe *s, choice *out)
{
    lope_grasp_points points;
    int count = 0;
    lope_grasp_forward(s->task->body, &scribe_now(s)->pose, &points);
    for (int hand = LOPE_LEFT_ARM; hand <= LOPE_RIGHT_ARM; hand++) {
        hold_query query = hold_query_of(hand, KIND(HYBRID));
        query.low = machine_stalled(s) ? points.hip.y : points.head.y;
        count = machine_holds(s, &query, out, count);
    }
    return count;
}

static bool go_climb(scribe *s, const choice *c)
{
    if (!scribe_attach(s, c->limb, c->hold))
        return false;
    scribe_now(s)->mode = LOPE_MODE_CLIMB;
    return true;
}

static int find_swing(scribe *s, choice *out)
{
    int count = 0;
    for (int hand = LOPE_LEFT_ARM; hand <= LOPE_RIGHT_ARM && machine_stalled(s); hand++) {
        hold_query query = hold_query_of(hand, KIND(PENDENT));
        double x = s->task->world->holds[scribe_now(s)->hold[grasping_foot(s)]].at.x;
        query.left = x - BARS_BESIDE;
        query.right = x + BARS_BESIDE;
        query.stretch = STRETCH;
        count = machine_holds(s, &query, out, count);
    }
    return count;
}

static bool go_swing(scribe *s, const choice *c)
{
    if (!scribe_take(s, c->limb, c->hold, TAKE))
        return false;
    scribe_detach(s, LOPE_LEG_MASK);
    scribe_now(s)->mode = LOPE_MODE_SWING;
    scribe_ease(s, LOPE_MODE_SWING);
    return true;
}

// The next hold on the way from a foot, in reach or not; -1 where there is none.
static int hold_ahead(const scribe *s, int hold)
{
    const lope_hold *holds = s->task->world->holds;
    int best = -1;
    double nearest = AHEAD_MOST;
    for (int i = 0; i < s->task->world->hold_count; i++) {
        double apart = xy_distance(holds[i].at, holds[hold].at);
        if (holds[i].kind == LOPE_HOLD_LOAD_BEARING && apart > AHEAD_LEAST && apart < nearest &&
            scribe_limb_distance(s, LOPE_LEFT_LEG, i) < scribe_limb_distance(s, LOPE_LEFT_LEG, hold)) {
            nearest = apart;
            best = i;
        }
    }
    return best;
}

static bool stands_on(const figure *f, int hold)
{
    return f->hold[LOPE_LEFT_LEG] == hold || f->hold[LOPE_RIGHT_LEG] == hold;
}

// The last configuration with both feet down before one of them took a hold, or -1.
static int before_hold(const scribe *s, int hold)
{
    int i = s->path.count - 1;
    while (i >= 0 && s->path.items[i].mode == LOPE_MODE_WALK && !stands_on(&s->path.items[i], hold))
        i--;
    for (; i >= 0 && s->path.items[i].mode == LOPE_MODE_WALK; i--) {
        const figure *f = &s->path.items[i];
        if (f->hold[LOPE_LEFT_LEG] >= 0 && f->hold[LOPE_RIGHT_LEG] >= 0 && !stands_on(f, hold))
            return i;
    }
    return -1;
}

// Adds a hold that a foot has left as one for a hand. Best are those where the head does not get under the ceiling yet
// while the body goes down.
static int offer_hand(const scribe *s, int hold, choice *out, int count)
{
    lope_xy ahead = s->task->world->holds[hold].at;
    ahead.x += ROOM_AHEAD * s->path.items[s->path.count - 1].pose.facing;
    for (int i = 0; i < count; i++)
        if (out[i].hold == hold)
            return count;
    if (s->refused[4 * hold + LOPE_RIGHT_ARM] > s->samples)
        return count;
    choice c = {.limb = LOPE_RIGHT_ARM, .hold = hold, .foot = -1, .foot_hold = -1};
    c.order = scribe_has_room(s, hold) && scribe_room_at(s, ahead) ? 0.0 : 1.0;
    int at = count;
    for (; at > 0 && out[at - 1].order > c.order; at--)
        out[at] = out[at - 1];
    out[at] = c;
    return count + 1;
}

// A step that left the body cramped or off balance, or none at all, where nobody can stand.
static int find_crawl(scribe *s, choice *out)
{
    int foot = scribe_now(s)->hold[grasping_foot(s)], next = s->cramped;
    if (next < 0 && machine_stalled(s))
        next = hold_ahead(s, foot);
    if (next < 0 || (scribe_has_room(s, next) && scribe_has_room(s, foot)))
        return 0;
    s->cramped = -1;
    int count = offer_hand(s, foot, out, 0);
    for (int i = s->path.count - 1; i >= 0 && count < HANDS_OFFERED; i--) {
        const figure *f = &s->path.items[i];
        if (f->mode != LOPE_MODE_WALK)
            break;
        for (int k = LOPE_LEFT_LEG; k <= LOPE_RIGHT_LEG && count < HANDS_OFFERED; k++)
            if (f->hold[k] >= 0 && before_hold(s, f->hold[k]) >= 0)
                count = offer_hand(s, f->hold[k], out, count);
    }
    return count;
}

// Back to before the foot took its hold, down, and a hand there instead. Brownian motion as published takes minutes;
// steps of it that lead away from the hold are refused here.
static bool go_crawl(scribe *s, const choice *c)
{
    int back = before_hold(s, c->hold), count = s->path.count;
    if (back < 0)
        return false;
    trail rest = {0};
    bool kept = true;
    for (int i = back + 1; i < count && kept; i++)
        kept = trail_add(&rest, &s->path.items[i]);
    scribe_cut(s, back + 1);
    bool down = kept && scribe_take(s, c->limb, c->hold, CROUCH);
    if (down) {
        scribe_now(s)->mode = LOPE_MODE_CRAWL;
        scribe_ease(s, LOPE_MODE_CRAWL);
    } else {
        scribe_cut(s, back + 1);
        for (int i = 0; i < rest.count; i++)
            scribe_write(s, &rest.items[i]);
    }
    lope_free(rest.items);
    s->failed |= !kept;
    return down;
}

static const machine_edge edges[] = {{LOPE_MODE_WALK, LOPE_MODE_WALK, 4, find_step, go_step},
                                     {LOPE_MODE_WALK, LOPE_MODE_CLIMB, 3, find_climb, go_climb},
                                     {LOPE_MODE_WALK, LOPE_MODE_SWING, 2, find_swing, go_swing},
                                     {LOPE_MODE_WALK, LOPE_MODE_CRAWL, 1, find_crawl, go_crawl},
                                     {0}};

static bool takes(const stance_view *view)
{
    return view->hands == 0 && view->feet == 2 && view->feet_level;
}

// Upright or bowed; arms swing against the feet.
static void typical(const posture_problem *problem, const contact_middles *held, int variant, lope_grasp_pose *pose)
{
    const lope_xy *feet = &problem->contacts.at[LOPE_LEFT_LEG];
    double ahead = clamp_to(problem->facing * (feet[0].x - feet[1].x) / 0.9, -0.5, 0.5);
    pose->hip = xy_add(held->feet, variant ? xy(-0.1 * problem->facing, 0.5) : xy(0.0, 0.84));
    pose->spine = variant ? 0.9 : 0.05;
    pose->limb[LOPE_LEFT_ARM][0] -= ahead;
    pose->limb[LOPE_RIGHT_ARM][0] += ahead;
}

const grasp_mode mode_walk = {.name = "walk",
                              .doing = "walking",
                              .heuristics = HEURISTIC(HEAD_UP) | HEURISTIC(COMFY_LIMBS) | HEURISTIC(BALANCE) |
                                            HEURISTIC(UPRIGHT_SPINE) | HEURISTIC(LIMB_COUNTER_BALANCE),
                              .takes = takes,
                              .step_time = 0.55,
                              .stride = 0.55,
                              .max_discomfort = 1.6,
                              .support_slack = 0.02,
                              .lift_share = 0.13,
                              .least_lift = 0.05,
                              .style = {0.0, 0.03, 0.05, 0.0, 0.22, 0.01, 0.01},
                              .typical = typical,
                              .variants = 1,
                              .pair = LOPE_LEG_MASK,
                              .upright = true,
                              .edges = edges};
