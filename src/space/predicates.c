// SPDX-License-Identifier: MIT
// Exact arithmetic for the predicates: a number is kept as a sum of doubles
// that do not overlap, smallest first, so its sign is that of the last one (an
// expansion; Shewchuk, Adaptive precision floating-point arithmetic, 1997).
// Zeros are dropped at once: on the usual input, whose coordinates are floats,
// expansions stay a few terms long.
#include "space/predicates.h"

// Differences have 2 terms, products of two 8, a lifted coordinate or a minor
// 16, a term of the determinant 512.
#define CAPACITY 1536

typedef struct expansion {
    int count;
    double part[CAPACITY];
} expansion;

// sum + tail = a + b, exactly.
static inline double two_sum(double a, double b, double *tail)
{
    double sum = a + b, b_virtual = sum - a;
    *tail = (a - (sum - b_virtual)) + (b - b_virtual);
    return sum;
}

// Halves of 26 bits, whose products are exact.
static inline void split(double value, double *high, double *low)
{
    double scaled = 134217729.0 * value; // 2^27 + 1
    *high = scaled - (scaled - value);
    *low = value - *high;
}

static inline double two_product(double a, double b, double *tail)
{
    double product = a * b, a_high, a_low, b_high, b_low;
    split(a, &a_high, &a_low);
    split(b, &b_high, &b_low);
    *tail = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    return product;
}

static void add(expansion *sum, double term)
{
    int count = 0;
    for (int i = 0; i < sum->count; i++) {
        double tail;
        term = two_sum(term, sum->part[i], &tail);
        if (tail != 0.0)
            sum->part[count++] = tail;
    }
    if (term != 0.0)
        sum->part[count++] = term;
    sum->count = count;
}

// sum += sign * a * b
static void add_product(expansion *sum, const double *a, int a_count, const double *b, int b_count, double sign)
{
    for (int i = 0; i < a_count; i++)
        for (int j = 0; j < b_count; j++) {
            double tail, product = two_product(a[i], sign * b[j], &tail);
            if (tail != 0.0)
                add(sum, tail);
            add(sum, product);
        }
}

// a - b in at most two terms.
typedef struct difference {
    int count;
    double part[2];
} difference;

static difference subtract(double a, double b)
{
    difference result = {0, {0, 0}};
    double tail, value = two_sum(a, -b, &tail);
    if (tail != 0.0)
        result.part[result.count++] = tail;
    if (value != 0.0)
        result.part[result.count++] = value;
    return result;
}

static void add_difference_product(expansion *sum, const difference *a, const difference *b, double sign)
{
    add_product(sum, a->part, a->count, b->part, b->count, sign);
}

// Adding up from the smallest term rounds, but never to the other sign: the
// last term outweighs all before it.
static double value_of(const expansion *sum)
{
    double value = 0.0;
    for (int i = 0; i < sum->count; i++)
        value += sum->part[i];
    return value;
}

double lope_orient_exact(lope_point a, lope_point b, lope_point c)
{
    difference ax = subtract(a.x, c.x), az = subtract(a.z, c.z), bx = subtract(b.x, c.x), bz = subtract(b.z, c.z);
    expansion sum;
    sum.count = 0;
    add_difference_product(&sum, &ax, &bz, 1.0);
    add_difference_product(&sum, &az, &bx, -1.0);
    return value_of(&sum);
}

// determinant += |p|² (q × r), all as seen from d
static void add_lifted(expansion *determinant, const difference p[2], const difference q[2], const difference r[2])
{
    expansion lift, minor;
    lift.count = minor.count = 0;
    add_difference_product(&lift, &p[0], &p[0], 1.0);
    add_difference_product(&lift, &p[1], &p[1], 1.0);
    add_difference_product(&minor, &q[0], &r[1], 1.0);
    add_difference_product(&minor, &q[1], &r[0], -1.0);
    add_product(determinant, lift.part, lift.count, minor.part, minor.count, 1.0);
}

double lope_incircle_exact(lope_point a, lope_point b, lope_point c, lope_point d)
{
    const difference p[3][2] = {{subtract(a.x, d.x), subtract(a.z, d.z)},
                                {subtract(b.x, d.x), subtract(b.z, d.z)},
                                {subtract(c.x, d.x), subtract(c.z, d.z)}};
    expansion determinant;
    determinant.count = 0;
    add_lifted(&determinant, p[0], p[1], p[2]);
    add_lifted(&determinant, p[1], p[2], p[0]);
    add_lifted(&determinant, p[2], p[0], p[1]);
    return value_of(&determinant);
}
