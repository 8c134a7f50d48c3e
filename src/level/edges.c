// SPDX-License-Identifier: MIT
// Sharp edges: sides of triangles put together by their ends, with the two faces that meet there.
#include "level/edges.h"

#include <math.h>
#include <stdlib.h>

#include "terrain/terrain.h"

#define SHARPEST_DOT (-0.5f) // cosine of the widest angle between the faces, 120 degrees
#define LEVEL 0.5f           // rise of an edge per metre of it, at most
#define TOP 0.6f             // least y of the normal of the upper surface

typedef struct edge_side {
    edge edge;
    int triangle; // of the gathered ones
} edge_side;

typedef struct edge_search {
    const links_source *source;
    const links_box *box;
    const list *seen; // links_box; NULL: none
    list triangles, sides;
} edge_search;

bool edges_inside(const links_source *source, lope_vec3 at)
{
    const ground_layer *layers;
    const int count = links_column(source, (point2){(double)at.x, (double)at.z}, (double)at.y, &layers);
    return ground_is_inside(layers, count, 0);
}

links_origin edges_origin(lope_vec3 a, lope_vec3 b, double beside, double above)
{
    const links_box line = {{fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)},
                            {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)}};
    return (links_origin){.influence = links_box_grown(&line, beside, above), .source = lope_v3_lerp(a, b, 0.5f)};
}

bool edges_seen(const list *seen, const links_box *box, bool all)
{
    const links_box *boxes = seen ? seen->items : NULL;
    for (int i = 0; seen && i < seen->count; i++)
        if (all ? terrain_box_holds(&boxes[i], box) : terrain_box_meets(&boxes[i], box))
            return true;
    return false;
}

static int compare_sides(const void *first, const void *second)
{
    const edge_side *s = first, *t = second;
    const int order = edge_order(&s->edge, &t->edge);
    return order ? order : s->triangle - t->triangle;
}

// By number: nothing may depend on how the terrain is kept.
static int compare_triangles(const void *first, const void *second)
{
    const lope_terrain_triangle *s = first, *t = second;
    return s->piece != t->piece ? s->piece - t->piece : s->triangle - t->triangle;
}

// The direction from the edge into a triangle, across the edge.
static lope_vec3 into(const lope_terrain_triangle *t, lope_vec3 a, lope_vec3 along)
{
    lope_vec3 best = {0}; // the corner farthest from the edge
    for (int i = 0; i < 3; i++) {
        const lope_vec3 d = lope_v3_sub(t->corners[i], a);
        const lope_vec3 across = lope_v3_mad(d, along, -lope_v3_dot(d, along));
        if (lope_v3_dot(across, across) > lope_v3_dot(best, best))
            best = across;
    }
    return lope_v3_normalize(best, (lope_vec3){0.0f, 1.0f, 0.0f});
}

// The edge that `count` triangles meet at. False where it is not sharp, not level, or has no surface on top.
static bool sharpen(const edge_search *h, const edge_side *s, int count, sharp_edge *out)
{
    const lope_terrain_triangle *t = h->triangles.items;
    *out = (sharp_edge){
        .a = s->edge.a, .b = s->edge.b, .length = lope_v3_distance(s->edge.a, s->edge.b), .triangle = t[s->triangle]};
    out->along = lope_v3_normalize(lope_v3_sub(s->edge.b, s->edge.a), (lope_vec3){0.0f, 1.0f, 0.0f});
    if (out->length < EDGES_SHORTEST || fabsf(out->along.y) > LEVEL)
        return false;
    const lope_vec3 first = into(&t[s[0].triangle], s->edge.a, out->along);
    lope_vec3 second = first;
    for (int i = 1; i < count && lope_v3_dot(first, second) > 0.9999f; i++)
        second = into(&t[s[i].triangle], s->edge.a, out->along);
    const float cosine = lope_v3_dot(first, second);
    const lope_vec3 inner = lope_v3_normalize(lope_v3_add(first, second), first);
    if (cosine < SHARPEST_DOT)
        return false;
    for (int i = 0; i < 2; i++) { // the face on top
        const lope_vec3 in = i ? second : first;
        lope_vec3 normal = lope_v3_cross(out->along, in);
        const float outside = cosine > 0.9999f ? -normal.y : lope_v3_dot(normal, inner);
        normal = outside > 0.0f ? lope_v3_scale(normal, -1.0f) : normal;
        if (normal.y >= TOP && normal.y > out->normal.y)
            out->normal = normal, out->in = in;
    }
    out->inner = inner;
    out->out = lope_v3_normalize((lope_vec3){-out->in.x, 0.0f, -out->in.z}, (lope_vec3){1.0f, 0.0f, 0.0f});
    out->angle = cosine > 0.9999f ? 0.0f : (float)lope_acos((double)cosine);
    out->solid = terrain_solid(h->source->terrain, out->triangle.piece, out->triangle.triangle);
    return out->normal.y >= TOP;
}

