// SPDX-License-Identifier: MIT
// Vectors, quaternions, rigid transforms and ground frames, with the few operations on them that callers need.
//
// The trigonometry is Lope's own, so that results have the same bits on every machine and C library.
#ifndef LOPE_MATH_H
#define LOPE_MATH_H

#include <math.h>

#include "lope/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LOPE_PI 3.14159265358979323846

// A point or direction on the ground.
typedef struct lope_vec2 {
    float x, z;
} lope_vec2;

typedef struct lope_vec3 {
    float x, y, z;
} lope_vec3;

typedef struct lope_quat {
    float x, y, z, w;
} lope_quat;

// Rotation first, then translation: p' = rotate(rotation, p) + translation.
typedef struct lope_transform {
    lope_quat rotation;
    lope_vec3 translation;
} lope_transform;

// A place on the ground and a heading. yaw turns about +Y; yaw 0 faces +Z, yaw pi/2 faces +X.
typedef struct lope_ground {
    float x, z, yaw;
} lope_ground;

// Trigonometry in double: absolute error below 4e-16 for |angle| < 1e5 (about 2 units in the last place).
LOPE_API double lope_sin(double angle);
LOPE_API double lope_cos(double angle);
// Both at once, with the same bits as one by one.
LOPE_API void lope_sincos(double angle, double *sine, double *cosine);
LOPE_API double lope_atan2(double y, double x);
LOPE_API double lope_asin(double value); // clamps its argument to [-1, 1]
LOPE_API double lope_acos(double value); // clamps its argument to [-1, 1]
LOPE_API double lope_exp(double value);  // relative error below 1e-15; 0 and inf beyond the range of double

// The same angle in (-pi, pi].
LOPE_API float lope_wrap_angle(float angle);

static inline lope_vec3 lope_v3(float x, float y, float z)
{
    lope_vec3 v = {x, y, z};
    return v;
}
static inline lope_vec3 lope_v3_add(lope_vec3 a, lope_vec3 b)
{
    return lope_v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline lope_vec3 lope_v3_sub(lope_vec3 a, lope_vec3 b)
{
    return lope_v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline lope_vec3 lope_v3_min(lope_vec3 a, lope_vec3 b)
{
    return lope_v3(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z));
}
static inline lope_vec3 lope_v3_max(lope_vec3 a, lope_vec3 b)
{
    return lope_v3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z));
}
static inline lope_vec3 lope_v3_scale(lope_vec3 a, float s)
{
    return lope_v3(a.x * s, a.y * s, a.z * s);
}
// a + b * s
static inline lope_vec3 lope_v3_mad(lope_vec3 a, lope_vec3 b, float s)
{
    return lope_v3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}
