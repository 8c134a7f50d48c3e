// SPDX-License-Identifier: MIT
// A binary heap of items that know where in it they are.
#include "blocks/people.h"

static void put(people_heap *h, int place, int item)
{
    h->items[place] = item;
    h->at[item] = place;
}

void people_heap_raise(people_heap *h, int item)
{
    int i = h->at[item] >= 0 ? h->at[item] : h->count++;
    for (float key = h->keys[item]; i > 0 && key < h->keys[h->items[(i - 1) / 2]]; i = (i - 1) / 2)
        put(h, i, h->items[(i - 1) / 2]);
    put(h, i, item);
}

int people_heap_take(people_heap *h)
{
    int first = h->items[0], last = h->items[--h->count], i = 0;
    h->at[first] = -1;
    if (h->count == 0)
        return first;
    for (int child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && h->keys[h->items[child + 1]] < h->keys[h->items[child]])
            child++;
        if (h->keys[h->items[child]] >= h->keys[last])
            break;
        put(h, i, h->items[child]);
    }
    put(h, i, last);
    return first;
}
