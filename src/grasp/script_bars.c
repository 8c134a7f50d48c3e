// SPDX-License-Identifier: MIT
// Hand over hand along bars over a gap. The hands take the first bars from a jump, one reaches ahead while the body
// swings below the other, and the last ones are let go of above the ground on the other side.
#include <stdio.h>

#include "grasp/script.h"

#define BARS 64
#define HOP 0.55        // metres that a body of usual size jumps up to a bar
#define SPACING 0.35    // metres between grips along one bar
#define SWING_TIME 0.55 // seconds for a reach
#define GRAVITY 9.81

static int find_bars(const script *s, const script_link *link, lope_xy out[BARS])
{
    int count = 0;
    for (int i = 0; i < s->solids->hold_count && count < BARS; i++) {
        const lope_hold *h = &s->solids->holds[i];
        if (h->kind != LOPE_HOLD_PENDENT || h->at.x < link->from.x - 0.3 || h->at.x > link->to.x + 0.3)
            continue;
        int at = count++;
        for (; at > 0 && out[at - 1].x > h->at.x; at--)
            out[at] = out[at - 1];
        out[at] = h->at;
    }
    return count;
}

// The grips of a way: bars no farther apart than an arm reaches, none so near that it is no way.
static int choose_grips(const script *s, const lope_xy *bars, int count, lope_xy out[BARS])
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (kept == 0 || bars[i].x - out[kept - 1].x > 0.25 * s->scale || i == count - 1)
            out[kept++] = bars[i];
    return kept;
}

bool script_bars(script *s, script_link *link)
{
    lope_xy bars[BARS], grips[BARS];
    double k = s->scale;
    int count = choose_grips(s, bars, find_bars(s, link, bars), grips);
    if (count < 2) {
        snprintf(link->why, sizeof link->why, "there are no bars in the plane of the link");
        return false;
    }
    int first = 0;
    while (first + 2 < count && grips[first].x < link->from.x + 0.05)
        first++;
    lope_xy bar = grips[first];
    double below = 0.9 * s->arm + s->trunk; // hips below a bar
    double rise = bar.y - below - (link->from.y + s->stand);
    if (rise > HOP * k) {
        snprintf(link->why, sizeof link->why, "hands reach %.2f m and a jump %.2f m more: the bar is %.2f m up",
                 s->stand + s->trunk + 0.9 * s->arm, HOP * k, bar.y - link->from.y);
        return false;
    }
    for (int i = 0; i + 1 < count; i++)
        if (grips[i + 1].x - grips[i].x > 1.55 * s->arm) {
            snprintf(link->why, sizeof link->why, "bars %.2f m apart are too far for arms of %.2f m",
                     grips[i + 1].x - grips[i].x, s->arm);
            return false;
        }
    int holds[BARS];
    for (int i = first; i < count; i++)
        holds[i] = script_add_hold(s, grips[i], LOPE_HOLD_PENDENT);
    script_starts(s, link->from);
    lope_xy hang = xy(bar.x - 0.05 * k, fmax(bar.y - below, link->from.y + 0.2 * s->leg));
    lope_xy take = xy(link->from.x + 0.15 * k, fmin(link->from.y + 0.98 * s->leg, hang.y + 0.1));
    script_leap leap;
    if (!script_find_leap(s, take, hang, &leap))
        return false;
    double off = 0.39, time = off + leap.seconds;
    script_body(s, 0.2, xy(link->from.x, link->from.y + s->stand - 0.14 * k), 0.25);
    script_flies(s, off, leap.from, 0.1, leap.off);
    script_flies(s, time, hang, -0.05, xy(0.6 * leap.on.x, 0.3 * leap.on.y));
    s->left = off;
    for (int i = LOPE_LEFT_ARM; i <= LOPE_RIGHT_ARM; i++)
        script_loose(s, i, 0.25, xy(0.2 * k, -0.2 * s->arm));
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++) {
        script_leaves(s, i, off);
        script_loose(s, i, time, xy(-0.1 * k, -0.85 * s->leg));
    }
    script_takes(s, LOPE_LEFT_ARM, time, holds[first]);
    script_takes(s, LOPE_RIGHT_ARM, time + 0.02, holds[first]);
    // Each hand goes past the other, two bars at a time.
    int hand = LOPE_RIGHT_ARM, at[2] = {first, first};
    while (at[0] < count - 1 || at[1] < count - 1) {
        int ahead = at[0] > at[1] ? at[0] : at[1], to = ahead + 1 < count ? ahead + 1 : ahead;
        double begin = time + 0.12, reach = time + SWING_TIME;
        lope_xy from = grips[at[hand]], next = grips[to];
        script_leaves(s, hand, begin);
        script_via(s, hand, 0.5 * (begin + reach), xy(0.5 * (from.x + next.x), fmin(from.y, next.y) - 0.14 * k));
        script_takes(s, hand, reach, holds[to]);
        at[hand] = to;
        double x = 0.5 * (grips[at[0]].x + grips[at[1]].x), y = fmin(grips[at[0]].y, grips[at[1]].y);
        double held = grips[at[hand ^ 1]].x;
        script_body(s, 0.5 * (begin + reach), xy(0.4 * held + 0.6 * x, y - below), 0.1);
        script_body(s, reach, xy(x + 0.04 * k, y - below + 0.03 * k), -0.05);
        for (int leg = LOPE_LEFT_LEG; leg <= LOPE_RIGHT_LEG; leg++)
            script_loose(s, leg, reach, xy((leg & 1) == (hand & 1) ? 0.12 * k : -0.12 * k, -0.88 * s->leg));
        time = reach;
        hand ^= 1;
    }
    // Swings and lets go.
    lope_xy landing = link->to, from = xy(grips[count - 1].x + 0.12 * k, grips[count - 1].y - below + 0.04 * k),
            to = xy(landing.x - 0.06 * k, landing.y + 0.92 * s->stand);
    time += 0.3;
    if (!script_find_leap(s, from, to, &leap) || leap.seconds > 0.6)
        leap = (script_leap){.from = from,
                             .to = to,
                             .seconds = 0.25,
                             .off = xy((to.x - from.x) / 0.25, (to.y - from.y) / 0.25 + 0.125 * GRAVITY)};
    leap.on = xy(leap.off.x, leap.off.y - GRAVITY * leap.seconds);
    script_flies(s, time, from, 0.0, leap.off);
    script_flies(s, time + leap.seconds, to, 0.12, leap.on);
    for (int i = 0; i < 2; i++) {
        script_leaves(s, LOPE_LEFT_ARM + i, time - 0.02);
        script_loose(s, LOPE_LEFT_LEG + i, time, xy(0.25 * k, -0.8 * s->leg));
    }
    s->landed = time + leap.seconds;
    script_feet(s, s->landed, landing);
    script_ends(s, script_lands(s, s->landed, landing, leap.on), landing);
    return true;
}
