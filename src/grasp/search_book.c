// SPDX-License-Identifier: MIT
// A search's memory: a hash table of stances, and a heap of those that wait, in order of cost and then of arrival.
#include <string.h>

#include "base/memory.h"
#include "grasp/search_state.h"

bool search_room(search *s, void **items, int count, int *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    int larger = *capacity ? 2 * *capacity : 256;
    void *grown = lope_grow(*items, (size_t)*capacity * size, (size_t)larger * size);
    if (!grown) {
        s->failed = true;
        return false;
    }
    *items = grown;
    *capacity = larger;
    return true;
}

static uint64_t stance_hash(const stance *s)
{
    uint64_t h = 1469598103934665603ull;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        h = (h ^ (uint64_t)(uint32_t)(s->hold[i] + 1)) * 1099511628211ull;
    h = (h ^ (uint64_t)(uint32_t)(s->facing + 1 + 4 * s->squat + 8 * s->seat)) * 1099511628211ull;
    return h ^ h >> 29;
}

static bool same_stance(const stance *a, const stance *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static bool rehash(search *s)
{
    int size = s->table_size ? 2 * s->table_size : 1024;
    int *table = lope_alloc_array((size_t)size, sizeof *table);
    if (!table) {
        s->failed = true;
        return false;
    }
    for (int i = 0; i < size; i++)
        table[i] = -1;
    for (int i = 0; i < s->entry_count; i++) {
        uint64_t at = stance_hash(&s->entries[i].s) & (uint64_t)(size - 1);
        while (table[at] >= 0)
            at = (at + 1) & (uint64_t)(size - 1);
        table[at] = i;
    }
    lope_free(s->table);
    s->table = table;
    s->table_size = size;
    return true;
}

// The entry of a stance, or -1.
static int find(const search *s, const stance *key)
{
    if (!s->table_size)
        return -1;
    uint64_t at = stance_hash(key) & (uint64_t)(s->table_size - 1);
    for (; s->table[at] >= 0; at = (at + 1) & (uint64_t)(s->table_size - 1))
        if (same_stance(&s->entries[s->table[at]].s, key))
            return s->table[at];
    return -1;
}

bool search_twin_closed(const search *s, const stance *key)
{
    for (int swap = 1; swap < 4; swap++) {
        stance twin = *key;
        if (swap & 1) {
            twin.hold[0] = key->hold[1];
            twin.hold[1] = key->hold[0];
        }
        if (swap & 2) {
            twin.hold[2] = key->hold[3];
            twin.hold[3] = key->hold[2];
        }
        int index = same_stance(&twin, key) ? -1 : find(s, &twin);
        if (index >= 0 && s->entries[index].closed >= 0)
            return true;
    }
    return false;
}

int search_entry(search *s, const stance *key, int mode)
{
    if (2 * s->entry_count >= s->table_size && !rehash(s))
        return -1;
    int found = find(s, key);
    if (found >= 0)
        return found;
    uint64_t at = stance_hash(key) & (uint64_t)(s->table_size - 1);
    while (s->table[at] >= 0)
        at = (at + 1) & (uint64_t)(s->table_size - 1);
    if (!search_room(s, (void **)&s->entries, s->entry_count, &s->entry_capacity, sizeof *s->entries))
        return -1;
    s->entries[s->entry_count] = (entry){.s = *key, .mode = mode, .closed = -1};
    s->table[at] = s->entry_count;
    return s->entry_count++;
}

static bool before(const waiting *a, const waiting *b)
{
    return a->f < b->f || (a->f == b->f && a->order < b->order);
}

void search_push(search *s, double f, int parent, int index)
{
    if (!search_room(s, (void **)&s->heap, s->heap_count, &s->heap_capacity, sizeof *s->heap))
        return;
    waiting item = {f, s->order++, parent, index};
    int i = s->heap_count++;
    for (; i > 0 && before(&item, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = item;
}

waiting search_pop(search *s)
{
    waiting top = s->heap[0], item = s->heap[--s->heap_count];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= s->heap_count)
            break;
        if (child + 1 < s->heap_count && before(&s->heap[child + 1], &s->heap[child]))
            child++;
        if (!before(&s->heap[child], &item))
            break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = item;
    return top;
}

void search_forget(search *s)
{
    lope_free(s->entries);
    lope_free(s->nodes);
    lope_free(s->heap);
    lope_free(s->table);
}
