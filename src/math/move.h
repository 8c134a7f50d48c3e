// SPDX-License-Identifier: MIT
// Movements over the ground with sine and cosine at hand: composing them needs no trigonometry.
#ifndef LOPE_SRC_MATH_MOVE_H
#define LOPE_SRC_MATH_MOVE_H

#include "lope/math.h"

typedef struct ground_move {
    float x, z, cosine, sine;
} ground_move;

// a, then b in its frame.
static inline ground_move ground_move_mul(ground_move a, ground_move b)
{
    return (ground_move){a.x + a.cosine * b.x + a.sine * b.z, a.z - a.sine * b.x + a.cosine * b.z,
                         a.cosine * b.cosine - a.sine * b.sine, a.sine * b.cosine + a.cosine * b.sine};
}

static inline lope_vec2 ground_move_point(ground_move m, float x, float z)
{
    return (lope_vec2){m.x + m.cosine * x + m.sine * z, m.z - m.sine * x + m.cosine * z};
}

static inline ground_move ground_move_of(lope_ground g)
{
    double sine, cosine;
    lope_sincos((double)g.yaw, &sine, &cosine);
    return (ground_move){g.x, g.z, (float)cosine, (float)sine};
}

static inline lope_ground ground_of_move(ground_move m)
{
    return (lope_ground){m.x, m.z, (float)lope_atan2((double)m.sine, (double)m.cosine)};
}

static inline ground_move ground_move_inverse(ground_move m)
{
    return (ground_move){-(m.cosine * m.x - m.sine * m.z), -(m.sine * m.x + m.cosine * m.z), m.cosine, -m.sine};
}

// Cosine and sine of nearly unit length, made so.
static inline ground_move ground_move_unit(ground_move m)
{
    float scale = 1.5f - 0.5f * (m.cosine * m.cosine + m.sine * m.sine);
    return (ground_move){m.x, m.z, m.cosine * scale, m.sine * scale};
}

// A turn by the angle of one frame or less: series where they are exact to single precision.
static inline ground_move ground_small_turn(float x, float z, float yaw)
{
    if (fabsf(yaw) > 0.3f)
        return ground_move_of((lope_ground){x, z, yaw});
    float q = yaw * yaw;
    return (ground_move){x, z, 1.0f - q * (0.5f - q * (1.0f / 24.0f - q * (1.0f / 720.0f))),
                         yaw * (1.0f - q * (1.0f / 6.0f - q * (1.0f / 120.0f)))};
}

// From one to another that is turned by no more than a frame's worth.
static inline ground_move ground_move_between(ground_move a, ground_move b, float t)
{
    return ground_move_unit((ground_move){a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t,
                                          a.cosine + (b.cosine - a.cosine) * t, a.sine + (b.sine - a.sine) * t});
}

#endif
