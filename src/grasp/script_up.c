// SPDX-License-Identifier: MIT
// Up ledges and over walls. Low ones are stepped onto. On others the hands take the edge, from a jump where it is too
// high; the body is pulled up along the wall, leans over the edge, presses itself up, and a foot comes up beside the
// hands. Over a wall both legs pass above it, or the body sits down on it.
#include <stdio.h>

#include "grasp/script.h"

#define STEP 0.78     // of a leg that is stepped up without hands
#define HOP 0.5       // metres that a body of usual size jumps up from a stand
#define WALL_STEP 0.5 // and gains by a step on the wall
#define ONTO 0.9      // of a leg that is jumped up across a gap
#define FAR 0.45      // metres before an edge from which on one jumps across to it
#define GRAVITY 9.81

// What is climbed.
typedef struct ledge {
    lope_xy from; // feet before
    lope_xy edge;
    double height; // of the edge above the feet
    double hang;   // of hips that hang from the edge
} ledge;

static ledge find_ledge(const script *s, const script_link *link)
{
    ledge l = {.from = link->from};
    l.edge.x = script_edge(s, link->from.x, link->to.x, link->to.y);
    l.edge.y = script_ground(s, l.edge.x + 0.01, link->to.y + 0.3);
    l.height = l.edge.y - link->from.y;
    l.hang = l.edge.y - 0.93 * s->arm - s->trunk;
    return l;
}

static bool step_up(script *s, const ledge *l, lope_xy to)
{
    double k = s->scale, top = l->edge.y, low = l->from.y + s->stand;
    double first = fmin(l->edge.x + 0.17 * k, to.x), second = fmax(first + 0.05, to.x);
    int on = script_add_hold(s, xy(first, script_ground(s, first, top + 0.3)), LOPE_HOLD_LOAD_BEARING),
        other = script_add_hold(s, xy(second, script_ground(s, second, top + 0.3)), LOPE_HOLD_LOAD_BEARING);
    script_starts(s, l->from);
    s->left = 0.15;
    script_leaves(s, LOPE_RIGHT_LEG, 0.15);
    script_via(s, LOPE_RIGHT_LEG, 0.38, xy(l->from.x - 0.05 * k, top + 0.08 * k));
    script_via(s, LOPE_RIGHT_LEG, 0.5, xy(l->edge.x - 0.04 * k, top + 0.12 * k));
    script_takes(s, LOPE_RIGHT_LEG, 0.66, on);
    script_body(s, 0.35, xy(l->from.x + 0.01, low - 0.02), 0.08);
    script_body(s, 0.7, xy(l->edge.x - 0.05 * k, low), 0.3);
    script_leaves(s, LOPE_LEFT_LEG, 0.78);
    script_via(s, LOPE_LEFT_LEG, 0.98, xy(l->edge.x - 0.28 * k, top + 0.1 * k));
    script_via(s, LOPE_LEFT_LEG, 1.1, xy(l->edge.x - 0.05 * k, top + 0.14 * k));
    script_takes(s, LOPE_LEFT_LEG, 1.3, other);
    script_body(s, 1.05, xy(first - 0.02, top + 0.85 * s->stand), 0.25);
    s->landed = 1.3;
    script_ends(s, 1.42, xy(0.5 * (first + second), top));
    return true;
}

static bool jump_onto(script *s, script_link *link, lope_xy to)
{
    script_starts(s, link->from);
    double up = script_jumps(s, 0.0, link->from, to, link);
    if (up > 0.0)
        script_ends(s, up, to);
    return up > 0.0;
}

// --- To the edge

