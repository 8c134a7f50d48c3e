// SPDX-License-Identifier: MIT
// Asks for memory that is needed soon: of thousands of characters, nobody is in the cache any more.
#ifndef LOPE_SRC_BASE_FETCH_H
#define LOPE_SRC_BASE_FETCH_H

#include <stddef.h>

#define FETCH_LINE 64 // bytes of the cache

static inline void lope_fetch(const void *memory, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += FETCH_LINE)
        __builtin_prefetch((const char *)memory + at, 1);
}

#endif
