// SPDX-License-Identifier: MIT
// What changed where: a log of the boxes in which something came or went, and which routes that may concern.
#include <math.h>

#include "lope/route.h"
#include "space/space.h"

void lope_space_note(lope_space *space, int obstacle)
{
    const lope_mesh *mesh = &space->mesh;
    lope_space_change change = {obstacle, {HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    int first = space->obstacles[obstacle].first_segment;
    if (first < 0)
        return; // nothing of it is in the world
    for (int s = first; s >= 0; s = mesh->segments[s].next) {
        lope_point p = lope_mesh_point(mesh, mesh->segments[s].from);
        change.low = (lope_point){fmin(change.low.x, p.x), fmin(change.low.z, p.z)};
        change.high = (lope_point){fmax(change.high.x, p.x), fmax(change.high.z, p.z)};
    }
    space->log[space->changes++ % LOPE_SPACE_LOG] = change;
}

uint64_t lope_space_first_change(const lope_space *space, uint64_t since)
{
    if (since >= space->changes)
        return space->changes + 1;
    return space->changes - since > LOPE_SPACE_LOG ? 0 : since + 1;
}

uint64_t lope_space_changes(const lope_space *space)
{
    return space->changes;
}

// Part of the line a-b that is between low and high on one axis, within *first to *last; false: none.
static bool clip_axis(double a, double b, double low, double high, double *first, double *last)
{
    if (a == b)
        return a >= low && a <= high;
    double in = (low - a) / (b - a), out = (high - a) / (b - a);
    *first = fmax(*first, fmin(in, out));
    *last = fmin(*last, fmax(in, out));
    return *first <= *last;
}

static bool crosses_box(lope_vec2 a, lope_vec2 b, lope_point low, lope_point high)
{
    double first = 0.0, last = 1.0;
    return clip_axis((double)a.x, (double)b.x, low.x, high.x, &first, &last) &&
           clip_axis((double)a.z, (double)b.z, low.z, high.z, &first, &last);
}

static bool comes_near(const lope_route *route, const lope_space_change *change)
{
    double reach = (double)route->half_width;
    lope_point low = {change->low.x - reach, change->low.z - reach};
    lope_point high = {change->high.x + reach, change->high.z + reach};
    for (int i = 0; i + 1 < route->count; i++)
        if (crosses_box(route->points[i], route->points[i + 1], low, high))
            return true;
    return route->count == 1 && crosses_box(route->points[0], route->points[0], low, high);
}

int lope_space_affected(const lope_space *space, uint64_t since, const lope_route *routes, int count, int *affected)
{
    uint64_t first = lope_space_first_change(space, since);
    int found = 0;
    for (int i = 0; i < count; i++) {
        bool near = first == 0;
        for (uint64_t n = first; !near && n <= space->changes; n++)
            near = comes_near(&routes[i], &space->log[(n - 1) % LOPE_SPACE_LOG]);
        if (near)
            affected[found++] = i;
    }
    return found;
}

bool lope_space_route_free(const lope_space *space, const lope_route *route, float from, float to, float radius,
                           int *hint)
{
    lope_route_spot start = lope_route_at(route, from), end = lope_route_at(route, to);
    lope_vec2 at = start.point;
    for (int line = start.line; line < end.line; line++) {
        if (!lope_space_sweep_free(space, at, route->points[line + 1], radius, hint))
            return false;
        at = route->points[line + 1];
    }
    return lope_space_sweep_free(space, at, end.point, radius, hint);
}
