// SPDX-License-Identifier: MIT
// Jumps: down, and across gaps. The body crouches, flies on a parabola and lands with its legs ahead; how deep it
// crouches there depends on how fast it comes down.
#include <stdio.h>

#include "grasp/script.h"

#define GRAVITY 9.81
#define FASTEST 5.2       // metres per second that a body of usual size jumps off with
#define LEAST_FLIGHT 0.14 // seconds
#define MOST_FLIGHT 1.4
#define LEAP_LOOKS 12   // places of a flight at which solids are looked for
#define CROUCH_TIME 0.2 // seconds
#define PUSH_TIME 0.19
#define RISE_TIME 0.5
#define DEEPEST 0.42     // metres that a body crouches at most as it lands
#define DEEPEST_FALL 3.2 // metres that a body jumps down
#define HIGH_DOWN 1.25   // times the length of a leg from which on one sits down on the edge first

static script_leap leap_in(lope_xy from, lope_xy to, double seconds)
{
    lope_xy off = xy((to.x - from.x) / seconds, (to.y - from.y) / seconds + 0.5 * GRAVITY * seconds);
    return (script_leap){from, to, seconds, off, xy(off.x, off.y - GRAVITY * seconds)};
}

// Whether trunk and folded legs pass what is between.
static bool is_clear(const script *s, const script_leap *leap)
{
    static const double heights[] = {-0.25, 0.0, 0.3, 0.65}; // of the hips, in metres
    for (int k = 1; k < LEAP_LOOKS; k++) {
        double t = leap->seconds * k / LEAP_LOOKS;
        lope_xy hip = xy(leap->from.x + leap->off.x * t, leap->from.y + leap->off.y * t - 0.5 * GRAVITY * t * t);
        for (int h = 0; h < 4; h++)
            if (script_solid(s, xy(hip.x, hip.y + heights[h] * s->scale)))
                return false;
    }
    return true;
}

bool script_find_leap(const script *s, lope_xy from, lope_xy to, script_leap *out)
{
    for (int over = 0; over < 2; over++) { // first any, which mostly will do, then those that get past what is between
        double best = FASTEST * sqrt(s->scale);
        bool found = false;
        for (double t = LEAST_FLIGHT; t < MOST_FLIGHT; t += 0.01) {
            script_leap leap = leap_in(from, to, t);
            if (leap.off.y < 0.25 || xy_length(leap.off) >= best || (over && !is_clear(s, &leap)))
                continue;
            best = xy_length(leap.off);
            *out = leap;
            found = true;
        }
        if (!found || is_clear(s, out))
            return found;
    }
    return false;
}

double script_lands(script *s, double time, lope_xy at, lope_xy speed)
{
    double down = fmax(-speed.y, 0.5);
    double depth = clamp_to(0.06 + 0.085 * down, 0.08, DEEPEST) * s->scale,
           span = clamp_to(2.0 * depth / down, 0.12, 0.4);
    double lean = 0.25 + 1.4 * depth;
    script_body(s, time + span, xy(at.x - 0.3 * depth, at.y + 0.93 * s->stand - depth), lean);
    for (int i = LOPE_LEFT_ARM; i <= LOPE_RIGHT_ARM; i++)
        script_loose(s, i, time + span, xy(0.28 * s->scale, -0.75 * s->arm));
    return time + span + RISE_TIME * (0.5 + depth);
}

static void swing_arms(script *s, double time, lope_xy at)
{
    for (int i = LOPE_LEFT_ARM; i <= LOPE_RIGHT_ARM; i++)
        script_loose(s, i, time, xy(at.x * s->arm, at.y * s->arm));
}

double script_jumps(script *s, double time, lope_xy feet, lope_xy landing, script_link *link)
{
    double far = landing.x - feet.x, lean = fmin(0.10 + 0.10 * far, 0.34) * s->scale;
    double ahead = fmin(0.04 + 0.12 * far, 0.34) * s->scale, dip = (0.08 + 0.05 * fmin(far, 2.5)) * s->scale;
    script_leap leap;
    lope_xy take = xy(feet.x + lean, feet.y + sqrt(s->leg * s->leg - lean * lean)),
            land = xy(landing.x - ahead, landing.y + 0.95 * sqrt(s->leg * s->leg - ahead * ahead));
    if (!script_find_leap(s, take, land, &leap)) {
        snprintf(link->why, sizeof link->why, "a jump of %.2f m across and %.2f m up takes a run-up or hits something",
                 far, landing.y - feet.y);
        return 0.0;
    }
    double tuck = 0.7 - 0.25 * clamp_to((landing.y - feet.y) / 0.7, 0.0, 1.0); // onto something the feet come up
    double crouch = time + CROUCH_TIME, off = crouch + PUSH_TIME, on = off + leap.seconds;
    script_body(s, crouch, xy(feet.x + 0.3 * lean, feet.y + s->stand - dip), 0.15 + 1.2 * dip);
    script_flies(s, off, leap.from, 0.2 + 0.3 * lean, leap.off);
    script_flies(s, on, leap.to, 0.15 + 0.5 * ahead, leap.on);
    swing_arms(s, crouch, xy(-0.35, -0.75));
    swing_arms(s, off, xy(0.55, -0.45));
    swing_arms(s, on, xy(0.4, -0.6));
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++) {
        script_leaves(s, i, off);
        script_loose(s, i, off + 0.5 * leap.seconds, xy(0.10 * s->scale, -tuck * s->leg));
    }
    s->left = off;
    s->landed = on;
    script_feet(s, on, landing);
    return script_lands(s, on, landing, leap.on);
}

