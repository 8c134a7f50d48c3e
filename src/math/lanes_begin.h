// SPDX-License-Identifier: MIT
// Arithmetic on several things at once, one per lane of a vector: written once, compiled for each width. A source file
// includes it, then its own code, then math/lanes_end.h, with these defined:
//   LANES         things side by side: 1 (plain floats), 4 or 8
//   LANES_TARGET  attribute of every function, e.g. target("avx2")
//   LANES_NAME(x) x with a suffix of its own
//
// Sums run in the order of lope/math.h and nothing is fused or approximated by the processor, so every lane of every
// width has the bits of the plain floats.
#include <string.h>

#include "lope/math.h"
#include "math/four.h"

#define LANE_INLINE LANES_TARGET static inline __attribute__((always_inline, unused))
#define wide LANES_NAME(wide)
#define mask LANES_NAME(mask)
#define quats LANES_NAME(quats)
#define points LANES_NAME(points)
#define lane_all LANES_NAME(lane_all)
#define lane_less LANES_NAME(lane_less)
#define lane_select LANES_NAME(lane_select)
#define lane_sqrt LANES_NAME(lane_sqrt)
#define lane_max LANES_NAME(lane_max)
#define lane_min LANES_NAME(lane_min)
#define lane_abs LANES_NAME(lane_abs)
#define lane_decay LANES_NAME(lane_decay)
#define lane_add LANES_NAME(lane_add)
#define lane_sub LANES_NAME(lane_sub)
#define lane_mad LANES_NAME(lane_mad)
#define lane_scale LANES_NAME(lane_scale)
#define lane_dot LANES_NAME(lane_dot)
#define lane_cross LANES_NAME(lane_cross)
#define lane_length LANES_NAME(lane_length)
#define lane_pick LANES_NAME(lane_pick)
#define lane_quat_mul LANES_NAME(lane_quat_mul)
#define lane_quat_pick LANES_NAME(lane_quat_pick)
#define lane_normalize LANES_NAME(lane_normalize)
#define lane_rotate LANES_NAME(lane_rotate)
#define lane_between LANES_NAME(lane_between)
#define lane_exp LANES_NAME(lane_exp)
#define lane_transpose LANES_NAME(lane_transpose)
#define lane_row LANES_NAME(lane_row)
#define lane_load LANES_NAME(lane_load)
#define lane_put_row LANES_NAME(lane_put_row)
#define lane_store LANES_NAME(lane_store)
#define lane_nlerp LANES_NAME(lane_nlerp)

#if LANES == 1
typedef float wide;
typedef int32_t mask;
#else
typedef float wide __attribute__((vector_size(4 * LANES)));
typedef int32_t mask __attribute__((vector_size(4 * LANES)));
#endif

// One rotation, or one place, per lane.
typedef struct quats {
    wide x, y, z, w;
} quats;
typedef struct points {
    wide x, y, z;
} points;

LANE_INLINE wide lane_all(float value)
{
    wide zero = {0};
    return zero + value;
}

// All bits where it holds, none where not.
LANE_INLINE mask lane_less(wide a, wide b)
{
#if LANES == 1
    return -(mask)(a < b);
#else
    return a < b;
#endif
}

LANE_INLINE wide lane_select(mask which, wide yes, wide no)
{
#if LANES == 1
    return which ? yes : no;
#else
    return (wide)(((mask)yes & which) | ((mask)no & ~which));
#endif
}

LANE_INLINE wide lane_sqrt(wide v)
{
#if LANES == 1
    return sqrtf(v);
#else
    wide root;
    for (int l = 0; l < LANES; l++)
        root[l] = sqrtf(v[l]);
    return root;
#endif
}

LANE_INLINE wide lane_max(wide a, wide b)
{
    return lane_select(lane_less(a, b), b, a);
}

LANE_INLINE wide lane_min(wide a, wide b)
{
    return lane_select(lane_less(b, a), b, a);
}

LANE_INLINE wide lane_abs(wide v)
{
    return lane_max(v, -v);
}

// e to the power of v, for v <= 0: by powers of two and a series; relative error 3e-7.
LANE_INLINE wide lane_decay(wide v)
{
    v = lane_max(v, lane_all(-80.0f));
    wide at = v * 1.44269504f - 0.5f;
#if LANES == 1
    mask k = (mask)at;
    wide power = (wide)k;
#else
    mask k = __builtin_convertvector(at, mask);
    wide power = __builtin_convertvector(k, wide);
#endif
    wide r = (v - power * 0.693359375f) + power * 2.12194440e-4f;
    wide p =
        1.0f + r * (1.0f + r * (1.0f / 2.0f +
                                r * (1.0f / 6.0f + r * (1.0f / 24.0f + r * (1.0f / 120.0f + r * (1.0f / 720.0f))))));
    k = (k + 127) << 23;
    memcpy(&power, &k, sizeof power);
    return p * power;
}

LANE_INLINE points lane_add(points a, points b)
{
    return (points){a.x + b.x, a.y + b.y, a.z + b.z};
}

LANE_INLINE points lane_sub(points a, points b)
{
    return (points){a.x - b.x, a.y - b.y, a.z - b.z};
}

