// SPDX-License-Identifier: MIT
// What a script asks the solids of its slice.
#include "grasp/script.h"

#define FAR_AWAY 1e3   // metres
#define EDGE_STEP 0.01 // metres
#define EDGE_OFF 0.12  // metres that ground may be off the height that is looked for
#define GOES_ON 0.1    // metres of it
#define LOOK_FROM 0.3  // metres above it

// The side of a polygon at x that is nearest to a height, upwards or downwards.
static double nearest_side(const script *s, double x, double from, int direction)
{
    double best = direction * FAR_AWAY;
    for (int i = 0; i < s->solids->obstacle_count; i++) {
        const lope_grasp_polygon *p = &s->solids->obstacles[i];
        for (int k = 0; k < p->count; k++) {
            lope_xy a = p->corners[k], b = p->corners[(k + 1) % p->count];
            if ((a.x <= x) == (b.x <= x))
                continue;
            double y = a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
            if (direction * (y - from) >= 0.0 && direction * (y - best) < 0.0)
                best = y;
        }
    }
    return best;
}

double script_ground(const script *s, double x, double below)
{
    return nearest_side(s, x, below, -1);
}

double script_ceiling(const script *s, double x, double above)
{
    return nearest_side(s, x, above, 1);
}

bool script_solid(const script *s, lope_xy at)
{
    for (int i = 0; i < s->solids->obstacle_count; i++) {
        const lope_grasp_polygon *p = &s->solids->obstacles[i];
        bool inside = false;
        for (int k = 0; k < p->count; k++) {
            lope_xy a = p->corners[k], b = p->corners[(k + 1) % p->count];
            if ((a.y > at.y) != (b.y > at.y) && at.x < a.x + (b.x - a.x) * (at.y - a.y) / (b.y - a.y))
                inside = !inside;
        }
        if (inside)
            return true;
    }
    return false;
}

static bool is_ground(const script *s, double x, double height)
{
    return fabs(script_ground(s, x, height + LOOK_FROM) - height) < EDGE_OFF;
}

// Ground that goes on: a bar or a rung is none.
static bool has_ground(const script *s, double x, double ahead, double height)
{
    return is_ground(s, x, height) && is_ground(s, x + 0.4 * ahead, height) && is_ground(s, x + ahead, height);
}

double script_edge(const script *s, double from, double to, double height)
{
    double step = from < to ? EDGE_STEP : -EDGE_STEP, x = from, ahead = from < to ? GOES_ON : -GOES_ON;
    if (has_ground(s, from, ahead, height))
        return from;
    while ((to - x) * step > 0.0 && !has_ground(s, x, ahead, height))
        x += step;
    if ((to - x) * step <= 0.0)
        return to;
    double off = x - step, on = x;
    for (int i = 0; i < 8; i++) {
        double middle = 0.5 * (off + on);
        *(has_ground(s, middle, ahead, height) ? &on : &off) = middle;
    }
    return on;
}
