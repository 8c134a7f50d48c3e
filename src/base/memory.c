// SPDX-License-Identifier: MIT
// The process-wide allocator. One struct for the whole process, as in Box2D: assets are shared by every
// character and thread, so a context per object would only be threaded through every call for nothing.
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64

static void *default_allocate(void *user, size_t size)
{
    (void)user;
    if (size > SIZE_MAX - ALIGNMENT)
        return NULL;
    return aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1));
}

static void default_release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

static lope_allocator current = {default_allocate, default_release, NULL};

void lope_set_allocator(const lope_allocator *allocator)
{
    current = allocator ? *allocator : (lope_allocator){default_allocate, default_release, NULL};
}

void *lope_alloc(size_t size)
{
    return current.allocate(current.user, size ? size : 1);
}

void *lope_alloc_zero(size_t size)
{
    void *block = lope_alloc(size);
    if (block)
        memset(block, 0, size);
    return block;
}

void *lope_alloc_array(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    return lope_alloc(count * size);
}

void *lope_grow(void *old, size_t old_size, size_t new_size)
{
    void *block = lope_alloc(new_size);
    if (!block)
        return NULL;
    if (old) {
        memcpy(block, old, old_size < new_size ? old_size : new_size);
        lope_free(old);
    }
    return block;
}

void lope_free(void *pointer)
{
    if (pointer)
        current.release(current.user, pointer);
}

char *lope_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = lope_alloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}
