// SPDX-License-Identifier: MIT
// Points as pairs of doubles in one register, in the compilers' own vector types.
#ifndef LOPE_SRC_SPACE_PAIR_H
#define LOPE_SRC_SPACE_PAIR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef double lope_pair __attribute__((vector_size(16)));
typedef int64_t lope_pair_bits __attribute__((vector_size(16)));
#define PAIR_INLINE static inline __attribute__((always_inline, unused))

// Positive where a, b turn from x towards z, seen from `from`.
PAIR_INLINE double pair_cross(lope_pair from, lope_pair a, lope_pair b)
{
    lope_pair u = a - from, v = b - from, product = u * (lope_pair){v[1], v[0]};
    return product[0] - product[1];
}

PAIR_INLINE double pair_distance(lope_pair a, lope_pair b)
{
    lope_pair d = a - b, square = d * d;
    return sqrt(square[0] + square[1]);
}

// a or b, without a branch.
PAIR_INLINE lope_pair pair_choose(bool first, lope_pair a, lope_pair b)
{
    int64_t all = -(int64_t)first;
    lope_pair_bits mask = {all, all};
    return (lope_pair)((mask & (lope_pair_bits)a) | (~mask & (lope_pair_bits)b));
}

#endif
