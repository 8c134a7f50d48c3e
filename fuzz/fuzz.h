// SPDX-License-Identifier: MIT
// What fuzz targets share.
#ifndef LOPE_FUZZ_FUZZ_H
#define LOPE_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lope/math.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Ends the process, as faults do.
static inline void require(bool condition)
{
    if (!condition)
        abort();
}

// The input in memory that is exactly as long, so that reading beyond it shows. NULL: no memory.
static inline char *fuzz_copy(const uint8_t *data, size_t size)
{
    char *copy = malloc(size ? size : 1);
    if (copy)
        memcpy(copy, data, size);
    return copy;
}

// A polygon of up to `most` corners: how many, then their coordinates in 1/256 m. Returns how many were left to read.
static inline int fuzz_corners(const uint8_t **at, const uint8_t *end, int most, lope_vec2 *corners)
{
    int count = 0, wanted = *at < end ? *(*at)++ % (most + 1) : 0;
    for (; count < wanted && end - *at >= 4; count++, *at += 4) {
        int16_t raw[2];
        memcpy(raw, *at, sizeof raw);
        corners[count] = (lope_vec2){(float)raw[0] / 256.0f, (float)raw[1] / 256.0f};
    }
    return count;
}

#endif
