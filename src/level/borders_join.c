// SPDX-License-Identifier: MIT
// Joins pieces of borders that go on as one another, straight on: parts of a tile cut them.
#include <math.h>
#include <stdlib.h>

#include "level/borders.h"

static bool same_place(lope_vec2 a, lope_vec2 b)
{
    return fabsf(a.x - b.x) < 2e-4f && fabsf(a.z - b.z) < 2e-4f;
}

// Whether the second goes on as the first, straight on.
static bool follows(const ground_border *a, const ground_border *b)
{
    if (!same_place(a->to, b->from) || fabsf(a->to_y - b->from_y) > 1e-3f ||
        !borders_same_other((double)a->other, (double)b->other))
        return false;
    double ax = (double)(a->to.x - a->from.x), az = (double)(a->to.z - a->from.z), bx = (double)(b->to.x - b->from.x),
           bz = (double)(b->to.z - b->from.z);
    double slope = (double)(a->to_y - a->from_y) * sqrt(bx * bx + bz * bz) -
                   (double)(b->to_y - b->from_y) * sqrt(ax * ax + az * az);
    double sizes = sqrt((ax * ax + az * az) * (bx * bx + bz * bz));
    return ax * bx + az * bz > 0.0 && fabs(ax * bz - az * bx) <= 1e-4 * sizes && fabs(slope) <= 1e-3 * sizes;
}

// A border by where it begins.
typedef struct beginning {
    float x;
    int border;
} beginning;

static int compare_beginnings(const void *first, const void *second)
{
    const beginning *a = first, *b = second;
    return a->x != b->x ? (a->x > b->x) - (a->x < b->x) : a->border - b->border;
}

// The first border that goes on as one; -1: none.
static int next_of(const ground_border *b, const beginning *sorted, int count, int of)
{
    const float from = b[of].to.x - 2.1e-4f, to = b[of].to.x + 2.1e-4f;
    int low = 0, high = count, next = -1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sorted[middle].x < from)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && sorted[low].x <= to; low++) {
        const int at = sorted[low].border;
        if (at != of && b[at].piece != BORDERS_TAKEN && (next < 0 || at < next) && follows(&b[of], &b[at]))
            next = at;
    }
    return next;
}

bool borders_join(ground_border *b, int count, list *scratch)
{
    scratch->count = 0;
    for (int i = 0; i < count; i++)
        if (!list_add(scratch, &(beginning){b[i].from.x, i}, sizeof(beginning)))
            return false;
    if (count > 1)
        qsort(scratch->items, (size_t)count, sizeof(beginning), compare_beginnings);
    for (int i = 0; i < count; i++)
        for (int next = 0; b[i].piece != BORDERS_TAKEN && next >= 0;) {
            next = next_of(b, scratch->items, count, i);
            if (next < 0)
                break;
            b[i].to = b[next].to, b[i].to_y = b[next].to_y;
            b[next].piece = BORDERS_TAKEN;
        }
    return true;
}
