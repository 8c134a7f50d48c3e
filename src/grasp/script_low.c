// SPDX-License-Identifier: MIT
// Through passages too low to walk. The body bends down as far as the ceiling above it asks for: it stoops, walks
// crouched, and where that is not enough goes on hands and feet, down to lying nearly flat.
#include <stdio.h>

#include "grasp/script.h"

#define STEPS 128
#define UNDER_CEILING 0.07 // metres between head and ceiling
#define LOWEST 0.26        // metres of a hip that crawls
#define CROUCH 0.46        // metres of a hip that walks crouched at least
#define CROUCH_LEAN 1.3    // radians
#define CRAWL_LEAN 1.5
#define STRIDE 0.42 // metres
#define CRAWL_STRIDE 0.3
#define STEP_TIME 0.45 // seconds
#define CRAWL_TIME 0.5
#define LIFT 0.06   // metres that feet lift
#define BEHIND 0.25 // metres behind and ahead of the hips for which the ceiling counts
#define AHEAD 0.8
#define PLACES 24

// How a body is bent: 0 stands, 1 walks crouched as low as it can, 2 crawls flat.
static void bend_body(const script *s, double bent, double *hip, double *lean)
{
    double k = s->scale, crouch = fmin(bent, 1.0), crawl = fmax(bent - 1.0, 0.0);
    *hip = s->stand + (CROUCH * k - s->stand) * crouch + (LOWEST - CROUCH) * k * crawl;
    *lean = 0.03 + (CROUCH_LEAN - 0.03) * crouch + (CRAWL_LEAN - CROUCH_LEAN) * crawl;
}

static double height_of(const script *s, double bent)
{
    double hip, lean;
    bend_body(s, bent, &hip, &lean);
    double head = lean - fmin(0.6 * lean, s->body->neck_range.high);
    return hip + s->trunk * lope_cos(lean) + s->body->head * lope_cos(head);
}

// The least headroom over the body.
static double headroom(const script *s, double x, double y)
{
    double least = 10.0;
    for (int i = 0; i <= PLACES; i++) {
        double at = x - BEHIND * s->scale + (BEHIND + AHEAD) * s->scale * i / PLACES;
        double ground = script_ground(s, at, y + 0.3);
        least = fmin(least, script_ceiling(s, at, fmax(ground, y - 0.3) + 0.2) - y);
    }
    return least;
}

static double find_bend(const script *s, double room)
{
    double low = 0.0, high = 2.0;
    if (height_of(s, 0.0) + UNDER_CEILING <= room)
        return 0.0;
    for (int i = 0; i < 20; i++) {
        double middle = 0.5 * (low + high);
        *(height_of(s, middle) + UNDER_CEILING <= room ? &high : &low) = middle;
    }
    return high;
}

typedef struct low_step {
    double x, y, bent; // where the foot goes; how the body is bent then
} low_step;

static lope_xy on_ground(const script *s, double x, double y)
{
    double ground = script_ground(s, x, y + 0.3);
    return xy(x, fabs(ground - y) < 0.3 ? ground : y);
}

// A foot or hand goes on to a place.
static void go_to(script *s, int limb, const double times[2], lope_xy to, double lift)
{
    int was = s->now[limb];
    lope_xy from = was >= 0 ? s->holds[was].at : to;
    script_leaves(s, limb, times[0]);
    if (was >= 0)
        script_via(s, limb, 0.5 * (times[0] + times[1]),
                   xy(0.5 * (from.x + to.x), fmax(from.y, to.y) + lift * s->scale));
    script_takes(s, limb, times[1], script_add_hold(s, to, LOPE_HOLD_LOAD_BEARING));
}

// Hands go along with the opposite foot while it crawls.
static void move_hand(script *s, int hand, const double times[2], const low_step *step, double hip)
{
    double room = 0.55 * s->scale;
    if (step->bent <= 1.0) {
        if (s->now[hand] >= 0)
            script_leaves(s, hand, times[0]);
        script_loose(s, hand, times[1], xy(0.22 * s->scale * fmin(step->bent * 2.0, 1.0), -0.75 * s->arm));
        return;
    }
    go_to(s, hand, times, on_ground(s, hip + room, step->y), LIFT);
}

