// SPDX-License-Identifier: MIT
// Updating what changed only: junctions and instances that were there before, far from every change, keep what was
// found out about what is in their way.
#include <stddef.h>

#include "base/error.h"
#include "blocks/world.h"

// More changes than this are not told apart.
#define MOST_CHANGES 64
// Bytes that name a junction (where, which pose) and an instance (block, where).
#define JUNCTION_KEY offsetof(lope_junction, floor)
#define INSTANCE_KEY offsetof(lope_block_instance, object_first)

static bool index_items(old_items *old, size_t size, size_t key)
{
    old->room = 64;
    while (old->room < 2 * old->items.count)
        old->room *= 2;
    lope_free(old->slots);
    old->slots = lope_alloc_zero((size_t)old->room * sizeof *old->slots);
    for (int i = 0; i < old->items.count && old->slots; i++) {
        unsigned slot =
            (unsigned)(lope_hash((char *)old->items.items + (size_t)i * size, key, 0) & (uint64_t)(old->room - 1));
        while (old->slots[slot])
            slot = (slot + 1) & (unsigned)(old->room - 1);
        old->slots[slot] = i + 1;
    }
    return old->slots != NULL;
}

static int find_item(const old_items *old, const void *item, size_t size, size_t key)
{
    if (!old->slots)
        return -1;
    unsigned slot = (unsigned)(lope_hash(item, key, 0) & (uint64_t)(old->room - 1));
    for (; old->slots[slot]; slot = (slot + 1) & (unsigned)(old->room - 1))
        if (memcmp((char *)old->items.items + (size_t)(old->slots[slot] - 1) * size, item, key) == 0)
            return old->slots[slot] - 1;
    return -1;
}

static void swap(list *a, list *b)
{
    list c = *a;
    *a = *b;
    *b = c;
}

lope_status reuse_begin(lope_block_world *w, lope_error *error)
{
    swap(&w->junctions, &w->old_junctions.items);
    swap(&w->states, &w->old_states);
    swap(&w->instances, &w->old_instances.items);
    uint64_t *open = w->old_open;
    w->old_open = w->link_open;
    w->link_open = open;
    bool ok = index_items(&w->old_junctions, sizeof(lope_junction), JUNCTION_KEY) &&
              index_items(&w->old_instances, sizeof(lope_block_instance), INSTANCE_KEY);
    return ok ? LOPE_OK : lope_fail_memory(error);
}

void reuse_end(lope_block_world *w)
{
    w->changes.count = 0;
    w->all_changed = false;
}

void reuse_destroy(lope_block_world *w)
{
    void *blocks[] = {w->old_junctions.items.items,
                      w->old_junctions.slots,
                      w->old_instances.items.items,
                      w->old_instances.slots,
                      w->old_states.items,
                      w->old_open,
                      w->changes.items};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        lope_free(blocks[i]);
}

void world_note_change(lope_block_world *w, float x, float z, float reach)
{
    world_change change = {x, z, reach};
    if (w->changes.count >= MOST_CHANGES || !list_add(&w->changes, &change, sizeof change))
        w->all_changed = true;
    w->changed = true;
}

static bool changed_near(const lope_block_world *w, lope_spot at, float reach)
{
    const world_change *changes = w->changes.items;
    for (int i = 0; i < w->changes.count; i++) {
        float x = changes[i].x - at.x, z = changes[i].z - at.z, far = reach + changes[i].reach;
        if (x * x + z * z <= far * far)
            return true;
    }
    return w->all_changed;
}

int reuse_junction(const lope_block_world *w, int junction, float reach)
{
    const lope_junction *j = junction_at(w, junction);
    if (changed_near(w, j->at, reach))
        return -1;
    int old = find_item(&w->old_junctions, j, sizeof *j, JUNCTION_KEY);
    return old >= 0 && ((const lope_junction *)w->old_junctions.items.items)[old].floor == j->floor ? old : -1;
}

int reuse_instance(const lope_block_world *w, int instance, float reach)
{
    const lope_block_instance *i = instance_at(w, instance);
    return changed_near(w, i->at, reach) ? -1 : find_item(&w->old_instances, i, sizeof *i, INSTANCE_KEY);
}
