// SPDX-License-Identifier: MIT
// Euler angles to quaternions, four frames of a joint at a time.
//
// Angles are reduced in degrees, where a half turn is the exact number 180, so that the reduction loses nothing; only
// then are they turned into radians. Sine and cosine of the half angle are Taylor polynomials on [-pi/4, pi/4], whose
// first neglected terms lie below 2e-9. A factor about a single axis leaves the quaternion in two planar turns, which
// makes any order and any number of rotation channels the same short loop.
#include "io/bvh_convert.h"

typedef float lanes __attribute__((vector_size(16)));
typedef int32_t masks __attribute__((vector_size(16)));

typedef struct quat_lanes {
    lanes v[3]; // x, y, z
    lanes w;
} quat_lanes;

#define SPLAT(value) ((lanes){value, value, value, value})
#define SIGN_BITS ((masks){INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN})

// Adding and subtracting 1.5 * 2^23 rounds to the nearest integer and leaves that integer in the low bits.
#define ROUNDER 12582912.0f

static inline lanes flip_signs(lanes value, masks sign_bits)
{
    return (lanes)((masks)value ^ sign_bits);
}

static inline lanes choose(masks condition, lanes yes, lanes no)
{
    return (lanes)(((masks)yes & condition) | ((masks)no & ~condition));
}

// Sine and cosine of half the angles.
static inline void half_sine_cosine(lanes degrees, lanes *sine, lanes *cosine)
{
    lanes rounded = degrees * SPLAT(1.0f / 180.0f) + SPLAT(ROUNDER);
    lanes half_turns = rounded - SPLAT(ROUNDER);
    lanes x = (degrees - half_turns * SPLAT(180.0f)) * SPLAT((float)(LOPE_PI / 360.0));
    lanes x2 = x * x;
    lanes s = SPLAT(1.0f / 362880.0f);
    s = s * x2 - SPLAT(1.0f / 5040.0f);
    s = s * x2 + SPLAT(1.0f / 120.0f);
    s = s * x2 - SPLAT(1.0f / 6.0f);
    s = x + x * (x2 * s);
    lanes c = SPLAT(-1.0f / 3628800.0f);
    c = c * x2 + SPLAT(1.0f / 40320.0f);
    c = c * x2 - SPLAT(1.0f / 720.0f);
    c = c * x2 + SPLAT(1.0f / 24.0f);
    c = SPLAT(1.0f) - (SPLAT(0.5f) * x2 - x2 * (x2 * c));
    // Half an angle of k half turns is k right angles.
    masks quadrant = (masks)rounded, odd = -(quadrant & 1);
    *sine = flip_signs(choose(odd, c, s), (quadrant << 30) & SIGN_BITS);
    *cosine = flip_signs(choose(odd, s, c), ((quadrant + 1) << 30) & SIGN_BITS);
}

// Angles of thousands of turns, brought down one by one.
static lanes tame(lanes degrees)
{
    for (int i = 0; i < BVH_LANES; i++)
        degrees[i] = (float)fmod((double)degrees[i], 360.0);
    return degrees;
}

// q * (turn about one axis): the axis's plane with w, and the plane across, each turn by half the angle.
static inline void turn(quat_lanes *q, int axis, lanes s, lanes c)
{
    static const int next[3] = {1, 2, 0}, after[3] = {2, 0, 1};
    lanes a = q->v[axis], b = q->v[next[axis]], d = q->v[after[axis]], w = q->w;
    q->v[axis] = a * c + w * s;
    q->v[next[axis]] = b * c + d * s;
    q->v[after[axis]] = d * c - b * s;
    q->w = w * c - a * s;
}

static inline quat_lanes rotation_lanes(const bvh_joint *joint, const float *block, bool large)
{
    quat_lanes q = {.w = SPLAT(1.0f)};
    for (int i = 0; i < joint->rotation_count; i++) {
        lanes degrees, s, c;
        __builtin_memcpy(&degrees, block + (size_t)joint->rotation[i] * BVH_LANES, sizeof degrees);
        if (large)
            degrees = tame(degrees);
        half_sine_cosine(degrees, &s, &c);
        if (i == 0) {
            q.v[joint->axis[0]] = s;
            q.w = c;
        } else {
            turn(&q, joint->axis[i], s, c);
        }
    }
    // One Newton step towards unit length takes the rounding of the factors out again.
    lanes square = q.v[0] * q.v[0] + q.v[1] * q.v[1] + q.v[2] * q.v[2] + q.w * q.w;
    lanes fix = SPLAT(1.5f) - SPLAT(0.5f) * square;
    return (quat_lanes){{q.v[0] * fix, q.v[1] * fix, q.v[2] * fix}, q.w * fix};
}