// How a body gets its hands to the edge; returns when they are there, 0 where it cannot.
static double reach_edge(script *s, const ledge *l, const int hands[2], script_link *link)
{
    double k = s->scale, time = 0.5, rise = l->hang - (l->from.y + s->stand), far = l->edge.x - l->from.x;
    lope_xy hang = xy(l->edge.x - 0.3 * k, fmax(l->hang, l->from.y + 0.93 * s->stand));
    script_starts(s, l->from);
    if (far > FAR * k) { // across
        script_leap leap;
        lope_xy take = xy(l->from.x + 0.2 * k, l->from.y + 0.96 * s->leg);
        hang.y = fmax(l->edge.y - 0.75 * s->arm - s->trunk, script_ground(s, hang.x, l->from.y + 0.1) + 0.6 * s->leg);
        if (!script_find_leap(s, take, hang, &leap)) {
            snprintf(link->why, sizeof link->why, "an edge %.2f m across and %.2f m up takes a run-up", far, l->height);
            return 0.0;
        }
        script_body(s, 0.2, xy(l->from.x + 0.05, l->from.y + s->stand - 0.18 * k), 0.35);
        script_flies(s, 0.39, leap.from, 0.25, leap.off);
        time = 0.39 + leap.seconds;
        script_flies(s, time, hang, 0.0, xy(0.3 * leap.on.x, 0.5 * leap.on.y));
        s->left = 0.39;
    } else if (rise > 0.0) { // up: to where the jump ends
        if (rise > (HOP + WALL_STEP) * k) {
            snprintf(link->why, sizeof link->why, "hands reach %.2f m and a jump %.2f m more: the edge is %.2f m up",
                     s->stand + s->trunk + 0.93 * s->arm, (HOP + WALL_STEP) * k, l->height);
            return 0.0;
        }
        bool wall = rise > HOP * k;
        double first = wall ? 0.55 * rise : rise;
        lope_xy take = xy(l->edge.x - 0.26 * k, l->from.y + s->leg);
        script_body(s, 0.2, xy(l->from.x - 0.12 * k, l->from.y + s->stand - 0.2 * k), 0.3);
        double up = sqrt(2.0 * GRAVITY * fmax(hang.y - take.y, 0.03) * first / rise);
        script_flies(s, 0.39, take, 0.05, xy(0, up));
        time = 0.39 + up / GRAVITY;
        s->left = 0.39;
        if (wall) {
            double middle = take.y + (hang.y - take.y) * first / rise;
            int step = script_add_hold(s, xy(l->edge.x, l->from.y + 0.62 * k), LOPE_HOLD_BRACE);
            script_leaves(s, LOPE_RIGHT_LEG, 0.36);
            script_takes(s, LOPE_RIGHT_LEG, 0.52, step);
            script_body(s, time, xy(hang.x - 0.03 * k, middle - 0.02), 0.0);
            script_leaves(s, LOPE_RIGHT_LEG, time + 0.22);
            time += 0.45;
        }
        script_body(s, time, hang, 0.0);
    } else {
        script_body(s, time, hang, l->height < s->stand + 0.5 * s->trunk ? 0.5 : 0.1);
    }
    // Where the edge is about as high as the shoulders, hands come from above.
    double off = fabs(l->edge.y - (hang.y + s->trunk)), above = fmax(0.32 * k - 0.7 * off, 0.06 * k);
    for (int i = 0; i < 2; i++) {
        script_loose(s, LOPE_LEFT_ARM + i, 0.35 * time, xy(-0.15 * k, -0.72 * s->arm));
        script_via(s, LOPE_LEFT_ARM + i, time - 0.15, xy(l->edge.x - 0.13 * k, l->edge.y + above));
        script_takes(s, LOPE_LEFT_ARM + i, time - 0.02 + 0.02 * i, hands[i]);
    }
    return time;
}

