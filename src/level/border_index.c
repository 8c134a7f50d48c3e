// SPDX-License-Identifier: MIT
// Borders by place: a hash of square cells, each border in the cell of its middle.
#include <math.h>
#include <stdlib.h>

#include "level/links.h"

#define CELL 2.0
#define LONGEST 4.2 // metres: borders are cut to 4 m when they are found

static int cell_of(double x)
{
    return (int)floor(x / CELL);
}

static int bucket(const border_index *index, int x, int z)
{
    return (int)(((unsigned)x * 73856093u ^ (unsigned)z * 19349663u) & (unsigned)index->mask);
}

static point2 middle(const ground_border *b)
{
    return (point2){0.5 * ((double)b->from.x + (double)b->to.x), 0.5 * ((double)b->from.z + (double)b->to.z)};
}

lope_status border_index_create(const ground_border *borders, int count, border_index *out)
{
    int buckets = 64;
    while (buckets < count)
        buckets *= 2;
    *out = (border_index){.borders = borders, .count = count, .mask = buckets - 1};
    out->starts = lope_alloc_array((size_t)buckets + 2, sizeof(int));
    out->order = lope_alloc_array((size_t)count + 1, sizeof(int));
    if (!out->starts || !out->order) {
        border_index_destroy(out);
        return LOPE_NO_MEMORY;
    }
    memset(out->starts, 0, ((size_t)buckets + 2) * sizeof(int));
    int *next = out->starts + 1; // where the next one of a bucket goes, once summed
    for (int i = 0; i < count; i++) {
        point2 at = middle(&borders[i]);
        next[bucket(out, cell_of(at.x), cell_of(at.z)) + 1]++;
    }
    for (int i = 0; i < buckets; i++)
        next[i + 1] += next[i];
    for (int i = 0; i < count; i++) {
        point2 at = middle(&borders[i]);
        out->order[next[bucket(out, cell_of(at.x), cell_of(at.z))]++] = i;
    }
    return LOPE_OK;
}

void border_index_destroy(border_index *index)
{
    lope_free(index->starts);
    lope_free(index->order);
    *index = (border_index){0};
}

static bool meets(const ground_border *b, point2 low, point2 high)
{
    return fminf(b->from.x, b->to.x) <= (float)high.x && fmaxf(b->from.x, b->to.x) >= (float)low.x &&
           fminf(b->from.z, b->to.z) <= (float)high.z && fmaxf(b->from.z, b->to.z) >= (float)low.z;
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
    out->count = 0;
    bool fine = true;
    if (((double)x1 - x0 + 1) * ((double)z1 - z0 + 1) > (double)index->count) {
        for (int i = 0; i < index->count; i++)
            if (meets(&index->borders[i], low, high))
                fine = fine && list_add(out, &i, sizeof i);
        return fine;
    }
    for (int x = x0; x <= x1; x++)
        for (int z = z0; z <= z1; z++)
            for (int k = index->starts[bucket(index, x, z)]; k < index->starts[bucket(index, x, z) + 1]; k++) {
                const ground_border *b = &index->borders[index->order[k]];
                point2 at = middle(b);
                if (cell_of(at.x) == x && cell_of(at.z) == z && meets(b, low, high))
                    fine = fine && list_add(out, &index->order[k], sizeof(int));
            }
    qsort(out->items, (size_t)out->count, sizeof(int), compare_numbers);
    return fine;
}
