// SPDX-License-Identifier: MIT
// Cutting triangles, seen from above, with lines and with each other.
#include "level/section.h"

#include <math.h>
#include <stddef.h>

#define THIN 1.5e-3 // metres: steep ones that are narrower are walls
#define HAIR 1e-5   // metres: narrower ones are nothing else
#define STEEP 0.1   // y of a wall's normal

static double apart(point2 a, point2 b)
{
    double x = b.x - a.x, z = b.z - a.z;
    return sqrt(x * x + z * z);
}

// Puts corners into an order: 0 and 2 are the ends of the longest side.
static void order_thin(surface *s)
{
    int longest = 0;
    for (int i = 1; i < 3; i++)
        if (apart(s->corners[i], s->corners[(i + 1) % 3]) > apart(s->corners[longest], s->corners[(longest + 1) % 3]))
            longest = i;
    const surface old = *s;
    const int order[3] = {longest, (longest + 2) % 3, (longest + 1) % 3};
    for (int i = 0; i < 3; i++) {
        s->corners[i] = old.corners[order[i]];
        s->heights[i] = old.heights[order[i]];
    }
}

// Without branches: which corner is before another one cannot be foretold.
static bool is_before(lope_vec3 a, lope_vec3 b)
{
    return (a.x < b.x) | ((a.x == b.x) & ((a.z < b.z) | ((a.z == b.z) & (a.y < b.y))));
}

static void put_in_order(lope_vec3 *first, lope_vec3 *second)
{
    const bool turned = is_before(*second, *first);
    const lope_vec3 a = *first, b = *second;
    *first = (lope_vec3){turned ? b.x : a.x, turned ? b.y : a.y, turned ? b.z : a.z};
    *second = (lope_vec3){turned ? a.x : b.x, turned ? a.y : b.y, turned ? a.z : b.z};
}

// Corners in the order of their places, so that nothing depends on where a triangle begins or which way it turns.
static void take_corners(surface *s, const lope_vec3 corners[3])
{
    lope_vec3 c[3] = {corners[0], corners[1], corners[2]};
    put_in_order(&c[0], &c[1]);
    put_in_order(&c[1], &c[2]);
    put_in_order(&c[0], &c[1]);
    for (int i = 0; i < 3; i++) {
        s->corners[i] = (point2){(double)c[i].x, (double)c[i].z};
        s->heights[i] = (double)c[i].y;
    }
    s->low = section_least(section_least(s->heights[0], s->heights[1]), s->heights[2]);
    s->high = section_most(section_most(s->heights[0], s->heights[1]), s->heights[2]);
    const point2 *p = s->corners; // the first has the least x, the last the greatest
    s->around = (frame){p[0].x, section_least(section_least(p[0].z, p[1].z), p[2].z), p[2].x,
                        section_most(section_most(p[0].z, p[1].z), p[2].z)};
}

bool section_surface(const lope_terrain_triangle *triangle, double flatness, surface *s)
{
    s->piece = triangle->piece, s->triangle = triangle->triangle;
    s->solid = -1;
    s->y = s->slope_x = s->slope_z = 0.0;
    s->flat = s->doubled = s->rim[0] = s->rim[1] = s->rim[2] = false;
    take_corners(s, triangle->corners);
    point2 u = {s->corners[1].x - s->corners[0].x, s->corners[1].z - s->corners[0].z};
    point2 v = {s->corners[2].x - s->corners[0].x, s->corners[2].z - s->corners[0].z};
    double du = s->heights[1] - s->heights[0], dv = s->heights[2] - s->heights[0];
    point2 w = {v.x - u.x, v.z - u.z};
    double area = u.x * v.z - u.z * v.x;
    double longest = section_most(section_most(u.x * u.x + u.z * u.z, v.x * v.x + v.z * v.z), w.x * w.x + w.z * w.z);
    double nx = du * v.z - dv * u.z, nz = dv * u.x - du * v.x; // the normal's other two
    bool steep = area * area < STEEP * STEEP * (nx * nx + nz * nz + area * area);
    s->thin = steep && area * area <= THIN * THIN * longest; // longest is squared
    if (s->thin) {
        order_thin(s);
    } else if (area * area <= HAIR * HAIR * longest) {
        return false;
    } else {
        s->slope_x = nx / area;
        s->slope_z = nz / area;
        s->y = s->heights[0] - s->slope_x * s->corners[0].x - s->slope_z * s->corners[0].z;
        s->flat = flatness * flatness * (1.0 + s->slope_x * s->slope_x + s->slope_z * s->slope_z) <= 1.0;
    }
    return true;
}

