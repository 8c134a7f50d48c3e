// SPDX-License-Identifier: MIT
// Quaternion operations that need trigonometry, and ground frames.
#include "lope/math.h"

lope_quat lope_quat_axis_angle(lope_vec3 axis, float angle)
{
    double sine, cosine;
    lope_sincos(0.5 * (double)angle, &sine, &cosine);
    float s = (float)sine;
    lope_quat q = {axis.x * s, axis.y * s, axis.z * s, (float)cosine};
    return q;
}

lope_quat lope_quat_yaw(float yaw)
{
    return lope_quat_axis_angle(lope_v3(0.0f, 1.0f, 0.0f), yaw);
}

lope_quat lope_quat_slerp(lope_quat a, lope_quat b, float t)
{
    float dot = lope_quat_dot(a, b);
    if (dot < 0.0f) {
        b = lope_quat_negate(b);
        dot = -dot;
    }
    if (dot > 0.9995f)
        return lope_quat_nlerp(a, b, t);
    double angle = lope_acos((double)dot);
    double inverse = 1.0 / lope_sin(angle);
    float r = (float)(lope_sin((1.0 - (double)t) * angle) * inverse),
          s = (float)(lope_sin((double)t * angle) * inverse);
    lope_quat q = {a.x * r + b.x * s, a.y * r + b.y * s, a.z * r + b.z * s, a.w * r + b.w * s};
    return lope_quat_normalize(q);
}

lope_quat lope_quat_between(lope_vec3 from, lope_vec3 to)
{
    float dot = lope_v3_dot(from, to);
    if (dot < -0.999999f) { // opposite: any axis across will do
        lope_vec3 across = lope_v3_cross(from, lope_v3(1.0f, 0.0f, 0.0f));
        if (lope_v3_length(across) < 1e-3f)
            across = lope_v3_cross(from, lope_v3(0.0f, 0.0f, 1.0f));
        across = lope_v3_normalize(across, lope_v3(0.0f, 1.0f, 0.0f));
        lope_quat q = {across.x, across.y, across.z, 0.0f};
        return q;
    }
    lope_vec3 c = lope_v3_cross(from, to);
    lope_quat q = {c.x, c.y, c.z, 1.0f + dot};
    return lope_quat_normalize(q);
}

lope_vec3 lope_quat_log(lope_quat q)
{
    if (q.w < 0.0f)
        q = lope_quat_negate(q);
    lope_vec3 v = {q.x, q.y, q.z};
    double sine = sqrt((double)lope_v3_dot(v, v));
    if (sine < 1e-9)
        return lope_v3_scale(v, 2.0f);
    double angle = 2.0 * lope_atan2(sine, (double)q.w);
    return lope_v3_scale(v, (float)(angle / sine));
}

lope_quat lope_quat_exp(lope_vec3 rotation_vector)
{
    double angle = sqrt((double)lope_v3_dot(rotation_vector, rotation_vector)), sine, cosine;
    lope_sincos(0.5 * angle, &sine, &cosine);
    float s = angle < 1e-9 ? 0.5f : (float)(sine / angle);
    lope_quat q = {rotation_vector.x * s, rotation_vector.y * s, rotation_vector.z * s, (float)cosine};
    return q;
}

float lope_quat_angle(lope_quat a, lope_quat b)
{
    lope_quat d = lope_quat_mul(lope_quat_conjugate(a), b);
    double sine = sqrt((double)d.x * (double)d.x + (double)d.y * (double)d.y + (double)d.z * (double)d.z);
    return (float)(2.0 * lope_atan2(sine, fabs((double)d.w)));
}

lope_quat lope_quat_from_axes(lope_vec3 x, lope_vec3 y, lope_vec3 z)
{
    // The largest of the four components is computed from the diagonal, the others from it (Shepperd 1978).
    float trace = x.x + y.y + z.z;
    lope_quat q;
    if (trace > 0.0f)
        q = (lope_quat){y.z - z.y, z.x - x.z, x.y - y.x, 1.0f + trace};
    else if (x.x >= y.y && x.x >= z.z)
        q = (lope_quat){1.0f + x.x - y.y - z.z, x.y + y.x, x.z + z.x, y.z - z.y};
    else if (y.y >= z.z)
        q = (lope_quat){x.y + y.x, 1.0f + y.y - x.x - z.z, y.z + z.y, z.x - x.z};
    else
        q = (lope_quat){x.z + z.x, y.z + z.y, 1.0f + z.z - x.x - y.y, x.y - y.x};
    return lope_quat_normalize(q);
}

lope_quat lope_quat_twist(lope_quat q, lope_vec3 axis)
{
    float along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    lope_quat twist = {axis.x * along, axis.y * along, axis.z * along, q.w};
    return lope_quat_normalize(twist);
}

lope_ground lope_ground_mul(lope_ground a, lope_ground b)
{
    double sine, cosine;
    lope_sincos((double)a.yaw, &sine, &cosine);
    float s = (float)sine, c = (float)cosine;
    lope_ground g = {a.x + c * b.x + s * b.z, a.z - s * b.x + c * b.z, lope_wrap_angle(a.yaw + b.yaw)};
    return g;
}

lope_ground lope_ground_inverse(lope_ground a)
{
    double sine, cosine;
    lope_sincos((double)a.yaw, &sine, &cosine);
    float s = (float)sine, c = (float)cosine;
    lope_ground g = {-(c * a.x - s * a.z), -(s * a.x + c * a.z), lope_wrap_angle(-a.yaw)};
    return g;
}

lope_ground lope_ground_relative(lope_ground a, lope_ground b)
{
    return lope_ground_mul(lope_ground_inverse(a), b);
}

lope_transform lope_ground_transform(lope_ground g)
{
    lope_transform t = {lope_quat_yaw(g.yaw), {g.x, 0.0f, g.z}};
    return t;
}
