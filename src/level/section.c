// SPDX-License-Identifier: MIT
// Cutting triangles, seen from above, with lines and with each other.
#include "level/section.h"

#include <math.h>

#define THIN 1.5e-3 // metres: narrower ones are walls

static double cross(point2 a, point2 b, point2 c)
{
    return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

static double apart(point2 a, point2 b)
{
    return hypot(b.x - a.x, b.z - a.z);
}

// Corners of a thin one in order along its longest side.
static void order_thin(surface *s)
{
    int longest = 0;
    for (int i = 1; i < 3; i++)
        if (apart(s->corners[i], s->corners[(i + 1) % 3]) >
            apart(s->corners[longest], s->corners[(longest + 1) % 3]))
            longest = i;
    const surface old = *s;
    const int order[3] = {longest, (longest + 2) % 3, (longest + 1) % 3};
    for (int i = 0; i < 3; i++) {
        s->corners[i] = old.corners[order[i]];
        s->heights[i] = old.heights[order[i]];
    }
}

surface section_surface(const lope_terrain_triangle *triangle, double flatness)
{
    surface s = {.piece = triangle->piece, .triangle = triangle->triangle};
    for (int i = 0; i < 3; i++) {
        s.corners[i] = (point2){(double)triangle->corners[i].x, (double)triangle->corners[i].z};
        s.heights[i] = (double)triangle->corners[i].y;
    }
    double area = cross(s.corners[0], s.corners[1], s.corners[2]), longest = 0.0;
    for (int i = 0; i < 3; i++)
        longest = fmax(longest, apart(s.corners[i], s.corners[(i + 1) % 3]));
    s.thin = fabs(area) <= THIN * longest;
    if (s.thin) {
        order_thin(&s);
        return s;
    }
    point2 u = {s.corners[1].x - s.corners[0].x, s.corners[1].z - s.corners[0].z};
    point2 v = {s.corners[2].x - s.corners[0].x, s.corners[2].z - s.corners[0].z};
    double du = s.heights[1] - s.heights[0], dv = s.heights[2] - s.heights[0];
    s.slope_x = (du * v.z - dv * u.z) / area;
    s.slope_z = (dv * u.x - du * v.x) / area;
    s.y = s.heights[0] - s.slope_x * s.corners[0].x - s.slope_z * s.corners[0].z;
    s.flat = 1.0 / sqrt(1.0 + s.slope_x * s.slope_x + s.slope_z * s.slope_z) >= flatness;
    return s;
}

bool section_span(const surface *s, point2 start, point2 direction, span *out)
{
    double from = -INFINITY, to = INFINITY;
    double turn = cross(s->corners[0], s->corners[1], s->corners[2]) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) {
        point2 a = s->corners[i], b = s->corners[(i + 1) % 3];
        double rate = turn * ((b.x - a.x) * direction.z - (b.z - a.z) * direction.x);
        double value = turn * cross(a, b, start);
        if (rate > 0.0)
            from = fmax(from, -value / rate);
        else if (rate < 0.0)
            to = fmin(to, -value / rate);
        else if (value < 0.0)
            return false;
    }
    out->from = from, out->to = to;
    out->y = s->y + s->slope_x * start.x + s->slope_z * start.z;
    out->slope = s->slope_x * direction.x + s->slope_z * direction.z;
    out->flat = s->flat;
    return from < to;
}

bool section_wall(const surface *s, point2 at, double reach, double *low, double *high)
{
    point2 a = s->corners[0], b = s->corners[2];
    double length = apart(a, b);
    if (length < 1e-9)
        return false;
    point2 along = {(b.x - a.x) / length, (b.z - a.z) / length};
    double far = fabs(cross(a, b, at)) / length, t = (at.x - a.x) * along.x + (at.z - a.z) * along.z;
    if (far > reach || t < 0.0 || t > length)
        return false;
    double middle = (s->corners[1].x - a.x) * along.x + (s->corners[1].z - a.z) * along.z;
    double straight = s->heights[0] + (s->heights[2] - s->heights[0]) * t / length, bent;
    if (t <= middle)
        bent = middle > 0.0 ? s->heights[0] + (s->heights[1] - s->heights[0]) * t / middle : s->heights[1];
    else
        bent = s->heights[1] + (s->heights[2] - s->heights[1]) * (t - middle) / (length - middle);
    *low = fmin(straight, bent), *high = fmax(straight, bent);
    return true;
}

bool section_level_line(const surface *upper, const surface *lower, double above, point2 out[2])
{
    // Where (y + slope . p)(upper) - (y + slope . p)(lower) = above: a line, cut to what both cover.
    point2 slope = {upper->slope_x - lower->slope_x, upper->slope_z - lower->slope_z};
    double steep = slope.x * slope.x + slope.z * slope.z;
    if (steep < 1e-12)
        return false;
    double missing = above - (upper->y - lower->y);
    point2 start = {slope.x * missing / steep, slope.z * missing / steep};
    point2 direction = {-slope.z / sqrt(steep), slope.x / sqrt(steep)};
    span a, b;
    if (!section_span(upper, start, direction, &a) || !section_span(lower, start, direction, &b))
        return false;
    double from = fmax(a.from, b.from), to = fmin(a.to, b.to);
    if (!(to - from > 1e-4))
        return false;
    out[0] = (point2){start.x + from * direction.x, start.z + from * direction.z};
    out[1] = (point2){start.x + to * direction.x, start.z + to * direction.z};
    return true;
}
