// SPDX-License-Identifier: MIT
// Vectors and quaternions of the grader.
#ifndef LOPE_BENCH_GRADER_MATH_H
#define LOPE_BENCH_GRADER_MATH_H

#include <math.h>

#include "bench/grader/grader.h"

#define GRADER_DEGREES 57.295779513082320877

static inline grader_vec gv(double x, double y, double z)
{
    grader_vec v = {x, y, z};
    return v;
}
static inline grader_vec gv_add(grader_vec a, grader_vec b)
{
    return gv(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline grader_vec gv_sub(grader_vec a, grader_vec b)
{
    return gv(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline grader_vec gv_scale(grader_vec a, double s)
{
    return gv(a.x * s, a.y * s, a.z * s);
}
static inline double gv_dot(grader_vec a, grader_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline grader_vec gv_cross(grader_vec a, grader_vec b)
{
    return gv(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double gv_length(grader_vec a)
{
    return sqrt(gv_dot(a, a));
}
static inline grader_quat gq_mul(grader_quat a, grader_quat b)
{
    grader_quat q = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return q;
}
static inline grader_quat gq_back(grader_quat q)
{
    grader_quat c = {-q.x, -q.y, -q.z, q.w};
    return c;
}
static inline grader_vec gq_rotate(grader_quat q, grader_vec v)
{
    grader_vec u = gv(q.x, q.y, q.z), t = gv_scale(gv_cross(u, v), 2.0);
    return gv_add(gv_add(v, gv_scale(t, q.w)), gv_cross(u, t));
}
// Axis times angle of the shorter way.
static inline grader_vec gq_log(grader_quat q)
{
    double s = q.w < 0.0 ? -1.0 : 1.0, length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    if (length < 1e-15)
        return gv(0.0, 0.0, 0.0);
    double angle = 2.0 * atan2(length, s * q.w);
    return gv_scale(gv(q.x, q.y, q.z), s * angle / length);
}

#endif
