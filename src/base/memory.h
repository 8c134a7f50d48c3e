// SPDX-License-Identifier: MIT
// Memory of the whole library: everything goes through the process-wide lope_allocator, 64-byte aligned.
#ifndef LOPE_SRC_BASE_MEMORY_H
#define LOPE_SRC_BASE_MEMORY_H

#include "lope/base.h"

// NULL when there is none left. A size of 0 yields a valid pointer.
LOPE_API void *lope_alloc(size_t size);
LOPE_API void *lope_alloc_zero(size_t size);
// count * size bytes, NULL as well when that overflows.
LOPE_API void *lope_alloc_array(size_t count, size_t size);
// Moves to a larger block; `old` stays valid when NULL is returned. `old` may be NULL.
LOPE_API void *lope_grow(void *old, size_t old_size, size_t new_size);
LOPE_API void lope_free(void *pointer);
LOPE_API char *lope_strdup(const char *text);

#endif
