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

// Makes room for so many more. False where there is no memory; the list is as before then.
static inline bool list_reserve(list *l, int more, size_t size)
{
    int room = l->room ? l->room : 64;
    if (l->count + more <= l->room)
        return true;
    while (room < l->count + more)
        room *= 2;
    void *grown = lope_grow(l->items, (size_t)l->room * size, (size_t)room * size);
    if (!grown)
        return false;
    l->items = grown;
    l->room = room;
    return true;
}

// False where there is no memory; the list is as before then.
static inline bool list_add_all(list *l, const void *items, int count, size_t size)
{
    if (!list_reserve(l, count, size))
        return false;
    if (count)
        memcpy((char *)l->items + (size_t)l->count * size, items, (size_t)count * size);
    l->count += count;
    return true;
}

static inline bool list_add(list *l, const void *item, size_t size)
{
    if (l->count == l->room && !list_reserve(l, 1, size))
        return false;
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
