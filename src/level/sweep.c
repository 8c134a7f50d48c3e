// SPDX-License-Identifier: MIT
// Discs along a line against borders, and boxes along it against triangles. The places of a line that are too near a
// straight border are one stretch, because distance to something convex is convex.
#include "level/sweep.h"

#include <math.h>

#define SLACK 2e-3 // metres that bodies may be wider

void ranges_cut(ranges *r, double from, double to)
{
    ranges left = {0};
    if (!(from < to))
        return;
    for (int i = 0; i < r->count; i++) {
        const double a[2] = {r->from[i], fmax(r->from[i], to)}, b[2] = {fmin(r->to[i], from), r->to[i]};
        for (int k = 0; k < 2; k++)
            if (a[k] <= b[k] && left.count < 32) {
                left.from[left.count] = a[k];
                left.to[left.count++] = b[k];
            }
    }
    *r = left;
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

bool sweep_borders(const links_source *source, const sweep_edge *e, const sweep_line *line, ranges *r)
{
    if (r->count == 0)
        return true;
    const double radius = (double)source->def->radius - SLACK, reach = radius + SLACK;
    const double first = r->from[0], last = r->to[r->count - 1];
    const point2 a = sweep_place(e, first, line->t + line->lean * first);
    const point2 b = sweep_place(e, last, line->t + line->lean * last);
    const point2 start = sweep_place(e, 0.0, line->t), one = sweep_place(e, 1.0, line->t + line->lean);
    const point2 u = {one.x - start.x, one.z - start.z};
    list ids = {0};
    bool fine = border_index_find(source->borders, (point2){fmin(a.x, b.x) - reach, fmin(a.z, b.z) - reach},
                                  (point2){fmax(a.x, b.x) + reach, fmax(a.z, b.z) + reach}, &ids);
    for (int i = 0; fine && i < ids.count; i++) {
        const links_border *border = ((const links_border **)ids.items)[i];
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
        if (fabs(height_near(border, at) - line->y - line->slope * s) <= (double)source->def->step)
            ranges_cut(r, range[0], range[1]);
    }
    lope_free(ids.items);
    return fine;
}

// ---- triangles

typedef struct corner {
    double s, t, y;
} corner;

// Keeps the part of a convex polygon where value >= 0; returns its corners.
static int clip(corner *corners, int count, const double *plane)
{
    corner kept[10];
    int n = 0;
    for (int i = 0; i < count; i++) {
        const corner a = corners[i], b = corners[(i + 1) % count];
        const double va = plane[0] * a.s + plane[1] * a.t + plane[2] * a.y + plane[3];
        const double vb = plane[0] * b.s + plane[1] * b.t + plane[2] * b.y + plane[3];
        if (va >= 0.0)
            kept[n++] = a;
        if ((va >= 0.0) != (vb >= 0.0)) {
            const double part = va / (va - vb);
            kept[n++] = (corner){a.s + part * (b.s - a.s), a.t + part * (b.t - a.t), a.y + part * (b.y - a.y)};
        }
    }
    for (int i = 0; i < n; i++)
        corners[i] = kept[i];
    return n;
}

bool sweep_extent_of(const sweep_edge *e, const lope_terrain_triangle *triangle, const sweep_zone *zone,
                     sweep_extent *out)
{
    corner corners[10];
    for (int i = 0; i < 3; i++) {
        const point2 at = sweep_from_place(e, (double)triangle->corners[i].x, (double)triangle->corners[i].z);
        corners[i] = (corner){at.x, at.z, (double)triangle->corners[i].y};
    }
    const double planes[4][4] = {{-zone->near.lean, 1.0, 0.0, -zone->near.t},
                                 {zone->far.lean, -1.0, 0.0, zone->far.t},
                                 {-zone->slope, -zone->fall, 1.0, -zone->low},
                                 {0.0, 0.0, -1.0, zone->high}};
    int count = 3;
    if (fmax(fmax(corners[0].t, corners[1].t), corners[2].t) <= zone->near.t + fmin(0.0, zone->near.lean * e->length) ||
        fmin(fmin(corners[0].y, corners[1].y), corners[2].y) > zone->high)
        return false;
    for (int i = 3; i >= 0 && count > 0; i--)
        count = clip(corners, count, planes[i]);
    *out = (sweep_extent){{(double)INFINITY, (double)-INFINITY}, {(double)INFINITY, (double)-INFINITY}};
    for (int i = 0; i < count; i++) {
        out->s[0] = fmin(out->s[0], corners[i].s), out->s[1] = fmax(out->s[1], corners[i].s);
        out->y[0] = fmin(out->y[0], corners[i].y), out->y[1] = fmax(out->y[1], corners[i].y);
    }
    return count > 0;
}

void sweep_triangles(const sweep_edge *e, const list *triangles, const sweep_zone *zone, double radius, ranges *r)
{
    const lope_terrain_triangle *t = triangles->items;
    sweep_extent extent;
    for (int i = 0; i < triangles->count && r->count > 0; i++)
        if (sweep_extent_of(e, &t[i], zone, &extent))
            ranges_cut(r, extent.s[0] - radius + SLACK, extent.s[1] + radius - SLACK);
}
