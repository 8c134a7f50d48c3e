// SPDX-License-Identifier: MIT
// Over walls that are too thin to stand on, and through windows. Hands take the top, the body presses itself up, both
// legs pass above it, folded, and it comes down on the other side: with a jump, or from sitting on a high wall.
#include <stdio.h>

#include "grasp/script.h"

#define THICKEST 1.2 // metres

// The top of what is between two places: its highest ground and where that begins and ends.
typedef struct wall_top {
    double left, right, height;
} wall_top;

static bool find_top(const script *s, const script_link *link, wall_top *out)
{
    double look = fmax(link->from.y + link->reach, fmax(link->from.y, link->to.y)) + 0.25;
    *out = (wall_top){0, 0, -1e3};
    for (double x = link->from.x; x <= link->to.x; x += 0.01)
        out->height = fmax(out->height, script_ground(s, x, look));
    bool inside = false;
    for (double x = link->from.x; x <= link->to.x; x += 0.0025) {
        if (script_ground(s, x, look) < out->height - 0.12)
            continue;
        if (!inside)
            out->left = x;
        inside = true;
        out->right = x;
    }
    return inside && out->height > fmax(link->from.y, link->to.y) + 0.05;
}

bool script_over(script *s, script_link *link)
{
    wall_top top;
    double k = s->scale;
    if (!find_top(s, link, &top) || top.right - top.left > THICKEST) {
        snprintf(link->why, sizeof link->why,
                 "nothing to climb over is found between its ends (%.2f m thick, %.2f m up)", top.right - top.left,
                 top.height - link->from.y);
        return false;
    }
    double middle = 0.5 * (top.left + top.right), thick = top.right - top.left;
    double hand_x = fmin(top.left + 0.05 * k, middle);
    double room = script_ceiling(s, middle, top.height + 0.05) - top.height;
    int hold = script_add_hold(s, xy(hand_x, script_ground(s, hand_x, top.height + 0.1)), LOPE_HOLD_HYBRID);
    const int hands[2] = {hold, script_add_hold(s, s->holds[hold].at, LOPE_HOLD_HYBRID)};
    double time = script_press_up(s, xy(top.left, top.height), hands, link);
    if (time <= 0.0)
        return false;
    // Both feet pass between the hands, the body low over the top.
    double high = fmin(0.47 * k, fmax(room - 0.14 * k, 0.3 * k)), x = top.left, h = top.height;
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++) {
        double later = i == LOPE_LEFT_LEG ? 0.12 : 0.0;
        script_via(s, i, time - 0.12 + later, xy(x - 0.46 * k, h - 0.12 * k));
        script_via(s, i, time + 0.12 + later, xy(x - 0.3 * k, h + 0.2 * k));
        script_via(s, i, time + 0.32 + later, xy(middle, h + 0.2 * k));
        script_via(s, i, time + 0.5 + later, xy(top.right + 0.3 * k, h + 0.1 * k));
        script_loose(s, i, time + 0.72, xy(0.3 * k, -0.72 * s->leg));
    }
    script_body(s, time + 0.25, xy(x - 0.1 * k, h + high), 1.15);
    script_body(s, time + 0.5, xy(middle + 0.1 * thick, h + fmin(high, 0.42 * k)), 0.8);
    for (int i = 0; i < 2; i++)
        script_leaves(s, LOPE_LEFT_ARM + i, time + 0.45 + 0.1 * i);
    double up = script_drops(s, time + 0.72, xy(top.right, h), link);
    if (up <= 0.0)
        return false;
    return true;
}
