// SPDX-License-Identifier: MIT
// Edges of triangles, told apart by the places of their ends: what soup shares is found by place, not by index.
#ifndef LOPE_SRC_LEVEL_EDGE_H
#define LOPE_SRC_LEVEL_EDGE_H

#include <string.h>

#include "lope/math.h"

typedef struct edge {
    lope_vec3 a, b; // in order
} edge;

static inline int place_order(lope_vec3 a, lope_vec3 b)
{
    if (a.x != b.x)
        return a.x < b.x ? -1 : 1;
    if (a.z != b.z)
        return a.z < b.z ? -1 : 1;
    return (a.y > b.y) - (a.y < b.y);
}

static inline edge edge_between(lope_vec3 a, lope_vec3 b)
{
    return place_order(a, b) < 0 ? (edge){a, b} : (edge){b, a};
}

static inline int edge_order(const edge *e, const edge *f)
{
    const int order = place_order(e->a, f->a);
    return order ? order : place_order(e->b, f->b);
}

static inline uint32_t edge_hash(const edge *e)
{
    const float numbers[6] = {e->a.x + 0.0f, e->a.y + 0.0f, e->a.z + 0.0f, e->b.x + 0.0f, e->b.y + 0.0f, e->b.z + 0.0f};
    uint32_t bits[6], hash = 2166136261u;
    memcpy(bits, numbers, sizeof bits);
    for (int i = 0; i < 6; i++)
        hash = (hash ^ (bits[i] >> 3)) * 16777619u ^ (bits[i] << 7);
    return hash ^ (hash >> 15);
}

#endif