// Pulls up along the wall until the arms press on the edge. Returns when.
static double pull_up(script *s, const ledge *l, double time)
{
    double k = s->scale, top = l->edge.y, x = l->edge.x;
    double begin = s->keys[s->key_count - 1].hip.y, least = fmin(begin, l->from.y + 0.93 * s->stand);
    double share = clamp_to((top - 0.1 * s->trunk - begin) / (1.0 * k), 0.0, 1.0), pull = 0.25 + 0.45 * share;
    double leave = time + 0.08;
    leave = s->left > 0.0 ? s->left : leave; // a jump has left it
    s->left = leave;
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++)
        script_leaves(s, i, leave);
    script_loose(s, LOPE_LEFT_LEG, time + 0.5 * pull, xy(-0.06 * k, -0.9 * s->leg));
    script_loose(s, LOPE_RIGHT_LEG, time + 0.7 * pull, xy(-0.02 * k, -0.85 * s->leg));
    script_body(s, time + 0.6 * pull, xy(x - 0.28 * k, fmax(top - 0.8 * s->trunk, least)), 0.12);
    script_body(s, time + pull + 0.15, xy(x - 0.26 * k, fmax(top - 0.1 * s->trunk, least + 0.02)), 0.6);
    script_body(s, time + pull + 0.45, xy(x - 0.21 * k, top + 0.37 * k), 1.15);
    return time + pull + 0.45;
}

double script_press_up(script *s, lope_xy edge, const int hands[2], script_link *link)
{
    ledge l = {link->from, edge, edge.y - link->from.y, edge.y - 0.93 * s->arm - s->trunk};
    double time = reach_edge(s, &l, hands, link);
    return time > 0.0 ? pull_up(s, &l, time) : 0.0;
}

bool script_up(script *s, script_link *link)
{
    ledge l = find_ledge(s, link);
    double k = s->scale, top = l.edge.y, x = l.edge.x;
    lope_xy to = xy(fmax(link->to.x, x + 0.2 * k), link->to.y);
    if (fabs(script_ground(s, to.x + 0.05, link->to.y + 0.3) - link->to.y) > 0.1)
        to = link->to;
    if (l.height < STEP * s->leg && x - l.from.x < FAR * k)
        return step_up(s, &l, to);
    if (l.height < ONTO * s->leg && x - l.from.x >= FAR * k)
        return jump_onto(s, link, to);
    int hold = script_add_hold(s, xy(x + 0.05 * k, script_ground(s, x + 0.05 * k, top + 0.3)), LOPE_HOLD_HYBRID);
    const int hands[2] = {hold, script_add_hold(s, s->holds[hold].at, LOPE_HOLD_HYBRID)};
    double time = script_press_up(s, l.edge, hands, link);
    if (time <= 0.0)
        return false;
    double first = x + 0.14 * k, second = fmax(first + 0.08 * k, to.x);
    int on = script_add_hold(s, xy(first, script_ground(s, first, top + 0.3)), LOPE_HOLD_LOAD_BEARING),
        other = script_add_hold(s, xy(second, script_ground(s, second, top + 0.3)), LOPE_HOLD_LOAD_BEARING);
    script_via(s, LOPE_RIGHT_LEG, time - 0.14, xy(x - 0.45 * k, top - 0.14 * k));
    script_via(s, LOPE_RIGHT_LEG, time + 0.06, xy(x - 0.3 * k, top + 0.22 * k));
    script_via(s, LOPE_RIGHT_LEG, time + 0.2, xy(x - 0.08 * k, top + 0.22 * k));
    script_takes(s, LOPE_RIGHT_LEG, time + 0.36, on);
    script_body(s, time + 0.3, xy(x - 0.14 * k, top + 0.4 * k), 1.15);
    script_loose(s, LOPE_LEFT_LEG, time - 0.1, xy(-0.08 * k, -0.7 * s->leg));
    script_via(s, LOPE_LEFT_LEG, time + 0.25, xy(x - 0.48 * k, top - 0.1 * k));
    script_via(s, LOPE_LEFT_LEG, time + 0.55, xy(x - 0.34 * k, top + 0.2 * k));
    script_via(s, LOPE_LEFT_LEG, time + 0.78, xy(x - 0.08 * k, top + 0.22 * k));
    script_takes(s, LOPE_LEFT_LEG, time + 1.0, other);
    script_body(s, time + 0.75, xy(x - 0.02 * k, top + 0.48 * k), 0.9);
    for (int i = 0; i < 2; i++)
        script_leaves(s, LOPE_LEFT_ARM + i, time + 0.5 + 0.1 * i);
    s->landed = time + 1.0;
    script_ends(s, time + 1.4, xy(0.5 * (first + second), to.y));
    return true;
}
