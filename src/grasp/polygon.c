// SPDX-License-Identifier: MIT
// Polygons of climbing worlds. They have few corners, so everything looks at every side.
#include "grasp/polygon.h"

#define INWARD 1e-4 // metres: how far inside a point lies that stands for a side's inside

static lope_xy corner(const lope_grasp_polygon *polygon, int index)
{
    return polygon->corners[index % polygon->count];
}

double polygon_area2(const lope_grasp_polygon *polygon)
{
    double sum = 0.0;
    for (int i = 0; i < polygon->count; i++)
        sum += xy_cross(xy_sub(corner(polygon, i), corner(polygon, 0)),
                        xy_sub(corner(polygon, i + 1), corner(polygon, 0)));
    return sum;
}

bool polygon_contains(const lope_grasp_polygon *polygon, lope_xy at)
{
    bool inside = false;
    for (int i = 0; i < polygon->count; i++) {
        lope_xy a = corner(polygon, i), b = corner(polygon, i + 1);
        if ((a.y > at.y) != (b.y > at.y) && at.x < a.x + (b.x - a.x) * (at.y - a.y) / (b.y - a.y))
            inside = !inside;
    }
    return inside;
}

double polygon_outline_distance(const lope_grasp_polygon *polygon, lope_xy at, lope_xy *normal)
{
    double best = (double)INFINITY;
    for (int i = 0; i < polygon->count; i++) {
        lope_xy a = corner(polygon, i), b = corner(polygon, i + 1);
        double distance = xy_segment_distance2(at, a, b);
        if (distance >= best)
            continue;
        best = distance;
        if (normal) {
            lope_xy along = xy_sub(b, a);
            double length = xy_length(along);
            *normal = xy(along.y / length, -along.x / length);
        }
    }
    return sqrt(best);
}

// Inner points of both segments meet.
static bool cross(lope_xy a, lope_xy b, lope_xy c, lope_xy d)
{
    lope_xy ab = xy_sub(b, a), cd = xy_sub(d, c);
    double c_side = xy_cross(ab, xy_sub(c, a)), d_side = xy_cross(ab, xy_sub(d, a));
    double a_side = xy_cross(cd, xy_sub(a, c)), b_side = xy_cross(cd, xy_sub(b, c));
    return ((c_side > 0.0) != (d_side > 0.0)) && ((a_side > 0.0) != (b_side > 0.0)) && c_side != 0.0 && d_side != 0.0 &&
           a_side != 0.0 && b_side != 0.0;
}

bool polygon_crosses_itself(const lope_grasp_polygon *polygon, int *first, int *second)
{
    int count = polygon->count;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            *first = i;
            *second = k;
            if (cross(corner(polygon, i), corner(polygon, i + 1), corner(polygon, k), corner(polygon, k + 1)))
                return true;
            // A corner on a side that it does not belong to.
            bool neighbours = k == i + 1 || (i == 0 && k == count - 1);
            if (!neighbours &&
                (xy_segment_distance(corner(polygon, k), corner(polygon, i), corner(polygon, i + 1)) < 1e-9 ||
                 xy_segment_distance(corner(polygon, i), corner(polygon, k), corner(polygon, k + 1)) < 1e-9))
                return true;
        }
    return false;
}

static bool boxes_meet(const lope_grasp_polygon *a, const lope_grasp_polygon *b)
{
    lope_xy low[2], high[2];
    for (int k = 0; k < 2; k++) {
        const lope_grasp_polygon *polygon = k ? b : a;
        low[k] = high[k] = polygon->corners[0];
        for (int i = 1; i < polygon->count; i++) {
            low[k] = xy(fmin(low[k].x, polygon->corners[i].x), fmin(low[k].y, polygon->corners[i].y));
            high[k] = xy(fmax(high[k].x, polygon->corners[i].x), fmax(high[k].y, polygon->corners[i].y));
        }
    }
    return low[0].x < high[1].x && low[1].x < high[0].x && low[0].y < high[1].y && low[1].y < high[0].y;
}

// Whether the inside along one side of `a` lies deeper in `b` than rounding.
static bool side_inside(const lope_grasp_polygon *a, int side, const lope_grasp_polygon *b, lope_xy *where)
{
    lope_xy from = corner(a, side), to = corner(a, side + 1), along = xy_sub(to, from);
    double length = xy_length(along);
    *where = xy_mad(xy_lerp(from, to, 0.5), xy(-along.y, along.x), INWARD / length);
    return polygon_contains(b, *where) && polygon_outline_distance(b, *where, NULL) > 0.5 * INWARD;
}

bool polygons_overlap(const lope_grasp_polygon *a, const lope_grasp_polygon *b, lope_xy *where)
{
    if (!boxes_meet(a, b))
        return false;
    for (int i = 0; i < a->count; i++) {
        if (side_inside(a, i, b, where))
            return true;
        for (int k = 0; k < b->count; k++) {
            *where = corner(a, i);
            lope_xy p = corner(a, i), q = corner(a, i + 1), r = corner(b, k), s = corner(b, k + 1);
            // Rounding may let touching sides cross by a hair; a real crossing has its ends clearly on both sides.
            if (cross(p, q, r, s) && xy_segment_distance(p, r, s) > INWARD && xy_segment_distance(q, r, s) > INWARD &&
                xy_segment_distance(r, p, q) > INWARD && xy_segment_distance(s, p, q) > INWARD)
                return true;
        }
    }
    for (int k = 0; k < b->count; k++)
        if (side_inside(b, k, a, where))
            return true;
    return false;
}
