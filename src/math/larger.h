// SPDX-License-Identifier: MIT
// fmaxf and fminf for numbers that are some: compilers call no function for these.
#ifndef LOPE_SRC_MATH_LARGER_H
#define LOPE_SRC_MATH_LARGER_H

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}

#endif
