// SPDX-License-Identifier: MIT
// Columns: the surfaces above a point, and which of them is free ground.
#include <math.h>

#include "level/ground.h"

static bool is_above(const ground_layer *a, const ground_layer *b)
{
    return a->y != b->y ? a->y > b->y : a->surface > b->surface;
}

void ground_sort(ground_layer *layers, int count)
{
    for (int i = 1; i < count; i++) {
        ground_layer layer = layers[i];
        int at = i;
        for (; at > 0 && is_above(&layers[at - 1], &layer); at--)
            layers[at] = layers[at - 1];
        layers[at] = layer;
    }
}

bool ground_is_inside(const ground_layer *layers, int count, int first)
{
    for (int i = first; i < count; i++) {
        const int64_t solid = layers[i].solid;
        bool known = solid < 0, odd = false;
        for (int j = first; j < i && !known; j++)
            known = layers[j].solid == solid;
        double last = (double)-INFINITY;
        for (int j = i; j < count && !known; j++)
            if (layers[j].solid == solid && layers[j].y - last > GROUND_SAME) {
                last = layers[j].y;
                odd = !odd;
            }
        if (odd)
            return true;
    }
    return false;
}

bool ground_is_free(const ground_body *body, const ground_layer *layers, int count, int i)
{
    if (!layers[i].flat)
        return false;
    const double knee = layers[i].y + (double)body->step + GROUND_SAME,
                 head = layers[i].y + (double)body->height - GROUND_SAME;
    int above = i + 1;
    for (; above < count && layers[above].y < head; above++)
        if (layers[above].flat || layers[above].y > knee)
            return false;
    return !ground_is_inside(layers, count, above);
}

bool ground_column(const ground_tile *tile, double x, double z, list *out)
{
    const surface *s = tile->surfaces.items;
    out->count = 0;
    for (int i = 0; i < tile->surfaces.count; i++) {
        if (s[i].thin || !section_covers(&s[i], x, z))
            continue;
        ground_layer layer = {section_height(&s[i], x, z), s[i].solid, i, s[i].flat};
        if (!list_add(out, &layer, sizeof layer))
            return false;
    }
    ground_sort(out->items, out->count);
    return true;
}
