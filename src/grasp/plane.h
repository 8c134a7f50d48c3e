// SPDX-License-Identifier: MIT
// Vectors in the plane, for the grasp planner's own files.
#ifndef LOPE_SRC_GRASP_PLANE_H
#define LOPE_SRC_GRASP_PLANE_H

#include "lope/grasp.h"

static inline lope_xy xy(double x, double y)
{
    return (lope_xy){x, y};
}
static inline lope_xy xy_add(lope_xy a, lope_xy b)
{
    return xy(a.x + b.x, a.y + b.y);
}
static inline lope_xy xy_sub(lope_xy a, lope_xy b)
{
    return xy(a.x - b.x, a.y - b.y);
}
// a + b * s
static inline lope_xy xy_mad(lope_xy a, lope_xy b, double s)
{
    return xy(a.x + b.x * s, a.y + b.y * s);
}
static inline lope_xy xy_lerp(lope_xy a, lope_xy b, double t)
{
    return xy_mad(a, xy_sub(b, a), t);
}
static inline double xy_dot(lope_xy a, lope_xy b)
{
    return a.x * b.x + a.y * b.y;
}
static inline double xy_cross(lope_xy a, lope_xy b)
{
    return a.x * b.y - a.y * b.x;
}
static inline double xy_length(lope_xy a)
{
    return sqrt(xy_dot(a, a));
}
static inline double xy_distance(lope_xy a, lope_xy b)
{
    return xy_length(xy_sub(a, b));
}
static inline double clamp_to(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}
// Squared distance of a point to a segment.
static inline double xy_segment_distance2(lope_xy p, lope_xy a, lope_xy b)
{
    lope_xy along = xy_sub(b, a);
    double square = xy_dot(along, along);
    double t = square > 0.0 ? clamp_to(xy_dot(xy_sub(p, a), along) / square, 0.0, 1.0) : 0.0;
    lope_xy off = xy_sub(p, xy_mad(a, along, t));
    return xy_dot(off, off);
}
static inline double xy_segment_distance(lope_xy p, lope_xy a, lope_xy b)
{
    return sqrt(xy_segment_distance2(p, a, b));
}

#endif
