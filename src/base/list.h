// SPDX-License-Identifier: MIT
// A growing array of items of one size.
#ifndef LOPE_SRC_BASE_LIST_H
#define LOPE_SRC_BASE_LIST_H

#include <string.h>

#include "base/memory.h"

typedef struct list {
    void *items;
    int count, room;
} list;

// False where there is no memory; the list is as before then.
static inline bool list_add(list *l, const void *item, size_t size)
{
    if (l->count == l->room) {
        int room = l->room ? 2 * l->room : 64;
        void *grown = lope_grow(l->items, (size_t)l->room * size, (size_t)room * size);
        if (!grown)
            return false;
        l->items = grown;
        l->room = room;
    }
    memcpy((char *)l->items + (size_t)l->count++ * size, item, size);
    return true;
}

// Makes it that long; what is in it may be lost. False where there is no memory; the list is empty then.
static inline bool list_resize(list *l, int count, size_t size)
{
    if (l->room < count) {
        lope_free(l->items);
        l->items = lope_alloc_array((size_t)count, size);
        l->room = l->items ? count : 0;
    }
    l->count = l->items || count == 0 ? count : 0;
    return l->count == count;
}

#endif
