// SPDX-License-Identifier: MIT
// Sine and cosine of small angles, by their series: error below 1e-7 up to a quarter radian.
#ifndef LOPE_SRC_MAPS_SMALL_H
#define LOPE_SRC_MAPS_SMALL_H

static inline void small_sincos(float angle, float *sine, float *cosine)
{
    float a2 = angle * angle;
    *sine = angle * (1.0f - a2 * (1.0f / 6.0f) * (1.0f - a2 * (1.0f / 20.0f)));
    *cosine = 1.0f - a2 * 0.5f * (1.0f - a2 * (1.0f / 12.0f) * (1.0f - a2 * (1.0f / 30.0f)));
}

#endif
