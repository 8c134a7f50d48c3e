// SPDX-License-Identifier: MIT
// Which side, and inside which circle: the two questions a triangulation asks,
// answered exactly.
//
// A rounded answer that is wrong once breaks a triangulation for good. Each
// predicate first computes in double with a bound of its error; only where that
// cannot tell the sign, it computes again with expansions (Shewchuk 1997).
#ifndef LOPE_SRC_SPACE_PREDICATES_H
#define LOPE_SRC_SPACE_PREDICATES_H

#include <math.h>

#include "lope/base.h"

// A point on the ground, finer than what users give: crossings of edges are
// computed.
typedef struct lope_point {
    double x, z;
} lope_point;

// The exact value, rounded in a way that keeps its sign.
LOPE_API double lope_orient_exact(lope_point a, lope_point b, lope_point c);
LOPE_API double lope_incircle_exact(lope_point a, lope_point b, lope_point c, lope_point d);

// Twice the area of abc: positive where a, b, c turn from x towards z (called
// left or counter-clockwise throughout), zero exactly where they are in line.
static inline double lope_orient(lope_point a, lope_point b, lope_point c)
{
    double left = (a.x - c.x) * (b.z - c.z), right = (a.z - c.z) * (b.x - c.x);
    double value = left - right;
    double magnitude = fabs(left) + fabs(right);
    double bound = 3.3306690738754716e-16 * magnitude;
    if (fabs(value) > bound)
        return value;
    return lope_orient_exact(a, b, c);
}

// Positive where d is inside the circle through a, b, c (counter-clockwise),
// zero exactly where it is on it.
static inline double lope_incircle(lope_point a, lope_point b, lope_point c, lope_point d)
{
    double ax = a.x - d.x, az = a.z - d.z, bx = b.x - d.x, bz = b.z - d.z, cx = c.x - d.x, cz = c.z - d.z;
    double bxcz = bx * cz, cxbz = cx * bz, cxaz = cx * az, axcz = ax * cz, axbz = ax * bz, bxaz = bx * az;
    double a_lift = ax * ax + az * az, b_lift = bx * bx + bz * bz, c_lift = cx * cx + cz * cz;
    double value = a_lift * (bxcz - cxbz) + b_lift * (cxaz - axcz) + c_lift * (axbz - bxaz);
    double magnitude =
        (fabs(bxcz) + fabs(cxbz)) * a_lift + (fabs(cxaz) + fabs(axcz)) * b_lift + (fabs(axbz) + fabs(bxaz)) * c_lift;
    double bound = 1.1102230246251577e-15 * magnitude;
    if (fabs(value) > bound)
        return value;
    return lope_incircle_exact(a, b, c, d);
}

#endif
