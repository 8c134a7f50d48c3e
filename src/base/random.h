// SPDX-License-Identifier: MIT
// Seeded random numbers: splitmix64 (Steele, Lea, Flood 2014). Small, fast, and the same everywhere.
#ifndef LOPE_SRC_BASE_RANDOM_H
#define LOPE_SRC_BASE_RANDOM_H

#include <stdint.h>

typedef struct lope_random {
    uint64_t state;
} lope_random;

static inline lope_random lope_random_seed(uint64_t seed)
{
    lope_random random = {seed};
    return random;
}

static inline uint64_t lope_random_next(lope_random *random)
{
    uint64_t z = random->state += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

// Uniform in [low, high).
static inline float lope_random_range(lope_random *random, float low, float high)
{
    return low + (high - low) * (float)((double)(lope_random_next(random) >> 40) * (1.0 / 16777216.0));
}

// Uniform in [0, count); count > 0. The bias is below count / 2^64.
static inline int lope_random_below(lope_random *random, int count)
{
    return (int)(lope_random_next(random) % (uint64_t)count);
}

// Roughly normal with mean 0 and deviation 1 (sum of twelve uniforms: bounded by 6, no libm).
static inline float lope_random_normal(lope_random *random)
{
    float sum = 0.0f;
    for (int i = 0; i < 12; i++)
        sum += lope_random_range(random, 0.0f, 1.0f);
    return sum - 6.0f;
}

#endif
