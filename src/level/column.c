// SPDX-License-Identifier: MIT
// Columns: the surfaces above a point, and which of them is free ground.
#include <math.h>

#include "level/ground.h"
#include "level/section.h"

int ground_sort(ground_layer *layers, int count)
{
    for (int i = 1; i < count; i++) {
        ground_layer layer = layers[i];
        int at = i;
        for (; at > 0 && layers[at - 1].y > layer.y; at--)
            layers[at] = layers[at - 1];
        layers[at] = layer;
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept > 0 && layers[i].y - layers[kept - 1].y <= GROUND_SAME)
            layers[kept - 1].flat = layers[kept - 1].flat || layers[i].flat;
        else
            layers[kept++] = layers[i];
    }
    return kept;
}

bool ground_is_free(const ground_body *body, const ground_layer *layers, int count, int i)
{
    if (!layers[i].flat)
        return false;
    for (int j = i + 1; j < count && layers[j].y < layers[i].y + (double)body->height; j++)
        if (layers[j].flat || layers[j].y > layers[i].y + (double)body->step)
            return false;
    return true;
}