// Whether the solid is between the faces, not around them.
static bool is_convex(const edge_search *h, const sharp_edge *e)
{
    const lope_vec3 middle = lope_v3_mad(e->a, e->along, 0.5f * e->length);
    if (e->solid < 0)
        return e->angle == 0.0f || e->inner.y < 0.0f;
    return edges_inside(h->source, lope_v3_mad(middle, e->inner, 5e-3f));
}

// Adds a side, or takes away the one that goes on as it without a sharp angle: most of fine ground.
static void meet(edge_search *h, const edge_side *s, int *table, uint32_t mask)
{
    const lope_terrain_triangle *t = h->triangles.items;
    edge_side *sides = h->sides.items;
    uint32_t at = edge_hash(&s->edge) & mask;
    while (table[at] && edge_order(&sides[table[at] - 1].edge, &s->edge))
        at = (at + 1) & mask;
    edge_side *other = table[at] ? &sides[table[at] - 1] : NULL;
    if (other && other->triangle >= 0) {
        const lope_vec3 along = lope_v3_normalize(lope_v3_sub(s->edge.b, s->edge.a), (lope_vec3){0.0f, 1.0f, 0.0f});
        if (lope_v3_dot(into(&t[other->triangle], s->edge.a, along), into(&t[s->triangle], s->edge.a, along)) <
            SHARPEST_DOT) {
            other->triangle = -1;
            return;
        }
    }
    sides[h->sides.count++] = *s;
    table[at] = table[at] ? table[at] : h->sides.count;
}

// Whether an edge is looked for: long and level enough, in the box, and not seen.
static bool is_sought(const edge_search *h, const edge *e)
{
    const float length = lope_v3_distance(e->a, e->b);
    if (!(length >= EDGES_SHORTEST && fabsf(e->a.y - e->b.y) <= LEVEL * length))
        return false;
    links_box line = {e->a, e->a};
    terrain_box_add(&line, e->b);
    return terrain_box_meets(&line, h->box) && !edges_seen(h->seen, &line, false);
}

// Gathers the sides of triangles that are looked for, and sorts them.
static bool gather(edge_search *h)
{
    if (!links_triangles(h->source->terrain, h->box, &h->triangles))
        return false;
    if (h->triangles.count > 1)
        qsort(h->triangles.items, (size_t)h->triangles.count, sizeof(lope_terrain_triangle), compare_triangles);
    uint32_t room = 64;
    while (room < 6u * (uint32_t)h->triangles.count)
        room *= 2;
    int *table = lope_alloc_zero(room * sizeof *table), kept = 0;
    h->sides.items = lope_alloc_array(3 * (size_t)h->triangles.count, sizeof(edge_side));
    for (int i = 0; table && h->sides.items && i < 3 * h->triangles.count; i++) {
        const lope_terrain_triangle *t = &((lope_terrain_triangle *)h->triangles.items)[i / 3];
        const edge_side s = {edge_between(t->corners[i % 3], t->corners[(i + 1) % 3]), i / 3};
        if (is_sought(h, &s.edge))
            meet(h, &s, table, room - 1);
    }
    const bool fine = table && h->sides.items;
    edge_side *sides = h->sides.items;
    for (int i = 0; i < h->sides.count; i++)
        if (sides[i].triangle >= 0)
            sides[kept++] = sides[i];
    h->sides.count = kept;
    if (kept > 1)
        qsort(sides, (size_t)kept, sizeof *sides, compare_sides);
    lope_free(table);
    return fine;
}

bool edges_find(const links_source *source, const links_box *box, const list *seen, list *out)
{
    edge_search h = {.source = source, .box = box, .seen = seen};
    bool fine = gather(&h);
    const edge_side *s = h.sides.items;
    for (int first = 0, next; first < h.sides.count && fine; first = next) {
        sharp_edge e;
        for (next = first + 1; next < h.sides.count && edge_order(&s[first].edge, &s[next].edge) == 0;)
            next++;
        if (sharpen(&h, &s[first], next - first, &e) && is_convex(&h, &e))
            fine = list_add(out, &e, sizeof e);
    }
    lope_free(h.triangles.items), lope_free(h.sides.items);
    return fine;
}
