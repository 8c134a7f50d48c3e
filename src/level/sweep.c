// SPDX-License-Identifier: MIT
// Discs along a line against borders, and boxes along it against triangles. The places of a line that are too near a
// straight border are one stretch, because distance to something convex is convex.
#include "level/sweep.h"

#include <math.h>

#define SLACK 2e-3 // metres that bodies may be wider

void ranges_cut(ranges *r, double from, double to)
{
    ranges left;
    if (!(from < to) || r->count == 0 || to < r->from[0] || from > r->to[r->count - 1])
        return;
    left.count = 0;
    for (int i = 0; i < r->count; i++) {
        const double a[2] = {r->from[i], fmax(r->from[i], to)}, b[2] = {fmin(r->to[i], from), r->to[i]};
        for (int k = 0; k < 2; k++)
            if (a[k] <= b[k] && left.count < 32) {
                left.from[left.count] = a[k];
                left.to[left.count++] = b[k];
            }
    }
    r->count = left.count;
    for (int i = 0; i < left.count; i++)
        r->from[i] = left.from[i], r->to[i] = left.to[i];
}

// Where p + s * u is within a radius of c: widens [from, to].
static void join_disc(point2 p, point2 u, point2 c, double radius, double *range)
{
    const double a = u.x * u.x + u.z * u.z, b = (p.x - c.x) * u.x + (p.z - c.z) * u.z;
    const double inside = b * b - a * ((p.x - c.x) * (p.x - c.x) + (p.z - c.z) * (p.z - c.z) - radius * radius);
    if (inside <= 0.0)
        return;
    range[0] = fmin(range[0], (-b - sqrt(inside)) / a);
    range[1] = fmax(range[1], (-b + sqrt(inside)) / a);
}

// Where it is beside the segment from a to b, nearer than a radius.
static void join_side(point2 p, point2 u, const point2 ends[2], double radius, double *range)
{
    const double x = ends[1].x - ends[0].x, z = ends[1].z - ends[0].z, length = sqrt(x * x + z * z);
    if (length < 1e-9)
        return;
    const point2 d = {x / length, z / length};
    const double values[2] = {(p.x - ends[0].x) * d.x + (p.z - ends[0].z) * d.z,
                              (p.z - ends[0].z) * d.x - (p.x - ends[0].x) * d.z};
    const double rates[2] = {u.x * d.x + u.z * d.z, u.z * d.x - u.x * d.z};
    const double low[2] = {0.0, -radius}, high[2] = {length, radius};
    double from = (double)-INFINITY, to = (double)INFINITY;
    for (int i = 0; i < 2; i++) {
        if (fabs(rates[i]) < 1e-12) {
            if (values[i] <= low[i] || values[i] >= high[i])
                return;
            continue;
        }
        const double a = (low[i] - values[i]) / rates[i], b = (high[i] - values[i]) / rates[i];
        from = fmax(from, fmin(a, b)), to = fmin(to, fmax(a, b));
    }
    if (from < to)
        range[0] = fmin(range[0], from), range[1] = fmax(range[1], to);
}

// Height of a border at its point nearest to a place.
static double height_near(const links_border *b, point2 at)
{
    const double x = (double)b->to.x - (double)b->from.x, z = (double)b->to.z - (double)b->from.z;
    const double square = x * x + z * z;
    double part = ((at.x - (double)b->from.x) * x + (at.z - (double)b->from.z) * z) / (square > 0.0 ? square : 1.0);
    part = fmin(fmax(part, 0.0), 1.0);
    return (double)b->from.y + part * ((double)b->to.y - (double)b->from.y);
}

bool sweep_borders(const links_source *source, const sweep_edge *e, const sweep_line *line, ranges *r,
                   links_origin *origin)
{
    if (r->count == 0)
        return true;
    const double radius = (double)source->def->radius - SLACK, reach = radius + SLACK;
    const double first = r->from[0], last = r->to[r->count - 1];
    const point2 a = sweep_place(e, first, line->t + line->lean * first);
    const point2 b = sweep_place(e, last, line->t + line->lean * last);
    const point2 start = sweep_place(e, 0.0, line->t), one = sweep_place(e, 1.0, line->t + line->lean);
    const point2 u = {one.x - start.x, one.z - start.z};
    list *ids = &source->columns->borders;
    bool fine = border_index_find(source->borders, (point2){fmin(a.x, b.x) - reach, fmin(a.z, b.z) - reach},
                                  (point2){fmax(a.x, b.x) + reach, fmax(a.z, b.z) + reach}, ids);
    for (int i = 0; fine && i < ids->count; i++) {
        const links_border *border = ((const links_border **)ids->items)[i];
        const point2 ends[2] = {{(double)border->from.x, (double)border->from.z},
                                {(double)border->to.x, (double)border->to.z}};
        double range[2] = {(double)INFINITY, (double)-INFINITY};
        join_disc(start, u, ends[0], radius, range);
        join_disc(start, u, ends[1], radius, range);
        join_side(start, u, ends, radius, range);
        if (!(range[0] < range[1]))
            continue;
        const double s = fmin(fmax(0.5 * (range[0] + range[1]), first), last);
        const point2 at = {start.x + s * u.x, start.z + s * u.z};
        if (fabs(height_near(border, at) - line->y - line->slope * s) > (double)source->def->step)
            continue;
        ranges_cut(r, range[0], range[1]);
        links_note(origin, border);
    }
    return fine;
}

