// SPDX-License-Identifier: MIT
// Hand over hand along bars over a gap. The hands take the first bars from a jump, one reaches ahead while the body
// swings below the other, and the last ones are let go of above the ground on the other side.
#include <stdio.h>

#include "grasp/script.h"

#define BARS 64
#define HOP 0.55        // metres that a body of usual size jumps up to a bar
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

// A way along bars, as it is written.
typedef struct bars_way {
    script *s;
    script_link *link;
    lope_xy grips[BARS];
    int holds[BARS]; // of the grips
    int first, count;
    double below; // metres from a bar down to the hips
    double time;  // seconds: so far
} bars_way;

// Whether a jump gets the hands to the first bar, and arms from each to the next.
static bool can_reach(const bars_way *w)
{
    const script *s = w->s;
    script_link *link = w->link;
    const lope_xy bar = w->grips[w->first];
    if (bar.y - w->below - (link->from.y + s->stand) > HOP * s->scale) {
        snprintf(link->why, sizeof link->why, "hands reach %.2f m and a jump %.2f m more: the bar is %.2f m up",
                 s->stand + s->trunk + 0.9 * s->arm, HOP * s->scale, bar.y - link->from.y);
        return false;
    }
    for (int i = 0; i + 1 < w->count; i++)
        if (w->grips[i + 1].x - w->grips[i].x > 1.55 * s->arm) {
            snprintf(link->why, sizeof link->why, "bars %.2f m apart are too far for arms of %.2f m",
                     w->grips[i + 1].x - w->grips[i].x, s->arm);
            return false;
        }
    return true;
}

// Both hands take the first bar.
static bool jump_up(bars_way *w)
{
    script *s = w->s;
    const lope_xy from = w->link->from, bar = w->grips[w->first];
    const double k = s->scale, off = 0.39;
    lope_xy hang = xy(bar.x - 0.05 * k, fmax(bar.y - w->below, from.y + 0.2 * s->leg));
    lope_xy take = xy(from.x + 0.15 * k, fmin(from.y + 0.98 * s->leg, hang.y + 0.1));
    script_leap leap;
    if (!script_find_leap(s, take, hang, &leap))
        return false;
    w->time = off + leap.seconds;
    script_body(s, 0.2, xy(from.x, from.y + s->stand - 0.14 * k), 0.25);
    script_flies(s, off, leap.from, 0.1, leap.off);
    script_flies(s, w->time, hang, -0.05, xy(0.6 * leap.on.x, 0.3 * leap.on.y));
    s->left = off;
    for (int i = LOPE_LEFT_ARM; i <= LOPE_RIGHT_ARM; i++)
        script_loose(s, i, 0.25, xy(0.2 * k, -0.2 * s->arm));
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++) {
        script_leaves(s, i, off);
        script_loose(s, i, w->time, xy(-0.1 * k, -0.85 * s->leg));
    }
    script_takes(s, LOPE_LEFT_ARM, w->time, w->holds[w->first]);
    script_takes(s, LOPE_RIGHT_ARM, w->time + 0.02, w->holds[w->first]);
    return true;
}

// A hand goes from the bar at[hand] past the other hand to bar `to`.
static void reach_on(bars_way *w, int hand, int to, int at[2])
{
    script *s = w->s;
    const double k = s->scale, begin = w->time + 0.12, reach = w->time + SWING_TIME;
    const lope_xy *grips = w->grips, from = grips[at[hand]], next = grips[to];
    script_leaves(s, hand, begin);
    script_via(s, hand, 0.5 * (begin + reach), xy(0.5 * (from.x + next.x), fmin(from.y, next.y) - 0.14 * k));
    script_takes(s, hand, reach, w->holds[to]);
    at[hand] = to;
    double x = 0.5 * (grips[at[0]].x + grips[at[1]].x), y = fmin(grips[at[0]].y, grips[at[1]].y);
    double held = grips[at[hand ^ 1]].x;
    script_body(s, 0.5 * (begin + reach), xy(0.4 * held + 0.6 * x, y - w->below), 0.1);
    script_body(s, reach, xy(x + 0.04 * k, y - w->below + 0.03 * k), -0.05);
    for (int leg = LOPE_LEFT_LEG; leg <= LOPE_RIGHT_LEG; leg++)
        script_loose(s, leg, reach, xy((leg & 1) == (hand & 1) ? 0.12 * k : -0.12 * k, -0.88 * s->leg));
    w->time = reach;
}

// Swings and lets go.
static void let_go(bars_way *w)
{
    script *s = w->s;
    const double k = s->scale;
    const lope_xy landing = w->link->to, last = w->grips[w->count - 1];
    lope_xy from = xy(last.x + 0.12 * k, last.y - w->below + 0.04 * k),
            to = xy(landing.x - 0.06 * k, landing.y + 0.92 * s->stand);
    script_leap leap;
    w->time += 0.3;
    if (!script_find_leap(s, from, to, &leap) || leap.seconds > 0.6)
        leap = (script_leap){.from = from,
                             .to = to,
                             .seconds = 0.25,
                             .off = xy((to.x - from.x) / 0.25, (to.y - from.y) / 0.25 + 0.125 * GRAVITY)};
    leap.on = xy(leap.off.x, leap.off.y - GRAVITY * leap.seconds);
    script_flies(s, w->time, from, 0.0, leap.off);
    script_flies(s, w->time + leap.seconds, to, 0.12, leap.on);
    for (int i = 0; i < 2; i++) {
        script_leaves(s, LOPE_LEFT_ARM + i, w->time - 0.02);
        script_loose(s, LOPE_LEFT_LEG + i, w->time, xy(0.25 * k, -0.8 * s->leg));
    }
    s->landed = w->time + leap.seconds;
    script_feet(s, s->landed, landing);
    script_ends(s, script_lands(s, s->landed, landing, leap.on), landing);
}

bool script_bars(script *s, script_link *link)
{
    lope_xy bars[BARS];
    bars_way w = {.s = s, .link = link, .below = 0.9 * s->arm + s->trunk};
    w.count = choose_grips(s, bars, find_bars(s, link, bars), w.grips);
    if (w.count < 2) {
        snprintf(link->why, sizeof link->why, "there are no bars in the plane of the link");
        return false;
    }
    while (w.first + 2 < w.count && w.grips[w.first].x < link->from.x + 0.05)
        w.first++;
    if (!can_reach(&w))
        return false;
    for (int i = w.first; i < w.count; i++)
        w.holds[i] = script_add_hold(s, w.grips[i], LOPE_HOLD_PENDENT);
    script_starts(s, link->from);
    if (!jump_up(&w))
        return false;
    int at[2] = {w.first, w.first}; // where each hand is; they take turns
    for (int hand = LOPE_RIGHT_ARM; at[0] < w.count - 1 || at[1] < w.count - 1; hand ^= 1) {
        int ahead = at[0] > at[1] ? at[0] : at[1];
        reach_on(&w, hand, ahead + 1 < w.count ? ahead + 1 : ahead, at);
    }
    let_go(&w);
    return true;
}
