// SPDX-License-Identifier: MIT
// The predicates against whole numbers of any length: coordinates are k * 2^-60 with |k| < 2^63, so that a determinant
// is a whole number once scaled, and its sign is known for sure.
#include <math.h>
#include <string.h>

#include "space/predicates.h"
#include "support/support.h"

#define LIMBS 12

// Sign and magnitude, lowest limb first.
typedef struct whole {
    int sign; // -1, 0, 1
    uint32_t limb[LIMBS];
} whole;

static int compare_magnitude(const whole *a, const whole *b)
{
    for (int i = LIMBS - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static whole add(whole a, whole b)
{
    if (!a.sign || !b.sign)
        return a.sign ? a : b;
    int64_t carry = 0;
    int order = compare_magnitude(&a, &b);
    if (a.sign != b.sign && order < 0) {
        whole swapped = a;
        a = b;
        b = swapped;
    }
    int64_t sign = a.sign == b.sign ? 1 : -1;
    for (int i = 0; i < LIMBS; i++) {
        carry += (int64_t)a.limb[i] + sign * (int64_t)b.limb[i];
        a.limb[i] = (uint32_t)(carry & 0xFFFFFFFF);
        carry >>= 32;
    }
    if (sign < 0 && order == 0)
        a.sign = 0;
    return a;
}

static whole negate(whole a)
{
    a.sign = -a.sign;
    return a;
}

static whole multiply(whole a, whole b)
{
    whole product = {a.sign * b.sign, {0}};
    for (int i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        for (int j = 0; i + j < LIMBS; j++) {
            carry += product.limb[i + j] + (uint64_t)a.limb[i] * b.limb[j];
            product.limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return product;
}

static whole from_double(double value)
{
    double scaled = ldexp(fabs(value), 60);
    uint64_t magnitude = (uint64_t)scaled;
    assert_true((double)magnitude == scaled);
    whole result = {value > 0.0 ? 1 : value < 0.0 ? -1 : 0, {(uint32_t)magnitude, (uint32_t)(magnitude >> 32)}};
    return result;
}

static whole difference(double a, double b)
{
    return add(from_double(a), negate(from_double(b)));
}

static int sign_of(double value)
{
    return value > 0.0 ? 1 : value < 0.0 ? -1 : 0;
}

static whole cross(whole ax, whole az, whole bx, whole bz)
{
    return add(multiply(ax, bz), negate(multiply(az, bx)));
}

static int true_orient(lope_point a, lope_point b, lope_point c)
{
    return cross(difference(a.x, c.x), difference(a.z, c.z), difference(b.x, c.x), difference(b.z, c.z)).sign;
}

static int true_incircle(lope_point a, lope_point b, lope_point c, lope_point d)
{
    const lope_point *corners[3] = {&a, &b, &c};
    whole x[3], z[3], sum = {0, {0}};
    for (int i = 0; i < 3; i++) {
        x[i] = difference(corners[i]->x, d.x);
        z[i] = difference(corners[i]->z, d.z);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        whole lift = add(multiply(x[i], x[i]), multiply(z[i], z[i]));
        sum = add(sum, multiply(lift, cross(x[j], z[j], x[k], z[k])));
    }
    return sum.sign;
}

// Moves a coordinate by a few units in the last place, within 2^-60.
static double nudge(lope_random *random, double value)
{
    double unit = fmax(fabs(value) * 0x1p-52, 0x1p-58);
    return rint((value + (double)(lope_random_below(random, 7) - 3) * unit) * 0x1p60) * 0x1p-60;
}

static lope_point nudge_point(lope_random *random, double x, double z)
{
    lope_point p;
    p.x = nudge(random, x);
    p.z = nudge(random, z);
    return p;
}

static void orient_is_exact_near_a_line(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(1);
    int zeros = 0, tight = 0;
    for (int i = 0; i < 30000; i++) {
        double x = (double)lope_random_range(&random, -0.5f, 0.5f), z = (double)lope_random_range(&random, -0.5f, 0.5f);
        double s = (double)lope_random_below(&random, 9) - 4.0, t = (double)lope_random_range(&random, -2.0f, 2.0f);
        lope_point a = nudge_point(&random, 0.5, 0.5), b = nudge_point(&random, 0.5 + x, 0.5 + z);
        lope_point c =
            i & 1 ? nudge_point(&random, 0.5 + s * x, 0.5 + s * z) : nudge_point(&random, 0.5 + t * x, t * z);
        int expected = true_orient(a, b, c);
        double value = lope_orient(a, b, c);
        assert_int_equal(sign_of(value), expected);
        assert_int_equal(sign_of(lope_orient(b, c, a)), expected);
        assert_int_equal(sign_of(lope_orient(b, a, c)), -expected);
        assert_int_equal(sign_of(lope_orient_exact(a, b, c)), expected);
        zeros += expected == 0;
        tight += fabs(value) < 1e-15;
    }
    assert_true(zeros > 30 && tight > 10000); // the input was nearly degenerate indeed
}

static void incircle_is_exact_near_a_circle(void **state)
{
    (void)state;
    static const double pythagoras[8][2] = {{3, 4}, {4, 3}, {-3, 4}, {-4, 3}, {-3, -4}, {-4, -3}, {3, -4}, {4, -3}};
    lope_random random = lope_random_seed(2);
    int zeros = 0, tight = 0;
    for (int i = 0; i < 10000; i++) {
        double scale = (double)(1 + lope_random_below(&random, 15)) * 0x1p-7, offset = i & 1 ? 0x1p-3 : 0.0;
        lope_point p[4];
        for (int j = 0; j < 4; j++) {
            const double *at = pythagoras[lope_random_below(&random, 8)];
            p[j] = (lope_point){at[0] * scale + offset, at[1] * scale - offset};
            if (i % 3)
                p[j] = nudge_point(&random, p[j].x, p[j].z);
        }
        int expected = true_incircle(p[0], p[1], p[2], p[3]);
        double value = lope_incircle(p[0], p[1], p[2], p[3]);
        assert_int_equal(sign_of(value), expected);
        assert_int_equal(sign_of(lope_incircle(p[1], p[0], p[2], p[3])), -expected);
        assert_int_equal(sign_of(lope_incircle(p[3], p[2], p[1], p[0])), expected);
        assert_int_equal(sign_of(lope_incircle_exact(p[0], p[1], p[2], p[3])), expected);
        zeros += expected == 0;
        tight += fabs(value) < 1e-15;
    }
    assert_true(zeros > 1000 && tight > 3000);
}

// Coordinates of very different size: differences are rounded, and the tails must count.
static void tails_of_differences_count(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(3);
    for (int i = 0; i < 3000; i++) {
        lope_point p[4];
        for (int j = 0; j < 4; j++) {
            double tiny = (double)lope_random_below(&random, 64) * 0x1p-60;
            p[j] = (lope_point){j & 1 ? 4.0 : tiny, j & 2 ? 4.0 : tiny};
        }
        assert_int_equal(sign_of(lope_orient(p[0], p[1], p[2])), true_orient(p[0], p[1], p[2]));
        assert_int_equal(sign_of(lope_incircle(p[0], p[1], p[3], p[2])), true_incircle(p[0], p[1], p[3], p[2]));
        lope_point e = {p[0].z, 2.0}, f = {2.0, p[0].x}, g = {4.0, 4.0}, h = {p[1].z, p[2].x};
        assert_int_equal(sign_of(lope_orient(e, f, h)), true_orient(e, f, h));
        assert_int_equal(sign_of(lope_incircle(e, f, g, h)), true_incircle(e, f, g, h));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orient_is_exact_near_a_line),
        cmocka_unit_test(incircle_is_exact_near_a_circle),
        cmocka_unit_test(tails_of_differences_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
