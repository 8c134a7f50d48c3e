// SPDX-License-Identifier: MIT
// Borders by place: a hash of square cells, each border in the cell of its middle.
#include <math.h>
#include <stdlib.h>

#include "level/links.h"

#define CELL 3.0
#define LONGEST 2.9 // metres: borders end at the sides of tiles

static int cell_of(double x)
{
    const double i = x / CELL;
    return (int)i - (i < 0.0);
}

static int bucket(const border_index *index, int x, int z)
{
    return (int)(((unsigned)x * 73856093u ^ (unsigned)z * 19349663u) & (unsigned)index->mask);
}

static border_entry entry_of(const lope_floor_border *b, int number)
{
    return (border_entry){fminf(b->from.x, b->to.x),
                          fminf(b->from.z, b->to.z),
                          fmaxf(b->from.x, b->to.x),
                          fmaxf(b->from.z, b->to.z),
                          cell_of(0.5 * ((double)b->from.x + (double)b->to.x)),
                          cell_of(0.5 * ((double)b->from.z + (double)b->to.z)),
                          number};
}

lope_status border_index_create(const lope_floor_border *borders, int count, border_index *out)
{
    int buckets = 64;
    while (buckets < count)
        buckets *= 2;
    *out = (border_index){.borders = borders, .count = count, .mask = buckets - 1};
    out->starts = lope_alloc_zero(((size_t)buckets + 2) * sizeof(int));
    out->entries = lope_alloc_array((size_t)count, sizeof *out->entries);
    if (!out->starts || !out->entries) {
        border_index_destroy(out);
        return LOPE_NO_MEMORY;
    }
    int *next = out->starts + 1; // where the next one of a bucket goes, once summed
    for (int i = 0; i < count; i++) {
        const border_entry e = entry_of(&borders[i], i);
        next[bucket(out, e.x, e.z) + 1]++;
    }
    for (int i = 0; i < buckets; i++)
        next[i + 1] += next[i];
    for (int i = 0; i < count; i++) {
        const border_entry e = entry_of(&borders[i], i);
        out->entries[next[bucket(out, e.x, e.z)]++] = e;
    }
    return LOPE_OK;
}

void border_index_destroy(border_index *index)
{
    lope_free(index->starts);
    lope_free(index->entries);
    *index = (border_index){0};
}

static int compare_numbers(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

bool border_index_find(const border_index *index, point2 low, point2 high, list *out)
{
    const double margin = 0.5 * LONGEST;
    const int x0 = cell_of(low.x - margin), x1 = cell_of(high.x + margin);
    const int z0 = cell_of(low.z - margin), z1 = cell_of(high.z + margin);
    const float box[4] = {(float)low.x, (float)low.z, (float)high.x, (float)high.z};
    const bool all = ((double)x1 - x0 + 1) * ((double)z1 - z0 + 1) > (double)index->count;
    bool fine = true;
    out->count = 0;
    for (int x = x0; x <= (all ? x0 : x1); x++)
        for (int z = z0; z <= (all ? z0 : z1); z++) {
            const int b = bucket(index, x, z), end = all ? index->count : index->starts[b + 1];
            for (int k = all ? 0 : index->starts[b]; k < end; k++) {
                const border_entry *e = &index->entries[k];
                if (e->low_x <= box[2] && e->high_x >= box[0] && e->low_z <= box[3] && e->high_z >= box[1] &&
                    (all || (e->x == x && e->z == z)))
                    fine = fine && list_add(out, &e->border, sizeof(int));
            }
        }
    if (out->count > 1)
        qsort(out->items, (size_t)out->count, sizeof(int), compare_numbers);
    return fine;
}
