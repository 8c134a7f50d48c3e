// SPDX-License-Identifier: MIT
// Crawling on three points while the fourth goes on; and up again where there is room.
#include "grasp/random/machine.h"

#define APART 0.15       // metres between hands or feet, at least
#define HANDS_AHEAD 0.15 // metres that hands are before the feet on average
#define STRETCHED 0.65   // of the longest way from hand to foot
#define GOT_ON 0.5       // metres to crawl before getting up
#define WORST 1.6        // walking discomfort with which one is up
#define ATTEMPTS 3
#define AHEAD 0.5 // metres before hands and feet that have to be free of ceilings
#define LOW 0.25  // metres above the ground where bodies crawl, and what they need there
#define LOW_ROOM 0.1
#define STRETCH 0.3 // metres beyond reach
#define TAKE 40     // descents towards a hold

static int free_limb(const figure *f)
{
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (f->hold[i] < 0)
            return i;
    return -1;
}

static int find_crawl(scribe *s, choice *out)
{
    const figure *now = scribe_now(s);
    int limb = free_limb(now);
    if (limb < 0)
        return 0;
    hold_query query = hold_query_of(limb, KIND(LOAD_BEARING));
    query.apart_from[0] = now->hold[limb ^ 1];
    query.apart[0] = APART;
    query.closer_than = scribe_limb_distance(s, limb, now->hold[limb ^ 1]);
    query.stretch = STRETCH;
    int count = machine_holds(s, &query, out, 0);
    if (count || !machine_stalled(s))
        return count;
    query.closer_than = (double)INFINITY; // anywhere, so that another limb gets free
    return machine_holds(s, &query, out, 0);
}

// Whether hands and feet are far from each other.
static bool stretched_out(const scribe *s)
{
    const figure *now = &s->path.items[s->path.count - 1];
    const lope_grasp_body *body = s->task->body;
    double longest = 0.0, most = body->spine;
    for (int kind = 0; kind < 2; kind++)
        most += body->length[kind][0] + body->length[kind][1];
    for (int hand = 0; hand < 2; hand++)
        for (int foot = LOPE_LEFT_LEG; foot <= LOPE_RIGHT_LEG; foot++)
            if (now->hold[hand] >= 0 && now->hold[foot] >= 0)
                longest = fmax(longest, xy_distance(s->task->world->holds[now->hold[hand]].at,
                                                    s->task->world->holds[now->hold[foot]].at));
    return longest > STRETCHED * most;
}

static bool go_crawl(scribe *s, const choice *c)
{
    if (!scribe_take(s, c->limb, c->hold, TAKE))
        return false;
    scribe_ease(s, LOPE_MODE_CRAWL);
    bool foot = machine_stalled(s) ? !body_is_leg(c->limb) : stretched_out(s);
    scribe_detach(s, 1u << scribe_further(s, foot ? LOPE_LEFT_LEG : LOPE_LEFT_ARM));
    s->idle = 0;
    return true;
}

// A ceiling, not a wall: low down there is a way.
static bool ceiling_at(const scribe *s, lope_xy at)
{
    return !scribe_room_at(s, at) && lope_grasp_clearance(s->task->world, xy(at.x, at.y + LOW), NULL) > LOW_ROOM;
}

// Room above everything that is held, and ahead of it: outside a tunnel, neither at its mouth nor right before it.
static bool has_room(const scribe *s, const figure *now)
{
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        if (now->hold[i] < 0)
            continue;
        lope_xy at = s->task->world->holds[now->hold[i]].at;
        if (!scribe_room_at(s, at) || ceiling_at(s, xy(at.x + AHEAD * now->pose.facing, at.y)))
            return false;
    }
    return true;
}

static int find_walk(scribe *s, choice *out)
{
    const figure *now = scribe_now(s);
    int left = now->hold[LOPE_LEFT_LEG], right = now->hold[LOPE_RIGHT_LEG];
    if (left < 0 || right < 0 || !has_room(s, now) ||
        now->entered - scribe_value(s, now, scribe_distance, NULL) < GOT_ON || s->refused[4 * left] > s->samples)
        return 0;
    *out = (choice){.limb = LOPE_LEFT_ARM, .hold = left, .foot = -1, .foot_hold = -1};
    return 1;
}

static bool go_walk(scribe *s, const choice *c)
{
    (void)c;
    scribe_detach(s, LOPE_ARM_MASK);
    scribe_now(s)->mode = LOPE_MODE_WALK;
    double discomfort = (double)INFINITY;
    for (int i = 0; i < ATTEMPTS && (discomfort > WORST || !scribe_balanced(s, LOPE_LEFT_LEG, 0.0)); i++)
        discomfort = scribe_ease(s, LOPE_MODE_WALK);
    if (discomfort > WORST || !scribe_balanced(s, LOPE_LEFT_LEG, 0.0))
        return false;
    scribe_detach(s, 1u << scribe_further(s, LOPE_LEFT_LEG));
    return true;
}

static const machine_edge edges[] = {{LOPE_MODE_CRAWL, LOPE_MODE_WALK, 4, find_walk, go_walk},
                                     {LOPE_MODE_CRAWL, LOPE_MODE_CRAWL, 3, find_crawl, go_crawl},
                                     {0}};

// Hands go before feet.
static bool hands_lead(const stance_view *view)
{
    double furthest[2] = {-(double)INFINITY, -(double)INFINITY}, sum[2] = {0.0, 0.0};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (view->s->hold[i] >= 0) {
            double ahead = view->s->facing * view->world->holds[view->s->hold[i]].at.x;
            furthest[body_is_leg(i)] = fmax(furthest[body_is_leg(i)], ahead);
            sum[body_is_leg(i)] += ahead;
        }
    return furthest[0] > furthest[1] && sum[0] / view->hands > sum[1] / view->feet + HANDS_AHEAD;
}

static bool takes(const stance_view *view)
{
    return view->level && view->hands + view->feet >= 3 && hands_lead(view);
}

static void typical(const posture_problem *problem, const contact_middles *held, int variant, lope_grasp_pose *pose)
{
    pose->hip = xy_add(held->feet, xy(0.35 * problem->facing, variant ? 0.35 : 0.5));
    if (held->hand_count)
        pose->hip.x = 0.5 * (held->feet.x + held->hands.x) - 0.25 * problem->facing;
    pose->spine = 1.2;
    pose->neck = -0.3;
    pose_bend_limbs(pose, 1.0, 0.5, 1.2, 1.4);
}

const grasp_mode mode_crawl = {.name = "crawl",
                               .doing = "crawling",
                               .heuristics = HEURISTIC(HEAD_UP) | HEURISTIC(KNEES_DOWN),
                               .takes = takes,
                               .step_time = 0.6,
                               .dislike = 0.4,
                               .reluctance = 0.25,
                               .stride = 0.45,
                               .max_discomfort = 6.0,
                               .support_slack = 0.05,
                               .lift_share = 0.25,
                               .least_lift = 0.07,
                               .style = {0.5, 1.25, 0.15, 0.8, 0.1, 0.05, 0.10},
                               .typical = typical,
                               .variants = 2,
                               .hands = {0.75, 0.0},
                               .on_all_fours = true,
                               .edges = edges};
