// SPDX-License-Identifier: MIT
// Own trigonometry, so that hashed results do not depend on the C library.
//
// sin and cos: three-part Cody-Waite reduction to [-pi/4, pi/4], then Taylor polynomials, whose next term lies below
// the last bit there. atan: the nearest of five table angles is taken off, which leaves at most tan(pi/32), then a
// Taylor series.
// exp: reduction by ln 2, Taylor, scaling by the exponent.
#include <string.h>

#include "lope/math.h"

// pi/2 in three parts of 33, 33 and 53 bits: k times one of the first two is exact for |k| < 2^20.
#define HALF_PI_1 1.57079632673412561417e+00
#define HALF_PI_2 6.07710050630396597660e-11
#define HALF_PI_3 2.02226624879595063154e-21

static double sin_small(double x)
{
    double x2 = x * x;
    double p = -1.0 / 1307674368000.0;
    p = p * x2 + 1.0 / 6227020800.0;
    p = p * x2 - 1.0 / 39916800.0;
    p = p * x2 + 1.0 / 362880.0;
    p = p * x2 - 1.0 / 5040.0;
    p = p * x2 + 1.0 / 120.0;
    p = p * x2 - 1.0 / 6.0;
    return x + x * x2 * p;
}

static double cos_small(double x)
{
    double x2 = x * x;
    double p = 1.0 / 20922789888000.0;
    p = p * x2 - 1.0 / 87178291200.0;
    p = p * x2 + 1.0 / 479001600.0;
    p = p * x2 - 1.0 / 3628800.0;
    p = p * x2 + 1.0 / 40320.0;
    p = p * x2 - 1.0 / 720.0;
    p = p * x2 + 1.0 / 24.0;
    return 1.0 - 0.5 * x2 + x2 * x2 * p;
}

// Brings `angle` to [-pi/4, pi/4] and returns the quadrant it came from.
static int reduce(double *angle)
{
    double k = floor(*angle * (2.0 / LOPE_PI) + 0.5);
    *angle = ((*angle - k * HALF_PI_1) - k * HALF_PI_2) - k * HALF_PI_3;
    return (int)((long long)k & 3);
}

static double sin_quadrant(double x, int quadrant)
{
    double value = quadrant & 1 ? cos_small(x) : sin_small(x);
    return quadrant & 2 ? -value : value;
}

double lope_sin(double angle)
{
    if (!(fabs(angle) < 1e9)) // beyond this a double has no useful phase left
        return 0.0;
    int quadrant = reduce(&angle);
    return sin_quadrant(angle, quadrant);
}

double lope_cos(double angle)
{
    if (!(fabs(angle) < 1e9))
        return 1.0;
    int quadrant = reduce(&angle);
    return sin_quadrant(angle, quadrant + 1);
}

void lope_sincos(double angle, double *sine, double *cosine)
{
    *sine = 0.0;
    *cosine = 1.0;
    if (!(fabs(angle) < 1e9))
        return;
    int quadrant = reduce(&angle);
    double s = sin_small(angle), c = cos_small(angle);
    *sine = quadrant & 1 ? c : s;
    *cosine = quadrant & 1 ? s : c;
    *sine = quadrant & 2 ? -*sine : *sine;
    *cosine = (quadrant + 1) & 2 ? -*cosine : *cosine;
}

// atan for x in [0, 1]: atan(x) = atan(c) + atan((x - c) / (1 + x c)) with c = tan(pi/16 n) near x.
static double atan_unit(double x)
{
    static const double tangents[5] = {0.0, 0.19891236737965800691, 0.41421356237309504880, 0.66817863791929891999,
                                       1.0};
    static const double limits[4] = {0.09849140335716425, 0.30334668360734238, 0.53451113595079163,
                                     0.82067879082866033};
    int n = 0;
    while (n < 4 && x > limits[n])
        n++;
    double t = (x - tangents[n]) / (1.0 + x * tangents[n]); // |t| <= tan(pi/32) = 0.0985
    double t2 = t * t;
    double p = 1.0 / 17.0;
    p = p * t2 - 1.0 / 15.0;
    p = p * t2 + 1.0 / 13.0;
    p = p * t2 - 1.0 / 11.0;
    p = p * t2 + 1.0 / 9.0;
    p = p * t2 - 1.0 / 7.0;
    p = p * t2 + 1.0 / 5.0;
    p = p * t2 - 1.0 / 3.0;
    return (double)n * (LOPE_PI / 16.0) + (t + t * t2 * p);
}

double lope_atan2(double y, double x)
{
    double ax = fabs(x), ay = fabs(y);
    double larger = ax > ay ? ax : ay, smaller = ax > ay ? ay : ax;
    double angle = larger > 0.0 ? atan_unit(smaller / larger) : 0.0;
    if (ay > ax)
        angle = LOPE_PI / 2.0 - angle;
    if (x < 0.0)
        angle = LOPE_PI - angle;
    return y < 0.0 ? -angle : angle;
}

double lope_asin(double value)
{
    value = value > 1.0 ? 1.0 : value < -1.0 ? -1.0 : value;
    return lope_atan2(value, sqrt((1.0 - value) * (1.0 + value)));
}

double lope_acos(double value)
{
    value = value > 1.0 ? 1.0 : value < -1.0 ? -1.0 : value;
    return lope_atan2(sqrt((1.0 - value) * (1.0 + value)), value);
}

static double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double lope_exp(double value)
{
    if (value > 709.0)
        return (double)INFINITY;
    if (!(value > -708.0))
        return value <= -708.0 ? 0.0 : value;
    double k = floor(value * 1.44269504088896340736 + 0.5);
    double r = (value - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
    double p = 1.0;
    for (int n = 14; n >= 1; n--)
        p = 1.0 + p * r / (double)n;
    return p * power_of_two((int)k);
}

float lope_wrap_angle(float angle)
{
    double turns = floor((double)angle / (2.0 * LOPE_PI) + 0.5);
    double wrapped = (double)angle - turns * (2.0 * LOPE_PI);
    float result = (float)wrapped;
    return result <= -(float)LOPE_PI ? (float)LOPE_PI : result;
}
