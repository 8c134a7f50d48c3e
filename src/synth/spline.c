// SPDX-License-Identifier: MIT
// Smooth functions of time. The spline is the classical cubic one: slopes at the knots solve a tridiagonal system
// that makes the second derivative continuous, so body and limbs never jerk at a knot.
#include "synth/spline.h"

#include <assert.h>

double synth_ease(double u)
{
    if (u <= 0.0)
        return 0.0;
    if (u >= 1.0)
        return 1.0;
    return u * u * u * (10.0 + u * (6.0 * u - 15.0));
}

// Integral of the smooth step 3v^2 - 2v^3 from 0 to v.
static double step_integral(double v)
{
    return v * v * v * (1.0 - 0.5 * v);
}

double synth_cruise(double u, double speed_up, double slow_down)
{
    if (u <= 0.0)
        return 0.0;
    if (u >= 1.0)
        return 1.0;
    double peak = 1.0 / (1.0 - 0.5 * (speed_up + slow_down));
    if (u < speed_up)
        return peak * speed_up * step_integral(u / speed_up);
    if (u > 1.0 - slow_down)
        return 1.0 - peak * slow_down * step_integral((1.0 - u) / slow_down);
    return peak * (u - 0.5 * speed_up);
}

static double whole_power(double base, int exponent)
{
    double result = 1.0;
    for (int i = 0; i < exponent; i++)
        result *= base;
    return result;
}

double synth_bump(double u, int rise, int fall)
{
    if (u <= 0.0 || u >= 1.0)
        return 0.0;
    double top = (double)rise / (double)(rise + fall);
    return whole_power(u / top, rise) * whole_power((1.0 - u) / (1.0 - top), fall);
}

double synth_quintic(synth_state from, synth_state to, double duration, double time)
{
    if (time <= 0.0)
        return from.value;
    if (time >= duration)
        return to.value;
    double u = time / duration, t = duration;
    double v0 = from.speed * t, v1 = to.speed * t;
    double a0 = 0.5 * from.acceleration * t * t, a1 = 0.5 * to.acceleration * t * t;
    double rest = to.value - from.value - v0 - a0;
    double rest_speed = v1 - v0 - 2.0 * a0, rest_bend = a1 - a0;
    double c3 = 10.0 * rest - 4.0 * rest_speed + rest_bend;
    double c4 = -15.0 * rest + 7.0 * rest_speed - 2.0 * rest_bend;
    double c5 = 6.0 * rest - 3.0 * rest_speed + rest_bend;
    return from.value + u * (v0 + u * (a0 + u * (c3 + u * (c4 + u * c5))));
}

void synth_spline_fit(synth_spline *spline, int channel)
{
    int n = spline->knots;
    assert(n >= 2 && n <= SYNTH_SPLINE_KNOTS);
    // Thomas algorithm; row i is lower[i], 1 (scaled), upper[i].
    double upper[SYNTH_SPLINE_KNOTS] = {0.0}, right[SYNTH_SPLINE_KNOTS] = {0.0};
    for (int i = 0; i < n; i++) {
        double before = i > 0 ? 1.0 / (spline->times[i] - spline->times[i - 1]) : 0.0;
        double after = i < n - 1 ? 1.0 / (spline->times[i + 1] - spline->times[i]) : 0.0;
        double rise = i > 0 ? (spline->values[i][channel] - spline->values[i - 1][channel]) * before * before : 0.0;
        if (i < n - 1)
            rise += (spline->values[i + 1][channel] - spline->values[i][channel]) * after * after;
        double lower = before, middle = 2.0 * (before + after), value = 3.0 * rise;
        if ((i == 0 && spline->rest_first) || (i == n - 1 && spline->rest_last)) {
            lower = after = value = 0.0;
            middle = 1.0;
        }
        double pivot = middle - (i > 0 ? lower * upper[i - 1] : 0.0);
        upper[i] = after / pivot;
        right[i] = (value - (i > 0 ? lower * right[i - 1] : 0.0)) / pivot;
    }
    spline->slopes[n - 1][channel] = right[n - 1];
    for (int i = n - 2; i >= 0; i--)
        spline->slopes[i][channel] = right[i] - upper[i] * spline->slopes[i + 1][channel];
}

int synth_spline_interval(const synth_spline *spline, double time)
{
    int low = 0, high = spline->knots - 2;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (spline->times[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

double synth_spline_at(const synth_spline *spline, int channel, double time)
{
    int last = spline->knots - 1;
    if (time <= spline->times[0])
        return spline->values[0][channel] + (time - spline->times[0]) * spline->slopes[0][channel];
    if (time >= spline->times[last])
        return spline->values[last][channel] + (time - spline->times[last]) * spline->slopes[last][channel];
    int i = synth_spline_interval(spline, time);
    double length = spline->times[i + 1] - spline->times[i], u = (time - spline->times[i]) / length, r = 1.0 - u;
    double v0 = spline->slopes[i][channel] * length, v1 = spline->slopes[i + 1][channel] * length;
    return r * r * ((1.0 + 2.0 * u) * spline->values[i][channel] + u * v0) +
           u * u * ((3.0 - 2.0 * u) * spline->values[i + 1][channel] - r * v1);
}