static int lay_steps(const script *s, const script_link *link, low_step out[STEPS])
{
    int count = 0;
    double x = link->from.x, y = link->from.y;
    while (x < link->to.x - 0.02 && count < STEPS) {
        double bent = find_bend(s, headroom(s, x + 0.3 * s->scale, y));
        x = fmin(x + (bent > 1.0 ? CRAWL_STRIDE : STRIDE) * s->scale, link->to.x);
        if (link->to.x - x < 0.12)
            x = link->to.x;
        y = on_ground(s, x, y).y;
        out[count++] = (low_step){x, y, 0.0};
    }
    if (count < STEPS) // the other foot comes beside
        out[count++] = (low_step){link->to.x, link->to.y, 0.0};
    return count;
}

// Bends down before the first step, and puts the hands down where it will crawl. Returns when.
static double bend_down(script *s, const script_link *link, double y)
{
    double bent = find_bend(s, headroom(s, link->from.x + 0.1 * s->scale, y)), time = 0.15 + 0.45 * bent, height, lean;
    const double times[2] = {0.0, time};
    bend_body(s, bent, &height, &lean);
    if (bent < 0.05)
        return 0.15;
    script_body(s, time, xy(link->from.x - 0.2 * s->scale * fmin(bent, 1.0), link->from.y + height), lean);
    for (int hand = LOPE_LEFT_ARM; hand <= LOPE_RIGHT_ARM && bent > 1.0; hand++) {
        script_loose(s, hand, 0.6 * time, xy(0.02 * s->scale, -0.8 * s->arm));
        move_hand(s, hand, times, &(low_step){link->from.x, y, bent}, link->from.x - 0.15 * s->scale);
    }
    return time;
}

bool script_low(script *s, script_link *link)
{
    low_step steps[STEPS];
    int count = lay_steps(s, link, steps);
    double least = 10.0, time = 0.15, feet[2] = {link->from.x, link->from.x};
    script_starts(s, link->from);
    time = bend_down(s, link, steps[0].y);
    s->left = time;
    for (int i = 0; i < count; i++) {
        int side = (i + 1) & 1;
        double before = 0.5 * (feet[0] + feet[1]);
        feet[side] = steps[i].x;
        double hip = 0.5 * (feet[0] + feet[1]), room = headroom(s, 0.5 * (before + hip), steps[i].y);
        least = fmin(least, room);
        steps[i].bent = find_bend(s, room);
        double span = steps[i].bent > 1.0 ? CRAWL_TIME : STEP_TIME, height, lean;
        const double times[2] = {time + 0.05, time + span};
        go_to(s, LOPE_LEFT_LEG + side, times, on_ground(s, steps[i].x, steps[i].y), LIFT);
        move_hand(s, LOPE_LEFT_ARM + (1 - side), times, &steps[i], hip);
        if (steps[i].bent <= 1.0 || s->now[LOPE_LEFT_ARM + side] < 0)
            move_hand(s, LOPE_LEFT_ARM + side, times, &steps[i], hip - 0.1 * (steps[i].bent > 1.0));
        bend_body(s, steps[i].bent, &height, &lean);
        double back = 0.12 * s->scale * fmin(steps[i].bent, 1.0);
        script_body(s, time + span, xy(hip - back, steps[i].y + height), lean);
        time += span;
    }
    if (least < height_of(s, 2.0) + 0.03) {
        snprintf(link->why, sizeof link->why, "a headroom of %.2f m is too low: %.2f m is needed", least,
                 height_of(s, 2.0) + 0.03);
        return false;
    }
    s->landed = time;
    for (int hand = LOPE_LEFT_ARM; hand <= LOPE_RIGHT_ARM; hand++)
        script_leaves(s, hand, time + 0.05);
    script_ends(s, time + 0.25 + 0.4 * steps[count - 1].bent, link->to);
    return true;
}
