// SPDX-License-Identifier: MIT
// fmaxf and fminf for numbers that are some: compilers call no function for these. WebAssembly has instructions for
// them, and walks on rings had other bits there than natively with comparisons in their place.
#ifndef LOPE_SRC_MATH_LARGER_H
#define LOPE_SRC_MATH_LARGER_H

#ifdef __wasm__
#define larger(a, b) __builtin_fmaxf(a, b)
#define smaller(a, b) __builtin_fminf(a, b)
#else
static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}
#endif

#endif