// a + b * s
LANE_INLINE points lane_mad(points a, points b, wide s)
{
    return (points){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

LANE_INLINE points lane_scale(points a, wide s)
{
    return (points){a.x * s, a.y * s, a.z * s};
}

LANE_INLINE wide lane_dot(points a, points b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

LANE_INLINE points lane_cross(points a, points b)
{
    return (points){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

LANE_INLINE wide lane_length(points a)
{
    return lane_sqrt(lane_dot(a, a));
}

LANE_INLINE points lane_pick(mask which, points yes, points no)
{
    return (points){lane_select(which, yes.x, no.x), lane_select(which, yes.y, no.y), lane_select(which, yes.z, no.z)};
}

LANE_INLINE quats lane_quat_mul(quats a, quats b)
{
    return (quats){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                   a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

LANE_INLINE quats lane_quat_pick(mask which, quats yes, quats no)
{
    return (quats){lane_select(which, yes.x, no.x), lane_select(which, yes.y, no.y), lane_select(which, yes.z, no.z),
                   lane_select(which, yes.w, no.w)};
}

// lope_quat_normalize
LANE_INLINE quats lane_normalize(quats q)
{
    wide zero = lane_all(0.0f), length = lane_sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    mask good = lane_less(lane_all(1e-20f), length);
    wide scale = 1.0f / length;
    return (quats){lane_select(good, q.x * scale, zero), lane_select(good, q.y * scale, zero),
                   lane_select(good, q.z * scale, zero), lane_select(good, q.w * scale, lane_all(1.0f))};
}

// lope_quat_rotate
LANE_INLINE points lane_rotate(quats q, points v)
{
    points axis = {q.x, q.y, q.z}, t = lane_scale(lane_cross(axis, v), lane_all(2.0f));
    return lane_add(lane_mad(v, t, q.w), lane_cross(axis, t));
}

// The shortest rotation from one unit vector to another; where one of them is zero, none. Not for opposite ones.
LANE_INLINE quats lane_between(points from, points to)
{
    points c = lane_cross(from, to);
    return lane_normalize((quats){c.x, c.y, c.z, 1.0f + lane_dot(from, to)});
}

// exp of a rotation vector: series in the square of half the angle, exact to 1e-6 up to half a turn.
LANE_INLINE quats lane_exp(points v)
{
    wide q = 0.25f * (v.x * v.x + v.y * v.y + v.z * v.z);
    wide s = 0.5f * (1.0f - q * (1.0f / 6.0f - q * (1.0f / 120.0f - q * (1.0f / 5040.0f - q * (1.0f / 362880.0f)))));
    wide c =
        1.0f - q * (0.5f - q * (1.0f / 24.0f - q * (1.0f / 720.0f - q * (1.0f / 40320.0f - q * (1.0f / 3628800.0f)))));
    return (quats){s * v.x, s * v.y, s * v.z, c};
}

#if LANES > 1

#if LANES == 4
#define LOW_PAIRS(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LOW_HALVES(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define HIGH_HALVES(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#else
#define LOW_PAIRS(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define LOW_HALVES(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HIGH_HALVES(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#endif

// Rows become columns, in each block of four lanes. Its own inverse.
LANE_INLINE quats lane_transpose(quats r)
{
    wide low01 = LOW_PAIRS(r.x, r.y), high01 = HIGH_PAIRS(r.x, r.y);
    wide low23 = LOW_PAIRS(r.z, r.w), high23 = HIGH_PAIRS(r.z, r.w);
    return (quats){LOW_HALVES(low01, low23), HIGH_HALVES(low01, low23), LOW_HALVES(high01, high23),
                   HIGH_HALVES(high01, high23)};
}

// Four floats of lane l, and those of lane l + 4 behind them where there are eight.
LANE_INLINE wide lane_row(const float *const rows[LANES], size_t at, int l)
{
#if LANES == 4
    return load4(rows[l] + at);
#else
    return __builtin_shufflevector(load4(rows[l] + at), load4(rows[l + 4] + at), 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

// The four floats at `at` of every lane's row.
LANE_INLINE quats lane_load(const float *const rows[LANES], size_t at)
{
    return lane_transpose(
        (quats){lane_row(rows, at, 0), lane_row(rows, at, 1), lane_row(rows, at, 2), lane_row(rows, at, 3)});
}

LANE_INLINE void lane_put_row(float *const rows[LANES], size_t at, int l, wide v)
{
#if LANES == 4
    store4(rows[l] + at, v);
#else
    store4(rows[l] + at, __builtin_shufflevector(v, v, 0, 1, 2, 3));
    store4(rows[l + 4] + at, __builtin_shufflevector(v, v, 4, 5, 6, 7));
#endif
}

LANE_INLINE void lane_store(float *const rows[LANES], size_t at, quats q)
{
    q = lane_transpose(q);
    lane_put_row(rows, at, 0, q.x);
    lane_put_row(rows, at, 1, q.y);
    lane_put_row(rows, at, 2, q.z);
    lane_put_row(rows, at, 3, q.w);
}

#undef LOW_PAIRS
#undef HIGH_PAIRS
#undef LOW_HALVES
#undef HIGH_HALVES

// lope_quat_nlerp in every lane; lanes with t = 0 keep the bits of `a` (there `b` equals it).
LANE_INLINE quats lane_nlerp(quats a, quats b, wide t)
{
    const wide zero = {0};
    wide dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    wide r = 1.0f - t, s = (wide)((mask)t ^ ((dot < zero) & INT32_MIN));
    quats q = {a.x * r + b.x * s, a.y * r + b.y * s, a.z * r + b.z * s, a.w * r + b.w * s};
    wide length = lane_sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    mask still = t == zero, good = (length > 1e-20f) | still;
    wide scale = lane_select(still, zero + 1.0f, 1.0f / length);
    return (quats){(wide)((mask)(q.x * scale) & good), (wide)((mask)(q.y * scale) & good),
                   (wide)((mask)(q.z * scale) & good), lane_select(good, q.w * scale, zero + 1.0f)};
}

#endif
