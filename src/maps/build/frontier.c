// SPDX-License-Identifier: MIT
// Open addressing, at most half full.
#include "maps/build/frontier.h"

#include <string.h>

#include "base/memory.h"

#define LEAST 1024

void frontier_free(frontier *set)
{
    lope_free(set->keys);
    lope_free(set->values);
    *set = (frontier){0};
}

void frontier_clear(frontier *set)
{
    if (set->count > 0)
        memset(set->keys, 0, set->capacity * sizeof *set->keys);
    set->count = 0;
}

static size_t place_of(const frontier *set, uint64_t key)
{
    size_t mask = set->capacity - 1;
    size_t at = (size_t)(key * 0x9E3779B97F4A7C15ull >> 20) & mask;
    while (set->keys[at] && set->keys[at] != key)
        at = (at + 1) & mask;
    return at;
}

static bool grow(frontier *set)
{
    frontier larger = {.capacity = set->capacity ? 2 * set->capacity : LEAST, .count = set->count};
    larger.keys = lope_alloc_zero(larger.capacity * sizeof *larger.keys);
    larger.values = lope_alloc_array(larger.capacity, sizeof *larger.values);
    if (!larger.keys || !larger.values) {
        frontier_free(&larger);
        return false;
    }
    for (size_t i = 0; i < set->capacity; i++)
        if (set->keys[i]) {
            size_t at = place_of(&larger, set->keys[i]);
            larger.keys[at] = set->keys[i];
            larger.values[at] = set->values[i];
        }
    frontier_free(set);
    *set = larger;
    return true;
}

bool frontier_add(frontier *set, uint64_t key, uint32_t *value, bool *added)
{
    if (2 * set->count >= set->capacity && !grow(set))
        return false;
    size_t at = place_of(set, key);
    *added = set->keys[at] == 0;
    if (*added) {
        set->keys[at] = key;
        set->values[at] = *value;
        set->count++;
    }
    *value = set->values[at];
    return true;
}
