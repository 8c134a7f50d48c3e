// SPDX-License-Identifier: MIT
// XXH64, written from the published specification of the algorithm: four lanes of multiply-rotate over 32-byte
// stripes, then an avalanche. Little-endian hosts only need memcpy loads; others swap.
#include <string.h>

#include "lope/base.h"

#define PRIME_1 0x9E3779B185EBCA87ull
#define PRIME_2 0xC2B2AE3D27D4EB4Full
#define PRIME_3 0x165667B19E3779F9ull
#define PRIME_4 0x85EBCA77C2B2AE63ull
#define PRIME_5 0x27D4EB2F165667C5ull

static uint64_t rotate_left(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

static uint64_t load_64(const uint8_t *p)
{
    uint64_t value;
    memcpy(&value, p, sizeof value);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

static uint64_t load_32(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}

static uint64_t lane(uint64_t accumulator, uint64_t input)
{
    return rotate_left(accumulator + input * PRIME_2, 31) * PRIME_1;
}

static uint64_t merge(uint64_t hash, uint64_t accumulator)
{
    return (hash ^ lane(0, accumulator)) * PRIME_1 + PRIME_4;
}

// Consumes whole 32-byte stripes and returns the merged lanes.
static uint64_t hash_stripes(const uint8_t **p, const uint8_t *end, uint64_t seed)
{
    uint64_t a = seed + PRIME_1 + PRIME_2, b = seed + PRIME_2, c = seed, d = seed - PRIME_1;
    const uint8_t *s = *p;
    for (; end - s >= 32; s += 32) {
        a = lane(a, load_64(s));
        b = lane(b, load_64(s + 8));
        c = lane(c, load_64(s + 16));
        d = lane(d, load_64(s + 24));
    }
    *p = s;
    uint64_t hash = rotate_left(a, 1) + rotate_left(b, 7) + rotate_left(c, 12) + rotate_left(d, 18);
    return merge(merge(merge(merge(hash, a), b), c), d);
}

uint64_t lope_hash(const void *data, size_t size, uint64_t seed)
{
    if (size == 0)
        data = ""; // NULL is fine for nothing
    const uint8_t *p = data, *end = p + size;
    uint64_t hash = size >= 32 ? hash_stripes(&p, end, seed) : seed + PRIME_5;
    hash += size;
    for (; end - p >= 8; p += 8)
        hash = rotate_left(hash ^ lane(0, load_64(p)), 27) * PRIME_1 + PRIME_4;
    for (; end - p >= 4; p += 4)
        hash = rotate_left(hash ^ load_32(p) * PRIME_1, 23) * PRIME_2 + PRIME_3;
    for (; p < end; p++)
        hash = rotate_left(hash ^ *p * PRIME_5, 11) * PRIME_1;
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}