// The lanes moved up by one, with `first` in front: each frame's predecessor.
static inline lanes before(float first, lanes value)
{
    return __builtin_shufflevector((lanes){first}, value, 0, 4, 5, 6);
}

// Flips each frame into the hemisphere of the one before. A flip carries over to all later frames, hence the running
// exclusive or of the signs.
static inline void align(quat_lanes *q, lope_quat last)
{
    lanes dot = q->v[0] * before(last.x, q->v[0]) + q->v[1] * before(last.y, q->v[1]) +
                q->v[2] * before(last.z, q->v[2]) + q->w * before(last.w, q->w);
    masks flips = (masks)dot & SIGN_BITS;
    flips ^= __builtin_shufflevector((masks){0}, flips, 0, 4, 5, 6);
    flips ^= __builtin_shufflevector((masks){0}, flips, 0, 0, 4, 5);
    q->v[0] = flip_signs(q->v[0], flips);
    q->v[1] = flip_signs(q->v[1], flips);
    q->v[2] = flip_signs(q->v[2], flips);
    q->w = flip_signs(q->w, flips);
}

// From one vector per component to one per frame.
static inline void transpose(const quat_lanes *q, lanes *frames)
{
    lanes xy_low = __builtin_shufflevector(q->v[0], q->v[1], 0, 4, 1, 5);
    lanes xy_high = __builtin_shufflevector(q->v[0], q->v[1], 2, 6, 3, 7);
    lanes zw_low = __builtin_shufflevector(q->v[2], q->w, 0, 4, 1, 5);
    lanes zw_high = __builtin_shufflevector(q->v[2], q->w, 2, 6, 3, 7);
    frames[0] = __builtin_shufflevector(xy_low, zw_low, 0, 1, 4, 5);
    frames[1] = __builtin_shufflevector(xy_low, zw_low, 2, 3, 6, 7);
    frames[2] = __builtin_shufflevector(xy_high, zw_high, 0, 1, 4, 5);
    frames[3] = __builtin_shufflevector(xy_high, zw_high, 2, 3, 6, 7);
}

void lope_bvh_convert_block(const bvh_document *document, int block, lope_quat *last, lope_quat *const *rows)
{
    const float *values = document->values + (size_t)block * (size_t)document->channel_count * BVH_LANES;
    for (int j = 0; j < document->joint_count; j++) {
        quat_lanes q = rotation_lanes(&document->joints[j], values, document->has_large_values);
        align(&q, last[j]);
        lanes frames[BVH_LANES];
        transpose(&q, frames);
        for (int i = 0; i < BVH_LANES; i++)
            if (rows[i])
                __builtin_memcpy(&rows[i][j], &frames[i], sizeof frames[i]);
        __builtin_memcpy(&last[j], &frames[BVH_LANES - 1], sizeof frames[0]);
    }
}

lope_quat lope_bvh_convert_plain(const bvh_document *document, int frame, int joint)
{
    const bvh_joint *j = &document->joints[joint];
    double q[4] = {0.0, 0.0, 0.0, 1.0};
    for (int i = 0; i < j->rotation_count; i++) {
        double half = fmod((double)*bvh_value(document, frame, j->rotation[i]), 720.0) * (LOPE_PI / 360.0);
        double s = lope_sin(half), c = lope_cos(half), r[3] = {0.0, 0.0, 0.0};
        r[j->axis[i]] = s;
        double x = q[3] * r[0] + q[0] * c + q[1] * r[2] - q[2] * r[1];
        double y = q[3] * r[1] - q[0] * r[2] + q[1] * c + q[2] * r[0];
        double z = q[3] * r[2] + q[0] * r[1] - q[1] * r[0] + q[2] * c;
        double w = q[3] * c - q[0] * r[0] - q[1] * r[1] - q[2] * r[2];
        q[0] = x, q[1] = y, q[2] = z, q[3] = w;
    }
    return (lope_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}
