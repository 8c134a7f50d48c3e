// SPDX-License-Identifier: MIT
// Paths: sequences of configurations with their grasps.
#include <string.h>

#include "base/memory.h"
#include "grasp/random/scribe.h"

bool trail_add(trail *t, const figure *item)
{
    figure copy = *item; // it may be one of the path's own, which moves when the path grows
    if (t->count == t->capacity) {
        int larger = t->capacity ? 2 * t->capacity : 256;
        figure *grown = lope_grow(t->items, (size_t)t->capacity * sizeof *grown, (size_t)larger * sizeof *grown);
        if (!grown)
            return false;
        t->items = grown;
        t->capacity = larger;
    }
    t->items[t->count++] = copy;
    return true;
}

bool scribe_write(scribe *s, const figure *item)
{
    if (!trail_add(&s->path, item))
        s->failed = true;
    return !s->failed;
}

void scribe_cut(scribe *s, int count)
{
    if (s->path.count > count)
        s->path.count = count;
}

void scribe_backtrack(scribe *s)
{
    int random = 0;
    for (int i = 1; i < s->path.count; i++)
        random += s->path.items[i].random;
    int pick = lope_random_below(&s->random, random ? random : s->path.count), at = pick;
    if (random)
        for (at = 1; at < s->path.count; at++)
            if (s->path.items[at].random && pick-- == 0)
                break;
    scribe_cut(s, at + 1);
    s->backtracks++;
}

unsigned figure_mask(const figure *f)
{
    unsigned mask = 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        mask |= (unsigned)(f->hold[i] >= 0) << i;
    return mask;
}

lope_grasp_contacts figure_contacts(const lope_grasp_world *world, const figure *f)
{
    lope_grasp_contacts contacts = {.mask = figure_mask(f)};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (f->hold[i] >= 0)
            contacts.at[i] = world->holds[f->hold[i]].at;
    return contacts;
}

bool figure_same_holds(const figure *a, const figure *b)
{
    return memcmp(a->hold, b->hold, sizeof a->hold) == 0 && a->pose.facing == b->pose.facing && a->mode == b->mode;
}
