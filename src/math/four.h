// SPDX-License-Identifier: MIT
// Vectors of four floats at any address, in the compilers' own vector types.
#ifndef LOPE_SRC_MATH_FOUR_H
#define LOPE_SRC_MATH_FOUR_H

typedef float f4 __attribute__((vector_size(16)));
typedef float f4_anywhere __attribute__((vector_size(16), aligned(4), may_alias));
#define INLINE4 static inline __attribute__((always_inline, unused))

INLINE4 f4 load4(const float *from)
{
    return *(const f4_anywhere *)(const void *)from;
}

INLINE4 void store4(float *to, f4 v)
{
    *(f4_anywhere *)(void *)to = v;
}

#endif
