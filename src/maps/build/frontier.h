// SPDX-License-Identifier: MIT
// A set of 64-bit keys, none of them 0, that grows.
#ifndef LOPE_SRC_MAPS_BUILD_FRONTIER_H
#define LOPE_SRC_MAPS_BUILD_FRONTIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct frontier {
    uint64_t *keys;
    uint32_t *values;
    size_t capacity, count; // capacity: a power of two
} frontier;

void frontier_free(frontier *set);
void frontier_clear(frontier *set);
// Finds a key or puts it in, with that value. *value: what stands there. False: no memory.
bool frontier_add(frontier *set, uint64_t key, uint32_t *value, bool *added);

#endif