static inline lope_vec3 lope_v3_lerp(lope_vec3 a, lope_vec3 b, float t)
{
    return lope_v3(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t);
}
static inline float lope_v3_dot(lope_vec3 a, lope_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline lope_vec3 lope_v3_cross(lope_vec3 a, lope_vec3 b)
{
    return lope_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline float lope_v3_length(lope_vec3 a)
{
    return sqrtf(lope_v3_dot(a, a));
}
static inline float lope_v3_distance(lope_vec3 a, lope_vec3 b)
{
    return lope_v3_length(lope_v3_sub(a, b));
}
// Unit vector along `a`, or `fallback` where `a` is too short to have a direction.
static inline lope_vec3 lope_v3_normalize(lope_vec3 a, lope_vec3 fallback)
{
    float length = lope_v3_length(a);
    return length > 1e-12f ? lope_v3_scale(a, 1.0f / length) : fallback;
}

static inline lope_quat lope_quat_identity(void)
{
    lope_quat q = {0.0f, 0.0f, 0.0f, 1.0f};
    return q;
}
static inline lope_quat lope_quat_mul(lope_quat a, lope_quat b)
{
    lope_quat q = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                   a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return q;
}
// The inverse of a unit quaternion.
static inline lope_quat lope_quat_conjugate(lope_quat q)
{
    lope_quat c = {-q.x, -q.y, -q.z, q.w};
    return c;
}
static inline float lope_quat_dot(lope_quat a, lope_quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
static inline lope_quat lope_quat_negate(lope_quat q)
{
    lope_quat n = {-q.x, -q.y, -q.z, -q.w};
    return n;
}
static inline lope_quat lope_quat_normalize(lope_quat q)
{
    float length = sqrtf(lope_quat_dot(q, q));
    if (!(length > 1e-20f))
        return lope_quat_identity();
    float s = 1.0f / length;
    lope_quat n = {q.x * s, q.y * s, q.z * s, q.w * s};
    return n;
}
static inline lope_vec3 lope_quat_rotate(lope_quat q, lope_vec3 v)
{
    lope_vec3 axis = {q.x, q.y, q.z};
    lope_vec3 t = lope_v3_scale(lope_v3_cross(axis, v), 2.0f);
    return lope_v3_add(lope_v3_mad(v, t, q.w), lope_v3_cross(axis, t));
}
// Shortest-arc interpolation along the chord, renormalised: what sampling and blending use.
static inline lope_quat lope_quat_nlerp(lope_quat a, lope_quat b, float t)
{
    float s = lope_quat_dot(a, b) < 0.0f ? -t : t;
    float r = 1.0f - t;
    lope_quat q = {a.x * r + b.x * s, a.y * r + b.y * s, a.z * r + b.z * s, a.w * r + b.w * s};
    return lope_quat_normalize(q);
}
// Shortest-arc interpolation at constant angular speed.
LOPE_API lope_quat lope_quat_slerp(lope_quat a, lope_quat b, float t);
// Turn by `angle` about the unit vector `axis`.
LOPE_API lope_quat lope_quat_axis_angle(lope_vec3 axis, float angle);
// Turn by `yaw` about +Y.
LOPE_API lope_quat lope_quat_yaw(float yaw);
// The shortest rotation that takes unit vector `from` to unit vector `to`.
LOPE_API lope_quat lope_quat_between(lope_vec3 from, lope_vec3 to);
// Rotation vector (axis times angle, the angle in [0, pi]) of a unit quaternion, and back.
LOPE_API lope_vec3 lope_quat_log(lope_quat q);
LOPE_API lope_quat lope_quat_exp(lope_vec3 rotation_vector);
// Angle of the rotation between two unit quaternions, in [0, pi]. Accurate for small angles.
LOPE_API float lope_quat_angle(lope_quat a, lope_quat b);
// The rotation whose x, y and z axes are the given right-handed orthonormal vectors.
LOPE_API lope_quat lope_quat_from_axes(lope_vec3 x, lope_vec3 y, lope_vec3 z);
// Splits q = swing * twist with twist about the unit vector `axis`; returns the twist.
LOPE_API lope_quat lope_quat_twist(lope_quat q, lope_vec3 axis);

static inline lope_transform lope_transform_identity(void)
{
    lope_transform t = {{0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f}};
    return t;
}
static inline lope_vec3 lope_transform_point(lope_transform t, lope_vec3 p)
{
    return lope_v3_add(lope_quat_rotate(t.rotation, p), t.translation);
}
// a then-in-parent b: (a * b)(p) = a(b(p)).
static inline lope_transform lope_transform_mul(lope_transform a, lope_transform b)
{
    lope_transform t = {lope_quat_mul(a.rotation, b.rotation), lope_transform_point(a, b.translation)};
    return t;
}
static inline lope_transform lope_transform_inverse(lope_transform t)
{
    lope_quat r = lope_quat_conjugate(t.rotation);
    lope_transform i = {r, lope_v3_scale(lope_quat_rotate(r, t.translation), -1.0f)};
    return i;
}

// Composition of ground frames: `b`, given relative to `a`, expressed where `a` is. Yaw is wrapped.
LOPE_API lope_ground lope_ground_mul(lope_ground a, lope_ground b);
// The frame that undoes `a`: lope_ground_mul(lope_ground_inverse(a), a) is the origin.
LOPE_API lope_ground lope_ground_inverse(lope_ground a);
// `b` as seen from `a`: inverse(a) * b.
LOPE_API lope_ground lope_ground_relative(lope_ground a, lope_ground b);
// The same as a 3D transform (height 0).
LOPE_API lope_transform lope_ground_transform(lope_ground g);

#ifdef __cplusplus
}
#endif
#endif
