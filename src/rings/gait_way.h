// SPDX-License-Identifier: MIT
// Ways whose place, speed and acceleration are given at both ends: quintics, the smoothest there are. Everything that
// changes while a character goes on follows one, so that nothing it shows has a step in place, speed or acceleration.
#ifndef LOPE_SRC_RINGS_GAIT_WAY_H
#define LOPE_SRC_RINGS_GAIT_WAY_H

#include "lope/math.h"
#include "math/larger.h"

// How much each end's place, speed and acceleration count at some moment.
typedef struct gait_six {
    float place[2], speed[2], acceleration[2];
} gait_six;

// At a share u of a way that takes `length` frames or seconds: its place, the rate at which that changes, and the rate
// at which the rate does.
static inline gait_six gait_six_at(float u, float length)
{
    float u2 = u * u, u3 = u2 * u, to = u3 * (10.0f + u * (6.0f * u - 15.0f)), square = 0.5f * length * length;
    return (gait_six){
        {1.0f - to, to},
        {length * (u + u3 * (-6.0f + u * (8.0f - 3.0f * u))), length * u3 * (-4.0f + u * (7.0f - 3.0f * u))},
        {square * u2 * (1.0f + u * (-3.0f + u * (3.0f - u))), square * u3 * (1.0f + u * (u - 2.0f))}};
}
static inline gait_six gait_six_rate(float u, float length)
{
    float u2 = u * u, to = u2 * (30.0f + u * (30.0f * u - 60.0f)) / length, half = 0.5f * length;
    return (gait_six){
        {-to, to},
        {1.0f + u2 * (-18.0f + u * (32.0f - 15.0f * u)), u2 * (-12.0f + u * (28.0f - 15.0f * u))},
        {half * u * (2.0f + u * (-9.0f + u * (12.0f - 5.0f * u))), half * u2 * (3.0f + u * (5.0f * u - 8.0f))}};
}
static inline gait_six gait_six_bend(float u, float length)
{
    float to = u * (60.0f + u * (120.0f * u - 180.0f)) / (length * length), by = 1.0f / length;
    return (gait_six){{-to, to},
                      {by * u * (-36.0f + u * (96.0f - 60.0f * u)), by * u * (-24.0f + u * (84.0f - 60.0f * u))},
                      {1.0f + u * (-9.0f + u * (18.0f - 10.0f * u)), u * (3.0f + u * (10.0f * u - 12.0f))}};
}

// One end of a way.
typedef struct gait_end {
    lope_vec3 place, speed, acceleration;
} gait_end;

typedef struct gait_way {
    gait_end from, to;
} gait_way;

static inline lope_vec3 gait_way_at(const gait_way *way, const gait_six *six)
{
    lope_vec3 sum = lope_v3_scale(way->from.place, six->place[0]);
    sum = lope_v3_mad(sum, way->to.place, six->place[1]);
    sum = lope_v3_mad(sum, way->from.speed, six->speed[0]);
    sum = lope_v3_mad(sum, way->to.speed, six->speed[1]);
    sum = lope_v3_mad(sum, way->from.acceleration, six->acceleration[0]);
    return lope_v3_mad(sum, way->to.acceleration, six->acceleration[1]);
}

// The way's place, speed and acceleration at a moment, to go on from there.
static inline gait_end gait_way_end(const gait_way *way, float u, float length)
{
    gait_six at = gait_six_at(u, length), rate = gait_six_rate(u, length), bend = gait_six_bend(u, length);
    return (gait_end){gait_way_at(way, &at), gait_way_at(way, &rate), gait_way_at(way, &bend)};
}

static inline gait_end gait_end_add(gait_end a, gait_end b)
{
    return (gait_end){lope_v3_add(a.place, b.place), lope_v3_add(a.speed, b.speed),
                      lope_v3_add(a.acceleration, b.acceleration)};
}

static inline gait_end gait_end_sub(gait_end a, gait_end b)
{
    return (gait_end){lope_v3_sub(a.place, b.place), lope_v3_sub(a.speed, b.speed),
                      lope_v3_sub(a.acceleration, b.acceleration)};
}

// The end at x[0] of a curve that passes through three places.
static inline gait_end gait_end_through(const float x[3], const lope_vec3 y[3])
{
    float h = x[1] - x[0], k = x[2] - x[0];
    lope_vec3 a = lope_v3_scale(lope_v3_sub(y[1], y[0]), 1.0f / h),
              b = lope_v3_scale(lope_v3_sub(y[2], y[0]), 1.0f / k);
    lope_vec3 bend = lope_v3_scale(lope_v3_sub(b, a), 1.0f / (k - h));
    return (gait_end){y[0], lope_v3_mad(a, bend, -h), lope_v3_scale(bend, 2.0f)};
}

// From 0 to 1, at rest at both ends.
static inline float gait_ease(float t)
{
    t = larger(0.0f, smaller(t, 1.0f));
    return t * t * t * (10.0f + t * (6.0f * t - 15.0f));
}

#endif
