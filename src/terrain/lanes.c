// SPDX-License-Identifier: MIT
// Vectors of eight in the compilers' own types: as they come on every machine, WebAssembly included, and with AVX2
// where the processor has it, chosen when the program runs.
#include <string.h>

#include "terrain/kernels.h"

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi" // vectors are passed between inlined functions only
#endif

typedef float f8 __attribute__((vector_size(32)));
typedef int32_t i8 __attribute__((vector_size(32)));
typedef float f8_anywhere __attribute__((vector_size(32), aligned(4), may_alias));

typedef struct v8 {
    f8 x, y, z;
} v8;

typedef struct stack_entry {
    float key;
    int32_t child, piece;
} stack_entry;

#define LANES_NAME(x) x##_plain
#define LANES_TARGET
#include "terrain/lanes.h"

const terrain_kernels terrain_kernels_plain = {"plain",     nearest_plain, touches_plain,
                                               below_plain, ray_plain,     visit_plain};

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define LANES_AVX2 1
#define LANES_NAME(x) x##_avx2
#define LANES_TARGET __attribute__((target("avx2")))
#include "terrain/lanes.h"

static const terrain_kernels avx2 = {"avx2", nearest_avx2, touches_avx2, below_avx2, ray_avx2, visit_avx2};

const terrain_kernels *terrain_kernels_avx2(void)
{
    return __builtin_cpu_supports("avx2") ? &avx2 : NULL;
}

#else

const terrain_kernels *terrain_kernels_avx2(void)
{
    return NULL;
}

#endif

const terrain_kernels *terrain_kernels_best(void)
{
    const terrain_kernels *wide = terrain_kernels_avx2();
    return wide ? wide : &terrain_kernels_plain;
}
