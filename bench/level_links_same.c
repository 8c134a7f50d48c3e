// SPDX-License-Identifier: MIT
// Links and holds as rows of numbers, sorted, so that two lists can be compared.
#include "bench/level_links_same.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS 20

typedef struct item {
    int kind; // of links; holds 100, bars 101
    float numbers[NUMBERS];
    uint64_t steps; // of its steps
} item;

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

static int compare(const void *a, const void *b)
{
    const item *s = a, *t = b;
    if (s->kind != t->kind)
        return s->kind - t->kind;
    for (int i = 0; i < NUMBERS; i++)
        if (s->numbers[i] != t->numbers[i])
            return s->numbers[i] < t->numbers[i] ? -1 : 1;
    return (s->steps > t->steps) - (s->steps < t->steps);
}

static item of_link(const lope_link *l, const lope_link_step *steps)
{
    item out = {.kind = (int)l->kind, .steps = 14695981039346656037u};
    const float numbers[NUMBERS] = {l->from.x,  l->from.y,  l->from.z,      l->to.x,         l->to.y,
                                    l->to.z,    l->left.x,  l->left.y,      l->left.z,       l->right.x,
                                    l->right.y, l->right.z, l->rise,        l->across,       l->headroom,
                                    l->reach,   l->room,    (float)l->part, (float)l->count, 0.0f};
    memcpy(out.numbers, numbers, sizeof numbers);
    for (int i = 0; i < l->count; i++)
        out.steps = hash_bytes(out.steps, &steps[l->first + i], sizeof *steps);
    return out;
}

static item of_hold(const lope_level_hold *h)
{
    item out = {.kind = 100 + h->bar};
    const float numbers[NUMBERS] = {h->from.x,   h->from.y,   h->from.z,   h->to.x,  h->to.y,       h->to.z,
                                    h->normal.x, h->normal.y, h->normal.z, h->out.x, h->out.y,      h->out.z,
                                    h->angle,    h->slope,    h->depth,    h->room,  (float)h->part};
    memcpy(out.numbers, numbers, sizeof numbers);
    return out;
}

// Sorted; the caller frees them.
static item *items_of(const lope_floors *floors, int *count)
{
    int links, holds, steps;
    const lope_link *l = lope_floors_links(floors, &links);
    const lope_level_hold *h = lope_floors_holds(floors, &holds);
    const lope_link_step *s = lope_floors_steps(floors, &steps);
    item *out = malloc(((size_t)links + (size_t)holds + 1) * sizeof *out);
    *count = 0;
    for (int i = 0; i < links; i++)
        if (l[i].kind != LOPE_LINK_SEAM)
            out[(*count)++] = of_link(&l[i], s);
    for (int i = 0; i < holds; i++)
        out[(*count)++] = of_hold(&h[i]);
    qsort(out, (size_t)*count, sizeof *out, compare);
    return out;
}

static void tell(const item *i, bool first, char *text, size_t size)
{
    const float *n = i->numbers;
    snprintf(text, size, "only in the %s: %s from (%.3f, %.3f, %.3f) to (%.3f, %.3f, %.3f), %g %g %g %g",
             first ? "first" : "second", i->kind < 100 ? lope_link_kind_name((lope_link_kind)i->kind) : "hold",
             (double)n[0], (double)n[1], (double)n[2], (double)n[3], (double)n[4], (double)n[5], (double)n[12],
             (double)n[13], (double)n[14], (double)n[15]);
}

int level_links_differ(const lope_floors *a, const lope_floors *b, char *text, size_t size)
{
    int count_a, count_b, different = 0;
    item *in_a = items_of(a, &count_a), *in_b = items_of(b, &count_b);
    for (int i = 0, k = 0; i < count_a || k < count_b;) {
        const int order = i == count_a ? 1 : k == count_b ? -1 : compare(&in_a[i], &in_b[k]);
        if (order && text && different == 0)
            tell(order < 0 ? &in_a[i] : &in_b[k], order < 0, text, size);
        different += order != 0;
        i += order <= 0, k += order >= 0;
    }
    free(in_a), free(in_b);
    return different;
}

uint64_t level_links_hash(const lope_floors *floors)
{
    int count;
    item *items = items_of(floors, &count);
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < count; i++) {
        hash = hash_bytes(hash, &items[i].kind, sizeof items[i].kind);
        hash = hash_bytes(hash, items[i].numbers, sizeof items[i].numbers);
        hash = hash_bytes(hash, &items[i].steps, sizeof items[i].steps);
    }
    free(items);
    return hash;
}