bool section_meets(const surface *s, const frame *f)
{
    const point2 *c = s->corners;
    if (section_apart(&s->around, f))
        return false;
    double turn = section_cross(c[0], c[1], c[2]) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) { // the corner of the frame that is farthest on the inner side of each edge
        point2 a = c[i], b = c[(i + 1) % 3];
        double x = turn * (b.x - a.x), z = turn * (b.z - a.z);
        point2 inmost = {z > 0.0 ? f->low_x : f->high_x, x > 0.0 ? f->high_z : f->low_z};
        if (x * (inmost.z - a.z) - z * (inmost.x - a.x) < 0.0)
            return false;
    }
    return true;
}

bool section_span(const surface *s, point2 start, point2 direction, span *out)
{
    double from = (double)-INFINITY, to = (double)INFINITY;
    double turn = section_cross(s->corners[0], s->corners[1], s->corners[2]) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) {
        point2 a = s->corners[i], b = s->corners[(i + 1) % 3];
        double rate = turn * ((b.x - a.x) * direction.z - (b.z - a.z) * direction.x);
        double value = turn * section_cross(a, b, start);
        if (rate > 0.0)
            from = section_most(from, -value / rate);
        else if (rate < 0.0)
            to = section_least(to, -value / rate);
        else if (value < 0.0)
            return false;
    }
    out->from = from, out->to = to;
    out->y = section_height(s, start.x, start.z);
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
    double far = fabs(section_cross(a, b, at)) / length, t = (at.x - a.x) * along.x + (at.z - a.z) * along.z;
    if (far > reach || t < 0.0 || t > length)
        return false;
    double middle = (s->corners[1].x - a.x) * along.x + (s->corners[1].z - a.z) * along.z;
    double straight = s->heights[0] + (s->heights[2] - s->heights[0]) * t / length, bent;
    if (t <= middle)
        bent = middle > 0.0 ? s->heights[0] + (s->heights[1] - s->heights[0]) * t / middle : s->heights[1];
    else
        bent = s->heights[1] + (s->heights[2] - s->heights[1]) * (t - middle) / (length - middle);
    *low = section_least(straight, bent), *high = section_most(straight, bent);
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
    double from = section_most(a.from, b.from), to = section_least(a.to, b.to);
    if (!(to - from > 1e-4))
        return false;
    out[0] = (point2){start.x + from * direction.x, start.z + from * direction.z};
    out[1] = (point2){start.x + to * direction.x, start.z + to * direction.z};
    return true;
}

// One axis of a clip: from and to of a + t * way within [low, high).
static bool clip_axis(double a, double way, const double sides[2], double range[2])
{
    if (way == 0.0)
        return a >= sides[0] && a < sides[1];
    double t = (sides[0] - a) / way, u = (sides[1] - a) / way;
    range[0] = section_most(range[0], section_least(t, u));
    range[1] = section_least(range[1], section_most(t, u));
    return range[0] < range[1];
}

bool section_clip(const frame *f, point2 ends[2])
{
    point2 a = ends[0], way = {ends[1].x - a.x, ends[1].z - a.z};
    double range[2] = {0.0, 1.0};
    const double x[2] = {f->low_x, f->high_x}, z[2] = {f->low_z, f->high_z};
    if (!clip_axis(a.x, way.x, x, range) || !clip_axis(a.z, way.z, z, range))
        return false;
    point2 end = ends[1];
    if (range[0] > 0.0)
        ends[0] = (point2){a.x + range[0] * way.x, a.z + range[0] * way.z};
    ends[1] = range[1] < 1.0 ? (point2){a.x + range[1] * way.x, a.z + range[1] * way.z} : end;
    return true;
}
