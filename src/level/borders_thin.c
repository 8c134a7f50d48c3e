// SPDX-License-Identifier: MIT
// Which surfaces matter in a part of a tile. Where many lie over each other, as in foliage and debris, most of them are
// free ground nowhere in a small part, because one other surface is in the way all over it. Borders depend on the rest,
// and on what can be in the way of that.
#include <math.h>
#include <stdlib.h>

#include "level/borders.h"

#define CLEARLY 1e-7 // metres: heights at corners are rounded

static void measure(const ground_tile *tile, const frame *part, part_surface *p)
{
    const surface *s = &((const surface *)tile->surfaces.items)[p->surface];
    p->low = s->low, p->high = s->high;
    p->live = s->flat;
    p->covers = !s->thin;
    for (int k = 0; k < 4 && !s->thin; k++) {
        const double x = k & 1 ? part->high_x : part->low_x, z = k & 2 ? part->high_z : part->low_z;
        p->heights[k] = section_height(s, x, z);
        p->covers = p->covers && section_covers(s, x, z);
    }
    if (s->thin)
        return;
    const double *h = p->heights;
    p->low = section_most(p->low, section_least(section_least(h[0], h[1]), section_least(h[2], h[3])));
    p->high = section_least(p->high, section_most(section_most(h[0], h[1]), section_most(h[2], h[3])));
}

// Whether a surface that covers the part is in the way of another everywhere.
static bool is_over(const ground_body *body, const part_surface *ground, const part_surface *other, bool flat)
{
    const double least = flat ? CLEARLY : (double)body->step + GROUND_SAME + CLEARLY,
                 most = (double)body->height - GROUND_SAME - CLEARLY;
    bool over = true;
    for (int k = 0; k < 4 && over; k++) {
        const double above = other->heights[k] - ground->heights[k];
        over = above > least && above < most;
    }
    return over;
}

static void find_live(const ground_tile *tile, part_surface *p, int count)
{
    const surface *surfaces = tile->surfaces.items;
    for (int k = 0; k < count; k++) // most often few cover all of the part
        for (int i = 0; i < count && p[k].covers; i++)
            p[i].live = p[i].live && (i == k || !is_over(tile->body, &p[i], &p[k], surfaces[p[k].surface].flat));
}

static int compare_ranges(const void *first, const void *second)
{
    const double *a = first, *b = second;
    return (a[0] > b[0]) - (a[0] < b[0]);
}

// Heights in which something matters: over live ground, as high as a body. Returns how many ranges; -1: no memory.
static int find_ranges(const ground_body *body, const part_surface *p, int count, list *ranges)
{
    double all[2] = {(double)INFINITY, (double)-INFINITY};
    ranges->count = 0;
    for (int i = 0; i < count; i++) {
        const double range[2] = {p[i].low - GROUND_SAME, p[i].high + (double)body->height + GROUND_SAME};
        if (p[i].live && !list_add(ranges, range, sizeof range))
            return -1;
        if (p[i].live)
            all[0] = section_least(all[0], range[0]), all[1] = section_most(all[1], range[1]);
    }
    double(*r)[2] = ranges->items;
    if (ranges->count && all[1] - all[0] < 2.0 * (double)body->height) { // there is no gap
        r[0][0] = all[0], r[0][1] = all[1];
        return 1;
    }
    int kept = 0;
    if (ranges->count > 1)
        qsort(r, (size_t)ranges->count, sizeof *r, compare_ranges);
    for (int i = 1; i < ranges->count; i++)
        if (r[i][0] <= r[kept][1]) {
            r[kept][1] = section_most(r[kept][1], r[i][1]);
        } else {
            kept++;
            r[kept][0] = r[i][0], r[kept][1] = r[i][1];
        }
    return ranges->count ? kept + 1 : 0;
}

static bool is_in(const double (*ranges)[2], int count, const part_surface *p)
{
    int low = 0, high = count; // the first range that ends above it
    while (low < high) {
        const int middle = (low + high) / 2;
        if (ranges[middle][1] < p->low)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ranges[low][0] <= p->high;
}

int borders_thin(const ground_tile *tile, const frame *part, part_surface *p, int count, list *ranges)
{
    const surface *surfaces = tile->surfaces.items;
    for (int i = 0; i < count; i++)
        measure(tile, part, &p[i]);
    find_live(tile, p, count);
    const int range_count = find_ranges(tile->body, p, count, ranges);
    const double(*r)[2] = (const double(*)[2])ranges->items;
    int kept = 0;
    for (int i = 0; i < count && range_count > 0; i++) // of solids, everything above counts
        if (is_in(r, range_count, &p[i]) || (surfaces[p[i].surface].solid >= 0 && p[i].high >= r[0][0]))
            p[kept++] = p[i];
    return range_count < 0 ? -1 : kept;
}
