// SPDX-License-Identifier: MIT
// The ground curve of a course: straight, an arc whose curvature rises and falls evenly (so heading and lean stay
// smooth), straight; and the height of ramp or stairs along it. Heading is in closed form, places are a table.
#include "synth/gait.h"

static const double CELL = 0.02; // metres along the curve

// Integral of the trapezoid that rises over `ramp`, stays at 1, and falls over `ramp`, `length` in all.
static double trapezoid_integral(double s, double ramp, double length)
{
    double area = 0.0;
    if (s > 0.0)
        area += s < ramp ? 0.5 * s * s / ramp : s - 0.5 * ramp;
    double falling = s - (length - ramp);
    if (falling > 0.0)
        area -= falling < ramp ? 0.5 * falling * falling / ramp : falling - 0.5 * ramp;
    return area;
}

double synth_curve_heading(const synth_curve *curve, double s)
{
    if (curve->curvature == 0.0)
        return 0.0;
    return curve->curvature * trapezoid_integral(s - curve->bend_begin, curve->bend_ramp, curve->bend_length);
}

double synth_curve_bend(const synth_curve *curve, double s)
{
    double into = s - curve->bend_begin;
    if (curve->curvature == 0.0 || into <= 0.0 || into >= curve->bend_length)
        return 0.0;
    return curve->curvature * fmin(1.0, fmin(into, curve->bend_length - into) / curve->bend_ramp);
}

// Adds the way from `s` over `length`, by Simpson's rule.
static void advance(const synth_curve *curve, double s, double length, double *x, double *z)
{
    double h[3];
    for (int i = 0; i < 3; i++)
        h[i] = synth_curve_heading(curve, s + 0.5 * i * length);
    *x += length / 6.0 * (lope_sin(h[0]) + 4.0 * lope_sin(h[1]) + lope_sin(h[2]));
    *z += length / 6.0 * (lope_cos(h[0]) + 4.0 * lope_cos(h[1]) + lope_cos(h[2]));
}

void synth_curve_integrate(synth_curve *curve)
{
    curve->base = -6.0; // before the bend the curve is straight
    curve->x[0] = 0.0;
    curve->z[0] = curve->base;
    for (int i = 1; i < SYNTH_CURVE_CELLS; i++) {
        curve->x[i] = curve->x[i - 1];
        curve->z[i] = curve->z[i - 1];
        advance(curve, curve->base + (i - 1) * CELL, CELL, &curve->x[i], &curve->z[i]);
    }
}

void synth_curve_place(const synth_curve *curve, double s, double *x, double *z)
{
    int cell = (int)floor((s - curve->base) / CELL);
    cell = cell < 0 ? 0 : cell >= SYNTH_CURVE_CELLS ? SYNTH_CURVE_CELLS - 1 : cell;
    *x = curve->x[cell];
    *z = curve->z[cell];
    double from = curve->base + cell * CELL;
    advance(curve, from, s - from, x, z);
}

double synth_curve_height(const synth_curve *curve, double s)
{
    double into = s - curve->terrain_begin;
    if (curve->terrain == SYNTH_FLAT || into < 0.0)
        return 0.0;
    if (curve->terrain == SYNTH_SLOPE)
        return curve->slope * fmin(into, curve->terrain_length);
    return curve->riser * fmin(floor(into / curve->tread) + 1.0, (double)curve->risers);
}

double synth_curve_slope(const synth_curve *curve, double s)
{
    double into = s - curve->terrain_begin;
    return curve->terrain == SYNTH_SLOPE && into > 0.0 && into < curve->terrain_length ? curve->slope : 0.0;
}

// Nearest of the cells first, first + stride, ... up to last.
static int nearest_cell(const synth_curve *curve, double x, double z, int first, int last, int stride)
{
    int nearest = first;
    double least = HUGE_VAL;
    for (int i = first; i <= last; i += stride) {
        double dx = x - curve->x[i], dz = z - curve->z[i], distance = dx * dx + dz * dz;
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

double synth_ground_height(const synth_curve *curve, double x, double z)
{
    if (curve->terrain == SYNTH_FLAT)
        return 0.0;
    const int stride = 16, end = SYNTH_CURVE_CELLS - 1;
    int coarse = nearest_cell(curve, x, z, 0, end, stride);
    int first = coarse > stride ? coarse - stride : 0, last = coarse + stride < end ? coarse + stride : end;
    int nearest = nearest_cell(curve, x, z, first, last, 1);
    // One Newton step from the cell: the point's offset along the tangent, stretched by the bend.
    double s = curve->base + nearest * CELL, heading = synth_curve_heading(curve, s);
    double dx = x - curve->x[nearest], dz = z - curve->z[nearest];
    double along = dx * lope_sin(heading) + dz * lope_cos(heading);
    double to_left = dx * lope_cos(heading) - dz * lope_sin(heading);
    return synth_curve_height(curve, s + along / (1.0 - to_left * synth_curve_bend(curve, s)));
}