// Where both feet find ground beyond an edge, as near as a body gets down there.
static lope_xy find_landing(const script *s, double edge, const script_link *link)
{
    double beyond = fmax(link->to.x, edge + 0.34 * s->scale);
    for (double x = beyond; x > link->to.x; x -= 0.05)
        if (fabs(script_ground(s, x, link->to.y + 0.3) - link->to.y) < 0.06 &&
            fabs(script_ground(s, x + 0.15, link->to.y + 0.3) - link->to.y) < 0.1)
            return xy(x, script_ground(s, x, link->to.y + 0.3));
    return link->to;
}

double script_drops(script *s, double time, lope_xy edge, script_link *link)
{
    double k = s->scale, fall = edge.y - link->to.y;
    lope_xy landing = find_landing(s, edge.x, link);
    if (fall > DEEPEST_FALL) {
        snprintf(link->why, sizeof link->why, "a fall of %.2f m is too deep", fall);
        return 0.0;
    }
    lope_xy above = s->keys[s->key_count - 1].hip;
    script_leap leap = {.from = xy(edge.x + 0.16 * k, fmin(edge.y + 0.12 * k, above.y - 0.02)),
                        .to = xy(landing.x - 0.08 * k, landing.y + 0.93 * s->stand)};
    double down = fmax(leap.from.y - leap.to.y, 0.01);
    leap.off.y = -0.3;
    leap.seconds = (leap.off.y + sqrt(leap.off.y * leap.off.y + 2.0 * GRAVITY * down)) / GRAVITY;
    leap.seconds = fmax(leap.seconds, 0.1);
    leap.off.x = (leap.to.x - leap.from.x) / leap.seconds;
    leap.on = xy(leap.off.x, leap.off.y - GRAVITY * leap.seconds);
    double on = time + leap.seconds;
    script_flies(s, time, leap.from, 0.2, leap.off);
    script_flies(s, on, leap.to, 0.15, leap.on);
    swing_arms(s, time + 0.1, xy(0.2, -0.7));
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG && leap.seconds > 0.25; i++)
        script_loose(s, i, time + 0.4 * leap.seconds, xy(0.16 * k, -0.88 * s->leg));
    s->landed = on;
    script_feet(s, on, landing);
    double up = script_lands(s, on, landing, leap.on);
    script_ends(s, up, landing);
    return up;
}

// Sits down on the edge, before which the feet stand at `at`. Hands press beside the body where there is ground for
// them, and stay before it on the side of treads. Returns when it pushes off.
static double sits(script *s, double time, lope_xy at, lope_xy edge)
{
    double k = s->scale, squat = time + 0.5, sit = time + 1.15, push = time + 1.4;
    int hand = script_add_hold(s, xy(edge.x - 0.13 * k, edge.y), LOPE_HOLD_LOAD_BEARING);
    script_body(s, squat, xy(at.x - 0.17 * k, at.y + 0.36 * k), 1.0);
    script_body(s, sit - 0.2, xy(edge.x - 0.22 * k, edge.y + 0.2 * k), 0.7);
    script_body(s, sit, xy(edge.x - 0.08 * k, edge.y + 0.14 * k), 0.3);
    for (int i = 0; i < 2; i++) {
        double later = 0.15 * i;
        if (s->beside[i]) {
            script_takes(s, LOPE_LEFT_ARM + i, squat - 0.05 + 0.05 * i, hand);
            script_leaves(s, LOPE_LEFT_ARM + i, push - 0.05);
        } else {
            script_loose(s, LOPE_LEFT_ARM + i, squat, xy(0.3 * k, -0.6 * s->arm));
            script_loose(s, LOPE_LEFT_ARM + i, sit, xy(0.32 * k, -0.6 * s->arm));
        }
        script_leaves(s, LOPE_RIGHT_LEG - i, squat + later);
        script_via(s, LOPE_RIGHT_LEG - i, squat + 0.25 + later, xy(edge.x + 0.12 * k, edge.y + 0.13 * k));
        script_loose(s, LOPE_RIGHT_LEG - i, sit + 0.1 + later, xy(0.35 * k, -0.62 * s->leg));
    }
    s->left = squat;
    return push + 0.12;
}

bool script_down(script *s, script_link *link)
{
    double edge = script_edge(s, link->to.x, link->from.x, link->from.y), fall = link->from.y - link->to.y;
    lope_xy landing = find_landing(s, edge, link);
    script_starts(s, link->from);
    if (fall > HIGH_DOWN * s->leg && link->across < 0.3) {
        double push = sits(s, 0.0, link->from, xy(edge, link->from.y));
        return script_drops(s, push, xy(edge, link->from.y), link) > 0.0;
    }
    double up = fall < DEEPEST_FALL ? script_jumps(s, 0.0, link->from, landing, link) : 0.0;
    if (up > 0.0)
        script_ends(s, up, landing);
    return up > 0.0;
}

bool script_gap(script *s, script_link *link)
{
    if (link->reach > 0.6 * s->stand) // hands take the far edge
        return script_up(s, link);
    script_starts(s, link->from);
    double up = script_jumps(s, 0.0, link->from, link->to, link);
    if (up > 0.0)
        script_ends(s, up, link->to);
    return up > 0.0;
}