// ---- triangles

bool sweep_take(const sweep_edge *e, const list *triangles, list *out)
{
    const lope_terrain_triangle *t = triangles->items;
    out->count = 0;
    for (int i = 0; i < triangles->count; i++) {
        sweep_triangle taken;
        for (int k = 0; k < 3; k++) {
            const lope_vec3 c = t[i].corners[k];
            const point2 at = sweep_from_place(e, (double)c.x, (double)c.z);
            taken.corners[k] = (sweep_corner){{at.x, at.z, (double)c.y}};
        }
        for (int axis = 0; axis < 3; axis++) {
            const double a = taken.corners[0].at[axis], b = taken.corners[1].at[axis], c = taken.corners[2].at[axis];
            taken.low[axis] = section_least(section_least(a, b), c);
            taken.high[axis] = section_most(section_most(a, b), c);
        }
        if (!list_add(out, &taken, sizeof taken))
            return false;
    }
    return true;
}

// Of a triangle that was cut four times, and what rounding may add.
enum { MOST_CORNERS = 13 };

// Keeps the part of a convex polygon where value >= 0; returns its corners.
static int clip(sweep_corner *corners, int count, const double plane[4])
{
    sweep_corner kept[MOST_CORNERS];
    int n = 0;
    for (int i = 0; i < count; i++) {
        const double *a = corners[i].at, *b = corners[(i + 1) % count].at;
        const double va = plane[0] * a[0] + plane[1] * a[1] + plane[2] * a[2] + plane[3];
        const double vb = plane[0] * b[0] + plane[1] * b[1] + plane[2] * b[2] + plane[3];
        if (va >= 0.0)
            kept[n++] = corners[i];
        if ((va >= 0.0) != (vb >= 0.0)) {
            const double part = va / (va - vb);
            kept[n++] =
                (sweep_corner){{a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])}};
        }
    }
    for (int i = 0; i < n; i++)
        corners[i] = kept[i];
    return n;
}

// Whether the box around a triangle lies on one side of a plane: -1 outside, 1 inside, 0 on both sides.
static int side_of(const sweep_triangle *t, const double plane[4])
{
    double least = plane[3], most = plane[3];
    for (int axis = 0; axis < 3; axis++) {
        const double a = plane[axis] * t->low[axis], b = plane[axis] * t->high[axis];
        least += section_least(a, b), most += section_most(a, b);
    }
    return most < 0.0 ? -1 : least >= 0.0;
}

bool sweep_extent_of(const sweep_triangle *triangle, const sweep_zone *zone, sweep_extent *out)
{
    if (triangle->low[2] > zone->high || (zone->far.lean == 0.0 && triangle->low[1] > zone->far.t) ||
        (zone->near.lean == 0.0 && triangle->high[1] < zone->near.t))
        return false;
    const double planes[4][4] = {{0.0, 0.0, -1.0, zone->high},
                                 {-zone->slope, -zone->fall, 1.0, -zone->low},
                                 {zone->far.lean, -1.0, 0.0, zone->far.t},
                                 {-zone->near.lean, 1.0, 0.0, -zone->near.t}};
    sweep_corner corners[MOST_CORNERS];
    int count = 3;
    bool cut[4];
    for (int i = 0; i < 4; i++) {
        const int side = side_of(triangle, planes[i]);
        if (side < 0)
            return false;
        cut[i] = side == 0;
    }
    for (int i = 0; i < 3; i++)
        corners[i] = triangle->corners[i];
    for (int i = 0; i < 4 && count > 0; i++)
        if (cut[i])
            count = clip(corners, count, planes[i]);
    *out = (sweep_extent){{(double)INFINITY, (double)-INFINITY}, {(double)INFINITY, (double)-INFINITY}};
    for (int i = 0; i < count; i++) {
        const double *at = corners[i].at;
        out->s[0] = section_least(out->s[0], at[0]), out->s[1] = section_most(out->s[1], at[0]);
        out->y[0] = section_least(out->y[0], at[2]), out->y[1] = section_most(out->y[1], at[2]);
    }
    return count > 0;
}

void sweep_triangles(const list *triangles, const sweep_zone *zone, double radius, ranges *r)
{
    const sweep_triangle *t = triangles->items;
    sweep_extent extent;
    for (int i = 0; i < triangles->count && r->count > 0; i++)
        if (t[i].low[0] < r->to[r->count - 1] + radius && t[i].high[0] > r->from[0] - radius &&
            sweep_extent_of(&t[i], zone, &extent))
            ranges_cut(r, extent.s[0] - radius + SLACK, extent.s[1] + radius - SLACK);
}
